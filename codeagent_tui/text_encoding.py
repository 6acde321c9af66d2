"""Which encoding the bytes of a text file are in: its mark, else UTF-8, else the likeliest of the older ones.

A wrong guess costs nothing but looks: whatever is chosen turns back into exactly the bytes that it was made from.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_SNIFFED = 8_192
_GUESSED_FROM = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, whose mark is the start of this one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ENOUGH_FOR_KOREAN = 10
"""Different characters. So many Chinese ones from the first half of the table alone come once in a thousand times."""
_EAST_ASIAN = ("big5", "cp932", "euc_jp", "cp949")
_WIDE = re.compile("[^\0-\x7f]")
_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's bytes are text: the codec and the mark that stands before it."""

    name: str
    mark: bytes = b""

    @property
    def errors(self) -> str:
        """The codec's error handler; with it, stray bytes become lone surrogates and are written back as they were."""
        return "surrogateescape" if self.name == "utf-8" else "surrogatepass" if self.name[:3] == "utf" else "strict"

    def decode(self, data: bytes) -> str:
        """Return the text in `data`, which starts with the mark.

        Raises:
            UnicodeError: when it is not in this encoding.
        """
        return data[len(self.mark) :].decode(self.name, self.errors)

    def encode(self, text: str) -> bytes:
        """Return `text` as the file's bytes.

        Raises:
            UnicodeError: when the encoding has no such character.
        """
        return self.mark + text.encode(self.name, self.errors)


UTF8 = Encoding("utf-8")


def sniff(head: bytes, *, complete: bool) -> Encoding | None:
    """Return the encoding of a file that starts with `head` (and is it, when `complete`), None for a binary one."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, mark)
    if b"\0" in head[:_SNIFFED]:
        return None
    if head.isascii() or _decoded(head, "utf-8", complete=complete) is not None or _mostly_utf8(head):
        return None if _mostly_control(head) else UTF8
    text = _decoded(head, "gb18030", complete=complete)
    if text is not None and _looks_chinese(text):
        return Encoding("gb18030")
    if _mostly_control(head):
        return None
    return _older(head)


def decode(data: bytes) -> tuple[str, Encoding] | None:
    """Return the text of a whole file and its encoding; None when it is binary."""
    guessed = sniff(data, complete=True)
    if guessed is None:
        return None
    for encoding in (guessed, Encoding("latin-1")):
        try:
            text = encoding.decode(data)
            if encoding.encode(text) == data:
                return text, encoding
        except UnicodeError:
            continue
    return None


def _decoded(data: bytes, name: str, *, complete: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(name)().decode(data, final=complete)
    except UnicodeDecodeError:
        return None


def _mostly_utf8(data: bytes) -> bool:
    """Whether data that is no UTF-8 is UTF-8 but for a few stray bytes."""
    text = data[: 16 * _GUESSED_FROM].decode("utf-8", "surrogateescape")
    stray = sum("\udc80" <= char <= "\udcff" for char in text)
    return len(text) - stray - sum(map(str.isascii, text)) > stray


def _looks_chinese(text: str) -> bool:
    """Whether text that decodes as GB 18030 is likely to be it: most of its wide characters are everyday ones.

    Rows 1-9 of GB 2312 are punctuation and signs, rows 16-55 its 3,755 most used characters (lead bytes A1-A9, B0-D7).
    EUC-JP has its kana in rows 4 and 5, where Chinese text has next to nothing; EUC-KR all its syllables in rows 16-40
    (B0-C8), where about half of Chinese text is, for GB 2312 sorts by sound.
    """
    wide = _WIDE.findall(text)[:_GUESSED_FROM]
    leads = [char.encode("gb2312", "replace")[0] for char in wide]
    everyday = sum(0xA1 <= lead <= 0xA9 or 0xB0 <= lead <= 0xD7 for lead in leads)
    kana = sum(lead in (0xA4, 0xA5) for lead in leads)
    if kana > 0.2 * len(wide) or _looks_korean({*zip(wide, leads, strict=True)}):
        return False
    return bool(wide) and everyday >= 0.7 * len(wide)


def _looks_korean(used: set[tuple[str, int]]) -> bool:
    """Whether the characters that are used, with their lead bytes, are Korean syllables read as Chinese."""
    words = [lead for _, lead in used if 0xB0 <= lead <= 0xD7]
    return len(words) >= _ENOUGH_FOR_KOREAN and sum(lead <= 0xC8 for lead in words) > 0.95 * len(words)


def _older(head: bytes) -> Encoding:
    """Return the likeliest encoding of text that is neither UTF-8 nor simplified Chinese."""
    first = _HIGH_RUNS.search(head)
    start = head.rfind(b"\n", 0, first.start() if first else 0) + 1
    sample = head[start : start + _GUESSED_FROM]
    runs = _HIGH_RUNS.findall(sample)
    # In Western text letters outside ASCII stand alone; a character of an East Asian encoding takes two such bytes.
    if sum(len(run) for run in runs if len(run) > 1) > 0.6 * sum(map(len, runs)):
        from charset_normalizer import from_bytes

        best = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=[*_EAST_ASIAN, "cp1252"]).best()
        if best is not None and best.encoding in _EAST_ASIAN:
            return Encoding(best.encoding)
    return Encoding("latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", head) else "cp1252")


def _mostly_control(head: bytes) -> bool:
    control = sum(byte < 32 and byte not in b"\t\n\r\x0c\x1b" for byte in head[:_SNIFFED])
    return control * 20 > len(head[:_SNIFFED])
