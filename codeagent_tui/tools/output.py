"""The budgets of tool results, and the marks that say what was left out and how to get it."""

from __future__ import annotations

from codeagent_tui.text import cut_characters, grapheme_floor

READ_LINES = 2_000
READ_CHARACTERS = 30_000
LINE_CHARACTERS = 2_000
LISTED_ENTRIES = 400
FOUND_FILES = 300
SEARCH_HITS = 100
SEARCH_CHARACTERS = 16_000
COMMAND_BYTES = 8_192
WEB_CHARACTERS = 8_000
DIFF_CHARACTERS = 20_000


def partial(what: str) -> str:
    """Return the mark at the end of a result that is not whole; `what` says how much there is and how to go on."""
    return f"[partial: {what}]"


def clip_line(line: str, limit: int = LINE_CHARACTERS) -> str:
    """Return `line` cut to `limit` characters, with its real length said where it was cut."""
    if len(line) <= limit:
        return line
    return f"{cut_characters(line, limit, '')}… [line of {len(line):,} characters]"


def head_and_tail(text: str, limit: int) -> str:
    """Return `text` within about `limit` characters: its start, a mark that counts what is missing, its end.

    Cuts fall between lines where there are some near, and never inside a grapheme.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    head = text[: grapheme_floor(text, half)]
    tail = text[grapheme_floor(text, len(text) - half) :]
    newline = head.rfind("\n", half - half // 4)
    if newline >= 0:
        head = head[: newline + 1]
    newline = tail.find("\n", 0, half // 4)
    if newline >= 0:
        tail = tail[newline + 1 :]
    missing = len(text) - len(head) - len(tail)
    joint = "" if head.endswith("\n") else "\n"
    return f"{head}{joint}[… {missing:,} characters left out …]\n{tail}"
