"""The two themes of our own, dark and light: quiet greys, one accent, text at a contrast of 4.5 or more.

Textual derives muted texts by blending, which depends on what lies beneath; here each is a fixed colour, so that its
contrast can be computed (a test does, on every background that text stands on).
"""

from __future__ import annotations

from textual.theme import Theme

DARK = "codeagent-dark"
LIGHT = "codeagent-light"
NEUTRAL_GREY = "#7d7d7d"
"""For lines and marks in themes that are not ours: about 4 to 1 on black and on white."""


def _theme(
    name: str,
    *,
    dark: bool,
    background: str,
    surface: str,
    panel: str,
    foreground: str,
    muted: str,
    faint: str,
    accent: str,
    success: str,
    warning: str,
    error: str,
    cursor_line: str,
    selection: str,
) -> Theme:
    return Theme(
        name=name,
        dark=dark,
        primary=accent,
        secondary=muted,
        accent=accent,
        success=success,
        warning=warning,
        error=error,
        foreground=foreground,
        background=background,
        surface=surface,
        panel=panel,
        boost=panel,
        variables={
            "text": foreground,
            "text-muted": muted,
            "text-disabled": muted,
            "foreground-muted": muted,
            "foreground-disabled": muted,
            "text-primary": accent,
            "text-secondary": muted,
            "text-accent": accent,
            "text-success": success,
            "text-warning": warning,
            "text-error": error,
            "faint": faint,
            "border": accent,
            "border-blurred": faint,
            "block-cursor-foreground": foreground,
            "block-cursor-background": cursor_line,
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-foreground": foreground,
            "block-cursor-blurred-background": cursor_line,
            "block-cursor-blurred-text-style": "bold",
            "block-hover-background": panel,
            "surface-active": panel,
            "input-cursor-background": foreground,
            "input-cursor-foreground": background,
            "input-selection-background": selection,
            "input-selection-foreground": foreground,
            "screen-selection-background": selection,
            "screen-selection-foreground": foreground,
            "scrollbar": faint,
            "scrollbar-hover": muted,
            "scrollbar-active": accent,
            "scrollbar-background": background,
            "scrollbar-background-hover": background,
            "scrollbar-background-active": background,
            "scrollbar-corner-color": background,
            "link-color": accent,
            "link-color-hover": accent,
            "link-background-hover": panel,
            "button-foreground": foreground,
            "button-color-foreground": background,
            "button-focus-text-style": "bold",
            "markdown-h1-color": accent,
            "markdown-h2-color": accent,
            "markdown-h3-color": foreground,
            "footer-key-foreground": accent,
        },
    )


THEMES: tuple[Theme, ...] = (
    _theme(
        DARK,
        dark=True,
        background="#0f1217",
        surface="#151a21",
        panel="#1b212a",
        foreground="#d5dae2",
        muted="#9aa4b2",
        faint="#6a7482",
        accent="#79b8ff",
        success="#7ec699",
        warning="#e3b341",
        error="#ff8a80",
        cursor_line="#232e3d",
        selection="#1d3a56",
    ),
    _theme(
        LIGHT,
        dark=False,
        background="#fbfaf7",
        surface="#f4f2ed",
        panel="#eae7e0",
        foreground="#23272e",
        muted="#545b66",
        faint="#7b7f86",
        accent="#0b57a8",
        success="#1e6b35",
        warning="#7a5200",
        error="#b3261e",
        cursor_line="#dbe6f3",
        selection="#cde0f6",
    ),
)
