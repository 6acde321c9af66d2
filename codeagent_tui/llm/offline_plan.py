"""Several plain requests in one message: where one ends and the next begins, and in which language they are."""

from __future__ import annotations

import re

from codeagent_tui.llm.offline_requests import QUOTED, Step, read_request

_THEN = re.compile(
    r"[,;.\uff0c\uff1b\u3002]?\s?(?:and )?\b(?:then|after that|finally)\b,?"
    r"|[,;\uff0c\uff1b\u3002]?\s?(?:然后|接着|之后|最后)[,\uff0c]?|[,;\uff0c\uff1b\u3002]\s?(?:再|并)"
    r"|[,;\uff0c\uff1b\u3002]|\n+",
    re.I,
)
_LONGEST = 4_000
"""Characters outside quotes: more than any plain request has, and little enough to be read at once."""
_LONG_BLANK = re.compile(r"\s{50}")
_MOST_STEPS = 40
_NEVER_PARTED = ("save_memory", "todo")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SPOKEN = re.compile("[A-Za-z\u3400-\u4dbf\u4e00-\u9fff]")
_LETTER = re.compile("[A-Za-z]")
_NO_LANGUAGE = re.compile(rf"{QUOTED}|\S*[./_\\]\S*")


def plan(request: str) -> list[Step] | None:
    """Return the steps that `request` asks for, or None when it, or a part of it, is no plain request.

    What stands in quotes is never parted. Elsewhere a "then" parts only what are requests on both sides of it, so that
    `run if make; then make install; fi` stays whole. A fact to remember and a to-do list are never parted: they may
    hold any word.
    """
    text, kept = _masked(request.strip())
    if len(text) > _LONGEST or _LONG_BLANK.search(text):
        return None
    starts = [0, *(hit.end() for hit in _THEN.finditer(text))]
    ends = [*(hit.start() for hit in _THEN.finditer(text)), len(text)]
    if len(starts) > _MOST_STEPS:
        return None
    # From the last part to the first: the steps of all that begins at each start, as soon as they are known.
    known: dict[int, list[Step] | None] = {len(starts): []}
    for first in reversed(range(len(starts))):
        known[first] = None
        for last in range(first, len(starts)):
            piece = text[starts[first] : ends[last]]
            following = known[last + 1]
            if following is None or not piece.strip():
                continue
            made = read_request(_unmasked(piece, kept))
            if made is None or (following and made[0].tool in _NEVER_PARTED):
                continue
            known[first] = [*made, *following]
            break
    return known[0] or None


def is_chinese(request: str) -> bool:
    """Whether a request is made in Chinese, whatever is named or quoted in it: its first word decides, and where that
    is a Latin one, whether it stands among Chinese."""
    without_names = _NO_LANGUAGE.sub(" ", request)
    text = without_names if _SPOKEN.search(without_names) else request
    first = _SPOKEN.search(text)
    if first is None:
        return False
    return bool(_HAN.match(first[0])) or 2 * len(_HAN.findall(text)) >= len(_LETTER.findall(text))


def _masked(text: str) -> tuple[str, list[str]]:
    kept: list[str] = []

    def keep(hit: re.Match[str]) -> str:
        kept.append(hit[0])
        return f"\0{len(kept) - 1}\0"

    # An apostrophe begins no quotation here: a single quote counts only where a word begins.
    return re.sub(rf"(?<!\w){QUOTED}", keep, text.replace("\0", "")), kept


def _unmasked(text: str, kept: list[str]) -> str:
    return re.sub("\0(\\d+)\0", lambda hit: kept[int(hit[1])], text)
