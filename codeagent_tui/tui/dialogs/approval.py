"""The approval dialog: what will really happen, why it asks, and four plain answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from codeagent_tui.conversation.events import ApprovalAnswer, ApprovalRequest, Decision, ToolKind
from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.dialogs.choices import Choices
from codeagent_tui.tui.dialogs.frame import Dialog
from codeagent_tui.tui.dialogs.typing_guard import TypingGuard
from codeagent_tui.tui.line_view import LineView, diff_lines, lines_of
from codeagent_tui.tui.pieces import Piece

_KEYS = "1-{last} or y/n answer   ↑↓ choose   pgup/pgdn scroll   esc no   ^c stop the turn"
_REASON_KEYS = "enter sends the refusal   esc back to the answers"
_LONGEST_RULE = 240
_QUESTIONS = {
    ToolKind.READ: "Read this?",
    ToolKind.WRITE: "Change this file?",
    ToolKind.EXECUTE: "Run this command?",
    ToolKind.NETWORK: "Fetch this?",
    ToolKind.MEMORY: "Save this fact?",
    ToolKind.PLAN: "Do this?",
}


def answers_for(request: ApprovalRequest) -> list[tuple[Decision, str]]:
    """Return the answers that are offered, with their words; the refusal is last and the default."""
    answers = [(Decision.ONCE, "Yes, this once")]
    if request.rule:
        answers.append((Decision.SESSION, "Yes, and for the rest of this session"))
        answers.append((Decision.ALWAYS, "Yes, and always from now on"))
    answers.append((Decision.NO, "No, and tell the agent why"))
    return answers


def body_lines(request: ApprovalRequest) -> list[Piece]:
    """Return what will happen, whole, as lines: a diff in its colours, a command with its prompt sign."""
    if request.body_kind == "diff":
        return diff_lines(request.body.rstrip("\n")) + _long_rule(request)
    lines = lines_of(request.body.rstrip("\n"))
    if request.body_kind == "command" and lines:
        lines[0] = (f"$ {lines[0][0]}", "text")
    return lines + _long_rule(request)


def _long_rule(request: ApprovalRequest) -> list[Piece]:
    """Return the rule when it is too long to stand below the answers whole: nothing is allowed unseen."""
    if len(one_line(request.rule)) <= _LONGEST_RULE:
        return []
    return [("", "text"), ("What 2 and 3 would allow, whole:", "muted"), *lines_of(request.rule)]


class ApprovalDialog(Dialog[ApprovalAnswer]):
    """Asks for one approval; its result is the answer. `typed` gets keys that were meant for the composer."""

    FLEXIBLE = "#approval-body"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("enter", "take", show=False),
        Binding("pageup", "scroll('page_up')", show=False),
        Binding("pagedown,space", "scroll('page_down')", show=False),
        Binding("home", "scroll('home')", show=False),
        Binding("end", "scroll('end')", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(
        self,
        request: ApprovalRequest,
        *,
        typing: bool = False,
        typed: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.request = request
        self._answers = answers_for(request)
        super().__init__(_QUESTIONS[request.kind], _KEYS.format(last=len(self._answers)))
        self._typed = typed
        self._guard = TypingGuard(clock, typing=typing)

    def body(self) -> ComposeResult:
        """Yield title, reason, warnings, what will happen, and the answers."""
        if self.request.body_kind != "command":
            yield Static(Content(one_line(self.request.title)), id="approval-title")
        reason = clean_text(self.request.reason).strip()
        if reason:
            yield Static(Content(reason), id="approval-reason")
        if self.request.warnings:
            warnings = "\n".join(f"! {one_line(warning)}" for warning in self.request.warnings)
            yield Static(Content(warnings), id="approval-warnings")
        yield LineView(body_lines(self.request), id="approval-body")
        yield Choices([words for _, words in self._answers], highlighted=len(self._answers) - 1)
        if self.request.rule:
            rule = one_line(self.request.rule, _LONGEST_RULE)
            yield Static(Content(f"2 and 3 allow: {rule}"), id="approval-rule")
        reason_input = Input(placeholder="why not? (may stay empty)", id="approval-why")
        reason_input.display = False
        yield reason_input

    @property
    def _choices(self) -> Choices:
        return self.query_one(Choices)

    @property
    def _why(self) -> Input:
        return self.query_one("#approval-why", Input)

    @property
    def _asking_why(self) -> bool:
        return self._why.display

    def on_key(self, event: events.Key) -> None:
        """Take an answer's key, unless the window is too small to read the question or the key came too early."""
        if self._asking_why or event.key == "escape":
            return
        if self.too_small or not self._guard.accepts():
            event.stop()
            event.prevent_default()
            if not self.too_small and event.character and event.is_printable:
                self._typed(event.character)
            return
        wanted = {"y": 0, "n": len(self._answers) - 1}.get(event.key)
        if wanted is None and event.key.isdigit():
            wanted = int(event.key) - 1
        if wanted is not None and 0 <= wanted < len(self._answers):
            event.stop()
            self._answer(wanted)

    def _answer(self, index: int) -> None:
        decision = self._answers[index][0]
        if decision is Decision.NO:
            self._ask_why()
        else:
            self.dismiss(ApprovalAnswer(decision))

    def _ask_why(self) -> None:
        self._choices.display = False
        self._why.display = True
        self._why.focus()
        self.query_one("#dialog-keys", Static).update(Content(_REASON_KEYS))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Refuse with the reason that was typed."""
        event.stop()
        self.dismiss(ApprovalAnswer(Decision.NO, event.value.strip()))

    def on_choices_clicked(self, event: Choices.Clicked) -> None:
        """Answer by a click."""
        if not self.too_small and self._guard.accepts():
            self._answer(event.index)

    def action_move(self, by: int) -> None:
        """Highlight another answer."""
        self._choices.move(by)

    def action_take(self) -> None:
        """Give the highlighted answer."""
        self._answer(self._choices.highlighted)

    def action_scroll(self, where: str) -> None:
        """Scroll what will happen."""
        self.query_one("#approval-body", LineView).action_jump(where)

    def action_leave(self) -> None:
        """From the reason back to the answers; from the answers: refuse."""
        if not self._asking_why:
            self.dismiss(ApprovalAnswer(Decision.NO))
            return
        self._why.display = False
        self._choices.display = True
        self.set_focus(None)
        self.query_one("#dialog-keys", Static).update(Content(_KEYS.format(last=len(self._answers))))
