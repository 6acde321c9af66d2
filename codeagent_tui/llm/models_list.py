"""The models that an endpoint offers."""

from __future__ import annotations

import asyncio

from codeagent_tui.llm.plain_http import GetFailed, get_json

DEFAULT_ENDPOINT = "https://api.openai.com/v1"


def model_ids(data: object) -> list[str] | None:
    """Return the ids in the answer of `/v1/models`, in its order; None when it is no such answer."""
    entries = data.get("data") if isinstance(data, dict) else None
    if entries is None and isinstance(data, dict) and data.get("object") == "list":
        return []
    if not isinstance(entries, list):
        return None
    return [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]


async def list_models(base_url: str, api_key: str = "", *, timeout: float = 10.0) -> list[str]:
    """Return the models that `base_url` (ending in /v1, mostly) offers.

    Raises:
        GetFailed: with one readable line that says what to check.
    """
    endpoint = (base_url or DEFAULT_ENDPOINT).rstrip("/")
    try:
        data = await asyncio.to_thread(get_json, f"{endpoint}/models", api_key=api_key, timeout=timeout)
    except GetFailed as error:
        raise GetFailed(f"{error} {_advice(endpoint, error.status)}".strip(), error.status) from error
    models = model_ids(data)
    if models is None:
        raise GetFailed(f"{endpoint} answers, but not with a list of models. {_advice(endpoint, 404)}".strip())
    return models


def _advice(endpoint: str, status: int | None) -> str:
    if status in (401, 403):
        return "The key is missing, wrong, or not allowed to list models."
    if status in (404, 405) and not endpoint.endswith("/v1"):
        return f"Try {endpoint}/v1."
    if status is None:
        return "Is the server running, and are host and port right?"
    return ""
