"""Full disks, what may not be read or written, and what is no file: each told in one sentence, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import filelock  # noqa: F401  loaded here: the child without rights could not read it
import pytest

from codeagent_tui.memory.entry import Scope
from codeagent_tui.memory.fact_disk import LARGEST
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreStatus

ROOT = Path(__file__).parents[2]
NOBODY = 65_534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    LongTermMemory(tmp_path / "memory" / "facts.json").store("use uv", Scope.GLOBAL)
    return tmp_path / "memory" / "facts.json"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a process without rights can reach."""
    folder = Path(tempfile.mkdtemp(prefix="facts-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def without_rights(act: Callable[[], str]) -> str:
    """Return what `act` returns in a process that has no rights of the administrator's."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            os.write(writer, act().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        text = said.read().decode()
    os.waitpid(pid, 0)
    return text


def said_of_a_save(path: Path) -> str:
    memory = LongTermMemory(path)
    result = memory.store("use nix", Scope.GLOBAL)
    return f"{'; '.join(memory.notices)}|{result.message}|{[entry.content for entry in memory.entries()]}"


FULL = """
import resource, sys
from pathlib import Path
from codeagent_tui.memory.long_term_memory import LongTermMemory
path = Path(sys.argv[1])
memory = LongTermMemory(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10,) * 2)
print(memory.store("a fact that does not fit any more", "global").message)
print([entry.content for entry in memory.entries()])
try:
    memory.restore([*memory.entries(), *LongTermMemory(Path(sys.argv[2])).entries()])
except OSError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits")
def test_l_01_a_write_that_breaks_off_in_the_middle_is_not_saved(path: Path, tmp_path: Path) -> None:
    """The system takes ten bytes more and then no further one, as a full disk does."""
    before = path.read_bytes()
    LongTermMemory(tmp_path / "other.json").store("a fact of another file", Scope.GLOBAL)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(tmp_path / "other.json")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    saved, held, restored = done.stdout.splitlines()
    assert saved == f"Not saved: File too large ({path}). What was there is unchanged."
    assert held == "['use uv']" and restored.startswith("Not restored: File too large")
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} == {"facts.json", ".facts.json.lock"}


@pytest.mark.skipif(sys.platform == "win32", reason="other rights")
@pytest.mark.parametrize("there", [False, True])
def test_l_01_a_home_that_may_only_be_read(open_folder: Path, there: bool) -> None:
    path = open_folder / "memory" / "facts.json"
    if there:
        LongTermMemory(path).store("use uv", Scope.GLOBAL)
        for file in path.parent.iterdir():
            file.chmod(0o444)
        path.parent.chmod(0o555)
    open_folder.chmod(0o555)
    notices, saved, held = without_rights(lambda: said_of_a_save(path)).split("|")
    assert notices == "" and held == str(["use uv"] * there)
    assert saved.startswith("Not saved: Permission denied") and saved.endswith("What was there is unchanged.")


@pytest.mark.skipif(sys.platform == "win32", reason="other rights")
def test_l_01_a_file_that_may_not_be_read_is_left_alone(open_folder: Path) -> None:
    path = open_folder / "facts.json"
    path.write_text("{}")
    path.chmod(0o000)
    open_folder.chmod(0o777)
    notices, saved, held = without_rights(lambda: said_of_a_save(path)).split("|")
    assert notices == f"The facts cannot be read: Permission denied ({path}). Nothing is saved until they can."
    assert saved.startswith("Not saved: Permission denied") and held == "[]"
    path.chmod(0o600)
    assert path.read_text() == "{}"


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_folder, "it is no regular file"),
        (_pipe, "it is no regular file"),
        (_loop, "Too many levels of symbolic links"),
        (_huge, "it is larger than 64 MB"),
    ],
)
def test_l_01_what_is_no_file_of_facts_is_told_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    path = tmp_path / "facts.json"
    make(path)
    before = path.lstat()
    memory = LongTermMemory(path)
    assert memory.notices == (f"The facts cannot be read: {why} ({path}). Nothing is saved until they can.",)
    result = memory.store("use nix", Scope.GLOBAL)
    assert result.status is StoreStatus.FAILED and result.message.startswith(f"Not saved: {why}")
    assert not memory.reload_if_changed() and len(memory.notices) == 1
    assert (path.lstat().st_ino, path.lstat().st_mode, path.lstat().st_size) == (
        before.st_ino,
        before.st_mode,
        before.st_size,
    )


def test_l_01_a_file_that_becomes_unreadable_takes_nothing_from_memory(path: Path) -> None:
    memory = LongTermMemory(path)
    kept = path.rename(path.with_name("kept"))
    path.mkdir()
    assert not memory.reload_if_changed() and len(memory.notices) == 1
    assert [entry.content for entry in memory.entries()] == ["use uv"]
    path.rmdir()
    kept.rename(path)
    assert memory.store("use nix", Scope.GLOBAL).status is StoreStatus.SAVED
    assert [entry.content for entry in LongTermMemory(path).entries()] == ["use uv", "use nix"]


def test_a_clock_that_jumps_loses_nothing(path: Path) -> None:
    """Stamps of the file and of entries from the future, and from before the epoch."""
    memory = LongTermMemory(path)
    for stamp in (time.time() + 10**8, 1.0):
        os.utime(path, (stamp, stamp))
        assert memory.store(f"saved at {stamp}", Scope.GLOBAL).status is StoreStatus.SAVED
        os.utime(path, (stamp, stamp))
        path.write_text(path.read_text(encoding="utf-8").replace('"timestamp": 1', '"timestamp": 99', 1))
        os.utime(path, (stamp, stamp))
        memory.reload_if_changed()
        assert list(memory.entries()) == list(LongTermMemory(path).entries())
    assert len(memory.entries()) == 3 and memory.notices == ()
