"""Recognises secrets in a text that somebody wants remembered: a fact lies in clear text, and in every prompt.

A guard against accidents, not a wall: what looks like a secret by its shape, or is called one and given a value that
is no plain word.
"""

from __future__ import annotations

from codeagent_tui.secret_shapes import NAMED, SHAPES, WRAPPING, looks_secret


def secret_in(text: str) -> str:
    """Return what kind of secret `text` seems to hold ("a private key"), or "" when it seems to hold none."""
    for kind, shape in SHAPES:
        if shape.search(text):
            return kind
    for named in NAMED:
        if any(looks_secret(hit["value"].strip(WRAPPING)) for hit in named.finditer(text)):
            return "a password or key"
    return ""
