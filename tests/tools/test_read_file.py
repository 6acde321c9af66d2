"""read_file: what is not plain about a file is said; the budgets hold; nothing is read that never ends."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tools.line_window import read_window
from codeagent_tui.tools.output import READ_LINES
from codeagent_tui.tools.read_file import ReadFile
from codeagent_tui.tools.text_file import LARGEST_EDITABLE
from codeagent_tui.tools.tool import ToolContext
from tests.support.tools import fails, scratch_context, use

READ = ReadFile()


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


@pytest.fixture
def file(context: ToolContext) -> Path:
    return context.workspace.root / "f"


async def test_a_plain_file_is_its_lines_and_nothing_else(context: ToolContext, file: Path) -> None:
    file.write_text("a\n\n\tb\n")
    output = await use(READ, context, path="f")
    assert output.text == "1\ta\n2\t\n3\t\tb"
    assert output.summary == "3 of 3 lines"


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        (b"a\r\nb\r\n", "[CRLF line endings]"),
        (b"a\nb", "[no newline at the end of the file]"),
        (b"\xef\xbb\xbfa\n", "[utf-8 with a byte order mark]"),
        ("规范\n".encode("utf-16"), "[utf-16-le with a byte order mark]"),
        ("# 注释\n".encode("gb18030"), "[gb18030]"),
        (b"log 1\rlog 2\r\nend\n", "1\tlog 1␍log 2\n2\tend\n[CRLF line endings]"),
        (b"\x1b[31mred\x1b[0m \x7f\n", "1\t␛[31mred␛[0m ␡"),
    ],
)
async def test_what_lines_do_not_show_is_said(context: ToolContext, file: Path, data: bytes, notes: str) -> None:
    file.write_bytes(data)
    assert (await use(READ, context, path="f")).text.endswith(notes)


async def test_t_09_offset_zero_and_limits_that_are_too_large_are_understood(context: ToolContext, file: Path) -> None:
    file.write_text("x\n" * (READ_LINES + 10))
    assert (await use(READ, context, path="f", offset=0, limit=1)).text.startswith("1\tx\n[partial:")
    text = (await use(READ, context, path="f", limit=1_000_000)).text
    assert f"go on with offset={READ_LINES + 1}" in text


async def test_t_09_pages_of_a_long_line_follow_each_other(context: ToolContext, file: Path) -> None:
    family = "👨‍👩‍👧‍👦"
    line = family * 9_000
    file.write_text(line + "\nend\n")
    shown, at = "", 0
    while True:
        text = (
            await use(READ, context, path="f", offset=1, char_offset=at) if at else await use(READ, context, path="f")
        ).text
        page = text.splitlines()[0].removeprefix("1\t").partition("… [line of")[0]
        assert page.count(family) * len(family) == len(page)
        shown += page
        if "char_offset=" not in text:
            break
        at = int(text.partition("char_offset=")[2].partition(";")[0].partition("]")[0])
    assert shown == line
    assert "has 63,000 characters" in await fails(READ, context, path="f", char_offset=70_000)


async def test_t_09_a_file_too_large_to_hold_is_streamed(context: ToolContext, file: Path) -> None:
    with file.open("w") as out:
        for number in range(LARGEST_EDITABLE // 10 + 1_000):
            out.write(f"{number:09}\n")
    output = await use(READ, context, path="f", offset=1_000_500, limit=2)
    assert output.text.startswith(
        "1000500\t001000499\n1000501\t001000500\n[partial: showed lines 1000500-1000501 of 1,001,000"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
async def test_a_pipe_or_a_device_is_not_waited_for(context: ToolContext, file: Path) -> None:
    os.mkfifo(file)
    assert "no regular file" in await fails(READ, context, path="f")
    assert "no regular file" in await fails(READ, context, path="/dev/zero")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"GIF89a" + struct.pack("<HH", 30, 20), "GIF image, 30x20"),
        (
            b"\xff\xd8\xff\xe0\0\x10JFIF" + b"\0" * 10 + b"\xff\xc0\0\x11\x08" + struct.pack(">HH", 20, 30),
            "JPEG image, 30x20",
        ),
        (b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + b"\x1d\0\0\x13\0\0", "WebP image, 30x20"),
        (b"BM" + b"\0" * 16 + struct.pack("<ii", 30, -20), "BMP image, 30x20"),
        (b"%PDF-1.7\n%\0", "PDF document"),
        (b"\x7fELF\x02\x01\x01\0", "ELF program"),
        (b"SQLite format 3\0", "SQLite database"),
        (b"PK\x03\x04\x14\0\0\0", "ZIP archive"),
        (b"\0\0\0\x18ftypmp42", "MP4"),
        (b"who knows\0", "binary file"),
    ],
)
async def test_images_and_binaries_are_named_by_kind(context: ToolContext, file: Path, head: bytes, said: str) -> None:
    file.write_bytes(head + b"\0" * 40)
    assert said in (await use(READ, context, path="f")).text


@given(
    lines=st.lists(st.sampled_from(["", "a", "中文字", "x" * 40]), max_size=12),
    last=st.sampled_from(["", "tail"]),
    offset=st.integers(1, 14),
    limit=st.integers(1, 14),
    skip=st.integers(0, 4),
)
def test_t_09_a_window_is_what_the_file_holds_there(
    lines: list[str], last: str, offset: int, limit: int, skip: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "window"
    text = "".join(f"{line}\n" for line in lines) + last
    file.write_text(text)
    window = read_window(file, offset=offset, limit=limit, char_offset=skip, line_limit=20)
    assert window is not None
    there = lines + ([last] if last else [])
    assert window.total_lines == len(there) and window.characters == len(text)
    assert [(line.number, line.text) for line in window.lines] == [
        (number, line[skip : skip + 20]) for number, line in enumerate(there, 1) if offset <= number < offset + limit
    ]
    for line in window.lines:
        assert text[line.start : line.start + len(line.text)] == line.text
    if offset == 1 and limit >= len(there) and not skip and "x" * 40 not in there and text:
        assert window.spans() == [(0, len(text))]
