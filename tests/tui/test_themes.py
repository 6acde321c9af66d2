"""U-12: our themes are readable: text at a contrast of 4.5 or more, marks at 3, on everything they stand on."""

import pytest
from textual.color import Color
from textual.theme import Theme

from codeagent_tui.tui.themes import DARK, LIGHT, THEMES

TEXTS = (
    "foreground",
    "text",
    "text-muted",
    "text-disabled",
    "foreground-muted",
    "text-accent",
    "text-success",
    "text-warning",
    "text-error",
    "accent",
    "success",
    "warning",
    "error",
    "violet",
    "teal",
    "rose",
)
GROUNDS = ("background", "surface", "panel", "block-cursor-background", "screen-selection-background")
MARK_GROUNDS = ("background", "surface", "panel")


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2 (relative luminance)."""

    def luminance(colour: str) -> float:
        channels = Color.parse(colour).rgb
        linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_is_readable(theme: Theme, ground: str) -> None:
    colours = {**theme.variables, **theme.to_color_system().generate()}
    pale = {name: round(contrast(colours[name], colours[ground]), 2) for name in TEXTS}
    assert not {name: ratio for name, ratio in pale.items() if ratio < 4.5}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", MARK_GROUNDS)
def test_marks_are_visible(theme: Theme, ground: str) -> None:
    colours = theme.to_color_system().generate()
    assert contrast(theme.variables["faint"], colours[ground]) >= 3


def test_there_is_a_dark_and_a_light_one() -> None:
    assert {theme.name: theme.dark for theme in THEMES} == {DARK: True, LIGHT: False}
