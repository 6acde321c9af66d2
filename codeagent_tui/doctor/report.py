"""The report: all checks, one after the other, as lines that say how to mend what is wrong."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from codeagent_tui.credentials import CredentialsError
from codeagent_tui.doctor.check import Check, State
from codeagent_tui.doctor.connection import check_connection
from codeagent_tui.doctor.files import check_files
from codeagent_tui.doctor.program import check_program, check_surroundings
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.paths import Paths
from codeagent_tui.settings import Settings
from codeagent_tui.settings_file import SettingsError, load_settings
from codeagent_tui.standard_streams import OutputStream
from codeagent_tui.text import clean_text

_NAME_WIDTH = 14


def run_doctor(
    paths: Paths,
    workspace: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, object] | None = None,
    *,
    out: OutputStream | None = None,
) -> ExitCode:
    """Print the report as it comes; the exit code is 1 when something is wrong. Settings that cannot be used are one of
    its lines."""
    out = out or OutputStream(sys.stdout)
    return asyncio.run(_report(paths, workspace, environ, flags or {}, out))


async def _report(
    paths: Paths, workspace: Path, environ: Mapping[str, str], flags: Mapping[str, object], out: OutputStream
) -> ExitCode:
    wrong = 0

    def tell(check: Check) -> None:
        nonlocal wrong
        wrong += check.state is State.WRONG
        out.line(f"{check.name:<{_NAME_WIDTH}}  {check.state:<5}  {clean_text(check.found)}")
        if check.mend:
            out.line(f"{'':<{_NAME_WIDTH}}         → {clean_text(check.mend)}")

    for check in (*check_program(), *check_surroundings(environ)):
        tell(check)
    settings, check = _settings(paths, workspace, environ, flags)
    tell(check)
    for check in check_files(paths, workspace):
        tell(check)
    if settings is None:
        tell(Check("model", State.NOTE, "not looked at", "Mend the settings first."))
    else:
        async for check in check_connection(settings):
            tell(check)
    out.line("")
    out.line("All is well." if not wrong else f"{wrong} thing{'s' if wrong > 1 else ''} to mend: see WRONG above.")
    unwritten = out.failure is not None and not out.reader_left
    return ExitCode.FAILED if wrong or unwritten else ExitCode.OK


def _settings(
    paths: Paths, workspace: Path, environ: Mapping[str, str], flags: Mapping[str, object]
) -> tuple[Settings | None, Check]:
    try:
        settings = load_settings(paths, workspace, environ, flags)
    except (SettingsError, CredentialsError) as error:
        return None, Check.of("settings", "cannot be used", wrong=str(error))
    sources = ", ".join(settings.sources) or "defaults only"
    key = "a key is set" if settings.api_key else "no key"
    return settings, Check("settings", State.OK, f"{sources}; mode {settings.mode}; {key}; folder {workspace}")
