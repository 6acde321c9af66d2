"""The gate that every tool call passes: it runs, it asks, or it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.permissions.containment import OwnFiles, is_protected
from codeagent_tui.permissions.rules import Rule, RuleStore
from codeagent_tui.secret_files import holds_secrets
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
        """`store_path` is the file of lasting rules; its folder is CodeAgent's data folder."""
        self.mode = mode
        self._workspace = workspace
        self._own = store_path.parent
        self._own_files = OwnFiles(store_path.parent)
        self._rules = RuleStore(store_path)

    def judge(self, tool_name: str, access: AccessLike) -> Verdict:
        """Return what is to be done with a call of `tool_name` that touches `access`.

        It reads the rules' file and looks at the paths that are named, which is quick enough for the loop.
        """
        if access.kind is ToolKind.PLAN:
            return ALLOW
        if self.mode is PermissionMode.PLAN and not self._only_looks(access):
            return Verdict("refuse", "Plan mode: nothing may be changed. Present a plan instead.")
        match access.kind:
            case ToolKind.READ:
                return self._judge_reading(tool_name, access)
            case ToolKind.WRITE:
                return self._judge_writing(tool_name, access)
            case ToolKind.EXECUTE:
                return self._judge_command(tool_name, access)
            case ToolKind.NETWORK:
                return self._by_rule(tool_name, access, "It reaches out to the network.")
            case _:
                unattended = self.mode is PermissionMode.UNATTENDED
                return ALLOW if unattended else Verdict("ask", "It would be remembered in later sessions.")

    def _only_looks(self, access: AccessLike) -> bool:
        if access.kind is ToolKind.EXECUTE:
            from codeagent_tui.permissions.command_reading import is_safe

            return is_safe(access.command, self._workspace, self._folder(access))
        return access.kind is ToolKind.READ

    def _folder(self, access: AccessLike) -> Path:
        """Return where a command runs."""
        return access.paths[0] if access.paths else self._workspace.root

    def _reasons_of_paths(self, access: AccessLike, verb: str) -> list[str]:
        outside = [path for path in access.paths if not self._workspace.contains(path)]
        secret = [path for path in access.paths if holds_secrets(path)]
        reasons = [f"It {verb} outside the workspace: {path}" for path in outside]
        return reasons + [f"Files like {self._workspace.shown(path)} usually hold secrets." for path in secret]

    def _judge_reading(self, tool_name: str, access: AccessLike) -> Verdict:
        reasons = self._reasons_of_paths(access, "reads")
        if not reasons:
            return ALLOW
        if self.mode is PermissionMode.UNATTENDED and self._own_files.credentials in access.paths:
            return Verdict("refuse", "CodeAgent's own keys are not read by its tools.")
        return self._by_rule(tool_name, access, " ".join(reasons))

    def _judge_writing(self, tool_name: str, access: AccessLike) -> Verdict:
        if any(map(self._own_files.holds, access.paths)):
            reason = "CodeAgent's own permissions, settings, keys and facts are not changed by its tools."
            return Verdict("refuse", f"{reason} The user can change them; facts are saved with save_memory.")
        reasons = self._reasons_of_paths(access, "writes")
        if not reasons and any(is_protected(path, self._own) for path in access.paths):
            reasons = ["Other programs act on this file."]
        if not reasons and self.mode is PermissionMode.ACCEPT_EDITS:
            return ALLOW
        return self._by_rule(tool_name, access, " ".join(reasons) or "It changes a file.")

    def _judge_command(self, tool_name: str, access: AccessLike) -> Verdict:
        # Only here: reading shell scripts takes a grammar and many patterns, and a session's first request none.
        from codeagent_tui.permissions.command_reading import read_command

        folder = self._folder(access)
        read = read_command(access.command, folder, self._workspace, self._own)
        if read.safe:
            return ALLOW
        if read.warnings and self.mode is PermissionMode.UNATTENDED:
            return Verdict("refuse", " ".join((*read.warnings, "Such a command does not run unattended.")))
        reasons = list(read.reasons)
        if not self._workspace.contains(folder):
            reasons.insert(0, f"It runs outside the workspace, in {folder}.")
        if read.warnings:
            reason = " ".join(("It may do more than it should.", *reasons))
            return Verdict("ask", reason, warnings=read.warnings)
        return self._by_rule(tool_name, access, " ".join(reasons) or "It runs a command.")

    def _by_rule(self, tool_name: str, access: AccessLike, reason: str) -> Verdict:
        if self.mode is PermissionMode.UNATTENDED:
            return ALLOW
        wanted = self._rule(tool_name, access)
        if any(rule.covers(wanted) for rule in self._rules.all()):
            return ALLOW
        return Verdict("ask", reason, rule=wanted.words)

    def _rule(self, tool_name: str, access: AccessLike, *, lasting: bool = False) -> Rule:
        paths = tuple(map(str, access.paths))
        return Rule(tool_name, str(self._workspace.root), lasting, access.command, access.url, paths)

    def remember(self, tool_name: str, access: AccessLike, decision: Decision) -> str:
        """Keep the user's SESSION or ALWAYS for exactly what `access` is; do nothing for other decisions.

        Returns what the user should know: that a lasting rule could not be written and holds for this session, or "".
        """
        if decision not in (Decision.SESSION, Decision.ALWAYS) or not self.judge(tool_name, access).rule:
            return ""
        try:
            self._rules.add(self._rule(tool_name, access, lasting=decision is Decision.ALWAYS))
        except OSError as error:
            return f"The permission could not be stored ({error}); it holds for this session."
        return ""

    @property
    def notice(self) -> str:
        """What is wrong with the file of lasting rules, "" when nothing is."""
        self._rules.all()
        return self._rules.notice

    def rules(self) -> list[Rule]:
        """Return the rules in force in every workspace, oldest first."""
        return self._rules.all()

    def forget(self, rule_id: str) -> bool:
        """Take a rule back; return whether it was there.

        Raises:
            OSError: when the file of rules could not be written; a lasting rule stays in force then.
        """
        return self._rules.remove(rule_id)
