"""Textual's command palette, fed from the table of commands alone."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from codeagent_tui.tui.commands import COMMANDS, Command, key_name
from codeagent_tui.tui.key_bindings import action_of

_OFFERED = tuple(command for command in COMMANDS if not command.action)
"""Keys that scroll or stop make no sense as a choice."""


class TableProvider(Provider):
    """Offers the commands of the table. Prompts are ready-made content: no text of ours is parsed as markup."""

    async def discover(self) -> Hits:
        """Offer everything while nothing is typed."""
        for command in _OFFERED:
            yield DiscoveryHit(_line(command), self._doing(command), text=_name(command))

    async def search(self, query: str) -> Hits:
        """Offer what fits `query`."""
        matcher = self.matcher(query)
        for command in _OFFERED:
            score = max(matcher.match(_name(command)), matcher.match(command.summary))
            if score > 0:
                yield Hit(score, _line(command), self._doing(command), text=_name(command))

    def _doing(self, command: Command) -> partial[Coroutine[object, object, bool]]:
        return partial(self.app.run_action, action_of(command))


def _name(command: Command) -> str:
    return command.slash or command.id.replace("_", " ")


def _line(command: Command) -> Content:
    keys = " ".join(key_name(key) for key in command.keys)
    name = f"{_name(command)} {command.argument}".rstrip()
    return Content.assemble(
        (name, "bold $accent"),
        (f"  {keys}" if keys else "", "$text-muted"),
        ("\n" + command.summary, "$foreground not bold"),
    )
