"""Replacing a file: all or nothing, what surrounds it stays, nobody else's file is lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from codeagent_tui.tools.atomic_replace import digest_of, replace_content
from codeagent_tui.tools.tool import ToolError


def test_a_new_file_gets_the_usual_mode_and_its_folders(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_content(tmp_path / "a" / "b" / "f", b"x", expected=None, shown="f")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b" / "f").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o750


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o4755])
def test_t_06_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    file.chmod(mode)
    replace_content(file, b"new", expected=digest_of(b"old"), shown="f")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_t_06_the_owner_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    os.chown(file, 12_345, 54_321)
    replace_content(file, b"new", expected=digest_of(b"old"), shown="f")
    assert (file.stat().st_uid, file.stat().st_gid) == (12_345, 54_321)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_write_protected_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(ToolError, match="write-protected"):
        replace_content(file, b"new", expected=digest_of(b"old"), shown="f")
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(("there", "expected"), [(b"other", b"old"), (b"other", None), (None, b"old")])
def test_t_08_what_is_not_as_expected_is_not_replaced(
    tmp_path: Path, there: bytes | None, expected: bytes | None
) -> None:
    file = tmp_path / "f"
    if there is not None:
        file.write_bytes(there)
    with pytest.raises(ToolError, match="not written"):
        replace_content(file, b"new", expected=None if expected is None else digest_of(expected), shown="f")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if there is None else [there])


def test_a_name_of_the_longest_length_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 255)
    replace_content(file, b"x", expected=None, shown="f")
    assert file.read_bytes() == b"x"
