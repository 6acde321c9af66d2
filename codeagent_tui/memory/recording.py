"""Makes entries of short-term memory out of messages: what was said, what was called, what came back."""

from __future__ import annotations

from codeagent_tui.conversation.messages import Message, MessageKind, Role, ToolCall
from codeagent_tui.memory.entry import MemoryEntry, MemoryType
from codeagent_tui.text import cut_characters

_TYPES = {Role.USER: MemoryType.USER, Role.ASSISTANT: MemoryType.ASSISTANT, Role.TOOL: MemoryType.TOOL_RESULT}
_LONGEST_ARGUMENTS = 300
"""Characters of a call's arguments that are kept: enough for a path or a command, not for a file's text."""
_MOST_OPEN_CALLS = 256


class Recorder:
    """Turns the messages of one conversation into entries; remembers which tool each open call is of."""

    def __init__(self) -> None:
        self._tools: dict[str, str] = {}

    def entry_of(self, message: Message) -> MemoryEntry | None:
        """Return the entry for `message`, None for one that is not worth remembering: a summary, an
        acknowledgement, a made-up result, or nothing at all."""
        if message.kind is not MessageKind.NORMAL:
            return None
        metadata: dict[str, object] = {"message": message.id}
        if message.role is Role.TOOL:
            tool = self._tools.pop(message.tool_call_id, "")
            metadata |= {"tool": tool} if tool else {}
        content = message.content
        for call in message.tool_calls:
            self._tools[call.id] = call.name
            content += f"{chr(10) * bool(content)}{_called(call)}"
        while len(self._tools) > _MOST_OPEN_CALLS:
            del self._tools[next(iter(self._tools))]
        if not content.strip():
            return None
        return MemoryEntry(_TYPES[message.role], content, timestamp=message.created, metadata=metadata)


def _called(call: ToolCall) -> str:
    return f"[calls {call.name} {cut_characters(call.arguments, _LONGEST_ARGUMENTS)}]"
