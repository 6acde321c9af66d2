"""The models that an endpoint offers."""

from __future__ import annotations

import asyncio

from codeagent_tui.llm.endpoint import endpoint_of, key_of
from codeagent_tui.llm.plain_http import GetFailed, get_json
from codeagent_tui.llm.provider import ModelError


def model_ids(data: object) -> list[str] | None:
    """Return the ids in the answer of `/v1/models`, in its order; None when it is no such answer."""
    if not isinstance(data, dict):
        return None
    entries = data.get("data")
    if entries is None and data.get("object") == "list":
        # So says Ollama when it has none.
        return []
    if not isinstance(entries, list):
        return None
    return [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]


async def list_models(base_url: str, api_key: str = "", *, timeout: float = 10.0) -> list[str]:
    """Return the models that `base_url` (ending in /v1, mostly) offers.

    Raises:
        GetFailed: with one readable line that says what to check.
    """
    try:
        endpoint, key = endpoint_of(base_url), key_of(api_key)
    except ModelError as error:
        raise GetFailed(str(error)) from error
    try:
        return await _listed(endpoint, key, timeout)
    except GetFailed as error:
        advice = await _advice(endpoint, key, error.status, timeout)
        raise GetFailed(f"{error} {advice}".strip(), error.status) from error


async def _listed(endpoint: str, key: str, timeout: float) -> list[str]:
    data = await asyncio.to_thread(get_json, f"{endpoint}/models", api_key=key, timeout=timeout)
    models = model_ids(data)
    if models is None:
        raise GetFailed(f"{endpoint} answers, but not with a list of models.", 404)
    return models


async def _advice(endpoint: str, key: str, status: int | None, timeout: float) -> str:
    if status in (401, 403):
        return "The key is wrong, or not allowed to list models." if key else "It wants a key."
    if status in (200, 404, 405) and not endpoint.endswith("/v1"):
        try:
            await _listed(f"{endpoint}/v1", key, timeout)
        except GetFailed:
            return ""
        return f"The base URL is {endpoint}/v1."
    return ""
