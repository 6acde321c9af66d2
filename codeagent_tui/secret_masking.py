"""Takes what looks like a secret out of texts that are to be shown to others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeagent_tui.secret_shapes import NAMED, SHAPES, WRAPPING, looks_secret

_PASSWORD = "a password or key"
_LEAST_KNOWN = 8
"""A shorter value that was found once is not looked for elsewhere: it may be a word."""
_CODE = re.compile(r"[()\[\]{}<>]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
"""A call, a type, `self.token2`: what stands behind a name in a program is mostly no secret."""
_SUSPECT = re.compile(
    r"(?i)PRIVATE KEY|AGE-SECRET|[spr]k[-_]|gsk_|xai-|hf_|r8_|npm_|pypi-|dop_v1_|SG\.|gh[pousr]_|github_pat"
    r"|gl(?:pat|rt|dt)-|AKIA|ASIA|xox[abeoprs]-|hooks\.slack|AIza|ya29\.|bearer|authorization|eyJ|://[^\s/]*:[^\s/]*@"
    r"|pass|pwd|secret|token|key|密码|口令|密钥|令牌|秘钥"
)
"""Every text in which something can be found matches this; most do not, and are done with."""


class _Hit(NamedTuple):
    start: int
    end: int
    kind: str


def mask_secrets(text: str) -> tuple[str, int]:
    """Return `text` with what looks like a secret replaced by a note of its kind, and in how many places."""
    masker = SecretMasker()
    masker.learn(text)
    masked = masker.mask(text)
    return masked, masker.count


class SecretMasker:
    """Masks many texts that belong together: a password that one of them names is masked in all of them.

    `learn` each text first, then `mask` each; `count` is in how many places something was masked so far.
    """

    def __init__(self) -> None:
        self.count = 0
        self._known: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def learn(self, text: str) -> None:
        """Note the secrets in `text`."""
        for start, end, kind in _hits(text):
            value = text[start:end]
            if len(value) >= _LEAST_KNOWN and value not in self._known:
                self._known[value] = kind
                self._pattern = None

    def mask(self, text: str) -> str:
        """Return `text` with its secrets, and those that were learnt elsewhere, replaced."""
        hits = sorted({*_hits(text), *self._known_in(text)}, key=lambda hit: (hit.start, -hit.end))
        parts: list[str] = []
        at = 0
        for start, end, kind in hits:
            if start < at:
                continue
            parts += (text[at:start], f"[masked: {kind}]")
            at = end
            self.count += 1
        return "".join((*parts, text[at:])) if parts else text

    def _known_in(self, text: str) -> Iterator[_Hit]:
        if not self._known:
            return
        if self._pattern is None:
            longest_first = sorted(self._known, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        for hit in self._pattern.finditer(text):
            yield _Hit(*hit.span(), self._known[hit[0]])


def _hits(text: str) -> Iterator[_Hit]:
    if not _SUSPECT.search(text):
        return
    for kind, shape in SHAPES:
        for hit in shape.finditer(text):
            yield _Hit(*hit.span("secret" if hit.re.groupindex and hit["secret"] else 0), kind)
    for named in NAMED:
        for hit in named.finditer(text):
            value = hit["value"].strip(WRAPPING)
            if looks_secret(value) and not _CODE.search(value) and not _is_figure(hit["name"], value):
                start = hit.start("value") + hit["value"].index(value)
                yield _Hit(start, start + len(value), _PASSWORD)


def _is_figure(name: str, value: str) -> bool:
    """Whether a number is a count, as behind `max_token`, not a code such as passwords may be."""
    return value.isdigit() and not name.lower().startswith("pass")
