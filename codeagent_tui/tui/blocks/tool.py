"""A tool call: one row that says what it is and how it went, and below it what came of it, folded."""

from __future__ import annotations

import re
import time
from typing import ClassVar

from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.blocks.block import Arrangement, Block
from codeagent_tui.tui.blocks.diff import diff_parts, read_diff
from codeagent_tui.tui.blocks.more import MorePart
from codeagent_tui.tui.blocks.part import Part
from codeagent_tui.tui.blocks.rows import Span, decoration
from codeagent_tui.tui.blocks.styled import Prefix, Run, Styled
from codeagent_tui.tui.blocks.text_parts import TextPart, pieces_of
from codeagent_tui.tui.blocks.title import TitlePart, state_of

_GROUND = ("output",)
_BAR = decoration("  ▏ ", "output", "bar")
_PREFIX = Prefix((_BAR,), (_BAR,))
_DIFF_MARGIN = decoration("  ")
_QUIET = frozenset(
    {"read_file", "list_directory", "find_files", "search_code", "search_codebase", "web_fetch", "save_memory", "todo"}
)
"""Tools whose output is for the model: folded, nothing of it is shown when they succeed."""
_HEAD, _TAIL = 2, 3
_TAIL_FAILED = 8
_DIFF_SHOWN = 24
"""Lines of output, and of a diff, that are shown folded."""
_PROGRESS = 3
_LONGEST_PREVIEW = 400
"""Characters of one line."""
_NOT_RUN = {"refused", "cancelled", "stopped", "not run"}
_EXIT_LINE = re.compile(r"\[exit code -?\d+, [\d.]+ s\]\n")
_SIGNS = {"running": ("◌ ", "○ "), "ok": ("✓ ",), "failed": ("✗ ",), "not-run": ("⊘ ",)}


