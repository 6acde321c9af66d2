"""API keys by endpoint, in a file that only its owner can read; and the choice of a connection."""

from __future__ import annotations

import json

from codeagent_tui.paths import Paths, write_private


class CredentialsError(Exception):
    """The keys could not be read or written; the message says what was kept."""


def stored_key(paths: Paths, base_url: str) -> str:
    """Return the key stored for `base_url` ("" stands for OpenAI's endpoint), or ""."""
    return _read(paths).get(_normal(base_url), "")


def store_key(paths: Paths, base_url: str, api_key: str) -> None:
    """Store `api_key` for `base_url`, or forget the one there is when it is empty. Mode 0600.

    Raises:
        CredentialsError: when it could not be written; the old file is untouched then.
    """
    held = _read(paths)
    if api_key:
        held[_normal(base_url)] = api_key
    elif held.pop(_normal(base_url), None) is None:
        return
    try:
        write_private(paths.credentials, json.dumps({"version": 1, "keys": held}, indent=2).encode() + b"\n")
    except OSError as error:
        raise CredentialsError(f"The key was not saved: {error}. It is used for this session only.") from error


def _normal(base_url: str) -> str:
    return base_url.strip().rstrip("/").lower()


def _read(paths: Paths) -> dict[str, str]:
    try:
        data = json.loads(paths.credentials.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise CredentialsError(f"{paths.credentials} cannot be read: {error}. Mend it or move it away.") from None
    keys = data.get("keys") if isinstance(data, dict) else None
    if not isinstance(keys, dict):
        raise CredentialsError(f"{paths.credentials} holds no keys. Mend it or move it away.")
    return {str(url): str(key) for url, key in keys.items()}
