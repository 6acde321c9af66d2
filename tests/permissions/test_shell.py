"""The reading of plain commands, held against a real shell."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_tui.permissions.shell import SimpleCommand, parse, plain_commands

_PIECES = [
    *("ls", "id", "cat", " ls", " id", " ", " ", "\n", ";", "&&", "||", "&", ">", "<", "$(", ")", "`", "(", "{", "}"),
    *(
        "'",
        '"',
        "\\",
        "a",
        "$x",
        "#",
        "=",
        "~",
        "*",
        "\t",
        "<<E\n",
        "E",
        "!",
        "[[",
        "]]",
        "if",
        "then",
        "fi",
        "$'",
        "\r",
    ),
    *("<(", "${", ",", "-", "\\\n", ":", "@", "?", "%", "^", "[", "]", "+", "é", "\u00a0", "\u2028", "\u3000"),
    *("'a b'", '"a b"', "x=1 ", "2>", "&1", "~+", "!!", "${a}", "do", "done", "in", "((", "))", "$["),
]
_RUNS = 80
_LOGGING = """#!/bin/sh
{ printf '%s\\037' "${0##*/}" "$@"; printf '\\036'; } >> "$LOG"
"""


@pytest.fixture
def shell_folder(tmp_path: Path) -> Path:
    """A folder of programs that only write down how they were called."""
    for name in ("ls", "id", "cat", "a", "E"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(_LOGGING)
        program.chmod(0o755)
    (tmp_path / "empty").mkdir()
    return tmp_path


def _scripts() -> Iterator[tuple[str, list[SimpleCommand]]]:
    """Yield texts that are taken for plain, though they are made of everything that a shell knows."""
    chance = random.Random(20261201)
    while True:
        text = "ls " + "".join(chance.choice(_PIECES) for _ in range(chance.randint(2, 10)))
        commands = plain_commands(text)
        if commands is not None and any(mark in text for mark in "\n;&'\"#*?[!"):
            yield text, commands


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to compare with")
def test_x_01_what_is_taken_for_plain_is_what_a_shell_runs(shell_folder: Path) -> None:
    log = shell_folder / "log"
    environment = {"PATH": str(shell_folder / "bin"), "LOG": str(log), "HOME": str(shell_folder)}
    for (text, commands), _ in zip(_scripts(), range(_RUNS), strict=False):
        log.write_text("")
        subprocess.run(
            [shutil.which("bash") or "", "-c", text],
            env=environment,
            cwd=shell_folder / "empty",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        ran = [call.split("\x1f")[:-1] for call in log.read_text().split("\x1e")[:-1]]
        read = [[command.name, *(word.text for word in command.arguments)] for command in commands]
        for call in ran:
            assert any(_is_same(call, words) for words in read), text


def _is_same(call: list[str], words: list[str]) -> bool:
    """Whether a call is what was read; patterns and tildes, which nothing plain is allowed with, may differ."""
    pairs = zip(call, words, strict=False)
    return len(call) == len(words) and all(a == b or any(mark in b for mark in "~*?[") for a, b in pairs)


def test_quotes_and_joints_are_read() -> None:
    commands = plain_commands("ls -la 'a b' && cat \"c d\" | wc -l; pwd\necho x")
    assert commands is not None
    assert [c.name for c in commands] == ["ls", "cat", "wc", "pwd", "echo"]
    assert [(w.text, w.quoted) for w in commands[0].arguments] == [("-la", False), ("a b", True)]


@pytest.mark.parametrize(
    "text", ["&=${}E{\U0010baca_{\\\n${d", "${\U0001f600$()`#$\u0966(|", ">\U00101452\U0001b6fc\u6986", "é\udce9\ud800"]
)
def test_characters_beyond_ascii_do_not_end_the_process(text: str) -> None:
    """Read as they are, the grammar's scanner looks them up outside its tables."""
    for _ in range(100):
        plain_commands(text)
        parse(f"echo {text}")


def test_words_of_any_script_are_read_as_they_are() -> None:
    commands = plain_commands("cat 名字.md '\U0001f600 b' \u3000 caf\udce9")
    assert commands is not None
    assert [word.text for word in commands[0].arguments] == ["名字.md", "\U0001f600 b", "\u3000", "caf\udce9"]
