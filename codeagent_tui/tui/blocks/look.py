"""Roles as styles: what the stylesheet says of each role, laid over the ground of the widget."""

from __future__ import annotations

from collections.abc import Callable

from rich.style import Style

from codeagent_tui.tui.blocks.rows import Roles

ROLES = (
    # prose
    "text", "strong", "emphasis", "struck", "code", "link", "url", "quote", "bar", "bullet", "done",
    "h1", "h2", "h3", "h4", "h5", "h6",
    # code
    "code-block", "label", "comment", "keyword", "string", "number", "name", "builtin",
    # diffs
    "added", "removed", "context", "line-number", "diff-file",
    # who speaks, and what is done
    "user", "user-bar", "reasoning", "tool", "tool-detail", "output", "running", "ok", "failed", "not-run",
    "notice-info", "notice-warning", "notice-error", "sign", "hint", "faint", "welcome", "picked",
)  # fmt: skip


class Look:
    """The styles of roles and of their combinations. `resolve` gives what the stylesheet says of one role."""

    def __init__(self, ground: Style, resolve: Callable[[str], Style]) -> None:
        self._ground = ground
        self._resolve = resolve
        self._styles: dict[Roles, Style] = {(): ground}
        self._links: dict[tuple[Roles, str], Style] = {}

    def style(self, roles: Roles) -> Style:
        """Return the style of `roles`, the first lowest."""
        style = self._styles.get(roles)
        if style is None:
            style = self._ground
            for role in roles:
                style += self._resolve(role)
            self._styles[roles] = style
        return style

    def linked(self, roles: Roles, address: str) -> Style:
        """Return the style of `roles` for text that opens `address`."""
        style = self._links.get((roles, address))
        if style is None:
            if len(self._links) > 500:
                self._links.clear()
            style = self._links[roles, address] = self.style(roles) + Style(link=address)
        return style
