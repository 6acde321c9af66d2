"""The act that goes back in the conversation: choose a turn, see what it would do, then do it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.text import clean_text
from codeagent_tui.tui.acts.kind import Act
from codeagent_tui.tui.acts.sessions import show_conversation
from codeagent_tui.tui.commands import STOP_FIRST

if TYPE_CHECKING:
    from codeagent_tui.sessions.log import RewindScope
    from codeagent_tui.sessions.rewind import RewindPlan, UserTurn
    from codeagent_tui.sessions.rewinding import OnConflict
    from codeagent_tui.tui.app import CodeAgentApp

_CONFLICT_ANSWERS: tuple[tuple[OnConflict, str], ...] = (
    ("keep", "Leave them as they are; rewind the rest"),
    ("overwrite", "Put them back too: what was changed in them goes (it can be brought back by undoing the rewind)"),
)


async def rewind(app: CodeAgentApp, argument: str) -> None:
    """Show the turns; going back to one needs a second answer, which says how much goes back."""
    from codeagent_tui.tui.dialogs.rewind import RewindDialog

    session = app.host.session
    if not session.log.started:
        app.notice("There is nothing to go back to yet.")
        return
    undo = await session.undo_rewind_plan()
    turns = await session.turns()
    if not turns and undo is None:
        app.notice("There is nothing to go back to yet.")
        return
    while True:
        pick = await app.push_screen_wait(RewindDialog(turns, can_undo=undo is not None))
        if pick is None:
            return
        if pick.fork and pick.turn is not None:
            await _fork(app, pick.turn)
            return
        plan = undo if pick.turn is None else await session.rewind_plan(pick.turn.index)
        if plan is None or await _go_back(app, plan):
            return


async def _go_back(app: CodeAgentApp, plan: RewindPlan) -> bool:
    """Ask what is to go back and do it; False when the user wants to see the turns again."""
    from codeagent_tui.tui.dialogs.choose import ChooseDialog
    from codeagent_tui.tui.rewind_words import answers, plan_lines

    offered = answers(plan)
    default = 1 if plan.conflicts else 0
    title = "Go back to before this turn?" if plan.turn is not None else "Take the last rewind back?"
    words = [text for _, text in offered]
    answer = await app.push_screen_wait(ChooseDialog(title, plan_lines(plan), words, default=default))
    if answer is None:
        return False
    scope = offered[answer][0]
    if scope is None:
        if plan.turn is not None:
            await _fork(app, plan.turn)
        return True
    on_conflict: OnConflict | None = "refuse"
    if scope != "conversation" and plan.conflicts:
        on_conflict = await _about_conflicts(app, plan)
    if on_conflict is None:
        return False
    await _carry_out(app, plan, scope, on_conflict)
    return True


async def _about_conflicts(app: CodeAgentApp, plan: RewindPlan) -> OnConflict | None:
    """Ask what becomes of files that somebody else changed since."""
    from codeagent_tui.tui.dialogs.choose import ChooseDialog
    from codeagent_tui.tui.rewind_words import conflict_lines

    count = len(plan.conflicts)
    title = f"{count} file{'' if count == 1 else 's'} changed since by somebody other than the agent"
    words = [text for _, text in _CONFLICT_ANSWERS]
    answer = await app.push_screen_wait(ChooseDialog(title, conflict_lines(plan), words))
    return None if answer is None else _CONFLICT_ANSWERS[answer][0]


async def _carry_out(app: CodeAgentApp, plan: RewindPlan, scope: RewindScope, on_conflict: OnConflict) -> None:
    from codeagent_tui.tui.rewind_words import told

    if app.host.in_turn:
        app.notice(STOP_FIRST, NoticeLevel.WARNING)
        return
    result = await app.host.exchanged(lambda session: session.rewind(plan, scope, on_conflict=on_conflict))
    show_conversation(app)
    app.notice(told(plan, scope, result))
    for failure in result.failed:
        app.notice(f"Not put back: {failure}", NoticeLevel.WARNING)
    if result.text:
        app.give_back((clean_text(result.text),))


async def _fork(app: CodeAgentApp, turn: UserTurn) -> None:
    if app.host.in_turn:
        app.notice(STOP_FIRST, NoticeLevel.WARNING)
        return
    notices = await app.host.exchanged(lambda session: session.fork(turn.index))
    show_conversation(app)
    for notice in notices:
        app.notice(notice, NoticeLevel.WARNING)
    app.notice(
        f"This is a fork from before turn {turn.index + 1}; the other session and all files stay as they are. "
        "What you said there is in the input line."
    )
    app.give_back((clean_text(turn.text),))


ACTS: dict[str, Act] = {"rewind": rewind}
