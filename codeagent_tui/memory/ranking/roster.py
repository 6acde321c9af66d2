"""Gives each entry a slot, a number that indexes can point to, and finds out cheaply who came and who left."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable
from itertools import takewhile
from operator import is_, itemgetter

from codeagent_tui.memory.entry import MemoryEntry
from codeagent_tui.memory.ranking.bits import from_flags, from_slots

_FEW_EMPTY = 512
_FEW_NEW = 100


class Roster:
    """The entries of now, by slot. A slot is given once and never again, so whatever points to it stays true."""

    def __init__(self) -> None:
        self.by_slot: list[MemoryEntry] = []
        """All that ever had a slot; only those in `present` count."""
        self.newness: list[tuple[float, str]] = []
        """By slot: sorts the newer entry first, and of equally old ones as the ids do."""
        self.present = 0
        """The slots of the entries of now, as a set."""
        self.long_term = 0
        """Of all slots, those of long-term entries."""
        self._by_newness: list[tuple[float, str, int]] = []
        self._entries: tuple[MemoryEntry, ...] = ()
        self._slots: list[int] = []

    @property
    def is_wasteful(self) -> bool:
        """Whether more than half of the slots are empty, and not only a few: time to begin with a new roster."""
        return len(self.by_slot) > 2 * len(self._entries) + _FEW_EMPTY

    def since(self, timestamp: float) -> int:
        """Return the slots of the entries that are not older than `timestamp`, as a set."""
        until = bisect_right(self._by_newness, -timestamp, key=itemgetter(0))
        return from_slots((slot for _, _, slot in self._by_newness[:until]), len(self.newness))

    def take(self, entries: tuple[MemoryEntry, ...]) -> list[MemoryEntry]:
        """Hold exactly `entries` from now on; return those that are new, in the order of their slots.

        The same tuple again costs nothing, one that shares its beginning and its end with the last little.
        """
        if entries is self._entries:
            return []
        head, tail = _shared(self._entries, entries)
        gone, come = self._slots[head : len(self._slots) - tail], entries[head : len(entries) - tail]
        free: dict[Hashable, list[int]] = {}
        for slot in gone:
            free.setdefault(_key(self.by_slot[slot]), []).append(slot)
        first_new, slots = len(self.by_slot), []
        for entry in come:
            same = free.get(_key(entry))
            if same:
                slot = same.pop()
                self.by_slot[slot] = entry
            else:
                slot = len(self.by_slot)
                self.by_slot.append(entry)
                self.newness.append((-entry.timestamp, entry.id))
            slots.append(slot)
        self._entries = entries
        self._slots[head : len(self._slots) - tail] = slots
        self._note_newness(first_new)
        new = self.by_slot[first_new:]
        self.long_term |= from_flags(bytes([entry.is_long_term for entry in new])) << first_new
        self.present |= ((1 << len(new)) - 1) << first_new
        for left in free.values():
            for slot in left:
                self.present ^= 1 << slot
        return new

    def _note_newness(self, first: int) -> None:
        new = [(*self.newness[slot], slot) for slot in range(first, len(self.newness))]
        if len(new) > _FEW_NEW:
            self._by_newness += new
            self._by_newness.sort()
        else:
            for one in new:
                insort(self._by_newness, one)


def _shared(old: tuple[MemoryEntry, ...], new: tuple[MemoryEntry, ...]) -> tuple[int, int]:
    """Return how many entries at the beginning, and after these at the end, are the very same objects in both."""
    head = sum(takewhile(bool, map(is_, old, new)))
    most = min(len(old), len(new)) - head
    return head, sum(takewhile(bool, map(is_, reversed(old[len(old) - most :]), reversed(new[len(new) - most :]))))


def _key(entry: MemoryEntry) -> Hashable:
    """Return what an index may have kept of an entry; a file that is read again gives new objects with the same."""
    return entry.id, entry.content, entry.timestamp, entry.is_long_term
