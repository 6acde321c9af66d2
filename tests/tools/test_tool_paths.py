"""Paths in tool calls: real ones are judged, odd names open by what is shown, what is not there has neighbours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.tools.catalog import default_tools
from codeagent_tui.tools.find_files import FindFiles
from codeagent_tui.tools.list_directory import ListDirectory
from codeagent_tui.tools.paths import resolve, show_name, shown
from codeagent_tui.tools.read_file import ReadFile
from codeagent_tui.tools.tool import Access, ToolContext, parse_arguments
from codeagent_tui.tools.write_file import WriteFile
from tests.support.tools import fails, scratch_context, use


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


@pytest.fixture
def proj(context: ToolContext) -> Path:
    return context.workspace.root


def odd(folder: Path, name: bytes) -> Path:
    return Path(os.fsdecode(os.fsencode(folder) + b"/" + name))


async def test_s_03_odd_names_open_by_what_is_shown_at_every_level(context: ToolContext, proj: Path) -> None:
    odd(proj, b"d\xe9r").mkdir()
    for name in (b"caf\xe9", b"two\nlines", b"red\x1b[31m", b"plain"):
        odd(proj, b"d\xe9r/" + name).write_bytes(name)
    names = (await use(FindFiles(), context, pattern="*")).text.splitlines()
    assert len(names) == 4
    listed = (await use(ListDirectory(), context, depth=2)).text
    assert "\udce9" not in listed and "\x1b" not in listed and "d\ufffdr/" in listed
    texts = [(await use(ReadFile(), context, path=name)).text for name in names]
    assert any("caf" in text for text in texts) and any("lines" in text for text in texts)


async def test_s_03_two_names_that_look_the_same_are_not_guessed_between(context: ToolContext, proj: Path) -> None:
    odd(proj, b"a\xe9").write_text("one")
    odd(proj, b"a\xea").write_text("two")
    assert "2 entries are shown as" in await fails(ReadFile(), context, path="a\ufffd")


async def test_s_03_half_a_pair_in_arguments(context: ToolContext, proj: Path) -> None:
    assert "caf\ufffd.txt does not exist" in await fails(ReadFile(), context, path="caf\ud83c.txt")
    await use(WriteFile(), context, path="f", content="half \ud83c\n")
    assert (proj / "f").read_text() == "half \ufffd\n"


async def test_a_name_no_file_can_have_is_a_readable_error(context: ToolContext) -> None:
    for tool, more in ((ReadFile(), {}), (WriteFile(), {"content": "x"}), (ListDirectory(), {})):
        assert "cannot be reached" in await fails(tool, context, path="x" * 5_000, **more)
        assert "NUL" in await fails(tool, context, path="a\0b", **more)
        assert "URL" in await fails(tool, context, path="FILE:///etc/passwd", **more)


async def test_a_file_elsewhere_of_that_name_is_pointed_to(context: ToolContext, proj: Path) -> None:
    (proj / "src" / "deep").mkdir(parents=True)
    (proj / "src" / "deep" / "tokens.py").touch()
    assert "Near it: src/deep/tokens.py" in await fails(ReadFile(), context, path="tokens.py")
    assert "Near it: src/deep/tokens.py" in await fails(ReadFile(), context, path="src/deep/token.py")
    assert "its folder does not exist" in (await fails(ReadFile(), context, path="no/where.txt")).lower()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_file", '{"path": "PATH"}'),
        ("write_file", '{"path": "PATH/new.txt", "content": "x"}'),
        ("edit_file", '{"path": "PATH/new.txt", "old_text": "", "new_text": "x"}'),
        ("list_directory", '{"path": "PATH"}'),
        ("find_files", '{"path": "PATH", "pattern": "*"}'),
        ("search_code", '{"path": "PATH", "pattern": "x"}'),
        ("run_command", '{"directory": "PATH", "command": "ls"}'),
    ],
)
@pytest.mark.parametrize(
    "spelling", ["../outside", "{top}/outside", "{top}/proj/../outside", "out", "proj/../../outside"]
)
async def test_x_04_every_tool_says_the_real_path(
    context: ToolContext, proj: Path, tmp_path: Path, name: str, arguments: str, spelling: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (proj / "proj").mkdir()
    (proj / "out").symlink_to(outside)
    tool = default_tools().get(name)
    spelled = spelling.format(top=tmp_path)
    access = await tool.access(parse_arguments(tool, arguments.replace("PATH", spelled)), context)
    assert isinstance(access, Access)
    assert access.paths[0] in (outside, outside / "new.txt")
    assert not context.workspace.contains(access.paths[0])


async def test_x_04_a_sibling_of_the_same_prefix_is_shown_whole(
    context: ToolContext, proj: Path, tmp_path: Path
) -> None:
    (tmp_path / "proj-evil").mkdir()
    assert shown(context, resolve(context, "../proj-evil/x")) == str(tmp_path / "proj-evil" / "x")


def test_a_shown_name_is_one_line_of_text() -> None:
    assert show_name("a\nb\tc\x1b[2J\udce9") == "a\ufffdb\ufffdc\ufffd"
