"""The ledger: what happened, read from the history without a model, so that no summary can lose it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from codeagent_tui.context.calls import AnsweredCall, answered_calls
from codeagent_tui.context.ledger_entries import Answer, CommandRun, FileChange, Ledger, WorkItem
from codeagent_tui.context.ledger_text import ledger_in
from codeagent_tui.context.said import is_cut_of
from codeagent_tui.context.stubs import beginning_of
from codeagent_tui.context.taking_out import is_left_out
from codeagent_tui.conversation.messages import Message, MessageKind
from codeagent_tui.text import one_line

_EXIT = re.compile(r"\[exit code (-?\d+)")
_WRITES = {"write_file": "written", "edit_file": "edited"}
_RUNS = "run_command"
_PLANS = "todo"
_STANDING_ANSWERS = {"session": "allowed for the session", "always": "allowed for good"}
_TITLE_ARGUMENTS = ("command", "path", "url", "content", "pattern")
_LONGEST_TITLE = 300


@dataclass(slots=True)
class _Book:
    """A ledger while it is written."""

    requests: dict[str, None] = field(default_factory=dict)
    files: dict[str, FileChange] = field(default_factory=dict)
    commands: dict[str, CommandRun] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    items: tuple[WorkItem, ...] = ()

    def add_request(self, text: str) -> None:
        text = text.strip()
        self.requests.pop(text, None)
        if text:
            self.requests[text] = None

    def add_file(self, path: str, how: str, times: int = 1) -> None:
        before = self.files.pop(path, None)
        self.files[path] = FileChange(path, how, times + (before.times if before else 0))

    def add_command(self, command: str, outcome: str, times: int = 1) -> None:
        # What was cut for want of room in an earlier ledger is the same command when it is run again.
        short = next((known for known in self.commands if is_cut_of(known, command)), command)
        before = self.commands.pop(short, None)
        self.commands[command] = CommandRun(command, outcome, times + (before.times if before else 0))

    def add_answer(self, answer: Answer) -> None:
        self.answers.pop((answer.title, answer.how), None)
        self.answers[answer.title, answer.how] = answer

    def take(self, earlier: Ledger) -> None:
        for text in earlier.requests:
            self.add_request(text)
        for change in earlier.files:
            self.add_file(change.path, change.how, change.times)
        for run in earlier.commands:
            self.add_command(run.command, run.outcome, run.times)
        for answer in earlier.answers:
            self.add_answer(answer)
        self.items = earlier.items

    def see(self, done: AnsweredCall) -> None:
        decision = done.result.decision
        if decision == "no":
            self.add_answer(Answer(_title(done), "refused", _reason(beginning_of(done.result, done.call))))
        elif decision in _STANDING_ANSWERS:
            self.add_answer(Answer(_title(done), _STANDING_ANSWERS[decision]))
        name = done.call.name
        if name in _WRITES and done.ran and (path := done.argument("path").strip()):
            self.add_file(path, _WRITES[name])
        elif name == _RUNS and decision != "no" and (command := done.argument("command").strip()):
            outcome = _outcome(done)
            if outcome:
                self.add_command(command, outcome)
        elif name == _PLANS and done.ran:
            self.items = _items(done.arguments.get("items"))

    def closed(self, left_out: int) -> Ledger:
        return Ledger(
            tuple(self.requests),
            tuple(self.files.values()),
            tuple(self.commands.values()),
            tuple(self.answers.values()),
            self.items,
            left_out,
        )


def ledger_of(messages: Sequence[Message], *, without: Message | None = None) -> Ledger:
    """Return the ledger of `messages`. One that an earlier compaction left in a SUMMARY message is carried on.

    `without` is a request that is said again elsewhere and need not stand here.
    """
    book = _Book()
    left_out = 0
    for message in messages:
        if message.kind is MessageKind.SUMMARY:
            earlier = ledger_in(message.content)
            left_out += earlier.left_out
            book.take(earlier)
        elif message.starts_turn and message is not without and not is_left_out(message):
            book.add_request(message.content)
    for done in answered_calls(messages):
        book.see(done)
    return book.closed(left_out)


def _title(done: AnsweredCall) -> str:
    what = next((text for name in _TITLE_ARGUMENTS if (text := done.argument(name).strip())), "")
    return one_line(f"{done.call.name} {what}".strip(), _LONGEST_TITLE)


def _reason(content: str) -> str:
    """Return the user's words in the result of a refused call."""
    said = content.partition("The user says: ")[2]
    return one_line(said.removesuffix("]"), _LONGEST_TITLE)


def _outcome(done: AnsweredCall) -> str:
    """Return how a command ended; "" for one that never started."""
    text = beginning_of(done.result, done.call)
    # At the beginning only: after it comes what the command itself printed.
    if found := _EXIT.match(text):
        return f"exit {found[1]}"
    never_ran = text.startswith(("[Not ", "[Refused", "[Not permitted"))
    return "" if never_ran else "ended" if done.ran else "did not finish"


def _items(value: object) -> tuple[WorkItem, ...]:
    if not isinstance(value, list):
        return ()
    held = [(item.get("text"), item.get("status", "pending")) for item in value if isinstance(item, dict)]
    return tuple(WorkItem(text, str(status)) for text, status in held if isinstance(text, str) and text.strip())
