"""Settings: defaults < user file < project file < environment < flags; each error names its source."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class PermissionMode(StrEnum):
    """How much runs without asking."""

    ASK = "ask"
    """Writes, commands, the network and everything outside the workspace ask."""
    ACCEPT_EDITS = "accept-edits"
    """File changes inside the workspace run; the rest asks."""
    PLAN = "plan"
    """Nothing that changes anything runs at all."""
    UNATTENDED = "unattended"
    """Nothing asks. Only ever set explicitly by the user."""


class RankerName(StrEnum):
    """How well a remembered entry matches a question."""

    FORMULA = "formula"
    """The share of the question's words that the entry contains."""
    WEIGHTED = "weighted"
    """The same with words weighted by rarity, word forms folded, identifiers split and grammar left out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, with its default. Times are seconds, sizes as their names say."""

    model: str = ""
    """The model's id; empty: none chosen."""
    base_url: str = ""
    """The OpenAI-compatible endpoint, for example `http://127.0.0.1:11434/v1`; empty: OpenAI's own."""
    api_key: str = field(default="", repr=False)
    window: int = 0
    """The model's window in tokens; 0: from the table of known models, else 128,000."""
    max_output_tokens: int = 0
    """0: the server's own limit."""
    mode: PermissionMode = PermissionMode.ASK
    theme: str = ""
    """`codeagent-dark`, `codeagent-light` or any of Textual's; empty: dark."""
    max_steps: int = 100
    """Model calls in one turn before it stops and says so."""
    max_attempts: int = 4
    """HTTP requests for one model call, the first included."""
    longest_wait: float = 60.0
    """A server that asks for a longer pause than this is not waited for silently: the turn stops and says so."""
    request_timeout: float = 120.0
    """Longest silence of the server within one request."""
    command_timeout: float = 120.0
    compaction_trigger: float = 0.0
    """Share of the window at which the history is compacted; never past the ceiling. 0: the window less 33,000 tokens
    (less on small windows)."""
    background_compaction: bool = True
    """Compact beside the conversation; without it, each compaction makes the next request wait."""
    summary_model: str = ""
    """The model, at the same endpoint, that summarises; empty: the one that is talked to."""
    calibrate: bool = True
    """Count with the safe estimate, corrected by what the provider reports; without, by the plain formula alone."""
    compression_trigger_ratio: float = 0.8
    """Occupancy of the short-term memory at which it is compressed; never below 0.5."""
    retrieval_ranker: RankerName = RankerName.FORMULA
    """How the facts that go with a message are chosen."""
    read_agents_md: bool = True
    """Read AGENTS.md or CLAUDE.md where a project has no CODEAGENT.md."""
    discover: bool = True
    """Look for local servers at start."""
    sources: tuple[str, ...] = ()
    """Where the values came from, for `codeagent doctor`."""
