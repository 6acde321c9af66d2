"""Writes a fact into a prompt as data: one quoted line that can neither end its block nor begin anything."""

from __future__ import annotations

import re

from codeagent_tui.memory.fact_rules import LONGEST_FACT
from codeagent_tui.text import clean_text, cut_characters

_CUT = "… [cut]"
_TAG_LIKE = re.compile(r"<(?=[/!?a-zA-Z])")
# What breaks a line for some readers (U+2028, U+2029), and what is there without being seen: blanks of no width, and
# the tag characters (U+E0000), which can spell a hidden sentence. Joiners stay: emoji and some scripts need them.
_UNSEEN = re.compile("[\u2028\u2029\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def quoted(content: str) -> str:
    """Return `content` as one list item in double quotes.

    Line ends and quotes are escaped as in JSON, tags lose their bracket, what is not seen becomes visible. A fact that
    was saved here is shown whole; only one written into the file by hand may be longer, and is cut with a mark.
    """
    return f'- "{quoted_text(content)}"'


def quoted_text(content: str) -> str:
    """Return what stands between the quotes."""
    line = cut_characters(clean_text(content), LONGEST_FACT + len(_CUT), _CUT)
    line = line.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", " ").replace('"', '\\"')
    line = _UNSEEN.sub(lambda char: f"\\u{{{ord(char[0]):x}}}", line)
    return _TAG_LIKE.sub("‹", line)
