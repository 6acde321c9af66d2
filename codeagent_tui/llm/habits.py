"""What one server was found to want otherwise than most, learned from its refusals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from codeagent_tui.llm.provider import JsonValue

_NO_USAGE = re.compile(r"stream_options|include_usage")


@dataclass(frozen=True, slots=True)
class Habits:
    """How a request's body is dressed for one server.

    `usage_in_stream`: whether it may be asked to report tokens at the end of a stream. `limit_field`: its name for
    the output limit; OpenAI's reasoning models refuse the old one.
    """

    usage_in_stream: bool = True
    limit_field: str = "max_tokens"

    def applied(self, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Return `body` as this server wants it."""
        dressed = {(self.limit_field if name == "max_tokens" else name): value for name, value in body.items()}
        if self.usage_in_stream:
            dressed["stream_options"] = {"include_usage": True}
        return dressed

    def after(self, refusal: str, body: dict[str, JsonValue]) -> Habits | None:
        """Return what may work after a refusal of `body` in these words; None when they name nothing of ours."""
        if self.usage_in_stream and _NO_USAGE.search(refusal):
            return replace(self, usage_in_stream=False)
        if "max_tokens" in body and self.limit_field == "max_tokens" and "max_completion_tokens" in refusal:
            return replace(self, limit_field="max_completion_tokens")
        return None
