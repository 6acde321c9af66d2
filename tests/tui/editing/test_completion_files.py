"""Asking for file names: one question at a time, the newest wins, and none outlives the list."""

import asyncio
from collections.abc import Sequence

from codeagent_tui.tui.editing.completer import Completer
from codeagent_tui.tui.editing.completion import CommandHint
from codeagent_tui.tui.editing.file_completion import FileCompletion


class SlowProvider:
    """Answers when it is told to; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.cancelled: list[str] = []
        self.go = asyncio.Event()

    async def __call__(self, beginning: str) -> Sequence[str]:
        self.asked.append(beginning)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled.append(beginning)
            raise
        return [f"{beginning}.py", "other.txt"]


async def settle() -> None:
    """Let every task that can run do so."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_while_a_question_is_open_only_the_newest_waits() -> None:
    provider = SlowProvider()
    files = FileCompletion(lambda: None)
    files.provider = provider
    for query in ("p", "pa", "par"):
        files.ask(query)
        await settle()
    assert provider.asked == ["p"]
    provider.go.set()
    await settle()
    assert provider.asked == ["p", "par"]
    assert files.names == ["par.py", "other.txt"]


async def test_closing_cancels_the_question() -> None:
    provider = SlowProvider()
    completer = Completer(FileCompletion(lambda: None))
    completer.files.provider = provider
    completer.follow("@p", 2)
    await settle()
    completer.follow("@p ", 3)
    await settle()
    assert provider.cancelled == ["p"]
    provider.go.set()
    completer.follow("@q", 2)
    await settle()
    assert provider.asked == ["p", "q"]


async def test_a_provider_that_fails_is_no_names() -> None:
    async def provider(beginning: str) -> Sequence[str]:
        raise OSError("the disk is gone")

    heard = []
    files = FileCompletion(lambda: heard.append(1))
    files.provider = provider
    files.ask("a")
    await settle()
    assert (files.names, heard) == ((), [1])
    files.ask("b")
    await settle()
    assert heard == [1, 1]


async def test_names_that_are_known_are_offered_while_new_ones_are_awaited() -> None:
    provider = SlowProvider()
    provider.go.set()
    completer = Completer(FileCompletion(lambda: completer.offer()))
    completer.files.provider = provider
    completer.follow("@p", 2)
    await settle()
    assert [choice.label for choice in completer.choices] == ["p.py"]
    provider.go.clear()
    completer.follow("@py", 3)
    await settle()
    assert [choice.label for choice in completer.choices] == ["p.py"]


async def test_the_number_of_names_is_bounded() -> None:
    async def provider(beginning: str) -> Sequence[str]:
        return [f"file{number}" for number in range(100_000)]

    completer = Completer(FileCompletion(lambda: completer.offer()))
    completer.files.provider = provider
    completer.follow("@file", 5)
    await settle()
    assert len(completer.choices) == 50


def test_a_word_that_was_dismissed_stays_so_until_another_one() -> None:
    completer = Completer(FileCompletion(lambda: None))
    completer.commands = [CommandHint("/new", "", "")]
    completer.follow("/n", 2)
    assert completer.choices
    completer.dismiss()
    completer.follow("/ne", 3)
    assert not completer.choices
    completer.follow("", 0)
    completer.follow("/", 1)
    assert completer.choices


def test_choosing_goes_round() -> None:
    completer = Completer(FileCompletion(lambda: None))
    completer.commands = [CommandHint(f"/{name}", "", "") for name in "abc"]
    completer.follow("/", 1)
    completer.step(-1)
    assert completer.take("/") == (0, 1, "/c")


def test_a_command_without_its_argument_has_a_hint() -> None:
    completer = Completer(FileCompletion(lambda: None))
    completer.commands = [CommandHint("/save", "<fact>", ""), CommandHint("/new", "", "")]
    assert [completer.argument_hint(text) for text in ("/save ", "/save", "/save x", "/new ")] == ["<fact>", "", "", ""]
