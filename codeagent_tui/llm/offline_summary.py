"""Summaries without a language model: sentences taken from the text, never invented.

A summary has one to three paragraphs of labelled lines: what the user asked; files changed and commands run; what was
decided, what is open, what was last said. It is read back by the same labels, so that summaries of summaries keep
what theirs held.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from codeagent_tui.llm.offline_plan import is_chinese
from codeagent_tui.text import one_line

_BETWEEN = " · "
_BACKGROUND = "[Background, not a request"
"""How a compaction's summary begins where it stands in the history as a user message."""
_SHARE = 0.6
"""A summary is at most this share of what it is taken from."""
_LEAST = 1_200.0
"""Unless that is less than these characters."""
_BODY = re.compile(r"<(conversation|notes|summaries)>\n(.*)\n</\1>", re.S)
_FOCUS = re.compile(r"special attention to: (.+?)\n\n<", re.S)
_ENTRY = re.compile(r"(?:\A|\n\n)\[(user|assistant|tool[ _]result|summary|fact|system)\] ", re.I)
_CALL = re.compile(r"^\[calls (\w+) (.*)\]$", re.M)
_VALUE = r'": ?"((?:[^"\\]|\\.)*)"'
_EXIT = re.compile(r"\[exit code (\d+)")
_NOT_DONE = re.compile(r"\[(?:Refused|Cancelled|Not permitted)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[\u3002\uff01\uff1f\uff1b])|\n+")
_DECISION = re.compile(
    r"(?i)\b(?:decid\w*|decision|because|instead|chose|must|should|always|never|prefer\w*|do not|don't|the cause|"
    r"turns? out|fixed|agreed|conclu\w*|keep)\b|决定|因为|改用|采用|选择|不要|必须|应该|原因|结论|统一|保留"
)
_OPEN = re.compile(
    r"(?i)\b(?:still|remaining|todo|to do|next|left to|not yet|later|open)\b"
    r"|接下来|还需要|还没|尚未|待办|下一步|剩下"
)
_LABELS = {
    "asked": ("The user asked:", "用户要求:", 1_000, 200),
    "files": ("Files changed:", "改动的文件:", 500, 120),
    "commands": ("Commands run:", "运行的命令:", 500, 100),
    "decided": ("Decided or found:", "决定与结论:", 900, 220),
    "open": ("Open:", "未完成:", 400, 160),
    "said": ("Last said:", "最后说到:", 500, 260),
}
"""Each kind's label in both languages, the most characters of all its items, and of one."""
_PARAGRAPHS = (("asked",), ("files", "commands"), ("decided", "open", "said"))
_NOTHING = "(There was nothing to summarise in this part.)"
_ALL = "(There was nothing else in this part.)"


def is_summary_request(request: str) -> bool:
    """Whether the last user message is what a compactor or compressor sends."""
    return bool(_BODY.search(request))


@dataclass(slots=True)
class _Found:
    """What was taken from the text, each kind in the order of the text and without doubles."""

    items: dict[str, dict[str, None]] = field(default_factory=lambda: {kind: {} for kind in _LABELS})

    def add(self, kind: str, texts: Iterable[str]) -> None:
        longest = _LABELS[kind][3]
        for text in texts:
            line = one_line(text, longest).replace(_BETWEEN, " - ").strip(f" {_BETWEEN}")
            if line:
                # The last mention counts: what was said or run again is not old.
                self.items[kind].pop(line, None)
                self.items[kind][line] = None


def summarise(request: str) -> str:
    """Return 1 to 3 paragraphs taken from the text of `request`. Deterministic, never empty."""
    hit = _BODY.search(request)
    body = hit[2] if hit else request
    focus = _FOCUS.search(request)
    found = _Found()
    _read(body, found, _words(focus[1]) if focus else frozenset())
    chinese = is_chinese(
        " ".join((*found.items["asked"], *found.items["said"], *found.items["decided"])) or body[:2_000]
    )
    room = min(1.0, max(_LEAST, _SHARE * len(body)) / sum(limit for _, _, limit, _ in _LABELS.values()))
    return _rendered(found, room, chinese=chinese)


def _read(body: str, found: _Found, focus: frozenset[str]) -> None:
    pieces = _ENTRY.split(body)
    ran: list[str] = []
    # Before the first entry: a summary, or the rest of a text that was too long for one request.
    _read_summary(pieces[0], found)
    for who, text in zip(pieces[1::2], pieces[2::2], strict=True):
        who = who.lower().replace("_", " ")
        if who == "tool result":
            _read_result(text, ran, found)
        elif who == "summary" or (who == "user" and text.startswith(_BACKGROUND)):
            _read_summary(text, found)
        elif who in ("user", "fact"):
            found.add("asked" if who == "user" else "decided", [text])
            if len(text) > _LABELS["asked"][3]:
                _read_sentences(text, found, focus)
        else:
            found.add("commands", (_shown(command) for command in ran if command))
            ran = _read_calls(text, found)
            spoken = _CALL.sub("", text).strip()
            found.add("said", [spoken])
            _read_sentences(spoken, found, focus)
    # A call whose result went into another piece was made all the same.
    found.add("commands", (_shown(command) for command in ran if command))


