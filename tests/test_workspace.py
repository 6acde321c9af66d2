"""Paths from a model: what they name, and whether that is inside."""

from pathlib import Path

import pytest

from codeagent_tui.workspace import BadPath, Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "proj" / "src").mkdir(parents=True)
    (tmp_path / "proj-evil").mkdir()
    (tmp_path / "proj" / "out").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "proj")
    return tmp_path


@pytest.mark.parametrize("path", ["../x", "{}/proj-evil/x", "{}/proj/../x", "~/x", "out/x", "/proc/self/cwd/../x", "/"])
def test_x_04_outside_is_outside_however_it_is_spelled(folder: Path, path: str) -> None:
    workspace = Workspace.at(folder / "proj")
    assert not workspace.contains(workspace.resolve(path.format(folder)))


@pytest.mark.parametrize(
    "path", ["x", "src/../x", "{}/proj/x", "{}/link/src/x", ".", "trailing blank ", "~nobody-is-called-that/x"]
)
def test_x_04_inside_is_inside_also_behind_a_link(folder: Path, path: str) -> None:
    workspace = Workspace.at(folder / "link")
    assert workspace.contains(workspace.resolve(path.format(folder)))


@pytest.mark.parametrize("path", ["", "  ", "./a\0b", "FILE:///etc/x", "caf\ud83c.txt"])
def test_x_04_what_names_no_file_is_refused(folder: Path, path: str) -> None:
    with pytest.raises(BadPath):
        Workspace.at(folder / "proj").resolve(path)


def test_a_path_is_shown_short_inside_and_whole_outside(folder: Path) -> None:
    workspace = Workspace.at(folder / "proj")
    assert workspace.shown(workspace.resolve("src/a.py")) == "src/a.py"
    assert workspace.shown(workspace.resolve("../x")) == str(folder / "x")
