"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is broken."""
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at and found; `mend` says what to do about it, and is never empty when something is wrong."""

    name: str
    state: State
    found: str
    mend: str = ""

    @classmethod
    def of(cls, name: str, found: str, *, wrong: str = "", note: str = "") -> Check:
        """Return a check that is wrong when `wrong` says how to mend it, worth a note when `note` does, else well."""
        state = State.WRONG if wrong else State.NOTE if note else State.OK
        return cls(name, state, found, wrong or note)
