"""Acts on the screen itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from codeagent_tui.settings_file import save_user_settings
from codeagent_tui.tui.acts.kind import Act

if TYPE_CHECKING:
    from codeagent_tui.tui.app import CodeAgentApp


async def fold(app: CodeAgentApp, argument: str) -> None:
    """Fold all tool output, or unfold it when it was folded last."""
    app.all_folded = not app.all_folded
    app.transcript.fold_all(app.all_folded)
    app.status.flash("tool output folded" if app.all_folded else "tool output unfolded")


async def theme(app: CodeAgentApp, argument: str) -> None:
    """Set the theme and remember it."""
    wanted = argument or await _pick_theme(app)
    if not wanted:
        return
    if wanted not in app.available_themes:
        app.notice(f"There is no theme {wanted}. /theme lists them.")
        return
    app.theme = wanted
    await asyncio.to_thread(save_user_settings, app.paths, {"theme": wanted})
    app.status.flash(f"theme {wanted}")


async def _pick_theme(app: CodeAgentApp) -> str:
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    own_first = sorted(app.available_themes.values(), key=lambda t: (not t.name.startswith("codeagent"), t.name))
    choices = [Choice(t.name, t.name, "dark" if t.dark else "light") for t in own_first]
    return await app.push_screen_wait(PickerDialog("Colours", choices, current=app.theme)) or ""


async def help_(app: CodeAgentApp, argument: str) -> None:
    """Show the help."""
    from codeagent_tui.tui.dialogs.help import HelpDialog

    await app.push_screen(HelpDialog())


async def quit_(app: CodeAgentApp, argument: str) -> None:
    """Leave."""
    app.leave_soon(0)


ACTS: dict[str, Act] = {"fold": fold, "theme": theme, "help": help_, "quit": quit_}
