"""The environment of the commands that the agent runs: nothing that waits for a person, and none of our keys."""

from __future__ import annotations

from collections.abc import Mapping

_OURS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CODEAGENT_API_KEY")
_ASKING = ("GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_EDITOR", "VISUAL", "EDITOR")
_QUIET = {
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "EDITOR": "true",
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
    "NPM_CONFIG_YES": "true",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PYTHONUNBUFFERED": "1",
}


def child_environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return `own` (this process's environment) made fit for commands that nobody answers.

    The keys of the models are taken out: a command has no need of them, and its output goes to the model.
    """
    kept = {name: value for name, value in own.items() if name not in _OURS and name not in _ASKING}
    return kept | _QUIET
