"""What the user allowed for a session or for good: exactly what was shown, in the folder where it was shown."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from codeagent_tui.conversation.messages import new_id
from codeagent_tui.paths import write_private


@dataclass(frozen=True, slots=True)
class Rule:
    """One permission: this tool, on exactly this subject (a command's text, a file's path, a URL), in this
    workspace. Nothing is derived from it."""

    tool: str
    subject: str
    workspace: str
    lasting: bool
    id: str = field(default_factory=new_id)
    created: float = field(default_factory=time.time)

    def covers(self, tool: str, subject: str, workspace: str) -> bool:
        """Whether it allows this."""
        return (self.tool, self.subject, self.workspace) == (tool, subject, workspace)


class RuleStore:
    """The rules: those of the session in memory, the lasting ones in a private file as well."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._session: list[Rule] = []
        self.notice = ""
        """What is wrong with the file, when something is: its rules do not count then."""

    def all(self) -> list[Rule]:
        """Return the rules in force, oldest first."""
        return [*self._lasting(), *self._session]

    def add(self, rule: Rule) -> None:
        """Put a rule in force.

        Raises:
            OSError: when a lasting one could not be written; it counts for this session then.
        """
        if not rule.lasting:
            self._session.append(rule)
            return
        try:
            self._write([*self._lasting(), rule])
        except OSError:
            self._session.append(rule)
            raise

    def remove(self, rule_id: str) -> bool:
        """Take a rule out of force; return whether it was there."""
        kept = [rule for rule in self._session if rule.id != rule_id]
        found = len(kept) != len(self._session)
        self._session = kept
        lasting = self._lasting()
        remaining = [rule for rule in lasting if rule.id != rule_id]
        if len(remaining) != len(lasting):
            self._write(remaining)
            found = True
        return found

    def _lasting(self) -> list[Rule]:
        try:
            held = json.loads(self._path.read_bytes())
            rules = [Rule(**item) for item in held["rules"]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, KeyError) as error:
            self.notice = f"{self._path} cannot be used ({error}); what it allows asks again. Mend it or delete it."
            return []
        self.notice = ""
        return [rule for rule in rules if rule.lasting]

    def _write(self, rules: Iterable[Rule]) -> None:
        if self.notice:
            damaged = self._path.with_name(f"{self._path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
            self._path.replace(damaged)
            self.notice = ""
        data = {"version": 1, "rules": [asdict(rule) for rule in rules]}
        write_private(self._path, json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")
