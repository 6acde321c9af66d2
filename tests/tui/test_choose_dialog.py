"""A few answers below something long: keys, clicks, sizes, and that nothing shown is markup."""

from __future__ import annotations

import pytest
from textual.app import App

from codeagent_tui.tui.dialogs.choices import Choices
from codeagent_tui.tui.dialogs.choose import ChooseDialog
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.themes import DARK, THEMES

ANSWERS = ("Write [/it]", "Let the agent write it", "Leave it")


class Host(App[None]):
    """Shows one dialog and keeps its result."""

    def __init__(self, text: str = "one line") -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.results: list[int | None] = []
        self._text = text

    def on_mount(self) -> None:
        self.push_screen(ChooseDialog("Write this?", lines_of(self._text), ANSWERS, default=2), self.results.append)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        (("enter",), 2),
        (("1",), 0),
        (("2",), 1),
        (("up", "enter"), 1),
        (("down", "enter"), 0),
        (("tab", "tab", "enter"), 1),
        (("4", "0", "x", "3"), 2),
        (("escape",), None),
    ],
)
async def test_each_key_gives_its_answer(keys: tuple[str, ...], result: int | None) -> None:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
    assert app.results == [result]


async def test_what_is_long_scrolls_and_the_answers_stay_in_sight() -> None:
    app = Host("\n".join(f"row {number}" for number in range(200)))
    for size in ((80, 24), (120, 40), (60, 14)):
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert "row 0" in app.text and all(answer.split(" [")[0] in app.text for answer in ANSWERS)
            await pilot.press("end")
            await pilot.pause()
            assert "row 199" in app.text and "Leave it" in app.text
        app = Host("\n".join(f"row {number}" for number in range(200)))


async def test_markup_is_shown_as_it_is_and_a_click_answers() -> None:
    app = Host("[/] [b]x[/b]")
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "[/] [b]x[/b]" in app.text and "Write [/it]" in app.text
        await pilot.click(Choices, offset=(4, 1))
        await pilot.pause()
    assert app.results == [1]


async def test_u_11_too_small_a_window_takes_no_answer() -> None:
    app = Host()
    async with app.run_test(size=(28, 5)) as pilot:
        await pilot.pause()
        await pilot.press("1", "enter")
        await pilot.pause()
        assert app.results == [] and "too small" in app.text
        await pilot.press("escape")
        await pilot.pause()
    assert app.results == [None]
