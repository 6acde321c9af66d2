"""Writing to standard streams: no reader, disk or encoding breaks it."""

import io
import json
import os
from pathlib import Path

import pytest

from codeagent_tui.standard_streams import OutputStream


def stream(encoding: str) -> tuple[io.BytesIO, OutputStream]:
    raw = io.BytesIO()
    return raw, OutputStream(io.TextIOWrapper(raw, encoding=encoding, write_through=True))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "gbk"])
def test_any_text_can_be_written_in_any_encoding(encoding: str) -> None:
    raw, out = stream(encoding)
    out.line("plain 你好 é \ud83c \U0001f600")
    assert out.failure is None
    assert raw.getvalue().startswith(b"plain ") and raw.getvalue().endswith(b"\n")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_a_record_is_json_in_any_encoding(encoding: str) -> None:
    raw, out = stream(encoding)
    out.record({"text": "你好 \U0001f600"})
    assert json.loads(raw.getvalue().decode(encoding)) == {"text": "你好 \U0001f600"}
    assert ("你好".encode() in raw.getvalue()) == (encoding == "utf-8")


def test_a_reader_that_left_is_noticed_once_and_is_no_fault() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as file:
        out = OutputStream(file)
        out.line("nobody hears this")
        assert out.reader_left
        out.line("nor this")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_a_fault() -> None:
    with Path("/dev/full").open("w") as file:
        out = OutputStream(file)
        out.line("no room")
        assert out.failure is not None and not out.reader_left


def test_a_closed_stream_swallows_everything() -> None:
    out = OutputStream(None)
    out.line("gone")
    assert out.failure is None
