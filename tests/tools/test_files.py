"""read_file, write_file, edit_file: bytes survive, nobody's change is overwritten, nothing is guessed."""

from __future__ import annotations

import asyncio
import os
import stat
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tools.edit_file import EditFile
from codeagent_tui.tools.output import head_and_tail
from codeagent_tui.tools.read_file import ReadFile
from codeagent_tui.tools.replacement import replace_exact
from codeagent_tui.tools.tool import ToolContext, ToolError
from codeagent_tui.tools.write_file import WriteFile
from tests.support.tools import fails, scratch_context, use

READ, WRITE, EDIT = ReadFile(), WriteFile(), EditFile()


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


@pytest.fixture
def proj(context: ToolContext) -> Path:
    return context.workspace.root


async def edited(context: ToolContext, path: Path, old: str, new: str, **more: bool) -> bytes:
    """Read, then edit; return the bytes that are there then."""
    await use(READ, context, path=path.name)
    await use(EDIT, context, path=path.name, old_text=old, new_text=new, **more)
    return path.read_bytes()


async def test_lines_are_numbered_and_paged(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("".join(f"line {n}\n" for n in range(1, 51)))
    output = await use(READ, context, path="f", offset=10, limit=3)
    assert output.text.splitlines()[:3] == ["10\tline 10", "11\tline 11", "12\tline 12"]
    assert "[partial:" in output.text and "of 50" in output.text and "offset=13" in output.text


async def test_t_09_a_giant_line_is_clipped_and_can_be_paged(context: ToolContext, proj: Path) -> None:
    (proj / "bundle.min.js").write_text("x" * 2_000_000 + "needle" + "y" * 2_000_000)
    for arguments in ({}, {"offset": 1, "limit": 1}):
        output = await use(READ, context, path="bundle.min.js", **arguments)
        assert len(output.text) < 4_000
        assert "4,000,006" in output.text and "char_offset=2000" in output.text
    output = await use(READ, context, path="bundle.min.js", char_offset=1_999_990)
    assert "needle" in output.text and len(output.text) < 40_000


async def test_t_09_many_long_lines_stay_within_the_budget(context: ToolContext, proj: Path) -> None:
    (proj / "f.json").write_text(("z" * 100_000 + "\n") * 60)
    output = await use(READ, context, path="f.json")
    assert len(output.text) < 40_000 and "[partial:" in output.text


async def test_t_09_empty_and_beyond_the_end(context: ToolContext, proj: Path) -> None:
    (proj / "empty").touch()
    (proj / "three").write_text("1\n2\n3\n")
    assert "empty" in (await use(READ, context, path="empty")).text
    assert "3 lines" in await fails(READ, context, path="three", offset=9)


async def test_t_09_three_million_lines_are_counted(context: ToolContext, proj: Path) -> None:
    (proj / "many").write_text("ab\n" * 3_000_000)
    output = await use(READ, context, path="many", offset=2_999_999)
    assert "2999999\tab" in output.text and "3000000\tab" in output.text


async def test_images_and_binaries_are_named(context: ToolContext, proj: Path) -> None:
    (proj / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + b"\0" * 50)
    (proj / "b.bin").write_bytes(bytes(range(256)) * 10)
    assert "PNG image, 640x480" in (await use(READ, context, path="a.png")).text
    assert "binary" in (await use(READ, context, path="b.bin")).text


async def test_a_missing_file_names_its_neighbours_and_a_folder_is_no_file(context: ToolContext, proj: Path) -> None:
    (proj / "settings.py").touch()
    assert "settings.py" in await fails(READ, context, path="setting.py")
    assert "list_directory" in await fails(READ, context, path=".")


async def test_s_03_a_name_that_is_no_utf_8_can_be_opened_as_it_is_shown(context: ToolContext, proj: Path) -> None:
    (proj / os.fsdecode(b"caf\xe9")).write_text("odd\n")
    assert "odd" in (await use(READ, context, path="caf\ufffd")).text


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "a\nB\nB2", b"a\r\nB\r\nB2\r\nc\r\n"),
        (b"x\r\ny\nz\r\n", "y", "Y\nY2", b"x\r\nY\nY2\nz\r\n"),
        (b"x\r\ny\nz\r\n", "x\ny", "x\nY", b"x\r\nY\nz\r\n"),
        (b"log 1\rlog 2\r\nend\n", "end", "fin", b"log 1\rlog 2\r\nfin\n"),
        (b"no newline", "newline", "NL", b"no NL"),
        (b"\xef\xbb\xbfstart\n", "start", "begin", b"\xef\xbb\xbfbegin\n"),
        (b"\tkeep \t\nx\n", "x", "y", b"\tkeep \t\ny\n"),
        ("规范 a\n".encode("utf-16"), "规范", "约定", b"\xff\xfe" + "约定 a\n".encode("utf-16-le")),
        ("提交信息用中文".encode("gb18030"), "中文", "英文", "提交信息用英文".encode("gb18030")),
    ],
)
async def test_t_06_untouched_bytes_stay(
    context: ToolContext, proj: Path, before: bytes, old: str, new: str, after: bytes
) -> None:
    (proj / "f").write_bytes(before)
    assert await edited(context, proj / "f", old, new) == after


