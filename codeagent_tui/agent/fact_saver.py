"""The one door through which the `save_memory` tool reaches long-term memory."""

from __future__ import annotations

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.tools.tool import ToolError


class MemoryFactSaver:
    """Saves facts for a tool call, through the façade."""

    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory

    async def save_fact(self, content: str, *, project_only: bool) -> str:
        """Save `content`; see `tools.tool.FactSaver`."""
        scope = Scope.PROJECT if project_only else Scope.GLOBAL
        result = await self._memory.save_fact(content, scope=scope, source="tool")
        if result.entry is None:
            raise ToolError(result.message)
        return result.message
