"""An endpoint's address and key as people type them, made into what can be sent; checked before anything is."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit, urlunsplit

from codeagent_tui.llm.provider import AuthFailed, RequestRefused
from codeagent_tui.text import one_line

DEFAULT_ENDPOINT = "https://api.openai.com/v1"

_RESOURCE = re.compile(r"/chat/completions/?$|(?<=/v1)/(?:completions|models)/?$", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)


def endpoint_of(base_url: str) -> str:
    """Return the endpoint that `base_url` means, without a slash at its end; `DEFAULT_ENDPOINT` for an empty one.

    A missing scheme is added (http for this machine and private networks, else https), and the name of a resource at
    the end (`…/v1/chat/completions`, as documentation shows it) is taken off.

    Raises:
        RequestRefused: when it is no address at all.
    """
    text = base_url.strip()
    if not text:
        return DEFAULT_ENDPOINT
    if not _SCHEME.match(text):
        text = f"{'http' if is_near(f'//{text}') else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        # Reading the port checks it.
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not text.isprintable() or " " in text:
        raise RequestRefused(
            f"“{one_line(base_url, 200)}” is no base URL. One looks like http://127.0.0.1:11434/v1."
        ) from None
    return _RESOURCE.sub("", text.rstrip("/")).rstrip("/")


def chat_url(endpoint: str) -> str:
    """Return where chat completions are asked for at `endpoint`; its query (an API version) stays at the end."""
    parts = urlsplit(endpoint)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions"))


def is_near(url: str) -> bool:
    """Whether `url` leads to this machine or a private network, where neither TLS nor a proxy is usual."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private


def key_of(api_key: str) -> str:
    """Return the key without what comes along in a paste: white space and the word `Bearer`.

    Raises:
        AuthFailed: when it cannot travel in a header. The message never holds the key.
    """
    key = re.sub(r"^bearer\s+", "", api_key.strip(), flags=re.I)
    if not re.fullmatch(r"[!-~]*", key):
        raise AuthFailed("The API key holds a character that no key has (a blank, or none of ASCII). Paste it again.")
    return key
