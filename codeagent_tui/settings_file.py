"""Reads the settings from their five sources, in order, and writes the user's choices back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path

from codeagent_tui.credentials import stored_key
from codeagent_tui.paths import Paths, write_private
from codeagent_tui.settings import Settings

PROJECT_FILE = Path(".code-agent-cli") / "settings.json"

ENVIRONMENT = {
    "OPENAI_API_KEY": "api_key",
    "OPENAI_BASE_URL": "base_url",
    "CODEAGENT_MODEL": "model",
    "CODEAGENT_WINDOW": "window",
    "CODEAGENT_THEME": "theme",
    "CODEAGENT_MAX_STEPS": "max_steps",
}
# What a repository must not decide for whoever clones it: where requests and keys go, and what runs unasked.
NOT_FROM_A_PROJECT = frozenset({"base_url", "api_key", "mode", "discover"})
_KNOWN = {field.name: field for field in fields(Settings) if field.name != "sources"}
_LEAST = {"max_steps": 1, "max_attempts": 1}
_MOST = 1e9


class SettingsError(Exception):
    """A setting that cannot be used; the message names its source and what it should be."""


def load_settings(
    paths: Paths,
    workspace: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Return the settings: defaults < user file < project file < environment < flags.

    Raises:
        SettingsError: naming the source, the setting and what it should be. Nothing is half applied.
    """
    sources: list[str] = []
    user = _apply(Settings(), _read(paths.settings), f"{paths.settings}", sources)
    settings = _apply(user, _read_project(workspace / PROJECT_FILE, paths), f"{workspace / PROJECT_FILE}", sources)
    for variable, name in ENVIRONMENT.items():
        if environ.get(variable):
            settings = _apply(settings, {name: environ[variable]}, f"the environment's {variable}", sources)
    settings = _apply(settings, dict(flags or {}), "the command line", sources)
    return replace(settings, api_key=_key(settings, user, environ, paths), sources=tuple(sources))


def _key(settings: Settings, user: Settings, environ: Mapping[str, str], paths: Paths) -> str:
    """Return the key to send: never one that was written down for another endpoint."""
    stored = stored_key(paths, settings.base_url)
    if settings.base_url == user.base_url:
        # Stored for the very endpoint in use, it belongs there more surely than one that lies in the environment.
        return stored or settings.api_key
    return environ.get("OPENAI_API_KEY", "").strip() or stored


def save_user_settings(paths: Paths, changes: Mapping[str, str | int | bool]) -> None:
    """Write `changes` into the user's settings file; everything else in it stays as it is.

    Raises:
        SettingsError: when the file is damaged (it is left alone then).
        OSError: when it cannot be written.
    """
    held = _read(paths.settings)
    held.update(changes)
    write_private(paths.settings, json.dumps(held, ensure_ascii=False, indent=2).encode() + b"\n")


def _read_project(path: Path, paths: Paths) -> dict[str, object]:
    """Return what the project's file sets; in the home folder that file is the user's own, and read already."""
    if os.path.realpath(path) == os.path.realpath(paths.settings):
        return {}
    project = _read(path)
    forbidden = sorted(NOT_FROM_A_PROJECT & project.keys())
    if forbidden:
        raise SettingsError(
            f"{path} sets {', '.join(forbidden)}, which a project may not decide. "
            f"Take it out there; put it into {paths.settings} if you want it."
        )
    return project


def _read(path: Path) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}. Mend it or move it away.") from None
    if not text.strip():
        return {}
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is no valid JSON ({error}). Mend it or move it away.") from None
    if not isinstance(data, dict):
        raise SettingsError(f"{path} must hold one JSON object.")
    return data


def _apply(settings: Settings, values: Mapping[str, object], source: str, sources: list[str]) -> Settings:
    changes = {}
    for written, value in values.items():
        # `retrieval.ranker` is as good as `retrieval_ranker`.
        name = written.replace(".", "_")
        if name not in _KNOWN:
            raise SettingsError(f"{source}: there is no setting {written!r}. Known: {', '.join(sorted(_KNOWN))}.")
        changes[name] = _converted(name, value, source)
    if not changes:
        return settings
    sources.append(source)
    # `changes` was checked name by name and type by type against the dataclass just above.
    return replace(settings, **changes)  # type: ignore[arg-type]


def _converted(name: str, value: object, source: str) -> object:
    default = _KNOWN[name].default
    try:
        if isinstance(default, Enum):
            return type(default)(str(value))
        if isinstance(default, bool):
            return _boolean(value)
        if isinstance(default, int | float):
            return _number(value, type(default), _LEAST.get(name, 0))
        if not isinstance(value, str):
            raise ValueError
        return value.strip()
    except (ValueError, OverflowError):
        raise SettingsError(f"{source}: {name} cannot be {value!r}; it is {_expected(name)}.") from None


def _number(value: object, kind: type[int] | type[float], least: int) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    number = kind(value)
    if not least <= number < _MOST or (isinstance(value, float) and number != value):
        raise ValueError
    return number


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if not isinstance(value, str) or value.lower() not in words:
        raise ValueError
    return words[value.lower()]


def _expected(name: str) -> str:
    default = _KNOWN[name].default
    if isinstance(default, Enum):
        return "one of " + ", ".join(choice.value for choice in type(default))
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, int | float):
        whole = "a whole number" if isinstance(default, int) else "a number"
        return f"{whole}, at least {_LEAST.get(name, 0)}"
    return "a text"
