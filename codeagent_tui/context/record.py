"""What one compaction did, to be shown, logged and taken back."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, fields

from codeagent_tui.conversation.messages import new_id


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what must be kept a summary mentions: `kept` of `total`; `missing` names the rest, shortened."""

    kept: int = 0
    total: int = 0
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Between 0 and 1; 1 when there was nothing to look for."""
        return self.kept / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class CompactionRecord:
    """One compaction of the history. Counts are tokens, `duration` and `at` seconds (`at` since the epoch).

    `way` says how room was made: `summary`, `stubs` (large tool results gave way), `by hand` (the user took one message
    out), or `dropped` (no summary could be made and the request would not have fitted: only the ledger is left).
    `replaced` messages gave way to `replacement` ones, whose first one's id is `summary_id`; where messages stayed in
    their places with less in them, `stubbed` holds their ids.
    `coverage` is of the summary by itself; what it misses stands in the `ledger`, which is attached to it.
    """

    tokens_before: int
    tokens_after: int
    way: str = "summary"
    replaced: int = 0
    replacement: int = 0
    summary_id: str = ""
    stubbed: tuple[str, ...] = ()
    duration: float = 0.0
    calls: int = 0
    coverage: Coverage = field(default_factory=Coverage)
    summary: str = ""
    ledger: str = ""
    focus: str = ""
    model: str = ""
    note: str = ""
    background: bool = False
    restored: bool = False
    repeats: int = 0
    id: str = field(default_factory=new_id)
    at: float = field(default_factory=time.time)

    def to_json(self) -> dict[str, object]:
        """Return the record as JSON data, for the session's log."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> CompactionRecord | None:
        """Return the record that `data` holds, None when it is none; unknown fields are left out."""
        if not isinstance(data, dict):
            return None
        known = {item.name for item in fields(cls)}
        held = {name: value for name, value in data.items() if name in known}
        coverage = held.get("coverage")
        try:
            if isinstance(coverage, dict):
                missing = tuple(map(str, coverage.get("missing", ())))
                held["coverage"] = Coverage(int(coverage["kept"]), int(coverage["total"]), missing)
            held["stubbed"] = tuple(map(str, held.get("stubbed", ())))
            return cls(**held)
        except (KeyError, TypeError, ValueError):
            return None
