"""What the user allowed for a session or for good: exactly what was shown, in the folder where it was shown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from codeagent_tui.conversation.messages import new_id
from codeagent_tui.paths import ensure_private_dir, write_private

VERSION = 1
_LOCK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Rule:
    """One permission: this tool, on exactly this command, URL or paths, in this workspace. Nothing is derived from it.

    `paths` are real absolute paths; for a command, the folder it runs in. `created` is in seconds since the epoch.
    """

    tool: str
    workspace: str
    lasting: bool
    command: str = ""
    url: str = ""
    paths: tuple[str, ...] = ()
    id: str = field(default_factory=new_id)
    created: float = field(default_factory=time.time)

    def covers(self, other: Rule) -> bool:
        """Whether it allows what `other` would."""
        return _subject(self) == _subject(other)

    @property
    def words(self) -> str:
        """The rule as people read it: all that it allows, and where; how long is `lifetime`."""
        if self.command:
            return f"exactly this command, run in {' '.join(self.paths) or self.workspace}: {self.command}"
        subject = f"exactly {self.url}" if self.url else ", ".join(self.paths)
        return f"{self.tool} of {subject}, while working in {self.workspace}"

    @property
    def lifetime(self) -> str:
        """How long it counts."""
        return "always" if self.lasting else "this session"


def _subject(rule: Rule) -> tuple[str, str, str, str, tuple[str, ...]]:
    return rule.tool, rule.workspace, rule.command, rule.url, rule.paths


class DamagedStore(ValueError):
    """The file of rules holds something else."""


class RuleStore:
    """The rules: those of the session in memory, the lasting ones in a private file as well.

    The file is read anew each time, so that a rule taken back in another window counts no more.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._session: list[Rule] = []
        self.notice = ""
        """What is wrong with the file, when something is: its rules do not count then."""

    def all(self) -> list[Rule]:
        """Return the rules in force, oldest first."""
        return sorted((*self._lasting(), *self._session), key=lambda rule: rule.created)

    def add(self, rule: Rule) -> None:
        """Put a rule in force; one that is there already is not doubled.

        Raises:
            OSError: when a lasting one could not be written; it counts for this session then.
        """
        if any(held.covers(rule) and held.lasting >= rule.lasting for held in self.all()):
            return
        if not rule.lasting:
            self._session.append(rule)
            return
        try:
            self._change(lambda held: [*held, rule])
        except OSError:
            self._session.append(rule)
            raise

    def remove(self, rule_id: str) -> bool:
        """Take a rule out of force; return whether it was there.

        Raises:
            OSError: when the file could not be written; a lasting rule stays in force then.
        """
        kept = [rule for rule in self._session if rule.id != rule_id]
        found = len(kept) != len(self._session)
        self._session = kept
        if any(rule.id == rule_id for rule in self._lasting()):
            self._change(lambda held: [rule for rule in held if rule.id != rule_id])
            found = True
        return found

    def _lasting(self) -> list[Rule]:
        try:
            rules = _parsed(self._path.read_bytes())
        except FileNotFoundError:
            self.notice = ""
            return []
        except (OSError, DamagedStore) as error:
            self.notice = f"{self._path} cannot be used ({error}); what it allows asks again. Mend it or delete it."
            return []
        self.notice = ""
        return rules

    def _change(self, change: Callable[[list[Rule]], Iterable[Rule]]) -> None:
        """Write the changed rules; other processes wait for each other, so that none loses another's."""
        from filelock import FileLock, Timeout

        ensure_private_dir(self._path.parent)
        try:
            with FileLock(f"{self._path}.lock", timeout=_LOCK_SECONDS, mode=0o600):
                rules = list(change(self._lasting()))
                if self.notice:
                    self._path.replace(self._path.with_name(f"{self._path.name}.damaged-{time.time_ns()}"))
                    self.notice = ""
                write_private(self._path, _rendered(rules))
        except Timeout:
            raise OSError(f"{self._path} is in use by another program") from None


def _parsed(data: bytes) -> list[Rule]:
    try:
        held = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamagedStore(f"it is no JSON: {error}") from None
    if not isinstance(held, dict) or held.get("version") != VERSION or not isinstance(held.get("rules"), list):
        raise DamagedStore("it holds no rules of this version")
    return [_rule(item) for item in held["rules"]]


def _rule(item: object) -> Rule:
    texts = ("tool", "workspace", "command", "url", "id")
    if (
        not isinstance(item, dict)
        or not all(isinstance(item.get(name), str) for name in texts)
        or not isinstance(item.get("created"), int | float)
        or not isinstance(item.get("paths"), list)
        or not all(isinstance(path, str) for path in item["paths"])
    ):
        raise DamagedStore("one of its rules is incomplete")
    return Rule(
        item["tool"],
        item["workspace"],
        lasting=True,
        command=item["command"],
        url=item["url"],
        paths=tuple(item["paths"]),
        id=item["id"],
        created=item["created"],
    )


def _rendered(rules: Iterable[Rule]) -> bytes:
    items = [{name: value for name, value in asdict(rule).items() if name != "lasting"} for rule in rules]
    held = {"version": VERSION, "rules": items}
    try:
        return json.dumps(held, ensure_ascii=False, indent=1).encode() + b"\n"
    except UnicodeEncodeError:
        # A file name that is no UTF-8 has half surrogates in it: escaped, they come back as they were.
        return json.dumps(held, indent=1).encode() + b"\n"
