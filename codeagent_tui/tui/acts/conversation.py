"""Acts on the running conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.gauge_layout import short_count

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp


async def retry(app: CodeAgentApp, argument: str) -> None:
    """Go on with the last turn."""
    agent = app.host.session.agent
    if not agent.history.user_turn_starts():
        app.notice("There is no turn to try again.")
        return
    app.host.follow(agent.retry())


async def compact(app: CodeAgentApp, argument: str) -> None:
    """Compact the history: now, or while a turn is running beside it."""
    agent = app.host.session.agent
    if not app.host.in_turn:
        app.host.follow(agent.compact(argument or None))
    elif agent.compact_beside(argument or None):
        app.notice("Compacting beside the running turn; it takes effect before the next request.")
    elif agent.compaction.running:
        app.notice("A compaction is running already; it takes effect before the next request.")
    else:
        app.notice("There is nothing to compact yet: the conversation is too short.")


async def uncompact(app: CodeAgentApp, argument: str) -> None:
    """Take back the last compaction, or the one whose id is given and those after it."""
    from codeagent_tui.agent.compaction import CannotRestore

    agent = app.host.session.agent
    try:
        record = await agent.uncompact(argument)
    except CannotRestore as why:
        app.notice(str(why))
        return
    reading = agent.reading()
    app.transcript.add_rule(f"compaction taken back: {short_count(reading.total)} tokens")
    told = f"The {record.replaced or len(record.stubbed)} messages that it replaced are part of the conversation again."
    if reading.total >= reading.ceiling:
        told += " The next request is beyond the ceiling now; /compact makes room another way."
    app.notice(told)
    app.show_session()


async def copy(app: CodeAgentApp, argument: str) -> None:
    """Copy the source of the last answer."""
    text = app.transcript.last_answer_text()
    if not text:
        app.status.flash("there is no answer to copy")
        return
    app.copy_to_clipboard(text)
    app.status.flash(f"copied {len(text):,} characters")


async def shell(app: CodeAgentApp, argument: str) -> None:
    """Run a line in the user's shell, with the user's authority."""
    from codeagent_tui.tui.shell_line import run_shell_line

    app.host.beside(run_shell_line(app.host, argument), "shell")


ACTS: dict[str, Act] = {
    "retry": retry,
    "compact": compact,
    "uncompact": uncompact,
    "copy": copy,
    "shell": shell,
}