async def test_t_06_mode_and_link_are_kept(context: ToolContext, proj: Path) -> None:
    (proj / "real.sh").write_text("echo a\n")
    (proj / "real.sh").chmod(0o755)
    (proj / "link.sh").symlink_to("real.sh")
    await edited(context, proj / "link.sh", "a", "b")
    assert (proj / "link.sh").is_symlink()
    assert (proj / "real.sh").read_text() == "echo b\n"
    assert stat.S_IMODE((proj / "real.sh").stat().st_mode) == 0o755
    assert sorted(p.name for p in proj.iterdir()) == ["link.sh", "real.sh"]


@given(
    lines=st.lists(st.sampled_from(["a", "b", "", "记", "x y", "\t"]), min_size=1, max_size=8),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=8, max_size=8),
    new=st.text(alphabet="n\n\\1$", max_size=6),
)
def test_t_06_an_edit_changes_only_its_own_place(lines: list[str], ends: list[str], new: str) -> None:
    body = "".join(line + end for line, end in zip(lines, ends, strict=False))
    text = f"{body}<HERE>{body}"
    changed = replace_exact(text, "<HERE>", f"[{new}]", every=False, shown="f").text
    assert changed.startswith(body) and changed.endswith(body)
    middle = changed[len(body) : len(changed) - len(body)]
    assert middle.replace("\r\n", "\n").replace("\r", "\n") == f"[{new}]"


@pytest.mark.parametrize("new", ["C:\\new\\table", "\\1", "\\g<0>", "C:\\", "$& $$ {0} %s"])
async def test_t_07_new_text_is_inserted_literally(context: ToolContext, proj: Path, new: str) -> None:
    (proj / "f").write_text("before OLD after")
    assert (await edited(context, proj / "f", "OLD", new)).decode() == f"before {new} after"


async def test_t_07_empty_old_text_only_makes_a_new_file(context: ToolContext, proj: Path) -> None:
    await use(EDIT, context, path="new/dir/f", old_text="", new_text="fresh\n")
    assert (proj / "new/dir/f").read_text() == "fresh\n"
    assert "exists" in await fails(EDIT, context, path="new/dir/f", old_text="", new_text="again")
    assert (proj / "new/dir/f").read_text() == "fresh\n"


