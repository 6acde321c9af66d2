"""Whether git ignores a file, and a line in .gitignore that makes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from codeagent_tui.memory.memory_file import read_memory_file, replace_memory_file

_IGNORED, _NOT_IGNORED = 0, 1
"""Exit codes of `git check-ignore` (git-check-ignore(1)); any other: no repository."""


async def would_be_committed(path: Path) -> bool:
    """Whether `path` lies in a repository of git's that does not ignore it."""
    try:
        process = await asyncio.create_subprocess_exec(
            *("git", "-C", str(path.parent), "check-ignore", "-q", path.name),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        # No git here, so nothing is committed from here either.
        return False
    try:
        return await process.wait() == _NOT_IGNORED
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def ignore(path: Path) -> None:
    """Add a line for `path` to the .gitignore beside it. Touches files.

    Raises:
        MemoryFileError: when that cannot be written; it is as it was.
    """
    file = read_memory_file(path.parent / ".gitignore")
    gap = "" if not file.text or file.text.endswith(("\n", "\r")) else file.newline
    replace_memory_file(file, f"{file.text}{gap}/{path.name}{file.newline}")
