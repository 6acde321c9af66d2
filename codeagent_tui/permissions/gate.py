"""The gate that every tool call passes: it runs, it asks, or it is refused."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.permissions.containment import holds_secrets, is_our_own, is_protected
from codeagent_tui.permissions.danger import Place, dangers
from codeagent_tui.permissions.rules import Rule, RuleStore
from codeagent_tui.permissions.safe_commands import is_safe
from codeagent_tui.settings import PermissionMode
from codeagent_tui.workspace import Workspace

Outcome = Literal["allow", "ask", "refuse"]


class AccessLike(Protocol):
    """What a call is about to touch (`tools.tool.Access` is one)."""

    @property
    def kind(self) -> ToolKind: ...
    @property
    def paths(self) -> tuple[Path, ...]: ...
    @property
    def command(self) -> str: ...
    @property
    def url(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done with a call. `reason` says why it asks or is refused; `rule` is what SESSION and ALWAYS
    would allow, in words, empty when neither is offered."""

    outcome: Outcome
    reason: str = ""
    rule: str = ""
    warnings: tuple[str, ...] = ()


ALLOW = Verdict("allow")


class PermissionGate:
    """Judges calls by the mode, the paths, the command and the user's rules. Text from a model decides nothing."""

    def __init__(self, mode: PermissionMode, workspace: Workspace, store_path: Path) -> None:
        self.mode = mode
        self._workspace = workspace
        self._store_path = store_path
        self._rules = RuleStore(store_path)

    def judge(self, tool_name: str, access: AccessLike) -> Verdict:
        """Return what is to be done with a call of `tool_name` that touches `access`."""
        if access.kind is ToolKind.PLAN:
            return ALLOW
        if self.mode is PermissionMode.PLAN and not self._only_looks(access):
            return Verdict("refuse", "Plan mode: nothing may be changed. Present a plan instead.")
        match access.kind:
            case ToolKind.READ:
                return self._judge_paths(tool_name, access, writing=False)
            case ToolKind.WRITE:
                return self._judge_paths(tool_name, access, writing=True)
            case ToolKind.EXECUTE:
                return self._judge_command(tool_name, access)
            case ToolKind.NETWORK:
                return self._by_rule(tool_name, access, "It reaches out to the network.")
            case _:
                unattended = self.mode is PermissionMode.UNATTENDED
                return ALLOW if unattended else Verdict("ask", "It would be remembered in later sessions.")

    def _only_looks(self, access: AccessLike) -> bool:
        if access.kind is ToolKind.EXECUTE:
            return self._inside(access) and is_safe(access.command, self._workspace)
        return access.kind is ToolKind.READ

    def _inside(self, access: AccessLike) -> bool:
        return all(self._workspace.contains(path) for path in access.paths)

    def _judge_paths(self, tool_name: str, access: AccessLike, *, writing: bool) -> Verdict:
        if writing and any(is_our_own(path, self._store_path) for path in access.paths):
            return Verdict("refuse", "CodeAgent's own permissions, settings and keys are not changed by its tools.")
        outside = [path for path in access.paths if not self._workspace.contains(path)]
        if outside:
            verb = "writes" if writing else "reads"
            return self._by_rule(tool_name, access, f"It {verb} outside the workspace: {outside[0]}")
        if any(holds_secrets(path) for path in access.paths):
            return self._by_rule(tool_name, access, "Files like this usually hold secrets.")
        if not writing:
            return ALLOW
        if any(is_protected(path) for path in access.paths):
            return self._by_rule(tool_name, access, "Other programs act on this file.")
        if self.mode is PermissionMode.ACCEPT_EDITS:
            return ALLOW
        return self._by_rule(tool_name, access, "It changes a file.")

    def _judge_command(self, tool_name: str, access: AccessLike) -> Verdict:
        folder = access.paths[0] if access.paths else self._workspace.root
        place = Place(folder, Path.home(), os.environ)
        warnings = dangers(access.command, place)
        if warnings and self.mode is PermissionMode.UNATTENDED:
            return Verdict("refuse", " ".join((*warnings, "Such a command does not run unattended.")))
        if warnings:
            return Verdict("ask", "It may destroy more than it should.", warnings=warnings)
        if self._inside(access) and is_safe(access.command, self._workspace):
            return ALLOW
        return self._by_rule(tool_name, access, "It runs a command.")

    def _by_rule(self, tool_name: str, access: AccessLike, reason: str) -> Verdict:
        if self.mode is PermissionMode.UNATTENDED:
            return ALLOW
        subject = _subject(access)
        workspace = str(self._workspace.root)
        if any(rule.covers(tool_name, subject, workspace) for rule in self._rules.all()):
            return ALLOW
        return Verdict("ask", reason, rule=self._in_words(tool_name, access))

    def _in_words(self, tool_name: str, access: AccessLike) -> str:
        where = f"in {self._workspace.root}"
        if access.command:
            folder = access.paths[0] if access.paths else self._workspace.root
            return f"exactly this command, run in {folder}"
        if access.url:
            return f"{tool_name} of exactly {access.url}, {where}"
        return f"{tool_name} of {', '.join(map(str, access.paths))}, {where}"

    def remember(self, tool_name: str, access: AccessLike, decision: Decision) -> None:
        """Keep the user's SESSION or ALWAYS for exactly what `access` is.

        Raises:
            OSError: when a lasting rule could not be written; it holds for this session then.
        """
        if decision not in (Decision.SESSION, Decision.ALWAYS) or not self.judge(tool_name, access).rule:
            return
        lasting = decision is Decision.ALWAYS
        self._rules.add(Rule(tool_name, _subject(access), str(self._workspace.root), lasting))

    def rules(self) -> list[Rule]:
        """Return the rules in force in every workspace, oldest first."""
        return self._rules.all()

    def forget(self, rule_id: str) -> bool:
        """Take a rule back; return whether it was there."""
        return self._rules.remove(rule_id)


def _subject(access: AccessLike) -> str:
    paths = "\n".join(map(str, access.paths))
    return f"{access.command or access.url}\n{paths}"
