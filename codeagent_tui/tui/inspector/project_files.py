"""The CODEAGENT.md files: which were read, how large they are, and what the loader had to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from codeagent_tui.memory.project_memory import ProjectMemory
from codeagent_tui.tokens import estimate_tokens
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.view import TextView
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session

_NONE = "No CODEAGENT.md was found, neither here nor in your home. /init lets the agent write one."


def project_file_lines(memory: ProjectMemory) -> list[Piece]:
    """Return the files in their order with their sizes, the notices, and the whole text as it is sent."""
    lines: list[Piece] = [("Files, in the order in which they are sent", "title")]
    if not memory.sources:
        lines.append((_NONE, "muted"))
    for source in memory.sources:
        lines += lines_of(f"  {source.path}", "text")
        via = f" · imported by {source.imported_by.name}" if source.imported_by else ""
        lines.append((f"    {source.layer} · {source.characters:,} characters · {source.state}{via}", "muted"))
    if memory.notices:
        lines += [("", "text"), ("What the loader says", "title")]
        for notice in memory.notices:
            lines += lines_of(f"  ! {notice}")
    if memory.text.strip():
        tokens = short_count(estimate_tokens(memory.text))
        lines += [("", "text"), (f"As it is sent ({tokens} tokens)", "title"), *lines_of(memory.text)]
    return lines


class ProjectFilesView(TextView):
    """Shows the project memory as it was read last."""

    TITLE: ClassVar[str] = "Project files"

    async def gather(self, session: Session) -> Callable[[], list[Piece]]:
        """Let a thread read the files (they may have changed) and lay them out."""
        memory = session.agent.memory
        return lambda: project_file_lines(memory.project_context())
