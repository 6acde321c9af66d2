"""The system prompt: its sections, their order, and their bounds.

The order is from what never changes to what changes most, so that a provider's prefix cache holds as long as it
can: identity, rules, environment, project context, long-term memory.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from codeagent_tui.agent.prompts.identity import IDENTITY
from codeagent_tui.agent.prompts.rules import PLAN_MODE, RULES
from codeagent_tui.settings import PermissionMode
from codeagent_tui.text import clean_text, cut_characters, one_line

PROJECT_CONTEXT_HEADING = "# project_context"
PROJECT_CONTEXT_CHARACTERS = 26_000
"""The loader's 24,000 characters, and room for its own marks."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What the model is told of where it works; fixed for a session, so that the prompt's bytes are."""

    workspace: Path
    system: str
    shell: str
    today: date
    git: bool

    @classmethod
    def detect(cls, workspace: Path) -> Environment:
        """Return the environment of this process."""
        return cls(
            workspace=workspace,
            system=f"{platform.system()} {platform.release()}",
            shell=Path(os.environ.get("SHELL") or "sh").name,
            today=date.today(),
            git=any((folder / ".git").exists() for folder in (workspace, *workspace.parents)),
        )

    def render(self) -> str:
        """Return the section."""
        return (
            "# Environment\n"
            f"- Workspace: {one_line(str(self.workspace))}\n"
            f"- Git repository: {'yes' if self.git else 'no'}\n"
            f"- System: {one_line(self.system)}; shell: {one_line(self.shell)}\n"
            f"- Date at the start of this session: {self.today.isoformat()}"
        )


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """The prompt of one request, section by section."""

    sections: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The prompt as it is sent."""
        return "\n\n".join(text for _, text in self.sections)


def build_system_prompt(
    environment: Environment,
    *,
    mode: PermissionMode,
    project_context: str,
    long_term: str,
) -> SystemPrompt:
    """Return the prompt; empty parts leave no trace. Texts from files and memory are cleaned, not interpreted."""
    sections = [("identity", IDENTITY), ("rules", RULES), ("environment", environment.render())]
    if mode is PermissionMode.PLAN:
        sections.append(("plan mode", PLAN_MODE))
    if project_context.strip():
        bounded = cut_characters(clean_text(project_context), PROJECT_CONTEXT_CHARACTERS, "\n[cut]")
        sections.append(("project memory", f"{PROJECT_CONTEXT_HEADING}\n{bounded}"))
    if long_term.strip():
        sections.append(("long-term memory", clean_text(long_term)))
    return SystemPrompt(tuple(sections))
