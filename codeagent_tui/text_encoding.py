"""Which encoding the bytes of a text file are in: marks first, then UTF-8, then what Chinese Windows writes."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_SNIFFED = 8_192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How bytes are text: the codec, and the byte order mark that stands before them."""

    name: str
    mark: bytes = b""


UTF8 = Encoding("utf-8")


def sniff(head: bytes, *, complete: bool) -> Encoding | None:
    """Return the encoding of a file that starts with `head` (and is it, when `complete`), None for a binary one."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, mark)
    if b"\0" in head[:_SNIFFED]:
        return None
    for name in ("utf-8", "gb18030"):
        try:
            text = codecs.getincrementaldecoder(name)().decode(head, final=complete)
        except UnicodeDecodeError:
            continue
        if name == "utf-8" or _looks_chinese(text):
            return Encoding(name)
    if _mostly_control(head):
        return None
    return UTF8 if _nearly_utf8(head) else Encoding("latin-1")


def _looks_chinese(text: str) -> bool:
    """Whether text that decodes as GB 18030 is likely to be it: nearly all of its wide characters are common ones."""
    wide = [char for char in text if char > "\x7f"]
    common = sum("\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\u303f" or char >= "\uff00" for char in wide)
    return bool(wide) and common >= 0.9 * len(wide)


def _nearly_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 but for a few: other encodings break at nearly every wide character."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return bad * 4 <= sum(char > "\x7f" for char in text) - bad


def _mostly_control(head: bytes) -> bool:
    control = sum(byte < 32 and byte not in b"\t\n\r\x0c\x1b" for byte in head[:_SNIFFED])
    return control * 20 > len(head[:_SNIFFED])
