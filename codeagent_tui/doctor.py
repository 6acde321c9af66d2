"""`codeagent doctor`: versions, paths, the connection, the window; what is wrong and how to mend it."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from codeagent_tui import __version__
from codeagent_tui.agent.model_choice import choose_model
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.llm.connect import probe_connection
from codeagent_tui.llm.discovery import discover
from codeagent_tui.paths import Paths, styles_dir
from codeagent_tui.settings import Settings
from codeagent_tui.text import clean_text

_LIBRARIES = ("textual", "rich", "openai", "pydantic", "jieba", "watchfiles", "tree-sitter-bash")


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; `mend` says what to do when it is not OK."""

    name: str
    state: State
    found: str
    mend: str = ""


def run_doctor(settings: Settings, paths: Paths, workspace: Path) -> int:
    """Print the report; the exit status is 1 when something is wrong."""
    checks = [
        *_program(),
        *_folders(paths),
        *_terminal(),
        _settings(settings, workspace),
        *asyncio.run(_model(settings)),
    ]
    width = max(len(check.name) for check in checks)
    for check in checks:
        print(f"{check.name:<{width}}  {check.state:<5}  {clean_text(check.found)}")
        if check.mend:
            print(f"{'':<{width}}         → {clean_text(check.mend)}")
    return ExitCode.FAILED if any(check.state is State.WRONG for check in checks) else ExitCode.OK


def _program() -> Iterator[Check]:
    yield Check("codeagent", State.OK, f"{__version__} at {Path(__file__).parent}")
    yield Check("python", State.OK, f"{platform.python_version()} ({sys.executable}) on {platform.platform()}")
    for name in _LIBRARIES:
        try:
            yield Check(name, State.OK, version(name))
        except PackageNotFoundError:
            yield Check(name, State.WRONG, "not installed", "Install CodeAgent again: pip install --force-reinstall .")
    found = shutil.which("git")
    yield Check("git", State.OK if found else State.NOTE, found or "not found", "" if found else "Install git.")
    styles = styles_dir()
    there = any(styles.glob("*.tcss"))
    mend = "" if there else "Install CodeAgent again: its stylesheets are missing."
    yield Check("styles", State.OK if there else State.WRONG, str(styles), mend)


def _folders(paths: Paths) -> Iterator[Check]:
    home = paths.home
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    writable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    yield Check(
        "data folder",
        State.OK if writable else State.WRONG,
        f"{home}{'' if home.exists() else ' (made on first use)'}",
        "" if writable else f"{nearest} cannot be written; set CODEAGENT_HOME to a folder that can.",
    )
    for path in (paths.settings, paths.credentials, paths.long_term_memory, paths.permissions):
        if path.exists():
            private = os.name != "posix" or path.stat().st_mode & 0o077 == 0 or path == paths.settings
            mend = "" if private else f"Others can read it: chmod 600 {path}"
            yield Check(
                path.name, State.OK if private else State.WRONG, f"{path} ({path.stat().st_size:,} bytes)", mend
            )


def _terminal() -> Iterator[Check]:
    term = os.environ.get("TERM", "")
    usable = term not in ("", "dumb")
    colours = "true colour" if os.environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer"
    size = shutil.get_terminal_size()
    yield Check(
        "terminal",
        State.OK if usable else State.NOTE,
        f"TERM={term or 'unset'}, {colours}, {size.columns}x{size.lines}"
        + (", NO_COLOR" if os.environ.get("NO_COLOR") else ""),
        "" if usable else "The screen needs a terminal; `codeagent -p` works without one.",
    )
    encoding = sys.getfilesystemencoding()
    good = encoding.lower().replace("-", "") == "utf8"
    yield Check("encoding", State.OK if good else State.NOTE, encoding, "" if good else "Set LANG=C.UTF-8 or the like.")


def _settings(settings: Settings, workspace: Path) -> Check:
    found = ", ".join(settings.sources) or "defaults only"
    return Check("settings", State.OK, f"{found}; mode {settings.mode}; workspace {workspace.resolve()}")


async def _model(settings: Settings) -> list[Check]:
    choice = choose_model(settings)
    profile = ContextProfile.for_window(choice.window)
    checks: list[Check] = []
    if settings.model:
        report = await probe_connection(settings.base_url, settings.api_key, settings.model)
        where = settings.base_url or "the SDK's default endpoint"
        state = State.OK if report.ok else State.WRONG
        checks.append(Check("model", state, f"{settings.model} at {where}", "" if report.ok else report.message))
    else:
        mend = "Set OPENAI_API_KEY / OPENAI_BASE_URL and CODEAGENT_MODEL, or choose one with /model."
        checks.append(Check("model", State.NOTE, "offline: no language model connected", mend))
        if settings.discover:
            servers = await discover()
            found = "; ".join(f"{server.name} at {server.base_url}" for server in servers) or "none found"
            checks.append(Check("local servers", State.OK if servers else State.NOTE, found))
    window = f"{profile.window:,} tokens; compaction from {profile.history_trigger:,} on"
    checks.append(Check("window", State.NOTE if choice.notices else State.OK, window, " ".join(choice.notices)))
    return checks
