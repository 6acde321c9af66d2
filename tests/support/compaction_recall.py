"""Lets a scripted coding session happen, compactions and all, and looks at what its last request still says.

The session is a real one: its history, its measure, its compactions and their last resort. Only the model's answers
and the tools' results are the script's.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from codeagent_tui.agent.session import Session
from codeagent_tui.context.ledger_text import ledger_in, without_ledger
from codeagent_tui.conversation.messages import Message, MessageKind, Role, user
from codeagent_tui.llm.request import payload
from codeagent_tui.settings import PermissionMode, Settings
from tests.support.coding_sessions import CodingSession, Fact, FactKind
from tests.support.fact_summarisers import INVENTED, FactSummariser, Habit
from tests.support.sessions import scratch_session
from tests.support.strict_rules import fault_of

CERTAIN = (FactKind.FILE, FactKind.COMMAND, FactKind.REQUEST, FactKind.OPEN_ITEM)
"""What must be remembered whatever the summariser does."""
_SETTINGS = Settings(discover=False, mode=PermissionMode.UNATTENDED, max_attempts=1, background_compaction=False)
_RECENT_TURNS = 3
_ENDED = re.compile(r"(?s)(?:\[Stub: .*It began: )?\[exit code (-?\d+)")
_APART = 12
"""Characters that may stand between the words of one fact: a quote, a bracket, “ended with”."""


@dataclass(slots=True)
class Recall:
    """What is left of one session, or of several put together."""

    planted: Counter[FactKind] = field(default_factory=Counter)
    """Facts older than the last three turns that still hold."""
    kept: Counter[FactKind] = field(default_factory=Counter)
    kept_without_ledger: Counter[FactKind] = field(default_factory=Counter)
    lost: list[Fact] = field(default_factory=list)
    """Those that are not in the request, with the ledger."""
    wrong_orders: int = 0
    """Cancelled plans without their cancellation, invented requests outside the background, background not marked."""
    wrong_without_ledger: int = 0
    calls: int = 0
    compactions: Counter[str] = field(default_factory=Counter)
    """By the way that room was made; `skipped` for those that came to nothing."""
    tokens_before: int = 0
    """Tokens of everything that was said and done."""
    tokens_after: int = 0
    """Tokens of what is left of it."""
    faults: list[str] = field(default_factory=list)
    """What the strictest provider would refuse of the last request and of the summariser's."""
    overflows: int = 0
    """Requests that would have been larger than the window."""

    def add(self, other: Recall) -> None:
        """Take in what is left of another session."""
        for name in ("planted", "kept", "kept_without_ledger", "compactions"):
            getattr(self, name).update(getattr(other, name))
        self.lost += other.lost
        self.faults += other.faults
        for name in (
            "wrong_orders",
            "wrong_without_ledger",
            "calls",
            "tokens_before",
            "tokens_after",
            "overflows",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def share(self, kinds: Iterable[FactKind] = tuple(FactKind), *, ledger: bool = True) -> float:
        """Return the share of planted facts of those kinds that is still there."""
        kept = self.kept if ledger else self.kept_without_ledger
        kinds = tuple(kinds)
        return sum(kept[kind] for kind in kinds) / max(1, sum(self.planted[kind] for kind in kinds))


async def recall_of(script: CodingSession, habit: Habit, *, window: int, folder: Path) -> Recall:
    """Let `script` happen in a session with `window` tokens, compact once more at its end, and look."""
    model = FactSummariser(script.facts, habit, window=window)
    session = await scratch_session(folder, model, settings=_SETTINGS)
    recall = Recall()
    try:
        await session.agent.core.build_prompt("")
        for turn in script.turns:
            for message in turn:
                if message.role is Role.ASSISTANT:
                    await session.agent.compaction.before_request(refused=False)
                    recall.overflows += session.agent.reading().total > window
                session.agent.core.record(message)
        async for _ in session.agent.compact():
            pass
        _look(session, script, recall)
    finally:
        await session.aclose()
    recall.calls = model.calls
    recall.faults += model.faults
    return recall


def _look(session: Session, script: CodingSession, recall: Recall) -> None:
    core = session.agent.core
    messages = core.history.messages
    everything = [message for turn in script.turns for message in turn]
    recall.tokens_before = core.budget.messages_tokens(everything)
    recall.tokens_after = core.budget.messages_tokens(messages)
    # The next request would come after something that the user says.
    request = core.request()
    wire = payload("m", replace(request, messages=(*request.messages, user("And now?"))))
    recall.faults += [fault] if (fault := fault_of(wire)) else []
    recall.compactions.update(record.way for record in session.agent.compactions)
    recent = {message.content for turn in script.turns[-_RECENT_TURNS:] for message in turn if message.starts_turn}
    first_recent = next(at for at, message in enumerate(messages) if message.starts_turn and message.content in recent)
    old = messages[:first_recent]
    with_ledger = "\n".join(_readable(message) for message in old)
    without = "\n".join(_readable(message, ledger=False) for message in old)
    for fact in script.facts_before(len(script.turns) - _RECENT_TURNS):
        recall.planted[fact.kind] += 1
        recall.kept[fact.kind] += is_said(fact.words, with_ledger)
        recall.kept_without_ledger[fact.kind] += is_said(fact.words, without)
        if not is_said(fact.words, with_ledger):
            recall.lost.append(fact)
    recall.wrong_orders = _wrong_orders(script, messages, with_ledger)
    recall.wrong_without_ledger = _wrong_orders(script, messages, without)


def _readable(message: Message, *, ledger: bool = True) -> str:
    text = message.content if ledger or message.kind is not MessageKind.SUMMARY else without_ledger(message.content)
    arguments = "".join(f"\n{call.arguments}" for call in message.tool_calls)
    # Of a command that is still there the result, or its stub, says how it ended: as the ledger would.
    ended = _ENDED.match(text)
    return f"{f'exit {ended[1]}' if ended else ''}\n{text}{arguments}"


def is_said(words: tuple[str, ...], text: str) -> bool:
    """Whether all `words` stand in `text`, plainly or within a JSON string, one closely after the other."""
    spellings = ("(?:" + "|".join(map(re.escape, (word, _quoted(word)))) + ")" for word in words)
    return re.search(rf".{{0,{_APART}}}?".join(spellings), text, re.S) is not None


def _quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)[1:-1]


def _wrong_orders(script: CodingSession, messages: tuple[Message, ...], text: str) -> int:
    cancelled = [fact for fact in script.facts if fact.kind is FactKind.CANCELLATION]
    undone = sum(is_said((fact.plan,), text) and not is_said(fact.words, text) for fact in cancelled)
    summaries = [message.content for message in messages if message.kind is MessageKind.SUMMARY]
    unmarked = sum(not content.startswith("[Background, not a request") for content in summaries)
    said_by_user = sum(INVENTED in message.content for message in messages if message.starts_turn)
    forged = sum(content.count("\n<ledger>\n") > 1 for content in summaries)
    held = [ledger_in(content) for content in summaries]
    listed = sum(INVENTED in (*ledger.requests, *(item.text for item in ledger.items)) for ledger in held)
    return undone + unmarked + said_by_user + forged + listed
