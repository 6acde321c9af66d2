"""Why no connection came about, in words that say what to look at."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

from codeagent_tui.llm.provider import NetworkFailed
from codeagent_tui.text import one_line


def network_failure(error: BaseException, base_url: str, timeout: float, connect_timeout: float) -> NetworkFailed:
    """Return the error for a request to `base_url` that got no response; both times are seconds."""
    where = one_line(base_url, 200) or "the server"
    names = {type(cause).__name__ for cause in causes(error)}
    if names & {"ConnectTimeout", "PoolTimeout"}:
        return NetworkFailed(f"No connection to {where} within {connect_timeout:.0f} s.")
    if any(name.endswith("Timeout") or name == "APITimeoutError" for name in names):
        return NetworkFailed(f"{where} did not begin to answer within {timeout:.0f} s.")
    return NetworkFailed(f"No connection to {where}: {reason_of(error)}.")


def reason_of(error: BaseException) -> str:
    """Return the reason at the bottom of a failed connection."""
    found = list(causes(error))
    for cause in found:
        if isinstance(cause, ConnectionRefusedError):
            return "nothing listens there (is the server running, is the port right?)"
        if isinstance(cause, socket.gaierror):
            return "the host's name is not known (is it right, is there a network?)"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({one_line(cause.verify_message, 100)})"
        if isinstance(cause, ssl.SSLError) and cause.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
            return "it does not speak TLS (try http:// in place of https://)"
    said = [one_line(str(cause), 200) for cause in found]
    return next(filter(None, reversed(said)), type(found[-1]).__name__).rstrip(".")


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and what caused it, down to the bottom."""
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__
