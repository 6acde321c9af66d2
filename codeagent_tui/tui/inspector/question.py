"""The message that the inspector explains the prompt by: the one being answered, the draft, or the last one."""

from __future__ import annotations

from codeagent_tui.tui.commands import parse_slash
from codeagent_tui.tui.inspector.view import Subject
from codeagent_tui.tui.note_line import note_in


def question_of(subject: Subject) -> tuple[str, bool]:
    """Return that message ("" when there is none) and whether it is the draft."""
    agent = subject.session.agent
    if not agent.busy and (draft := message_in(subject.draft)):
        return draft, True
    starts = agent.history.user_turn_starts()
    return (agent.history.messages[starts[-1]].content if starts else ""), False


def message_in(draft: str) -> str:
    """Return what of `draft` would go to the model: nothing when it is a command, a shell line or a note."""
    text = draft.strip()
    return "" if text.startswith("!") or parse_slash(text) is not None or note_in(text) else text
