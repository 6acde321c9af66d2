"""The file of long-term facts: reading what can be read of it, in whatever state, and writing it whole.

Format (version 1): an object with `version` and `entries`, a list of objects with `id`, `type` ("FACT"), `content`,
`scope` ("project" or "global"), `project`, `timestamp` (seconds since the epoch) and `source`. One entry a line, so
that it can be read, edited and compared by people. Whatever else a file holds, here or in an entry, is kept.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.text import clean_text, replace_surrogates
from codeagent_tui.text_encoding import decode

VERSION = 1
_KNOWN = frozenset({"id", "type", "content", "scope", "project", "timestamp", "source"})
_MOST_BREAKS = 1_000
"""Broken places that are skipped while a damaged file is read; after these the rest is given up."""


@dataclass(frozen=True, slots=True)
class Record:
    """One entry as its line in the file. `entry` is None for one of a kind that this version does not know."""

    line: str
    entry: MemoryEntry | None


@dataclass(frozen=True, slots=True)
class FactFile:
    """What a file holds. `extra` are its other fields; `faults` what could not be read, empty for a sound file."""

    records: tuple[Record, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """The facts, oldest first as they were saved."""
        return tuple(record.entry for record in self.records if record.entry is not None)


def parse(data: bytes) -> FactFile:
    """Read `data`; whatever is intact in it is kept, and what is not is named."""
    if not data.strip():
        return FactFile(faults=("it is empty",))
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
        if not isinstance(item, dict) or not isinstance(item.get("content"), str) or not item["content"].strip():
            bad += 1
            continue
        item = {**item, "id": _unique_id(item, taken)}
        taken.add(item["id"])
        records.append(Record(_line(item), _entry(item)))
    if bad:
        faults = (*faults, f"{bad} of its entries cannot be read")
    return FactFile(tuple(records), extra, faults)


def _unique_id(item: Mapping[str, object], taken: set[str]) -> str:
    """Return the entry's own id; one made of what it says where it has none, or that of another (a copied line)."""
    own = item.get("id")
    if isinstance(own, str) and own.strip() and own not in taken:
        return own
    number = 0
    while True:
        made = hashlib.sha256(f"{number}:{item['content']}".encode("utf-8", "replace")).hexdigest()[:16]
        if made not in taken:
            return made
        number += 1


def _entry(item: Mapping[str, object]) -> MemoryEntry | None:
    """Return the fact in `item`, None for something that is none (a newer version may keep other things here)."""
    kind, scope = item.get("type", MemoryType.FACT.value), item.get("scope", Scope.GLOBAL.value)
    if kind != MemoryType.FACT.value or scope not in {known.value for known in Scope}:
        return None
    return MemoryEntry(
        MemoryType.FACT,
        clean_text(str(item["content"])),
        id=str(item["id"]),
        timestamp=_time(item.get("timestamp")),
        scope=Scope(str(scope)),
        project=_string(item.get("project")),
        source=_string(item.get("source")),
        metadata={key: value for key, value in item.items() if key not in _KNOWN},
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
    return Record(_line({**item, **entry.metadata}), entry)


def _line(item: Mapping[str, object]) -> str:
    return replace_surrogates(json.dumps(item, ensure_ascii=False))


def render(records: Iterable[Record], extra: Mapping[str, object]) -> bytes:
    """Return the file's bytes; unknown fields, and a newer version's number, stay as they were."""
    fields = [f" {json.dumps(key)}: {_value(value)},\n" for key, value in {"version": VERSION, **extra}.items()]
    entries = ",\n".join(f"  {record.line}" for record in records)
    return f'{{\n{"".join(fields)} "entries": [\n{entries}\n ]\n}}\n'.encode()


def _value(value: object) -> str:
    return replace_surrogates(json.dumps(value, ensure_ascii=False))
