"""Asking the permission gate as the agent does, in a scratch workspace with a home of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.permissions.gate import PermissionGate, Verdict
from codeagent_tui.settings import PermissionMode
from codeagent_tui.workspace import Workspace


@dataclass(frozen=True)
class Touch:
    """What a call touches: the smallest thing that the gate takes."""

    kind: ToolKind
    paths: tuple[Path, ...] = ()
    command: str = ""
    url: str = ""


class ScratchGate:
    """A gate on `home/proj`, its store in `home/.code-agent-cli`; `restart` is another process, or another project."""

    def __init__(self, home: Path, project: str = "proj", mode: PermissionMode = PermissionMode.ASK) -> None:
        self.home = home
        self.store = home / ".code-agent-cli" / "permissions.json"
        (home / project).mkdir(parents=True, exist_ok=True)
        self.workspace = Workspace.at(home / project)
        self.root = self.workspace.root
        self.gate = PermissionGate(mode, self.workspace, self.store)

    def restart(self, project: str = "proj") -> ScratchGate:
        """Return a new gate over the same home."""
        return ScratchGate(self.home, project)

    def command(self, text: str, folder: str = ".") -> Verdict:
        """Judge a shell command."""
        return self.gate.judge("run_command", self._command(text, folder))

    def read(self, path: str, tool: str = "read_file") -> Verdict:
        """Judge reading a file."""
        return self.gate.judge(tool, Touch(ToolKind.READ, (self.workspace.resolve(path),)))

    def write(self, path: str, tool: str = "write_file") -> Verdict:
        """Judge writing a file."""
        return self.gate.judge(tool, Touch(ToolKind.WRITE, (self.workspace.resolve(path),)))

    def fetch(self, url: str) -> Verdict:
        """Judge fetching a page."""
        return self.gate.judge("web_fetch", Touch(ToolKind.NETWORK, url=url))

    def allow_command(self, text: str, decision: Decision = Decision.ALWAYS) -> None:
        """Answer a command's question with a lasting yes."""
        self.gate.remember("run_command", self._command(text, "."), decision)

    def allow_write(self, path: str, decision: Decision = Decision.ALWAYS) -> None:
        """Answer a write's question with a lasting yes."""
        self.gate.remember("write_file", Touch(ToolKind.WRITE, (self.workspace.resolve(path),)), decision)

    def allow_fetch(self, url: str, decision: Decision = Decision.ALWAYS) -> None:
        """Answer a fetch's question with a lasting yes."""
        self.gate.remember("web_fetch", Touch(ToolKind.NETWORK, url=url), decision)

    def _command(self, text: str, folder: str) -> Touch:
        return Touch(ToolKind.EXECUTE, (self.workspace.resolve(folder),), text)
