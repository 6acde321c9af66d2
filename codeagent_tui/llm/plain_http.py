"""A GET of a small JSON document without any heavy import, for looking around at start."""

from __future__ import annotations

import http.client
import json
import ssl
from urllib.parse import urlsplit

_LARGEST = 4_000_000


class GetFailed(Exception):
    """There is no usable answer; `status` is the HTTP status when there was one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def get_json(url: str, *, api_key: str = "", timeout: float = 5.0) -> object:
    """Return the JSON at `url`. Blocks: call it in a thread.

    Raises:
        GetFailed: with one readable line.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise GetFailed(f"{url!r} is no http address.")
    headers = {"Accept": "application/json", **({"Authorization": f"Bearer {api_key}"} if api_key else {})}
    try:
        connection: http.client.HTTPConnection = (
            http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=ssl.create_default_context())
            if parts.scheme == "https"
            else http.client.HTTPConnection(parts.netloc, timeout=timeout)
        )
        try:
            connection.request("GET", parts.path or "/", headers=headers)
            response = connection.getresponse()
            body = response.read(_LARGEST)
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError, UnicodeError) as error:
        raise GetFailed(f"Nothing answers at {url} ({error}).") from error
    if response.status != 200:
        raise GetFailed(f"{url} answered {response.status}.", response.status)
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        raise GetFailed(f"What {url} answered is no JSON.", response.status) from None
    return parsed
