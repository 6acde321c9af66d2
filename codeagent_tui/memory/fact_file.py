"""The file of long-term facts: reading what can be read of it, in whatever state, and writing it whole.

Format (version 1): an object with `version` and `entries`, a list of objects with `id`, `type` ("FACT"), `content`,
`scope` ("project" or "global"), `project` (an identity), `timestamp` (seconds since the epoch), `source` ("command" or
"tool"), and for a project's facts the `folder` they were saved in, for people. One entry a line, so that it can be
read, edited and compared. Whatever else a file holds, here or in an entry, is kept.

Read by hand and not through a pydantic model: a file that people and other versions write has to be taken entry by
entry, each as far as it is sound, and its line kept as it is; a model would say no to the whole, or drop what it does
not know. And a line that was read before is not read again, which keeps a save among 10,000 facts at a few ms.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.text import clean_text, replace_surrogates
from codeagent_tui.text_encoding import decode

VERSION = 1
_FACT = MemoryType.FACT.value
_SCOPES = {scope.value: scope for scope in Scope}
_KNOWN = frozenset({"id", "type", "content", "scope", "project", "timestamp", "source"})
_OPENING, _BETWEEN, _CLOSING = b' "entries": [\n  ', b",\n  ", b"\n ]\n}\n"
"""What stands before the entries, between them and after them."""
_MOST_BREAKS = 1_000
"""Broken places that are skipped while a damaged file is read; after these the rest is given up."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry as its line in the file, in UTF-8. `entry` is None for a kind that this version does not know."""

    line: bytes
    id: str
    entry: MemoryEntry | None