def _read_calls(text: str, found: _Found) -> list[str]:
    """Take what was changed and run from an answer's calls; return the commands, whose results follow."""
    commands = []
    for tool, arguments in _CALL.findall(text):
        if tool in ("edit_file", "write_file"):
            found.add("files", _values("path", arguments))
        elif tool == "todo":
            # The list is given whole each time: what is done in it is open no more.
            items = _todo_items(arguments)
            for text in items:
                found.items["open"].pop(text, None)
            found.add("open", (text for text, status in items.items() if status != "done"))
        # A call without a command keeps its place: results come in the order of the calls.
        commands.append(next(iter(_values("command", arguments)), ""))
    return commands


def _read_result(text: str, ran: list[str], found: _Found) -> None:
    command = ran.pop(0) if ran else ""
    if command:
        code = _EXIT.match(text)
        how = f" (exit {code[1]})" if code else " (not done)" if _NOT_DONE.match(text) else ""
        found.add("commands", [_shown(command) + how])
    elif _NOT_DONE.match(text):
        found.add("open", [text.strip("[]")])


def _shown(command: str) -> str:
    return f"`{one_line(command, 80)}`"


def _read_sentences(text: str, found: _Found, focus: frozenset[str]) -> None:
    for sentence in _SENTENCE_END.split(text[:20_000]):
        if _DECISION.search(sentence) or (focus and focus & _words(sentence)):
            found.add("decided", [sentence])
        elif _OPEN.search(sentence):
            found.add("open", [sentence])


def _read_summary(text: str, found: _Found) -> None:
    """Read a summary back by its labels; one of another kind is kept as what was said."""
    if not _is_ours(text):
        found.add("said", [text])
        return
    for line in text.splitlines():
        for kind, (english, chinese, _, _) in _LABELS.items():
            label = next((label for label in (english, chinese) if line.startswith(label)), None)
            if label:
                found.add(kind, line.removeprefix(label).split(_BETWEEN))


def _is_ours(text: str) -> bool:
    return any(f"\n{label}" in f"\n{text}" for labels in _LABELS.values() for label in labels[:2])


def _rendered(found: _Found, room: float, *, chinese: bool) -> str:
    """Write the lines; `room` is the share of each kind's length that there is."""
    chosen = {kind: _chosen(kind, list(found.items[kind]), room) for kind in _LABELS}
    # Nothing is said twice, and what was decided stays longer than what was last said.
    chosen["decided"] = [item for item in chosen["decided"] if item not in "\n".join(chosen["asked"])]
    chosen["said"] = [item for item in chosen["said"] if item not in chosen["decided"]]
    paragraphs = []
    for kinds in _PARAGRAPHS:
        lines = [f"{_LABELS[kind][int(chinese)]} {_BETWEEN.join(chosen[kind])}" for kind in kinds if chosen[kind]]
        paragraphs += ["\n".join(lines)] if lines else []
    summary = "\n\n".join(paragraphs)
    return summary if len(summary) > len(_NOTHING) else f"{summary} {_ALL}" if summary else _NOTHING


def _chosen(kind: str, items: list[str], room: float) -> list[str]:
    """Return what there is room for: the newest, and of what was asked and decided the oldest as well."""
    left = room * _LABELS[kind][2]
    first: list[str] = []
    last: list[str] = []
    while items:
        from_start = kind in ("asked", "decided") and len(first) <= len(last)
        item = items.pop(0 if from_start else -1)
        left -= len(item) + len(_BETWEEN)
        if left < 0 and (first or last):
            break
        if from_start:
            first.append(item)
        else:
            last.insert(0, item)
    return first + last


def _values(name: str, arguments: str) -> list[str]:
    """Return a field's texts in arguments that may have been cut off in the middle."""
    return [_unescaped(value) for value in re.findall(rf'"{name}{_VALUE}', arguments)]


def _todo_items(arguments: str) -> dict[str, str]:
    """Return the status of each item of a to-do list."""
    pairs = re.findall(rf'"text{_VALUE}(?:, ?"status{_VALUE})?', arguments)
    return {one_line(_unescaped(text), _LABELS["open"][3]): status for text, status in pairs}


def _unescaped(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"'))
    except ValueError:
        return value


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"[a-z0-9_]{3,}|[\u4e00-\u9fff]{2}", text.lower()))
