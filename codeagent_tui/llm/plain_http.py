"""A GET of a small JSON document without any heavy import, for looking around at start."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from codeagent_tui.llm.endpoint import is_near
from codeagent_tui.llm.network import reason_of
from codeagent_tui.text import one_line

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import OpenerDirector

_LARGEST = 8_000_000


class GetFailed(Exception):
    """There is no usable answer; `status` is the HTTP status when there was one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def get_json(url: str, *, api_key: str = "", timeout: float = 5.0) -> object:
    """Return the JSON at `url`. Blocks: call it in a thread. `timeout` is the longest silence in seconds.

    A proxy of the environment is used, as for chats, for servers outside. Redirects are not followed: the key
    would go along.

    Raises:
        GetFailed: with one readable line.
    """
    # Here, because they take as long as a first frame may.
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    if urlsplit(url).scheme not in ("http", "https"):
        raise GetFailed(f"{one_line(url, 200)} is no http address.")
    headers = {
        "Accept": "application/json",
        "User-Agent": "codeagent",
        **({"Authorization": f"Bearer {api_key}"} if api_key else {}),
    }
    try:
        with _opener(url).open(Request(url, headers=headers), timeout=timeout) as response:
            status, body = response.status, _read(response, time.monotonic() + timeout)
    except HTTPError as error:
        with error:
            moved = error.headers.get("Location")
        to = f" and points to {one_line(moved, 200)}" if moved else ""
        raise GetFailed(f"{url} answered {error.code}{to}.", error.code) from error
    except (URLError, OSError, HTTPException, ValueError) as error:
        inner = error.reason if isinstance(error, URLError) and isinstance(error.reason, OSError) else error
        raise GetFailed(f"No connection to {url}: {reason_of(inner)}.") from error
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        raise GetFailed(f"What {url} answered is no JSON.", status) from None
    return parsed


def _read(response: HTTPResponse, deadline: float) -> bytes:
    """Return the body; cut where it never ends, so that whoever drips cannot hold the thread."""
    parts: list[bytes] = []
    size = 0
    while (part := response.read1(65_536)) and size < _LARGEST and time.monotonic() < deadline:
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _opener(url: str) -> OpenerDirector:
    from urllib.request import BaseHandler, HTTPRedirectHandler, HTTPSHandler, ProxyHandler, build_opener

    class NoRedirects(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    handlers: list[BaseHandler] = [NoRedirects()]
    if is_near(url):
        handlers.append(ProxyHandler({}))
    if url.startswith("https:"):
        # The trust of the chat client: Python's default finds no certificates at all on some systems.
        from httpx2 import create_ssl_context

        handlers.append(HTTPSHandler(context=create_ssl_context()))
    return build_opener(*handlers)
