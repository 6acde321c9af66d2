"""A screen as text that a person can read in a diff: what stands where, and below it in which style."""

from __future__ import annotations

import re
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase

from rich.style import Style
from textual.app import App

from codeagent_tui.text import cell_width

_SPINNER = re.compile("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
_SECONDS = re.compile(r"\b\d+(?:\.\d)? s\b")
_NAMES = ascii_lowercase + ascii_uppercase


def screen_snapshot(app: App[int]) -> str:
    """Return the rows of the screen between bars, then for each row the runs of its styles, then the styles.

    What moves by itself (a spinner, seconds) is the same in every snapshot.
    """
    strips = app.screen._compositor.render_strips()
    names: dict[str, str] = {}
    rows, runs = [], []
    for strip in strips:
        rows.append(f"|{_still(strip.text)}|")
        styles = [(_described(segment.style), cell_width(segment.text)) for segment in strip]
        joined = [(style, sum(width for _, width in run)) for style, run in groupby(styles, key=lambda one: one[0])]
        runs.append(" ".join(f"{names.setdefault(style, _NAMES[len(names)])}{width}" for style, width in joined))
    legend = [f"{name} = {style}" for style, name in names.items()]
    return "\n".join([*rows, "", *runs, "", *legend])


def _still(text: str) -> str:
    return _SECONDS.sub(lambda found: "0 s".rjust(len(found[0])), _SPINNER.sub("*", text))


def _described(style: Style | None) -> str:
    if style is None:
        return "none"
    attributes = [name for name in ("bold", "dim", "italic", "underline", "reverse", "strike") if getattr(style, name)]
    colours = [colour.name if colour is not None else "default" for colour in (style.color, style.bgcolor)]
    return " ".join([f"{colours[0]} on {colours[1]}", *attributes])
