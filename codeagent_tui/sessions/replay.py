"""The history rebuilt from a log's records, exactly as the live session had it; pure, one record after the other.

Messages are only ever appended to a list; whatever changes what is there (a compaction, a restore, a rewind) goes on
with a new list. So a list and a length are a snapshot that costs nothing, and one is kept for each turn: that is how a
rewind finds the history as it stood when the user spoke.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from codeagent_tui.conversation.messages import Message
from codeagent_tui.conversation.pairing import repair
from codeagent_tui.sessions.call_ids import with_other_call_ids
from codeagent_tui.sessions.records import BadRecord, message_from_json


@dataclass(frozen=True, slots=True)
class Restoration:
    """How a compaction is undone: the first `count` messages of the history give way to `messages`."""

    count: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class _Compaction:
    """A compaction still in force: what it took away, and the ids of what it put there."""

    id: str
    taken: tuple[Message, ...]
    put: frozenset[str]

    def undone(self, messages: Iterable[Message]) -> list[Message]:
        """Return `messages` with what was taken in the place of what was put."""
        return [*self.taken, *(message for message in messages if message.id not in self.put)]


@dataclass(frozen=True, slots=True)
class _Moment:
    """The history at one moment: the first `length` messages of a list that only grew since."""

    messages: list[Message]
    length: int
    compactions: tuple[_Compaction, ...]


class Replay:
    """Takes records in the order of the log; afterwards `messages` is the history."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._compactions: tuple[_Compaction, ...] = ()
        self._turns: dict[str, _Moment] = {}
        self._rewinds: dict[str, _Moment] = {}
        self._replaced: dict[str, tuple[Message, ...]] = {}
        self._unstubbed: dict[str, Message] = {}
        self.compaction_records: dict[str, Mapping[str, object]] = {}
        """What was noted of each compaction, by its id, also of those that are no longer in force."""

    @property
    def messages(self) -> list[Message]:
        """The history as it stands, in PAIR."""
        return repair(self._messages)

    def conversation(self) -> list[Message]:
        """Return everything that was said on the way to this history: no compaction takes anything from it."""
        return self._expanded(self.messages, 0)

    def compactions(self) -> tuple[str, ...]:
        """Return the ids of the compactions in force, oldest first."""
        return tuple(compaction.id for compaction in self._compactions)

    @property
    def noted(self) -> tuple[Mapping[str, object], ...]:
        """What was noted of each compaction, oldest first, with `restored` set for those no longer in force."""
        standing = {compaction.id for compaction in self._compactions}
        return tuple(
            {**record, "restored": record_id not in standing} for record_id, record in self.compaction_records.items()
        )

    def replaced(self, record_id: str) -> tuple[Message, ...] | None:
        """Return the messages that the compaction `record_id` took away; None when there is no such compaction."""
        return self._replaced.get(record_id)

    def restoration(self, record_id: str) -> Restoration | None:
        """Return how the compaction `record_id`, and any later one, is undone; None when it is not in force.

        Call ids of the restored messages that were given anew since are renamed, always in the same way.
        """
        depth = next((at for at, held in enumerate(self._compactions) if held.id == record_id), None)
        if depth is None:
            return None
        now = self.messages
        then = self._expanded(now, depth)
        kept = 0
        while kept < min(len(now), len(then)) and now[-1 - kept].id == then[-1 - kept].id:
            kept += 1
        # A restored reply and its results are renamed together, so the common end must begin with a reply's start.
        while kept and now[-kept].tool_call_id:
            kept -= 1
        count = len(now) - kept
        return Restoration(count, tuple(with_other_call_ids(then[: len(then) - kept], now[count:])))

    def before_turn(self, message_id: str) -> list[Message] | None:
        """Return the history as it stood when the user said the message `message_id`; None when nobody did."""
        moment = self._turns.get(message_id)
        return repair(moment.messages[: moment.length]) if moment else None

    def before_rewind(self, rewind_id: str) -> list[Message] | None:
        """Return the history as it stood before the rewind `rewind_id`."""
        moment = self._rewinds.get(rewind_id)
        return repair(moment.messages[: moment.length]) if moment else None

    def apply(self, record: Mapping[str, object]) -> bool:
        """Replay one record; False when it is damaged or cannot be, and then nothing has changed."""
        try:
            match record.get("type"):
                case "message":
                    return self._append(message_from_json(record.get("message")))
                case "replace" | "compact":
                    return self._compact(record)
                case "restore":
                    return self._restore(str(record.get("compaction")))
                case "stubs":
                    return self._stub(record.get("stubs"), record.get("arguments", {}))
                case "drop":
                    return self._drop(record.get("ids"))
                case "rewind":
                    return self._rewind(record)
        except BadRecord:
            return False
        return True

    def _append(self, message: Message) -> bool:
        if message.starts_turn:
            self._turns[message.id] = self._now()
        self._messages.append(message)
        return True

    def _compact(self, record: Mapping[str, object]) -> bool:
        count, held, noted = record.get("count"), record.get("messages"), record.get("record", {})
        if not isinstance(count, int) or not isinstance(held, list) or not isinstance(noted, dict):
            return False
        put = [message_from_json(message) for message in held]
        # The count is one of the live history, which is a list in PAIR.
        messages = self.messages
        count = _index_of(str(record.get("first_kept", "")), messages, count)
        if not 0 <= count <= len(messages):
            return False
        taken, record_id = tuple(messages[:count]), str(noted.get("id", ""))
        self._messages = [*put, *messages[count:]]
        self._compactions += (_Compaction(record_id, taken, frozenset(message.id for message in put)),)
        if record_id:
            stubbed = noted.get("stubbed")
            originals = [self._unstubbed.get(str(one)) for one in stubbed] if isinstance(stubbed, list) else []
            self._replaced[record_id] = taken or tuple(filter(None, originals))
            self.compaction_records[record_id] = noted
        return True

    def _restore(self, record_id: str) -> bool:
        restoration = self.restoration(record_id)
        if restoration is None:
            return False
        # Nothing but placeholders differs between two repairs, and they are not what is counted.
        self._messages = [*restoration.messages, *self.messages[restoration.count :]]
        depth = next(at for at, held in enumerate(self._compactions) if held.id == record_id)
        self._compactions = self._compactions[:depth]
        return True

    def _stub(self, stubs: object, arguments: object) -> bool:
        if not isinstance(stubs, dict) or not isinstance(arguments, dict):
            return False
        self._unstubbed = {message.id: message for message in self._messages if message.id in stubs}
        self._messages = [
            _with_texts(message, str(stubs[message.id]), arguments) if message.id in stubs else message
            for message in self._messages
        ]
        return True

    def _drop(self, ids: object) -> bool:
        if not isinstance(ids, list):
            return False
        gone = set(map(str, ids))
        self._messages = [message for message in self._messages if message.id not in gone]
        return True

    def _rewind(self, record: Mapping[str, object]) -> bool:
        now = self._now()
        if record.get("scope") != "files":
            undone = str(record.get("undo", ""))
            then = self._rewinds.get(undone) if undone else self._turns.get(str(record.get("before")))
            if then is None:
                return False
            self._messages = then.messages[: then.length]
            self._compactions = then.compactions
        self._rewinds[str(record.get("id"))] = now
        return True

    def _now(self) -> _Moment:
        return _Moment(self._messages, len(self._messages), self._compactions)

    def _expanded(self, messages: list[Message], depth: int) -> list[Message]:
        """Return the history `messages` with all compactions from the one at `depth` on undone."""
        for compaction in reversed(self._compactions[depth:]):
            messages = compaction.undone(messages)
        return messages


def _index_of(message_id: str, messages: list[Message], otherwise: int) -> int:
    """Return where the message with that id is: damage before it must not move the cut."""
    if not message_id:
        return otherwise
    return next((at for at, message in enumerate(messages) if message.id == message_id), otherwise)


def _with_texts(message: Message, content: str, arguments: Mapping[object, object]) -> Message:
    calls = tuple(replace(call, arguments=str(arguments.get(call.id, call.arguments))) for call in message.tool_calls)
    return replace(message, content=content, tool_calls=calls)
