"""What is piped in is read whole; what never comes is not waited for."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_tui.headless import stdin
from codeagent_tui.headless.stdin import BadInput, Piped, read_piped


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for descriptor in (read, write):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_a_pipe_is_read_to_its_end(pipe: tuple[int, int]) -> None:
    read, write = pipe
    os.write(write, "第一行\r\nsecond \x1b[31mred\x1b[0m\n".encode())
    os.close(write)
    assert read_piped(read) == Piped("第一行\nsecond red\n")


def test_a_silent_pipe_is_given_up(pipe: tuple[int, int]) -> None:
    assert read_piped(pipe[0], patience=0.01) == Piped(silent=True)


def test_everything_is_read_however_many_pieces_it_comes_in(pipe: tuple[int, int]) -> None:
    read, write = pipe

    def send() -> None:
        for _ in range(200):
            os.write(write, b"x" * 1_000)
        os.close(write)

    thread = threading.Thread(target=send)
    thread.start()
    assert read_piped(read, patience=None) == Piped("x" * 200_000)
    thread.join()


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes("规范".encode("gb18030"))
    with (tmp_path / "in").open("rb") as file:
        assert read_piped(file.fileno()).text == "规范"


def test_devices_and_closed_descriptors_are_not_read(pipe: tuple[int, int]) -> None:
    with Path(os.devnull).open("rb") as nothing:
        assert read_piped(nothing.fileno()) == Piped()
    controller, terminal = os.openpty()
    try:
        assert read_piped(terminal) == Piped()
    finally:
        os.close(controller)
        os.close(terminal)
    assert read_piped(terminal) == Piped()


@pytest.mark.parametrize(("data", "said"), [(b"\x00\x01\x02\x00", "no text"), (b"x" * 101, "more than 100 bytes")])
def test_what_cannot_be_used_is_refused_readably(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, data: bytes, said: str
) -> None:
    monkeypatch.setattr(stdin, "LARGEST", 100)
    read, write = pipe
    os.write(write, data)
    os.close(write)
    with pytest.raises(BadInput, match=said):
        read_piped(read)
