"""Pieces of an exported page from texts that nobody here wrote: escaped, and with nothing that loads anything."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_NESTING = 40
_MOST_BRACKETS = 300
"""Brackets that open: the parser takes quadratic time on those that never close."""
_LONGEST_LINE = 1_000
"""Code with a longer line (minified) is not coloured: some lexers take quadratic time on it."""
_LARGEST_CODE = 200_000


def preformatted(text: str, kind: str = "") -> str:
    """Return `text` as it stands, in an element of the class `kind`."""
    return f"<pre{_class(kind)}>{escape(text)}</pre>"


def code(text: str, language: str = "") -> str:
    """Return `text` as a block of code, coloured where the language is known."""
    return f'<pre class="code hl"><code>{coloured(text, language)}</code></pre>'


def diff(text: str) -> str:
    """Return lines behind `+`, `-` or a blank as rows; the sign tells what the colour tells."""
    return f'<pre class="diff">{"".join(_diff_row(line) for line in text.split(chr(10)))}</pre>'


def _diff_row(line: str) -> str:
    sign, rest = line[:1], line[1:]
    kind = {"+": "added", "-": "removed", "⋯": "place"}.get(sign, "")
    return f"<span{_class(kind)}><b>{escape(sign or ' ')}</b> {escape(rest)}</span>"


def prose(markdown: str) -> str:
    """Return a text in Markdown as HTML; one that is too tangled to be read stands as it was written.

    HTML in it is text, images are links, and links are those of the web.
    """
    if markdown.count("[") > _MOST_BRACKETS:
        return preformatted(markdown)
    tokens = _parser().parse(markdown)
    if any(token.level >= _NESTING - 1 for token in tokens):
        return preformatted(markdown)
    return str(_parser().renderer.render(tokens, _parser().options, {}))


def coloured(text: str, language: str) -> str:
    """Return escaped code with its tokens in classes; only escaped where the language is not known."""
    if not language or len(text) > _LARGEST_CODE or max(map(len, text.split("\n"))) > _LONGEST_LINE:
        return escape(text)
    from pygments import highlight  # type: ignore[import-untyped]  # pygments ships no types
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
        return str(highlight(text, lexer, HtmlFormatter(nowrap=True)))
    except (ClassNotFound, ValueError, LookupError, TypeError, AttributeError, ImportError, RecursionError):
        return escape(text)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTING})
    # An image would be fetched from wherever it is; definitions of links would change what was said before them.
    parser.enable(["table", "strikethrough"]).disable(["reference", "html_block", "html_inline", "image"])
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("link_open", _link_open)
    return parser


def _fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    words = token.info.split()
    return code(token.content.rstrip("\n"), words[0].lower() if words else "") + "\n"


def _link_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if not address.startswith(("https://", "http://", "mailto:")):
        return "<a>"
    return f'<a href="{escape(address)}" rel="noopener noreferrer">'


def _class(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""
