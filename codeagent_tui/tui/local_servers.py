"""Looks for model servers on this machine when none is connected, and tells of what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagent_tui.llm.discovery import discover
from codeagent_tui.text import one_line

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp


async def offer_local_servers(app: CodeAgentApp) -> None:
    """Say which servers run here, if any do; it takes no time from the screen."""
    for server in await discover():
        count = len(server.models)
        models = "no model yet" if not count else "1 model" if count == 1 else f"{count} models"
        app.notice(f"{server.name} runs on this machine ({one_line(server.base_url)}, {models}). f4 connects it.")
