"""The connection to the model, tried for real but not for long, and the window that follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from codeagent_tui.agent.model_choice import OFFLINE, choose_model
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.doctor.check import Check, State
from codeagent_tui.llm.connect import ConnectionReport, probe_connection
from codeagent_tui.llm.discovery import discover
from codeagent_tui.settings import Settings
from codeagent_tui.text import one_line

PATIENCE = 15.0
"""Seconds; a local server that must load its model first may take longer."""
_NAMED = 8


async def check_connection(settings: Settings, *, patience: float = PATIENCE) -> AsyncIterator[Check]:
    """Yield how the model answers, what else is there, and the window."""
    if settings.model and settings.model != OFFLINE:
        yield await _answer(settings, patience)
    else:
        servers = await discover() if settings.discover else []
        note = "Set CODEAGENT_MODEL with OPENAI_API_KEY or OPENAI_BASE_URL, or choose a model with /model."
        yield Check("model", State.NOTE, "offline: no language model connected", note)
        for server in servers:
            found = f"{server.name} at {server.base_url}: {', '.join(server.models[:_NAMED]) or 'no models'}"
            yield Check("local server", State.OK, found)
    choice = choose_model(settings)
    profile = ContextProfile.for_window(choice.window)
    found = f"{profile.window:,} tokens; older turns are summarised from {profile.history_trigger:,} on"
    yield Check.of("window", found, note=" ".join(choice.notices))


async def _answer(settings: Settings, patience: float) -> Check:
    found = f"{settings.model} at {settings.base_url or 'https://api.openai.com/v1'}"
    try:
        async with asyncio.timeout(patience):
            report = await probe_connection(settings.base_url, settings.api_key, settings.model)
    except TimeoutError:
        wrong = (
            f"No answer within {patience:.0f} s. Is the server running, and the base URL right? A local server may "
            "still be loading the model: try again."
        )
        return Check.of("model", found, wrong=wrong)
    return Check.of("model", found, wrong="" if report.ok else _mend(report, settings))


def _mend(report: ConnectionReport, settings: Settings) -> str:
    mend = one_line(report.message)
    if report.models and settings.model not in report.models:
        more = f" and {len(report.models) - _NAMED} more" if len(report.models) > _NAMED else ""
        mend += f" The server offers: {', '.join(report.models[:_NAMED])}{more}. Choose with /model or CODEAGENT_MODEL."
    return mend
