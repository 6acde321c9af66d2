"""Where a history may be cut for a compaction: pure functions, nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from codeagent_tui.conversation.messages import Message, Role


@dataclass(frozen=True, slots=True)
class Cut:
    """A place to cut: `messages[:index]` is summarised, the rest stays.

    `restated` is the request of the turn that the cut falls into, to be said again word for word; None when the cut
    lies between two turns.
    """

    index: int
    restated: Message | None = None


def turn_cut(messages: Sequence[Message], keep_turns: int) -> Cut | None:
    """Return the cut that keeps the last `keep_turns` (at least 1) user turns; None when nothing lies before them."""
    starts = [index for index, message in enumerate(messages) if message.starts_turn]
    if len(starts) <= keep_turns:
        return None
    index = starts[-keep_turns]
    return Cut(index) if index > 0 else None


def inner_cut(messages: Sequence[Message], cost: Callable[[Message], int], keep_tokens: int) -> Cut | None:
    """Return a cut inside the last turn, between complete groups (an assistant message and all its results).

    The tail that stays costs at most `keep_tokens`, but at least the last group stays. None when the turn has fewer
    than two groups.
    """
    starts = [index for index, message in enumerate(messages) if message.starts_turn]
    if not starts:
        return None
    first = starts[-1]
    groups = [i for i in range(first + 1, len(messages)) if messages[i].role is Role.ASSISTANT]
    if len(groups) < 2:
        return None
    chosen, kept = groups[-1], sum(cost(message) for message in messages[groups[-1] :])
    for group, following in zip(reversed(groups[:-1]), reversed(groups[1:]), strict=True):
        kept += sum(cost(message) for message in messages[group:following])
        if kept > keep_tokens:
            break
        chosen = group
    return Cut(chosen, restated=messages[first]) if chosen > groups[0] else None
