"""Summaries without a language model: sentences taken from the text, never invented."""

from __future__ import annotations

import re

from codeagent_tui.text import cut_characters, one_line

_LONGEST = 1_600
_ENTRY = re.compile(r"^\[(?P<who>[\w -]+)\] (?P<text>.*?)(?=^\[[\w -]+\] |\Z)", re.M | re.S)
_CALL = re.compile(r"^\[calls (?P<tool>\w+) (?P<arguments>.*)\]$", re.M)
_PATH = re.compile(r'"path": ?"([^"]+)"')
_COMMAND = re.compile(r'"command": ?"((?:[^"\\]|\\.)+)"')
_BODY = re.compile(r"<(conversation|notes|summaries)>\n(.*)\n</\1>", re.S)


def is_summary_request(request: str) -> bool:
    """Whether the last user message is what a compactor or compressor sends."""
    return bool(_BODY.search(request))


def summarise(request: str) -> str:
    """Return 1 to 3 paragraphs: what was asked, what was done, what was last said. Deterministic, never empty."""
    found = _BODY.search(request)
    body = found[2] if found else request
    entries = [(hit["who"].lower(), hit["text"].strip()) for hit in _ENTRY.finditer(body)]
    if not entries:
        return cut_characters(" ".join(body.split()), _LONGEST) or "(nothing was said)"
    asked = [one_line(text, 160) for who, text in entries if who == "user" and text]
    changed = _distinct(
        _PATH.findall(
            " ".join(m["arguments"] for m in _CALL.finditer(body) if m["tool"] in ("edit_file", "write_file"))
        )
    )
    ran = _distinct(_COMMAND.findall(body))
    said = [one_line(_CALL.sub("", text), 240) for who, text in entries if who in ("assistant", "summary")]
    said = [text for text in said if text]
    paragraphs = []
    if asked:
        paragraphs.append("The user asked: " + "; ".join(_ends(asked, 8)) + ".")
    done = []
    if changed:
        done.append("Files changed: " + ", ".join(changed[:20]) + ".")
    if ran:
        done.append("Commands run: " + "; ".join(f"`{one_line(command, 80)}`" for command in ran[:10]) + ".")
    if done:
        paragraphs.append(" ".join(done))
    if said:
        paragraphs.append("The assistant said: " + " … ".join(_ends(said, 5)))
    return cut_characters("\n\n".join(paragraphs), _LONGEST) or "(nothing was said)"


def _distinct(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _ends(texts: list[str], most: int) -> list[str]:
    """Return the first and the last of many."""
    if len(texts) <= most:
        return texts
    return [*texts[: most // 2], f"({len(texts) - most} more)", *texts[-(most - most // 2) :]]