@dataclass(frozen=True, slots=True)
class FactFile:
    """What a file holds. `extra` are its other fields; `faults` what could not be read, empty for a sound file.

    `laid_out` says that its bytes are exactly what `render` makes of it.
    """

    records: tuple[Record, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    laid_out: bool = False

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """The facts, oldest first as they were saved."""
        return tuple(record.entry for record in self.records if record.entry is not None)


def parse(data: bytes, known: Mapping[bytes, Record] | None = None) -> FactFile:
    """Read `data`; whatever is intact in it is kept, and what is not is named.

    `known` are records by their lines, from an earlier reading: these lines need not be read again.
    """
    if not data.strip():
        return FactFile(faults=("it is empty",))
    by_lines = _read_by_lines(data, known or {})
    if by_lines is not None:
        return by_lines
    text, faults = _text(data)
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else f"it is no valid JSON: {error}"
        return _from_items(_salvaged(text), {}, (*faults, why))
    if isinstance(held, list):
        return _from_items(held, {}, faults)
    items = held.get("entries", []) if isinstance(held, dict) else None
    if not isinstance(held, dict) or not isinstance(items, list):
        return FactFile(faults=(*faults, "it holds no list of entries"))
    return _from_items(items, {key: value for key, value in held.items() if key != "entries"}, faults)


def _read_by_lines(data: bytes, known: Mapping[bytes, Record]) -> FactFile | None:
    """Read a file that has the layout of `render`, and nothing wrong with it; None for any other."""
    head, opening, body = data.partition(_OPENING)
    if not (opening and body.endswith(_CLOSING)):
        return None
    try:
        extra = json.loads(head + b' "entries": []}')
        records = [known.get(line) or _record_of_line(line) for line in body[: -len(_CLOSING)].split(_BETWEEN)]
    except (ValueError, RecursionError):
        return None
    others = {key: value for key, value in extra.items() if key != "entries"}
    found = FactFile(tuple(records), others, laid_out=True)
    sound = len({record.id for record in records}) == len(records) and render(found.records, found.extra) == data
    return found if sound else None


def _record_of_line(line: bytes) -> Record:
    item = json.loads(line.decode("utf-8"))
    if not _is_sound(item) or not _has_id(item):
        raise ValueError("no entry with an id")
    return Record(line, str(item["id"]), _entry(item))


def _text(data: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        return data.decode("utf-8").removeprefix("\ufeff"), ()
    except UnicodeDecodeError:
        found = decode(data)
    if found is None:
        return data.decode("utf-8", "replace"), ("it is no text",)
    text, encoding = found
    return text, (f"it is in {encoding.name}, not UTF-8" if encoding.name != "utf-8" else "it is no valid UTF-8",)


def _from_items(items: Iterable[object], extra: Mapping[str, object], faults: tuple[str, ...]) -> FactFile:
    records: list[Record] = []
    taken: set[str] = set()
    bad = 0
    for item in items:
        if not _is_sound(item):
            bad += 1
            continue
        own_id = _unique_id(item, taken)
        taken.add(own_id)
        whole = {**item, "id": own_id}
        records.append(Record(_line(whole), own_id, _entry(whole)))
    if bad:
        faults = (*faults, f"{bad} of its entries cannot be read")
    return FactFile(tuple(records), extra, faults)


def _is_sound(item: object) -> TypeGuard[dict[str, object]]:
    return isinstance(item, dict) and isinstance(item.get("content"), str) and bool(item["content"].strip())


def _has_id(item: Mapping[str, object]) -> bool:
    own = item.get("id")
    return isinstance(own, str) and bool(own.strip())


def _unique_id(item: Mapping[str, object], taken: set[str]) -> str:
    """Return the entry's own id; one made of what it says where it has none, or that of another (a copied line)."""
    if _has_id(item) and item["id"] not in taken:
        return str(item["id"])
    number = 0
    while True:
        made = hashlib.sha256(f"{number}:{item['content']}".encode("utf-8", "replace")).hexdigest()[:16]
        if made not in taken:
            return made
        number += 1


def _entry(item: Mapping[str, object]) -> MemoryEntry | None:
    """Return the fact in `item`, None for something that is none (a newer version may keep other things here)."""
    scope = _SCOPES.get(_string(item.get("scope", Scope.GLOBAL)))
    if scope is None or item.get("type", _FACT) != _FACT:
        return None
    return MemoryEntry(
        MemoryType.FACT,
        clean_text(str(item["content"])),
        id=str(item["id"]),
        timestamp=_time(item.get("timestamp")),
        scope=scope,
        project=_string(item.get("project")),
        source=_string(item.get("source")),
        metadata={} if item.keys() <= _KNOWN else {key: item[key] for key in item if key not in _KNOWN},
    )


def _time(value: object) -> float:
    """Return a time stamp; 0 (long ago) for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _salvaged(text: str) -> list[object]:
    """Return the whole objects of the list in a text that is broken somewhere, or has something after it."""
    decoder = json.JSONDecoder()
    found: list[object] = []
    at = text.find("{", text.find("[") + 1)
    breaks = 0
    while at >= 0 and breaks < _MOST_BREAKS:
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            breaks += 1
            end = at + 1
        else:
            found.append(item)
        at = text.find("{", end)
    return found


def record_of(entry: MemoryEntry) -> Record:
    """Return the line of a new fact."""
    item = {
        "id": entry.id,
        "type": entry.type.value,
        "content": entry.content,
        "scope": (entry.scope or Scope.GLOBAL).value,
        "project": entry.project,
        "timestamp": entry.timestamp,
        "source": entry.source,
    }
    return Record(_line({**item, **entry.metadata}), entry.id, entry)


def _line(item: Mapping[str, object]) -> bytes:
    return _value(item).encode()


def render(records: Iterable[Record], extra: Mapping[str, object]) -> bytes:
    """Return the file's bytes; unknown fields, and a newer version's number, stay as they were."""
    fields = [f" {json.dumps(key)}: {_value(value)},\n" for key, value in {"version": VERSION, **extra}.items()]
    entries = _BETWEEN.join([record.line for record in records])
    return b"".join((b"{\n", "".join(fields).encode(), _OPENING, entries, _CLOSING))


def with_one_more(data: bytes, record: Record) -> bytes:
    """Return `data`, which `render` made of one entry or more, with `record` after them: quicker than all anew."""
    return b"".join((memoryview(data)[: -len(_CLOSING)], _BETWEEN, record.line, _CLOSING))


def _value(value: object) -> str:
    return replace_surrogates(json.dumps(value, ensure_ascii=False))
