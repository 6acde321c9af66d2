"""The act that writes the conversation to a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_tui.conversation.events import NoticeLevel
from codeagent_tui.tui.acts.kind import Act

if TYPE_CHECKING:
    from codeagent_tui.export.session_export import Exported, ExportFormat, SessionLogFile
    from codeagent_tui.tui.app import CodeAgentApp

_WITH_SECRETS = "--with-secrets"
_ABOUT = {
    "html": "a page that looks like this screen, for any browser",
    "md": "Markdown, for people and other agents",
    "json": "JSON, for programs",
}


async def export(app: CodeAgentApp, argument: str) -> None:
    """Write the conversation to the file `argument`, or to one whose format is picked."""
    from codeagent_tui.export.session_export import SessionLogFile

    session = app.host.session
    if not session.agent.history.messages:
        app.notice("There is nothing to export yet.")
        return
    with_secrets = _WITH_SECRETS in argument.split()
    name = argument.replace(_WITH_SECRETS, "").strip() if with_secrets else argument
    wanted = await _format(app, name)
    if wanted is None:
        return
    summary = await asyncio.to_thread(session.store.summary_of, session.log)
    log = SessionLogFile(session.log.path, session.log.session_id, session.log.waiting)
    target = _target(app.workspace, name, summary.title, wanted)
    done = await _write(app, log, target, wanted, with_secrets)
    if done is None:
        return
    for notice in done.notices:
        app.notice(notice, NoticeLevel.WARNING)
    app.notice(f"Written: {target}\n{done.about_secrets}")


def _target(folder: Path, name: str, title: str, wanted: ExportFormat) -> Path:
    from codeagent_tui.export.session_export import file_name

    return folder / Path(name or file_name(title, wanted)).expanduser()


async def _write(
    app: CodeAgentApp, log: SessionLogFile, target: Path, wanted: ExportFormat, with_secrets: bool
) -> Exported | None:
    """Write the file, over another one only after a yes; None when it was not written, which is said then."""
    from codeagent_tui.export.session_export import export as write

    for replace in (False, True):
        try:
            return await asyncio.to_thread(write, log, target, wanted, with_secrets=with_secrets, replace=replace)
        except FileExistsError:
            if not await _may_replace(app, target):
                app.notice(f"{target} is as it was; nothing was written.")
                return None
        except OSError as error:
            why = error.strerror or error
            app.notice(f"The conversation could not be written to {target}: {why}.", NoticeLevel.ERROR)
            return None
    return None


async def _format(app: CodeAgentApp, name: str) -> ExportFormat | None:
    """Return the format that the file's ending names, or one that is picked; None when the dialog is left."""
    from codeagent_tui.export.session_export import ExportFormat, format_of
    from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog

    wanted = format_of(name) if name else None
    if wanted is not None:
        return wanted
    title = f"Export to {name} as" if name else "Export the conversation as"
    choices = [Choice(form, about) for form, about in _ABOUT.items()]
    picked = await app.push_screen_wait(PickerDialog(title, choices))
    return ExportFormat(picked) if picked else None


async def _may_replace(app: CodeAgentApp, target: Path) -> bool:
    from codeagent_tui.tui.dialogs.confirm import ConfirmDialog

    question = f"{target} is there already."
    answer = await app.push_screen_wait(ConfirmDialog("Replace the file?", question, "Yes, replace it"))
    return answer is True


ACTS: dict[str, Act] = {"export": export}
