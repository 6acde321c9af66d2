"""The type of an act."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp

Act: TypeAlias = "Callable[[CodeAgentApp, str], Awaitable[None]]"
"""Gets the app and the command's argument; raises what its parts raise, which is then said on the screen."""
