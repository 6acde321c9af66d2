"""Loads the core after the first frame: its imports take longer than the whole screen does."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings

if TYPE_CHECKING:
    from codeagent_tui.agent.session import Session

SessionOpener: TypeAlias = "Callable[[Settings, Paths, Path, str | None], Awaitable[Session]]"
"""Opens a session: settings, paths, workspace, the id to resume (None for a new one)."""

_SWITCH_INTERVAL = 0.0005
"""While modules load in a thread, the loop gets the interpreter back this soon (default 5 ms): keys stay quick."""


async def open_real_session(settings: Settings, paths: Paths, workspace: Path, resume: str | None) -> Session:
    """Import the core in a thread, then open a session on the loop.

    Raises:
        SessionError: when the session to resume is not there or cannot be read.
    """
    with _quiet_interpreter():
        await asyncio.to_thread(_import_core)
        from codeagent_tui.agent.session import open_session

        return await open_session(settings, paths, workspace, resume=resume)


async def prepare_model(session: Session) -> None:
    """Load what the first request will need, so that it need not wait for it."""
    from codeagent_tui.llm.openai_chat import OpenAIChatModel

    model = session.agent.model
    if isinstance(model, OpenAIChatModel):
        with _quiet_interpreter():
            await model.prepare()


def _import_core() -> None:
    import codeagent_tui.agent.session  # noqa: F401  its import is what takes the time


@contextmanager
def _quiet_interpreter() -> Iterator[None]:
    """No garbage collection while thousands of objects are made that all stay, and short turns for threads."""
    interval = sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        # What was loaded lives as long as the process: later collections need not walk it again.
        gc.freeze()
        gc.enable()