async def test_t_07_several_matches_need_a_word(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("x\na\nx\nb\nx\n")
    await use(READ, context, path="f")
    said = await fails(EDIT, context, path="f", old_text="x", new_text="y")
    assert "3 times" in said and "lines 1, 3, 5" in said
    await use(EDIT, context, path="f", old_text="x", new_text="y", replace_all=True)
    assert (proj / "f").read_text() == "y\na\ny\nb\ny\n"


async def test_t_07_overlapping_matches_are_several(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("aaaa")
    await use(READ, context, path="f")
    assert "2 times" in await fails(EDIT, context, path="f", old_text="aaa", new_text="b")


@pytest.mark.parametrize(
    ("there", "sought", "named"),
    [
        ("def f():\n        return 1\n", "def f():\n    return 1", "indentation"),
        ("say “hi”\n", 'say "hi"', "curly quotes"),
        ("a\u00a0b\n", "a b", "no-break"),
    ],
)
async def test_t_07_a_near_miss_shows_the_lines_and_the_difference(
    context: ToolContext, proj: Path, there: str, sought: str, named: str
) -> None:
    (proj / "f").write_text(there)
    await use(READ, context, path="f")
    said = await fails(EDIT, context, path="f", old_text=sought, new_text="z")
    assert named in said and there.splitlines()[0] in said
    assert (proj / "f").read_text() == there


async def test_t_07_a_no_op_and_a_folder_say_so(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("a")
    await use(READ, context, path="f")
    assert "same" in await fails(EDIT, context, path="f", old_text="a", new_text="a")
    assert "folder" in await fails(EDIT, context, path=".", old_text="a", new_text="b")


async def test_t_08_a_change_by_somebody_else_is_never_overwritten(context: ToolContext, proj: Path) -> None:
    path = proj / "f"
    path.write_text("one\n")
    await use(READ, context, path="f")
    path.write_text("one\nmine\n")
    assert "Read it again" in await fails(WRITE, context, path="f", content="two\n")
    assert "Read it again" in await fails(EDIT, context, path="f", old_text="one", new_text="two")
    assert path.read_text() == "one\nmine\n"


async def test_t_08_our_own_edits_and_a_touch_are_no_change(context: ToolContext, proj: Path) -> None:
    path = proj / "f"
    path.write_text("one\n")
    await use(READ, context, path="f")
    await use(EDIT, context, path="f", old_text="one", new_text="two")
    os.utime(path, (1, 1))
    await use(EDIT, context, path="f", old_text="two", new_text="three")
    await use(WRITE, context, path="f", content="four\n")
    assert path.read_text() == "four\n"


async def test_t_08_the_same_size_and_time_hide_nothing(context: ToolContext, proj: Path) -> None:
    path = proj / "f"
    path.write_text("aaa\n")
    await use(READ, context, path="f")
    before = path.stat()
    path.write_text("bbb\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "Read it again" in await fails(WRITE, context, path="f", content="ccc\n")


async def test_t_08_a_file_never_read_is_not_replaced(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("precious\n")
    assert "Read it first" in await fails(WRITE, context, path="f", content="x")
    await use(READ, context, path="f", offset=1, limit=1)
    (proj / "long").write_text("1\n2\n3\n")
    await use(READ, context, path="long", limit=1)
    assert "a part" in await fails(WRITE, context, path="long", content="x")


async def test_t_08_parallel_edits_of_one_file_are_both_applied(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("a\nb\n")
    await use(READ, context, path="f")
    await asyncio.gather(
        use(EDIT, context, path="f", old_text="a", new_text="A"),
        use(EDIT, context, path="f", old_text="b", new_text="B"),
    )
    assert (proj / "f").read_text() == "A\nB\n"


async def test_t_08_a_deleted_file_is_said_to_be_gone(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("a")
    await use(READ, context, path="f")
    (proj / "f").unlink()
    assert "does not exist" in await fails(EDIT, context, path="f", old_text="a", new_text="b")


async def test_a_write_that_fails_leaves_the_file_and_no_temporary(context: ToolContext, proj: Path) -> None:
    (proj / "dir").mkdir()
    (proj / "dir" / "f").write_text("a")
    await use(READ, context, path="dir/f")
    (proj / "blocker").write_text("")
    assert await fails(WRITE, context, path="blocker/f", content="x")
    assert sorted(p.name for p in proj.rglob("*")) == ["blocker", "dir", "f"]


async def test_the_diff_is_shown_before_and_after(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_text("".join(f"{n}\n" for n in range(100)))
    await use(READ, context, path="f")
    output = await use(EDIT, context, path="f", old_text="50\n", new_text="fifty\n")
    assert "@@ -48,7 +48,7 @@" in output.diff and "-50" in output.diff and "+fifty" in output.diff
    assert output.summary == "+1 -1"


@given(st.text(max_size=400), st.integers(10, 200))
def test_head_and_tail_stay_within_the_limit(text: str, limit: int) -> None:
    cut = head_and_tail(text, limit)
    assert len(cut) <= max(len(text), limit + 60)
    assert cut == text or "left out" in cut


async def test_an_encoding_that_lacks_a_character_is_an_error(context: ToolContext, proj: Path) -> None:
    (proj / "f").write_bytes("é à ü caf".encode("latin-1"))
    await use(READ, context, path="f")
    assert "cannot hold" in await fails(EDIT, context, path="f", old_text="caf", new_text="茶")


def test_the_error_family_is_readable() -> None:
    with pytest.raises(ToolError, match="not in it"):
        replace_exact("abc", "xyz", "q", every=False, shown="f")
