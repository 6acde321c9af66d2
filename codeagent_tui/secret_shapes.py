"""What secrets look like: keys by the shapes that their issuers document, and values that are called a secret.

Guards against accidents, not walls. Two use them: facts (a secret is not remembered) and exports (it is masked).
"""

from __future__ import annotations

import re

# Prefix and alphabet are the issuers'; lengths are lower bounds, so that test keys count too. Where only a part of the
# match is the secret, that part is the group `secret`.
SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a private key",
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?(?:-----)?"
            # To its end; a key that was cut off ends with its last line of base64, perhaps behind a line number.
            r"(?:[\s\S]{0,16000}?-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"
            r"|(?:(?:\r?\n|\\n)[ \t\d|:]*[A-Za-z0-9+/=]{16,})*)"
            r"|\bAGE-SECRET-KEY-1\w{10,}"
        ),
    ),
    ("an API key", re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\b[spr]k_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("an API key", re.compile(r"\b(?:gsk_|xai-|hf_|r8_|npm_|pypi-|dop_v1_|SG\.)[A-Za-z0-9_.-]{20,}")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})")),
    ("a GitLab token", re.compile(r"\bgl(?:pat|rt|dt)-[\w-]{16,}")),
    ("an AWS key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("a Slack token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/T\w+/B\w+/\w{8,}")),
    ("a Google key", re.compile(r"\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}")),
    ("credentials of a request", re.compile(r"(?i)\bbearer\s+(?=\S*[.\d])(?P<secret>[\w.~+/=-]{10,})")),
    ("credentials of a request", re.compile(r"(?i)\bauthorization\s*:\s*\w+\s+(?P<secret>[\w.~+/=-]{8,})")),
    ("a token", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*")),
    ("a password in an address", re.compile(r"://[^\s/:@]*:(?P<secret>[^\s/@$<{]+)@")),
)
_NAME = (
    r"(?i:pass(?:word|wd|phrase|code)?|pwd|client[ _-]?secret|secret(?:[ _-]?(?:access[ _-]?)?key)?"
    r"|(?:access|auth|refresh|api|bearer|bot)[ _-]?token|token|(?:api|access|private|signing|encryption)[ _-]?key)"
)
# After a name: "is", "=", ":" or an arrow, perhaps with whose it is before that ("the password for staging is ...").
_GIVEN = (
    r"[\"'`]?(?:\s+(?i:for|of|to|on|at)\s+[^\n.;:=]{1,40}?)?"
    r"(?:\s*(?:=>|->|:=|=|:|\uff1a)\s*|\s+(?i:is|was|now|changed to|set to)\s+)"
)
NAMED: tuple[re.Pattern[str], ...] = (
    re.compile(rf"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?P<name>{_NAME})(?![A-Za-z]){_GIVEN}(?P<value>\S+)"),
    re.compile(
        r"(?P<name>密码|口令|密钥|令牌|秘钥)(?:\s*(?:改成|改为|设为|就是|是|为|=|:|\uff1a)\s*了?\s*|\s+)(?P<value>[!-~]+)"
    ),
)
"""A name of a secret and what is given as its `value`, whatever that is."""
WRAPPING = "".join(("\"'`", ".,;:)]}", "\u3002\uff0c\uff1b\u201c\u201d\u2018\u2019"))
"""What may stand around a value and is no part of it."""
_PATH_LIKE = re.compile(r"(?:~|\.{1,2})?/|[\w.-]+(?:/[\w.-]+)+$|[A-Za-z]:\\")
_ELSEWHERE = ("$", "<", "{", "%", "http://", "https://", "op://", "vault:", "env:")
"""How a value begins that says where the secret is, not what it is."""
_LEAST_VALUE = 6
_LONG_VALUE = 20


def looks_secret(value: str) -> bool:
    """Whether a value is no word of the language: it has a digit or a sign in it, and is no path or reference."""
    if len(value) < _LEAST_VALUE or value.startswith(_ELSEWHERE):
        return False
    mixed = all(re.search(kind, value) for kind in ("[a-z]", "[A-Z]", "[0-9]"))
    if _PATH_LIKE.match(value) and not (len(value) >= _LONG_VALUE and mixed and "." not in value):
        return False
    if value.isdigit():
        return len(value) >= _LEAST_VALUE
    return any(char.isdigit() for char in value) or bool(re.search(r"[^\w.,-]", value, re.A) and value.isascii())
