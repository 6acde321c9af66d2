"""What the next request holds, part by part: one measure for the gauge, the trigger and the re-check."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from codeagent_tui.context.calibration import Calibration
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.events import ContextPart, ContextReading
from codeagent_tui.conversation.messages import Message, MessageKind, Role
from codeagent_tui.llm.provider import ToolSpec
from codeagent_tui.tokens import TokenEstimator, estimate_tokens

_REMEMBERED_MESSAGES = 20_000


class ContextBudget:
    """Measures requests against a profile. Messages are immutable, so each is estimated once."""

    def __init__(self, profile: ContextProfile, estimator: TokenEstimator = estimate_tokens) -> None:
        self.profile = profile
        self.calibration = Calibration()
        self._estimate = estimator
        self._by_message: OrderedDict[str, tuple[Message, int]] = OrderedDict()
        self._tool_cost: tuple[tuple[ToolSpec, ...], int] | None = None
        self._text_costs: OrderedDict[str, int] = OrderedDict()

    def message_tokens(self, message: Message) -> int:
        """Return the plain estimate of `message`: its content plus the names and arguments of its calls."""
        held = self._by_message.get(message.id)
        if held is not None and held[0] is message:
            return held[1]
        text = message.content + "".join(call.name + call.arguments for call in message.tool_calls)
        tokens = self._estimate(text)
        self._by_message[message.id] = (message, tokens)
        if len(self._by_message) > _REMEMBERED_MESSAGES:
            self._by_message.popitem(last=False)
        return tokens

    def messages_tokens(self, messages: Iterable[Message]) -> int:
        """Return the plain estimate of several messages."""
        return sum(map(self.message_tokens, messages))

    def text_tokens(self, text: str) -> int:
        """Return the plain estimate of a section that is measured again and again."""
        tokens = self._text_costs.get(text)
        if tokens is None:
            tokens = self._text_costs[text] = self._estimate(text)
            if len(self._text_costs) > 64:
                self._text_costs.popitem(last=False)
        return tokens

    def tools_tokens(self, tools: tuple[ToolSpec, ...]) -> int:
        """Return the plain estimate of the tool schemas as they are sent."""
        cost = self._tool_cost
        if cost is None or cost[0] is not tools:
            text = "".join(tool.name + tool.description + json.dumps(tool.parameters) for tool in tools)
            cost = self._tool_cost = (tools, self._estimate(text))
        return cost[1]

    def measure(
        self,
        sections: Sequence[tuple[str, str]],
        messages: Sequence[Message],
        tools: tuple[ToolSpec, ...],
    ) -> ContextReading:
        """Return what a request of these system-prompt sections, messages and tools costs, part by part.

        The parts are plain estimates scaled by the calibration, so that they add up to the total.
        """
        spoken = {"user": 0, "assistant": 0, "tool results": 0, "summary": 0}
        for message in messages:
            spoken[_part_of(message)] += self.message_tokens(message)
        plain = [(name, self.text_tokens(text)) for name, text in sections if text]
        plain.append(("tool schemas", self.tools_tokens(tools)))
        plain += spoken.items()
        parts = tuple(ContextPart(name, self.calibration.apply(tokens)) for name, tokens in plain if tokens)
        return ContextReading(
            window=self.profile.window,
            trigger=self.profile.history_trigger,
            ceiling=self.profile.hard_ceiling,
            total=sum(part.tokens for part in parts),
            parts=parts,
            short_term_budget=self.profile.short_term_budget,
            measured=self.calibration.measured,
        )


def _part_of(message: Message) -> str:
    if message.kind in (MessageKind.SUMMARY, MessageKind.ACKNOWLEDGEMENT):
        return "summary"
    return {Role.USER: "user", Role.ASSISTANT: "assistant", Role.TOOL: "tool results"}[message.role]
