"""Turns the bytes of a project memory file into text, or says why it will not: rather no text than a garbled one."""

from __future__ import annotations

import codecs
import re

from codeagent_tui.text import clean_text
from codeagent_tui.text_encoding import sniff

# High bytes of Western European text (Windows-1252): letters that touch a letter, and signs.
_WESTERN_LETTER = re.compile(rb"(?<=[A-Za-z\xc0-\xfe])[\xc0-\xfe]+|[\xc0-\xfe]+(?=[A-Za-z])")
_WESTERN_SIGN = re.compile(rb"[\x80\x85\x91-\x97\x99\xa0-\xbf]")
_HIGH = re.compile(rb"[\x80-\xff]")
_MOST_STRAY_SHARE = 0.01
_FEW_STRAY = 3


class NoText(Exception):
    """The bytes are no text that can be read; the message says what they are."""


def decode_memory_file(data: bytes, *, complete: bool) -> str:
    """Return the text of a file that starts with `data` (and is it, when `complete`): no mark, `\\n` line ends.

    UTF-8, UTF-16 and UTF-32 by their marks, GBK and Western text are read; a stray byte costs one replacement mark.

    Raises:
        NoText: when it is binary, or in an encoding that could only be guessed.
    """
    encoding = sniff(data, complete=complete)
    if encoding is None:
        raise NoText("binary")
    name = encoding.name
    if name in ("cp1252", "latin-1") and not (name == "cp1252" and _is_western(data)):
        if len(_HIGH.findall(data)) > max(_FEW_STRAY, _MOST_STRAY_SHARE * len(data)):
            raise NoText("in an unknown encoding; save it as UTF-8")
        name = "utf-8"
    elif not (name.startswith("utf-") or name in ("gb18030", "cp1252")):
        raise NoText(f"probably in {name}; save it as UTF-8")
    # Incremental: a character that is cut off at the end of `data` is no stray byte.
    decoder = codecs.getincrementaldecoder(name)("replace")
    return clean_text(decoder.decode(data[len(encoding.mark) :], final=complete))


def _is_western(data: bytes) -> bool:
    return not _HIGH.search(_WESTERN_SIGN.sub(b"", _WESTERN_LETTER.sub(b"", data)))
