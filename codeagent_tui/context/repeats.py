"""Watches whether the agent does again what it did before a compaction: the sign that too much was taken away."""

from __future__ import annotations

import json
from collections.abc import Sequence

from codeagent_tui.context.calls import answered_calls
from codeagent_tui.conversation.messages import Message, ToolCall

_WATCHED = 40
"""Calls after a compaction that are looked at; what comes later has other reasons."""
_LEAST_REPEATS = 4
_WARNING_SHARE = 0.3


class RepeatWatch:
    """Counts the calls since a compaction that were made before it with the same arguments."""

    def __init__(self, replaced: Sequence[Message]) -> None:
        """`replaced` are the messages that gave way."""
        self._before = {_key(done.call) for done in answered_calls(replaced)}
        self._seen = 0
        self._warned = False
        self.repeats = 0

    @property
    def rate(self) -> float:
        """Share of the calls since that were repeats."""
        return self.repeats / self._seen if self._seen else 0.0

    def see(self, call: ToolCall) -> bool:
        """Count `call`; return True once, when there are so many repeats that the user should know."""
        if self._seen >= _WATCHED:
            return False
        self._seen += 1
        self.repeats += _key(call) in self._before
        if self._warned or self.repeats < _LEAST_REPEATS or self.rate < _WARNING_SHARE:
            return False
        self._warned = True
        return True


def _key(call: ToolCall) -> int:
    """Return a number that calls share which do the same; arguments count by value, not by how they were written."""
    try:
        arguments = json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        arguments = call.arguments
    return hash((call.name, arguments))
