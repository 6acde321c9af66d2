"""Looks for language model servers on this machine, quickly and without disturbing the start."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from codeagent_tui.llm.models_list import model_ids
from codeagent_tui.llm.plain_http import GetFailed, get_json

_TIMEOUT = 0.8


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered: what it probably is, its endpoint, and its models."""

    name: str
    base_url: str
    models: tuple[str, ...]


# The default ports of the programs, from their own documentation.
KNOWN_SERVERS: tuple[tuple[str, int], ...] = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("vLLM", 8000),
)


async def discover(candidates: Sequence[tuple[str, int]] = KNOWN_SERVERS) -> list[LocalServer]:
    """Return the servers among `candidates` (name and port on loopback) that list models."""
    found = await asyncio.gather(*(_look(name, port) for name, port in candidates))
    return [server for server in found if server is not None]


async def _look(name: str, port: int) -> LocalServer | None:
    if not await _listens(port):
        return None
    base_url = f"http://127.0.0.1:{port}/v1"
    try:
        data = await asyncio.to_thread(get_json, f"{base_url}/models", timeout=_TIMEOUT)
    except GetFailed:
        return None
    models = model_ids(data)
    # Something else may sit on the port: only a list of models makes it a language model server.
    return LocalServer(name, base_url, tuple(models)) if models is not None else None


async def _listens(port: int) -> bool:
    try:
        async with asyncio.timeout(_TIMEOUT):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
