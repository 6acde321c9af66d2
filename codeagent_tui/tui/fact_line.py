"""The line with which saving a fact begins: a selection, the draft, or what the user said last; nothing is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

_SAVE = "/save "
_OTHER_LINES = ("/", "!", "#")
"""A draft that begins so is no fact."""
_LONGEST = 2_000


def fact_line(app: CodeAgentApp) -> str:
    """Return what goes into the composer: `/save` and, where there is one, the text that is probably meant."""
    text = app.screen.get_selected_text() or ""
    if text.strip():
        app.screen.clear_selection()
    elif app.composer.draft.strip():
        text = app.composer.draft
        if text.startswith(_SAVE.strip()):
            return text
        if text.startswith(_OTHER_LINES):
            text = ""
    else:
        said = [message for message in app.host.session.agent.history.messages if message.starts_turn]
        text = said[-1].content if said else ""
    return f"{_SAVE}{text.strip()}" if len(text) <= _LONGEST else _SAVE