class ToolBlock(Block):
    """A call by its `call_id`. It runs until `finish`."""

    kind: ClassVar[str] = "tool"
    close_to: ClassVar[frozenset[str]] = frozenset({"tool"})
    __slots__ = (
        "_diff",
        "_hides",
        "_name",
        "_output",
        "_progress",
        "_seconds",
        "_state",
        "_summary",
        "_title",
        "began",
        "call_id",
    )

    def __init__(self, call_id: str, name: str, title: str) -> None:
        super().__init__()
        self.call_id = call_id
        self._name = one_line(name)
        self._title = title
        self._state = "running"
        self._summary = ""
        self._output = ""
        self._diff = ""
        self._progress = ""
        self.began = time.monotonic()
        """When it was started."""
        self._seconds = 0
        self._hides = False
        self.folded = True

    @property
    def running(self) -> bool:
        """Whether it has no result yet."""
        return self._state == "running"

    def progress(self, text: str) -> None:
        """Show `text` as the newest output; it takes the place of what was there."""
        if self.running:
            self._progress = text
            self.stale = True

    def tick(self, now: float) -> bool:
        """Let the clock go on to `now` (`time.monotonic`); True when its first row says something else now."""
        seconds = int(now - self.began)
        if not self.running or seconds == self._seconds:
            return False
        self._seconds = seconds
        self.stale = True
        return True

    def finish(self, *, ok: bool, summary: str, output: str, diff: str) -> None:
        """Take the result."""
        self._summary = one_line(summary)
        self._state = "ok" if ok else "not-run" if self._summary in _NOT_RUN else "failed"
        self._output, self._diff, self._progress = output, diff, ""
        self._hides = self._hides_something()
        self.stale = True

    def _hides_something(self) -> bool:
        if self._diff.strip():
            return self._diff.count("\n") > _DIFF_SHOWN + 4
        if not self._output.strip() or self._repeats_summary(self._output):
            return False
        return not self._previews() or self._output.strip("\n").count("\n") > _HEAD + self._tail()

    def _previews(self) -> bool:
        """Whether some of the output is shown while it is folded."""
        return self._state == "failed" or (self._state == "ok" and self._name not in _QUIET)

    def _tail(self) -> int:
        return _TAIL if self._state == "ok" else _TAIL_FAILED

    def _repeats_summary(self, output: str) -> bool:
        return len(output) < 400 and one_line(output) == self._summary

    @property
    def foldable(self) -> bool:
        """Whether there is output that is not shown folded."""
        return self._hides

    def arrange(self) -> Arrangement:
        """Keep the title's part, whatever is below it."""
        title = self.parts[0] if self.parts and isinstance(self.parts[0], TitlePart) else None
        kept = 1 if title is not None else 0
        title = title or TitlePart(self, gap=self.gap)
        body = self._body()
        self._say(title)
        return Arrangement(kept, body if kept else [title, *body])

    def _say(self, title: TitlePart) -> None:
        signs = _SIGNS[self._state]
        sign = decoration(signs[self._seconds % len(signs)], self._state, "sign")
        state: list[Span] = []
        if self.running and self._seconds:
            state.append(state_of(f"{self._seconds} s", "hint"))
        if self._summary:
            role = "hint" if self._state == "ok" else self._state
            state.append(state_of(self._summary, role))
        if self.foldable:
            state.append(decoration(" ▸" if self.folded else " ▾", "hint"))
        title.say(sign, self._words(), tuple(state), wrapped=self.foldable and not self.folded)

    def _words(self) -> Styled:
        words = one_line(self._title) or self._name
        end = words.find(" ")
        if end <= 0:
            return Styled.plain(words, "tool")
        return Styled(words, (Run(end, ("tool",)), Run(len(words), ("tool-detail",))))

    def _body(self) -> list[Part]:
        if self.running:
            lines = [line for line in clean_text(self._progress).split("\n") if line.strip()]
            return self._text("\n".join(lines[-_PROGRESS:])) if lines else []
        if self._diff.strip():
            return self._diff_body()
        output = clean_text(self._output).strip("\n")
        if not self.folded:
            return [*self._text(output)] if output else []
        return self._preview(_EXIT_LINE.sub("", output, count=1) if output.startswith("[exit code") else output)

    def _preview(self, output: str) -> list[Part]:
        """Return the first and last lines of the output, and how many there are between them."""
        if not output.strip() or not self._previews() or self._repeats_summary(output):
            return []
        lines = output.split("\n")
        tail = self._tail()
        if len(lines) <= _HEAD + tail + 1:
            return self._text("\n".join(line[:_LONGEST_PREVIEW] for line in lines))
        more = MorePart(self, f"{len(lines) - _HEAD - tail:,} lines", ground=_GROUND, prefix=_PREFIX)
        head, last = "\n".join(lines[:_HEAD]), "\n".join(lines[-tail:])
        return [*self._text(head[: 2 * _LONGEST_PREVIEW]), more, *self._text(last[-4 * _LONGEST_PREVIEW :])]

    def _text(self, text: str) -> list[Part]:
        return [TextPart(self, piece, ground=_GROUND, prefix=_PREFIX, words=False) for piece in pieces_of(text)]

    def _diff_body(self) -> list[Part]:
        lines = read_diff(clean_text(self._diff))
        if lines and lines[0].sign == "f" and lines[0].text in self._title:
            del lines[0]
        if self.folded and len(lines) > _DIFF_SHOWN + 4:
            more = MorePart(self, f"{len(lines) - _DIFF_SHOWN:,} lines", prefix=Prefix((), (_DIFF_MARGIN,)))
            return [*diff_parts(self, lines[:_DIFF_SHOWN], _DIFF_MARGIN), more]
        return [*diff_parts(self, lines, _DIFF_MARGIN)]

    def source(self) -> str:
        """Return the title and what came of it."""
        body = self._diff or self._output or self._progress
        return clean_text(f"{self._title}\n{body}".strip("\n"))

    def rough_height(self, width: int) -> int:
        """Return how many rows it has folded, about."""
        if self._diff:
            return 1 + min(self._diff.count("\n"), _DIFF_SHOWN)
        return 1 if self._name in _QUIET else 1 + min(self._output.count("\n") + 1, _HEAD + _TAIL + 1)
