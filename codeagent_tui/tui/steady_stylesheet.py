"""A stylesheet that parses each source once for one set of colours.

Textual parses everything anew when the first theme is applied and whenever a dialog brings a file of its own: a
twentieth of a second at the start, and again when the first dialog opens.
"""

from __future__ import annotations

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

_SOURCES = 512
"""More than there are widget classes and files; the base class keeps 64."""


class SteadyStylesheet(Stylesheet):
    """Keeps what was parsed until the variables really change."""

    def __init__(self, *, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(_SOURCES)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other variables; the same ones change nothing."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse what is not parsed yet. A source with an error raises, and the rules stay as they were."""
        self.parse()
