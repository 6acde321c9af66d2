"""Does a summary still hold what must be kept? Checked against the ledger, without a model.

What is looked for: what the user said to last (rules, decisions, cancellations) and asked for most recently, the files
that were changed, and the open work. A file counts as mentioned by its name; a sentence by half of its content words
(for Chinese, Japanese and Korean: of its pairs of characters), because a summary says things in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from codeagent_tui.context.ledger_entries import Ledger
from codeagent_tui.context.record import Coverage
from codeagent_tui.context.standing import is_standing
from codeagent_tui.text import one_line

_WORD = re.compile(r"[a-z0-9_][a-z0-9_.\-/]*[a-z0-9_]|[a-z0-9]", re.I)
_CJK_RUN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2,}")
_STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
        a an the this that these those and or but if then so to of in on at by for from with as is are was were be been
        it its i you we he she they them me my your our do does did can could would should will shall may might please
        now also just very not no yes there here what which who how when where why all any some make
        """,
    )
)
_SAID_SHARE = 0.5
_NEWEST_REQUESTS = 5
_MOST_STANDING = 20
_MOST_FILES = 40
_SHOWN = 80


def verify(summary: str, ledger: Ledger) -> Coverage:
    """Return how much of `ledger`'s essentials `summary` mentions."""
    lowered = summary.lower()
    wanted = list(dict.fromkeys(_essentials(ledger)))
    missing = tuple(one_line(text, _SHOWN) for kind, text in wanted if not _mentioned(kind, text, lowered))
    return Coverage(len(wanted) - len(missing), len(wanted), missing)


def _essentials(ledger: Ledger) -> Iterator[tuple[str, str]]:
    newest = ledger.requests[-_NEWEST_REQUESTS:]
    standing = [text for text in ledger.requests if is_standing(text) and text not in newest]
    for text in (*standing[-_MOST_STANDING:], *newest):
        yield "said", text
    for change in ledger.files[-_MOST_FILES:]:
        yield "file", change.path
    for item in ledger.open_items:
        yield "said", item.text


def _mentioned(kind: str, text: str, summary: str) -> bool:
    if kind == "file":
        path = PurePosixPath(text.replace("\\", "/"))
        return path.name.lower() in summary
    words = content_words(text)
    return not words or sum(word in summary for word in words) >= len(words) * _SAID_SHARE


def content_words(text: str) -> frozenset[str]:
    """Return the words of `text` that carry its meaning, lower-cased; of CJK runs their pairs of characters."""
    lowered = text.lower()
    latin = {word for word in _WORD.findall(lowered) if word not in _STOP_WORDS}
    pairs = {run[at : at + 2] for run in _CJK_RUN.findall(lowered) for at in range(len(run) - 1)}
    return frozenset(latin | pairs)
