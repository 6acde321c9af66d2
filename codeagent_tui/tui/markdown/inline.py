"""Inline Markdown as styled lines: emphasis, code, links, line breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.blocks.rows import Roles
from codeagent_tui.tui.blocks.styled import Run, Styled

if TYPE_CHECKING:
    from markdown_it.token import Token

_ROLES = {"strong_open": "strong", "em_open": "emphasis", "s_open": "struck", "link_open": "link"}
_WEB = re.compile(r"https?://", re.IGNORECASE)
_SPECIAL = re.compile(r"[*_`\[\]!<&\\~]|  +\n|\n[ \t]|^[ \t]")


class _Builder:
    def __init__(self) -> None:
        self.lines: list[Styled] = []
        self._text: list[str] = []
        self._runs: list[Run] = []
        self._length = 0

    def add(self, text: str, roles: Roles, link: str = "") -> None:
        if not text:
            return
        self._text.append(text)
        self._length += len(text)
        if self._runs and self._runs[-1].roles == roles and self._runs[-1].link == link:
            self._runs.pop()
        self._runs.append(Run(self._length, roles, link))

    def end_line(self) -> None:
        self.lines.append(Styled("".join(self._text), tuple(self._runs)))
        self._text, self._runs, self._length = [], [], 0


def is_plain(source: str) -> bool:
    """Whether `source` has nothing that inline Markdown reads in any other way than as text and line ends."""
    return not _SPECIAL.search(source)


def plain_lines(source: str) -> list[Styled]:
    """Return the lines of a text for which `is_plain` holds."""
    return [Styled.plain(line.rstrip()) for line in source.split("\n")]


def styled_lines(tokens: Sequence[Token]) -> list[Styled]:
    """Return the lines of inline tokens; line ends of the source stay line ends."""
    builder = _Builder()
    roles: list[str] = []
    links: list[tuple[str, int]] = []
    shown: list[str] = []
    for token in tokens:
        kind = token.type
        if kind in _ROLES:
            roles.append(_ROLES[kind])
            if kind == "link_open":
                links.append((str(token.attrs.get("href", "")), len(shown)))
        elif kind.endswith("_close") and roles:
            roles.pop()
            if kind == "link_close" and links:
                href, begin = links.pop()
                _add_address(builder, href, "".join(shown[begin:]), tuple(roles))
        elif kind in ("softbreak", "hardbreak"):
            builder.end_line()
        elif kind == "image":
            _add_image(builder, token, tuple(roles))
        else:
            look = (*roles, "code") if kind == "code_inline" else tuple(roles)
            # Entities can stand for characters that were cleaned away before.
            text = clean_text(token.content).replace("\n", " ")
            shown.append(text)
            builder.add(text, look, _web(links[-1][0]) if links else "")
    builder.end_line()
    return builder.lines


def _add_address(builder: _Builder, href: str, shown: str, roles: Roles) -> None:
    """Say where a link leads, unless its text does."""
    address = _readable(href)
    if address and shown.strip() not in (address, address.rstrip("/"), href):
        builder.add(f" ({address})", (*roles, "url"), _web(href))


def _add_image(builder: _Builder, token: Token, roles: Roles) -> None:
    source = str(token.attrs.get("src", ""))
    name = one_line(token.content) or "image"
    builder.add(f"[{name}]", (*roles, "link"), _web(source))
    builder.add(f" ({_readable(source)})", (*roles, "url"), _web(source))


def _readable(href: str) -> str:
    return one_line(unquote(href.removeprefix("mailto:"), errors="replace"))


def _web(href: str) -> str:
    """Return an address that a terminal may be told to open; the parser has left only printable ASCII in it."""
    return href if _WEB.match(href) and href.isascii() and href.isprintable() else ""
