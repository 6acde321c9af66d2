"""The body of a web response as readable text: which characters its bytes are, and Markdown out of HTML."""

from __future__ import annotations

import codecs
import re

from codeagent_tui.text import clean_text

_META = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META_WITHIN = 4_096
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Browsers read these names as their supersets (WHATWG Encoding, section 4.2).
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252", "shift_jis": "cp932"}
_NOISE = ("script", "style", "noscript", "template", "svg", "iframe", "nav", "footer", "form", "button", "head")
_TEXT_KINDS = ("json", "xml", "javascript", "x-yaml", "yaml", "toml", "csv", "x-sh", "x-www-form-urlencoded")
_BLANKS = re.compile(r"[ \t]+\n")
_GAPS = re.compile(r"\n{3,}")


def is_text(kind: str, body: bytes) -> bool:
    """Whether a body of the media type `kind` ("" when the server named none) is text."""
    if kind:
        return kind.startswith("text/") or any(kind.endswith(name) for name in _TEXT_KINDS)
    return b"\0" not in body[:8_192] or any(body.startswith(mark) for mark, _ in _MARKS)


def decode_page(body: bytes, declared: str) -> tuple[str, str]:
    """Return the text of `body` and the charset used: the header's, else the mark's, the page's own, or detected."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), name
    meta = _META.search(body[:_META_WITHIN])
    for name in (declared, meta[1].decode("ascii", "replace") if meta else ""):
        text = _strictly(body, name)
        if text is not None:
            return text, name.lower()
    text = _strictly(body, "utf-8")
    if text is not None:
        return text, "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(body[:200_000]).best()
    name = best.encoding if best is not None else "utf-8"
    return body.decode(name, "replace"), name


def _strictly(body: bytes, name: str) -> str | None:
    """Return `body` in the charset `name`, when there is such a one and the bytes are mostly it."""
    if not name:
        return None
    try:
        codec = codecs.lookup(_SUPERSETS.get(name.strip().lower(), name.strip()))
        text = body.decode(codec.name, "replace")
    except (LookupError, ValueError, TypeError):
        return None
    # A body that was cut may end inside a character; a page may have a stray byte. More is the wrong charset.
    return text if text.count("\ufffd") <= max(1, len(text) // 500) else None


def readable(text: str, kind: str) -> str:
    """Return `text` for reading: HTML as Markdown, anything else as it is. Blocks: run it in a thread."""
    if "html" not in kind and not text.lstrip()[:200].lower().startswith(("<!doctype html", "<html")):
        return clean_text(text)
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    soup = BeautifulSoup(text, "html.parser")
    title = soup.title.get_text(strip=True) if soup.title else ""
    for element in soup(list(_NOISE)):
        element.decompose()
    main = soup.find("main") or soup.find("article") or soup.body or soup
    markdown = str(MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(main))
    body = _GAPS.sub("\n\n", _BLANKS.sub("\n", clean_text(markdown))).strip()
    return f"# {clean_text(title)}\n\n{body}" if title and not body.startswith("# ") else body
