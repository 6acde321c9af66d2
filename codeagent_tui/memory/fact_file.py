"""The file of long-term facts: reading what can be read of it, in whatever state, and writing it whole."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.text import replace_surrogates

VERSION = 1
_KNOWN = frozenset({"id", "type", "content", "scope", "project", "timestamp", "source"})


@dataclass(frozen=True, slots=True)
class FactFile:
    """What a file holds. `extra` are its unknown fields; `faults` what could not be read, empty for a sound file."""

    entries: tuple[MemoryEntry, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def parse(data: bytes) -> FactFile:
    """Read `data`; whatever is intact in it is kept, and what is not is named."""
    if not data:
        return FactFile(faults=("it is empty",))
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _from_entries(_salvage(text), {}, (f"it is no valid JSON ({error})",))
    if isinstance(held, list):
        return _from_entries(held, {}, ())
    if not isinstance(held, dict) or not isinstance(held.get("entries", []), list):
        return FactFile(faults=("it holds no list of entries",))
    return _from_entries(held.get("entries", []), {k: v for k, v in held.items() if k != "entries"}, ())


def _from_entries(held: Iterable[object], extra: Mapping[str, object], faults: tuple[str, ...]) -> FactFile:
    entries: dict[str, MemoryEntry] = {}
    bad = 0
    for item in held:
        entry = _entry(item)
        if entry is None:
            bad += 1
        else:
            entries.setdefault(entry.id, entry)
    if bad:
        faults = (*faults, f"{bad} of its entries cannot be read")
    return FactFile(tuple(entries.values()), extra, faults)


def _entry(item: object) -> MemoryEntry | None:
    if not isinstance(item, dict) or not isinstance(item.get("content"), str) or not item["content"].strip():
        return None
    timestamp = item.get("timestamp")
    try:
        scope = Scope(item.get("scope", Scope.GLOBAL))
    except ValueError:
        return None
    known = {"id": item["id"]} if isinstance(item.get("id"), str) and item["id"] else {}
    return MemoryEntry(
        MemoryType.FACT,
        item["content"],
        timestamp=float(timestamp) if isinstance(timestamp, int | float) else time.time(),
        scope=scope,
        project=item["project"] if isinstance(item.get("project"), str) else "",
        source=item["source"] if isinstance(item.get("source"), str) else "",
        metadata={key: value for key, value in item.items() if key not in _KNOWN},
        **known,
    )


def _salvage(text: str) -> list[object]:
    """Return the whole objects of the list in a text that breaks off or has something after it."""
    decoder = json.JSONDecoder()
    at = text.find("[")
    found: list[object] = []
    while at >= 0:
        at = text.find("{", at + 1 if not found else at)
        if at < 0:
            break
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(item)
    return found


def render(entries: Iterable[MemoryEntry], extra: Mapping[str, object]) -> bytes:
    """Return the file's bytes; unknown fields, and a newer version's number, stay as they were."""
    held = {"version": VERSION, **extra, "entries": [_item(entry) for entry in entries]}
    return replace_surrogates(json.dumps(held, ensure_ascii=False, indent=1)).encode() + b"\n"


def _item(entry: MemoryEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "type": entry.type.value,
        "content": entry.content,
        "scope": (entry.scope or Scope.GLOBAL).value,
        "project": entry.project,
        "timestamp": entry.timestamp,
        "source": entry.source,
        **entry.metadata,
    }
