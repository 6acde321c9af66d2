"""Gives the terminal to the user's editor and takes it back."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from textual.app import App, SuspendNotSupported

_FALLBACKS = ("nano", "vim", "vi", "emacs")


class NoEditor(Exception):
    """The file cannot be edited here; the message says why, and what to do."""


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """Return the user's editor with its arguments: `VISUAL`, `EDITOR`, or the first of some that is installed.

    Raises:
        NoEditor: when there is none, or the variable cannot be read.
    """
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environment.get(name, ""))
        except ValueError as error:
            raise NoEditor(f"{name} cannot be read ({error}). Mend it, and start again.") from error
        if words:
            return words
    found = next(filter(None, map(shutil.which, _FALLBACKS)), None)
    if found is None:
        raise NoEditor("No editor was found. Set EDITOR to yours, and start again.")
    return [found]


async def edit_file(app: App[int], path: Path, environment: Mapping[str, str]) -> None:
    """Let the user edit `path`, and wait for the editor's end; what runs beside it goes on.

    Raises:
        NoEditor: when that is not possible; nothing has changed then.
    """
    command = editor_command(environment)
    try:
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        # Nothing may be drawn over the editor.
        with app.suspend(), app.batch_update(), _deaf_to_ctrl_c():
            process = await asyncio.create_subprocess_exec(*command, str(path))
            status = await process.wait()
    except SuspendNotSupported:
        raise NoEditor(f"This terminal cannot be given to an editor. The file is {path}.") from None
    except OSError as error:
        raise NoEditor(f"{command[0]} could not be started: {error.strerror or error}. The file is {path}.") from error
    if status:
        raise NoEditor(f"{command[0]} ended with status {status}.")


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Leave ctrl+c to the editor: both get it, and it must not end this program."""
    # A handler, not SIG_IGN: the editor would inherit that.
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
