"""CodeAgent's own files, and the project's memory: are they there, whole, private, writable?"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.credentials import CredentialsError, stored_key
from codeagent_tui.doctor.check import Check, State
from codeagent_tui.memory.fact_file import parse
from codeagent_tui.memory.project_identity import identify
from codeagent_tui.memory.project_memory import ProjectMemoryLoader
from codeagent_tui.paths import Paths
from codeagent_tui.permissions.rules import RuleStore
from codeagent_tui.sessions.store import SessionStore
from codeagent_tui.text import one_line

_LEAST_FREE = 50_000_000
"""Bytes; a session, a fact file being replaced and a log fit into it."""


def check_files(paths: Paths, workspace: Path) -> Iterator[Check]:
    """Yield what is known of each."""
    yield _data_folder(paths)
    if paths.credentials.exists():
        yield _credentials(paths)
    if paths.long_term_memory.exists():
        yield _facts(paths)
    if paths.permissions.exists():
        yield _permissions(paths)
    yield _sessions(paths, workspace)
    yield from _project_memory(paths, workspace)
    crashes = sorted(paths.logs.glob("crash-*.log"))
    if crashes:
        yield Check.of("crashes", f"{len(crashes)}, the last one {crashes[-1]}", note="Report it, or delete the file.")


def _data_folder(paths: Paths) -> Check:
    home = paths.home
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    found = f"{home}{'' if home.exists() else ' (made on first use)'}"
    if not nearest.is_dir():
        return Check.of("data folder", found, wrong=f"{nearest} is a file. Move it away, or set CODEAGENT_HOME.")
    try:
        # Asking for permissions is not enough: a file system may be read-only, or be none that holds files.
        tempfile.TemporaryFile(dir=nearest).close()
    except OSError as error:
        wrong = f"{nearest} cannot be written ({error.strerror}). Make it yours, or point CODEAGENT_HOME elsewhere."
        return Check.of("data folder", found, wrong=wrong)
    free = shutil.disk_usage(nearest).free
    wrong = "" if free >= _LEAST_FREE else "The disk is nearly full: sessions and facts will not be saved. Make room."
    return Check.of("data folder", f"{found}, {free / 1e9:,.1f} GB free", wrong=wrong)


def _credentials(paths: Paths) -> Check:
    try:
        stored_key(paths, "")
    except CredentialsError as error:
        return Check.of("keys", str(paths.credentials), wrong=one_line(str(error)))
    return _private("keys", paths.credentials)


def _facts(paths: Paths) -> Check:
    path = paths.long_term_memory
    try:
        held = parse(path.read_bytes())
    except OSError as error:
        return Check.of(
            "facts", str(path), wrong=f"It cannot be read ({error.strerror}). Make it yours (chown, chmod)."
        )
    if held.faults:
        wrong = (
            f"{'; '.join(held.faults)}. {len(held.entries)} facts can be read; the next save keeps them and sets the "
            "damaged file aside. Or mend it by hand."
        )
        return Check.of("facts", str(path), wrong=wrong)
    return _private("facts", path, f", {len(held.entries)} facts")


def _permissions(paths: Paths) -> Check:
    rules = RuleStore(paths.permissions)
    count = len(rules.all())
    if rules.notice:
        return Check.of("permissions", str(paths.permissions), wrong=rules.notice)
    return _private("permissions", paths.permissions, f", {count} rules")


def _private(name: str, path: Path, more: str = "") -> Check:
    loose = os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077
    return Check.of(name, f"{path}{more}", wrong=f"Other users can read it: chmod 600 '{path}'" if loose else "")


def _sessions(paths: Paths, workspace: Path) -> Check:
    store = SessionStore(paths.history, workspace)
    summaries = store.summaries()
    if not summaries:
        return Check("sessions", State.OK, "none of this folder yet")
    size = sum(summary.size for summary in summaries) / 1e6
    return Check("sessions", State.OK, f"{len(summaries)} of this folder ({size:,.1f} MB) in {store.folder}")


def _project_memory(paths: Paths, workspace: Path) -> Iterator[Check]:
    root = identify(workspace).root
    memory = ProjectMemoryLoader(root, paths.home, working_directory=workspace).load()
    files = [f"{source.path} ({source.characters:,} characters)" for source in memory.sources if source.characters]
    note = "" if files else "Let the agent write a CODEAGENT.md with /init."
    yield Check.of("project memory", ", ".join(files) or "no CODEAGENT.md", note=note)
    for notice in memory.notices:
        yield Check("project memory", State.NOTE, one_line(notice), "Mend the file, or take the import out.")
