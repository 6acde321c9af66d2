"""Sets of slots as whole numbers (bit n stands for slot n), and counting over all slots at once.

Python's integers do and, or and exclusive-or on 100,000 slots in about a microsecond; a loop over as many takes
milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress

_TO_DIGITS = bytes.maketrans(b"\x00\x01", b"01")
_TO_FLAGS = bytes.maketrans(b"01", b"\x00\x01")
_FEW = 64


def from_flags(flags: bytes | bytearray) -> int:
    """Return the set of the places where `flags` is 1; elsewhere it is 0."""
    return int(flags[::-1].translate(_TO_DIGITS), 2) if flags else 0


def from_slots(slots: Iterable[int], size: int) -> int:
    """Return the set of `slots`, each of them below `size`."""
    flags = bytearray(size)
    for slot in slots:
        flags[slot] = 1
    return from_flags(flags)


def slots_of(bits: int) -> list[int]:
    """Return the members of a set, in order."""
    if bits.bit_count() <= _FEW:
        found = []
        while bits:
            slot = bits.bit_length() - 1
            found.append(slot)
            bits ^= 1 << slot
        return found[::-1]
    flags = f"{bits:b}".encode()[::-1].translate(_TO_FLAGS)
    return list(compress(range(len(flags)), flags))


class Tally:
    """Adds up a number for each slot: the numbers' binary digits, one set of slots for each digit."""

    def __init__(self) -> None:
        self._planes: list[int] = []

    def add(self, bits: int, number: int = 1) -> None:
        """Add `number`, at least 0, for each member of the set `bits`."""
        digit = 0
        while number:
            if number & 1:
                self._add_at(digit, bits)
            number >>= 1
            digit += 1

    def _add_at(self, digit: int, carry: int) -> None:
        while carry:
            if digit >= len(self._planes):
                self._planes += [0] * (digit + 1 - len(self._planes))
            plane = self._planes[digit]
            self._planes[digit], carry = plane ^ carry, plane & carry
            digit += 1

    def groups(self, within: int) -> Iterator[tuple[int, int]]:
        """Yield each number above 0 that some of the slots `within` have, and the set of these; highest first."""
        waiting = [(len(self._planes), within, 0)]
        while waiting:
            digit, bits, number = waiting.pop()
            if digit == 0:
                if number:
                    yield number, bits
                continue
            ones = bits & self._planes[digit - 1]
            # The last in is the first out: what has this digit comes before what has not.
            if ones != bits:
                waiting.append((digit - 1, bits ^ ones, number))
            if ones:
                waiting.append((digit - 1, ones, number | 1 << (digit - 1)))
