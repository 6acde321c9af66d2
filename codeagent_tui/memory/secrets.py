"""Recognises secrets in a text that somebody wants remembered: a fact lies in clear text, and in every prompt."""

from __future__ import annotations

import re

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY")),
    ("an API key", re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bsk_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})")),
    ("an AWS key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("a Slack token", re.compile(r"\bxox[abposr]-[A-Za-z0-9-]{10,}")),
    ("a Google key", re.compile(r"\bAIza[\w-]{30,}")),
    ("a bearer token", re.compile(r"(?i)\bbearer\s+(?=\S*[.\d])[\w.~+/=-]{10,}")),
    ("a token", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{2,}\.")),
    ("a password in an address", re.compile(r"://[^\s/:@]+:[^\s/@]+@")),
)
_NAMED = re.compile(
    r"(?i)\b(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[ _-]?key|access[ _-]?key)\b[\"']?\s*(?:is|=|:|:|->)\s*(\S+)"
    r"|(?:密码|口令|密钥|令牌)\s*(?:是|为|=|:|\uff1a)\s*(\S+)"
)
_WRAPPING = "".join(("\"'`", ".,;", "\u3002\uff0c\uff1b"))


def secret_in(text: str) -> str:
    """Return what kind of secret `text` seems to hold ("a private key"), or "" when it seems to hold none."""
    for kind, shape in _SHAPES:
        if shape.search(text):
            return kind
    for hit in _NAMED.finditer(text):
        if _looks_secret((hit[1] or hit[2]).strip(_WRAPPING)):
            return "a password or key"
    return ""


def _looks_secret(value: str) -> bool:
    """A word of the language has no digits; a path or an address is where something is, not what it is."""
    if len(value) < 6 or "/" in value or value.startswith(("$", "<", "{", "http")):
        return False
    return any(char.isdigit() for char in value) or bool(re.search(r"[^\w.-]", value))
