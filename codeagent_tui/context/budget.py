"""What the next request holds, part by part: one measure for the gauge, the trigger and the re-check."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from codeagent_tui.context.calibration import Calibration, Observation
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.context.safe_estimate import safe_estimate
from codeagent_tui.conversation.events import ContextPart, ContextReading
from codeagent_tui.conversation.messages import Message, MessageKind, Role, Usage
from codeagent_tui.llm.provider import ChatRequest, ToolSpec
from codeagent_tui.tokens import TokenEstimator, estimate_tokens

_REMEMBERED_MESSAGES = 500
"""Costs of messages that are remembered at least; beyond that, twice as many as the conversation has."""
_REMEMBERED_TEXTS = 64
_MESSAGE_OVERHEAD = 4
"""Tokens that a chat template puts around a message: its role, its beginning, its end."""


class _Cost(NamedTuple):
    """What something costs by the budget's own estimate, and by the plain formula."""

    tokens: int
    plain: int


class ContextBudget:
    """Measures requests against a profile. Messages are immutable, so each is estimated once.

    The methods that return tokens of something return uncalibrated estimates; a reading is calibrated.
    """

    def __init__(
        self,
        profile: ContextProfile,
        estimator: TokenEstimator = estimate_tokens,
        *,
        message_overhead: int = 0,
        calibration: Calibration | None = None,
    ) -> None:
        """By default an estimate is exactly the plain formula's; a session's measure is that of `of_settings`."""
        self.profile = profile
        self.calibration = Calibration() if calibration is None else calibration
        self._estimate = estimator
        self._message_overhead = message_overhead
        self._by_message: dict[str, tuple[Message, _Cost]] = {}
        self._by_tools: tuple[tuple[ToolSpec, ...], _Cost] | None = None
        self._by_text: OrderedDict[str, _Cost] = OrderedDict()

    @classmethod
    def of_settings(cls, profile: ContextProfile, *, calibrate: bool) -> ContextBudget:
        """Return the measure that a session uses.

        With `calibrate` it is the safe estimate, corrected by what the provider reports; without, the plain formula
        and nothing else.
        """
        if calibrate:
            return cls(profile, safe_estimate, message_overhead=_MESSAGE_OVERHEAD)
        return cls(profile, calibration=Calibration(enabled=False))

    @property
    def estimator(self) -> TokenEstimator:
        """What estimates a text, uncalibrated."""
        return self._estimate

    def _cost_of(self, text: str) -> _Cost:
        plain = estimate_tokens(text)
        return _Cost(plain if self._estimate is estimate_tokens else self._estimate(text), plain)

    def _message_cost(self, message: Message) -> _Cost:
        held = self._by_message.get(message.id)
        if held is not None and held[0] is message:
            return held[1]
        tokens, plain = self._cost_of(
            message.content + "".join(call.name + call.arguments for call in message.tool_calls)
        )
        cost = _Cost(tokens + self._message_overhead, plain)
        self._by_message[message.id] = (message, cost)
        return cost

    def _forget_what_left(self, messages: Sequence[Message]) -> None:
        """Let go of messages that are no longer part of the conversation: they would stay as long as it lasts."""
        if len(self._by_message) > _REMEMBERED_MESSAGES + 2 * len(messages):
            held = self._by_message
            self._by_message = {message.id: held[message.id] for message in messages if message.id in held}

    def _text_cost(self, text: str) -> _Cost:
        cost = self._by_text.get(text)
        if cost is None:
            cost = self._by_text[text] = self._cost_of(text)
            if len(self._by_text) > _REMEMBERED_TEXTS:
                self._by_text.popitem(last=False)
        return cost

    def _tools_cost(self, tools: tuple[ToolSpec, ...]) -> _Cost:
        held = self._by_tools
        if held is None or held[0] is not tools:
            text = "".join(tool.name + tool.description + json.dumps(tool.parameters) for tool in tools)
            held = self._by_tools = (tools, self._cost_of(text))
        return held[1]

    def message_tokens(self, message: Message) -> int:
        """Return the estimate of `message`: its content plus the names and arguments of its calls.

        Its reasoning is not sent back, and an image is named in words: neither costs anything here.
        """
        return self._message_cost(message).tokens

    def messages_tokens(self, messages: Iterable[Message]) -> int:
        """Return the estimate of several messages."""
        return sum(map(self.message_tokens, messages))

    def text_tokens(self, text: str) -> int:
        """Return the estimate of a section that is measured again and again."""
        return self._text_cost(text).tokens

    def tools_tokens(self, tools: tuple[ToolSpec, ...]) -> int:
        """Return the estimate of the tool schemas as they are sent."""
        return self._tools_cost(tools).tokens

    def measure(
        self,
        sections: Sequence[tuple[str, str]],
        messages: Sequence[Message],
        tools: tuple[ToolSpec, ...],
    ) -> ContextReading:
        """Return what a request of these system-prompt sections, messages and tools costs, part by part.

        The parts are estimates scaled by the calibration, and they add up to the total.
        """
        spoken = dict.fromkeys(("user", "assistant", "tool results", "recalled", "summary"), 0)
        for message in messages:
            spoken[_part_of(message)] += self.message_tokens(message)
        self._forget_what_left(messages)
        estimated = [(name, self.text_tokens(text)) for name, text in sections if text]
        estimated.append(("tool schemas", self.tools_tokens(tools)))
        estimated += spoken.items()
        parts = tuple(ContextPart(name, self.calibration.apply(tokens)) for name, tokens in estimated if tokens)
        return ContextReading(
            window=self.profile.window,
            trigger=self.profile.history_trigger,
            ceiling=self.profile.hard_ceiling,
            total=sum(part.tokens for part in parts),
            parts=parts,
            short_term_budget=self.profile.short_term_budget,
            measured=self.calibration.is_near(sum(tokens for _, tokens in estimated)),
        )

    def request_tokens(self, request: ChatRequest) -> int:
        """Return the estimate of a whole request."""
        return sum(cost.tokens for cost in self._request_costs(request))

    def learn(self, request: ChatRequest, usage: Usage, model: str | None = None) -> Observation:
        """Calibrate by the `usage` that `model` (None: the one in use) reported for exactly this `request`."""
        costs = self._request_costs(request)
        return self.calibration.observe(
            sum(cost.tokens for cost in costs),
            usage.prompt_tokens,
            plain=sum(cost.plain for cost in costs),
            answered=usage.completion_tokens,
            model=model,
        )

    def _request_costs(self, request: ChatRequest) -> list[_Cost]:
        fixed = [self._text_cost(request.system), self._tools_cost(request.tools)]
        return fixed + [self._message_cost(message) for message in request.messages]


def _part_of(message: Message) -> str:
    if message.kind in (MessageKind.SUMMARY, MessageKind.ACKNOWLEDGEMENT):
        return "summary"
    if message.kind is MessageKind.RECALLED:
        return "recalled"
    return {Role.USER: "user", Role.ASSISTANT: "assistant", Role.TOOL: "tool results"}[message.role]
