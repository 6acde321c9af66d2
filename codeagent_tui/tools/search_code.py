"""search_code: lines that match a pattern, file by file."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from codeagent_tui.conversation.events import ToolKind
from codeagent_tui.secret_files import holds_secrets
from codeagent_tui.text import clean_text, cut_characters, grapheme_floor
from codeagent_tui.tools.output import SEARCH_CHARACTERS, SEARCH_HITS, partial
from codeagent_tui.tools.paths import missing, resolve, show_name
from codeagent_tui.tools.search_backends import FoundLine, SearchQuery, check_pattern, ripgrep, search
from codeagent_tui.tools.tool import Access, Arguments, Tool, ToolContext, ToolOutput

_SECONDS = 20.0
_SHOWN_OF_LINE = 300
_BEFORE_MATCH = 100


class SearchCodeArguments(Arguments):
    """What to look for."""

    pattern: str = Field(description="Regular expression (no look-around, no back-references)")
    path: str = Field(".", description="Folder or file to search")
    glob: str = Field("", description="Only files that match, such as `*.py` or `src/**/*.ts`")
    literal: bool = Field(False, description="The pattern is plain text")
    ignore_case: bool = False
    context: int = Field(0, ge=0, le=5, description="Lines to show around each hit")
    include_ignored: bool = Field(False, description="Also what .gitignore leaves out")
    max_hits: int = Field(SEARCH_HITS, ge=1, le=500)


class SearchCode(Tool[SearchCodeArguments]):
    """Searches file contents."""

    name: ClassVar[str] = "search_code"
    description: ClassVar[str] = (
        "Search file contents by a regular expression. Hits come by file as `number: line` (context as `number- "
        "line`). Ignored and binary files, and those that usually hold secrets, are not searched."
    )
    kind: ClassVar[ToolKind] = ToolKind.READ
    arguments: ClassVar[type[Arguments]] = SearchCodeArguments

    def __init__(self, executable: Path | None = None, *, use_ripgrep: bool = True) -> None:
        self._executable = executable or (ripgrep() if use_ripgrep else None)

    def title(self, arguments: SearchCodeArguments) -> str:
        """Return one line for people."""
        where = f" in {arguments.path}" if arguments.path != "." else ""
        return f"search_code {arguments.pattern}{where}" + (f" ({arguments.glob})" if arguments.glob else "")

    async def access(self, arguments: SearchCodeArguments, context: ToolContext) -> Access:
        """Say where it reads."""
        path = resolve(context, arguments.path)
        return Access(self.kind, self.title(arguments), paths=(path,), body=str(path))

    async def run(self, arguments: SearchCodeArguments, context: ToolContext) -> ToolOutput:
        """Search."""
        path = resolve(context, arguments.path)
        if not path.exists():
            raise missing(context, path)
        query = SearchQuery(
            arguments.pattern,
            path,
            context.workspace.root,
            arguments.glob,
            arguments.literal,
            arguments.ignore_case,
            arguments.include_ignored,
            arguments.context,
        )
        check_pattern(query)
        report = _Report(arguments.max_hits)
        # A search of a folder must not be the other door to a file that would ask to be read. That such a file matches
        # is not said either: asked often enough, that would tell what is in it.
        asked_for = holds_secrets(path)
        try:
            async with asyncio.timeout(_SECONDS), aclosing(search(query, self._executable)) as found:
                async for line in found:
                    if not asked_for and holds_secrets(query.root / line.path):
                        continue
                    if not report.add(line):
                        break
        except TimeoutError:
            report.stopped = f"stopped after {_SECONDS:.0f} s; narrow the pattern, the folder or the glob"
        return report.output(arguments)


class _Report:
    """Gathers lines until the budget is used up."""

    def __init__(self, most_hits: int) -> None:
        self._most_hits = most_hits
        self._lines: list[str] = []
        self._path = ""
        self._number = 0
        self._size = 0
        self.hits = self.files = 0
        self.stopped = ""

    def add(self, line: FoundLine) -> bool:
        """Take a line; False when there is no room for it."""
        if line.is_hit and self.hits == self._most_hits:
            self.stopped = (
                f"showed the first {self.hits} hits; there are more. Narrow the pattern, the folder or the glob"
            )
            return False
        rendered = []
        if line.path != self._path:
            rendered += [""] if self._lines else []
            rendered.append(show_name(line.path))
        elif line.number != self._number + 1 and not line.is_hit:
            rendered.append("--")
        rendered.append(f"{line.number}{':' if line.is_hit else '-'} {_shown(line)}")
        size = sum(map(len, rendered)) + len(rendered)
        if self._size + size > SEARCH_CHARACTERS:
            self.stopped = (
                f"showed {self.hits} hits, {self._size:,} characters; there are more. "
                "Narrow the pattern, the folder or the glob"
            )
            return False
        self.files += line.path != self._path
        self.hits += line.is_hit
        self._path, self._number = line.path, line.number
        self._lines += rendered
        self._size += size
        return True

    def output(self, arguments: SearchCodeArguments) -> ToolOutput:
        """Return the result."""
        lines = list(self._lines)
        if not self.hits and not self.stopped:
            lines.append(
                f"No line matches {arguments.pattern!r} in {arguments.path}. Ignored and binary files, and those that "
                "usually hold secrets, were not searched"
            )
            lines[-1] += " (include_ignored=true searches ignored ones)." if not arguments.include_ignored else "."
        if self.stopped:
            lines.append(partial(self.stopped))
        return ToolOutput("\n".join(lines), summary=self._summary())

    def _summary(self) -> str:
        hits, files = ("hit" if self.hits == 1 else "hits"), ("file" if self.files == 1 else "files")
        return f"{self.hits} {hits} in {self.files} {files}"


def _shown(line: FoundLine) -> str:
    """Return the line, or for a very long one the piece around its match."""
    text = line.text
    if len(text) <= _SHOWN_OF_LINE:
        return clean_text(text).replace("\n", " ")
    start = grapheme_floor(text, max(0, line.start - _BEFORE_MATCH)) if line.is_hit else 0
    piece = cut_characters(text[start : start + _SHOWN_OF_LINE + 1], _SHOWN_OF_LINE)
    place = f" [of {len(text):,} characters, from {start}]"
    return ("…" if start else "") + clean_text(piece).replace("\n", " ") + place
