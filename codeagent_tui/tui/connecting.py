"""What the connect dialog needs from the core: finding servers, listing models, testing, keeping the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Connection:
    """A server, a key (may be empty) and a model; `new_key` says that the key was typed just now."""

    base_url: str
    api_key: str
    model: str
    new_key: bool = False


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server on this machine, with the models that it offers."""

    name: str
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialReport:
    """Whether a connection works, in words for the user, and the models it offers."""

    ok: bool
    message: str
    models: tuple[str, ...] = ()


class ConnectionTools(Protocol):
    """The dialog's door to the network. None of these blocks the loop."""

    async def find_servers(self) -> Sequence[FoundServer]:
        """Return the servers that run on this machine; empty when there are none."""
        ...

    def known_key(self, base_url: str) -> str:
        """Return the key that is kept for `base_url`, or "". A key is never offered to another server."""
        ...

    async def test(self, connection: Connection) -> TrialReport:
        """Try `connection`; with an empty model only the server and the key are tried and its models listed."""
        ...
