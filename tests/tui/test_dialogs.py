"""Dialogs on a screen: approval (with its guard and its small sizes), choices, confirmation, picking, connecting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.app import App
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static

from codeagent_tui.conversation.events import ApprovalAnswer, ApprovalRequest, Decision, ToolKind
from codeagent_tui.tui.connecting import Connection, FoundServer, TrialReport
from codeagent_tui.tui.dialogs.approval import ApprovalDialog, answers_for, body_lines
from codeagent_tui.tui.dialogs.confirm import ConfirmDialog
from codeagent_tui.tui.dialogs.connect import ConnectDialog
from codeagent_tui.tui.dialogs.help import HelpDialog
from codeagent_tui.tui.dialogs.picker import Choice, PickerDialog
from codeagent_tui.tui.help_text import help_lines
from codeagent_tui.tui.themes import DARK, THEMES

MARKUP = ["[/]", "[/INST]", "x [b + y", "[/b][b]", '[a b="c]', "array["]

COMMAND = ApprovalRequest(
    call_id="c1",
    tool="run_command",
    kind=ToolKind.EXECUTE,
    title="$ git status && rm -rf build",
    body="git status && rm -rf build",
    body_kind="command",
    reason="Commands ask in this mode.",
    warnings=("rm -rf deletes for good",),
    rule="the command `git status && rm -rf build`, exactly",
)


class Host(App[None]):
    """Shows one dialog and keeps its result."""

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK
        self.results: list[object] = []

    def ask(self, dialog: Screen[object]) -> None:
        """Push `dialog`."""
        self.push_screen(dialog, self.results.append)


class Clock:
    """A clock that jumps by a second each time it is read, so that nothing comes too early; or stands still."""

    def __init__(self, step: float = 1.0) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def screen_text(app: App[None]) -> str:
    """Return what is on the screen, as plain text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


async def asked(pilot: Pilot[None], request: ApprovalRequest = COMMAND, **options: object) -> ApprovalDialog:
    dialog = ApprovalDialog(request, clock=options.pop("clock", Clock()), **options)
    pilot.app.ask(dialog)
    await pilot.pause()
    return dialog


ANSWERS = {
    "1": ApprovalAnswer(Decision.ONCE),
    "y": ApprovalAnswer(Decision.ONCE),
    "2": ApprovalAnswer(Decision.SESSION),
    "3": ApprovalAnswer(Decision.ALWAYS),
    "escape": ApprovalAnswer(Decision.NO),
    "n enter": ApprovalAnswer(Decision.NO),
    "4 n o t enter": ApprovalAnswer(Decision.NO, "not"),
    "enter enter": ApprovalAnswer(Decision.NO),
    "up enter": ApprovalAnswer(Decision.ALWAYS),
    "down enter": ApprovalAnswer(Decision.ONCE),
    "n y escape 2": ApprovalAnswer(Decision.SESSION),
}


async def test_each_answer_has_its_keys() -> None:
    async with Host().run_test(size=(80, 24)) as pilot:
        for keys in ANSWERS:
            await asked(pilot)
            await pilot.press(*keys.split())
            await pilot.pause()
        assert dict(zip(ANSWERS, pilot.app.results, strict=True)) == ANSWERS


async def test_everything_that_matters_is_on_show() -> None:
    async with Host().run_test(size=(80, 24)) as pilot:
        await asked(pilot)
        shown = screen_text(pilot.app)
        for part in ("$ git status && rm -rf build", "Commands ask in this mode.", "! rm -rf deletes", "exactly"):
            assert part in shown
        assert "› 4" in shown, "the harmless answer is the default, and marked by a sign"


def test_without_a_rule_only_once_and_no_are_offered() -> None:
    assert [d for d, _ in answers_for(replace(COMMAND, rule=""))] == [Decision.ONCE, Decision.NO]


def test_a_rule_too_long_for_an_answer_is_shown_whole_below_what_will_happen() -> None:
    rule = "the command " + "x" * 600
    lines = body_lines(replace(COMMAND, rule=rule))
    assert rule in "\n".join(line for line, _ in lines)


def test_a_diff_is_told_apart_by_signs_and_roles() -> None:
    diff = replace(COMMAND, body="--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same", body_kind="diff")
    assert [role for _, role in body_lines(diff)] == ["head", "head", "place", "removed", "added", "text"]
    assert ("+new", "added") in body_lines(diff)


async def test_a_letter_typed_as_it_pops_up_approves_nothing_and_is_not_lost() -> None:
    typed: list[str] = []
    async with Host().run_test(size=(80, 24)) as pilot:
        clock = Clock(step=0.0)
        await asked(pilot, typing=True, typed=typed.append, clock=clock)
        for letter in "yes":
            clock.now += 0.15
            await pilot.press(letter)
        assert pilot.app.results == []
        assert typed == list("yes")
        clock.now += 1
        await pilot.press("y")
        await pilot.pause()
        assert pilot.app.results == [ApprovalAnswer(Decision.ONCE)]


async def test_u11_too_small_a_window_says_so_and_takes_no_answer() -> None:
    async with Host().run_test(size=(20, 5)) as pilot:
        await asked(pilot)
        assert "window too small" in screen_text(pilot.app)
        await pilot.press("1", "y", "2", "enter", "4", "n", "space")
        await pilot.pause()
        assert pilot.app.results == []
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "window too small" not in screen_text(pilot.app)
        await pilot.press("y")
        await pilot.pause()
        assert pilot.app.results == [ApprovalAnswer(Decision.ONCE)]


async def test_u11_the_answers_stay_in_sight_at_every_usable_size() -> None:
    long = replace(COMMAND, body="\n".join(f"echo {number} 你好👨‍👩‍👧" for number in range(300)), rule="")
    async with Host().run_test(size=(80, 24)) as pilot:
        await asked(pilot, long)
        for size in ((80, 24), (40, 12), (40, 11), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.press("home")
            await pilot.pause()
            shown = screen_text(pilot.app)
            assert "1  Yes, this once" in shown, size
            assert "2  No, and tell" in shown, size
            assert "$ echo 0" in shown, size
            await pilot.press("end")
            await pilot.pause()
            assert "echo 299" in screen_text(pilot.app), size


async def test_u01_brackets_are_shown_as_they_are() -> None:
    async with Host().run_test(size=(100, 30)) as pilot:
        for text in MARKUP:
            request = ApprovalRequest("c", text, ToolKind.WRITE, text, text, "text", text, (text,), text)
            await asked(pilot, request)
            assert screen_text(pilot.app).count(text) >= 5
            await pilot.press("escape")
            pilot.app.ask(PickerDialog(text, [Choice("a", text, text)]))
            await pilot.pause()
            assert screen_text(pilot.app).count(text) >= 3
            await pilot.press("escape")
            pilot.app.ask(ConfirmDialog(text, text, text, text))
            await pilot.pause()
            assert screen_text(pilot.app).count(text) >= 4
            await pilot.press("escape")


async def test_control_bytes_in_what_is_asked_never_reach_the_terminal() -> None:
    evil = "ls \x1b]52;c;aGk=\x07\x1b[2J\x9b31m"
    request = replace(COMMAND, body=evil, reason=evil, warnings=(evil,), rule=evil)
    async with Host().run_test(size=(80, 24)) as pilot:
        await asked(pilot, request)
        assert not set("\x1b\x07\x9b") & set(screen_text(pilot.app))


async def test_a_confirmation_defaults_to_no() -> None:
    wanted = {"y": True, "n": False, "enter": False, "escape": False, "down enter": True, "1": True}
    async with Host().run_test(size=(80, 24)) as pilot:
        for keys in wanted:
            pilot.app.ask(ConfirmDialog("Sure?", "It cannot be undone.", "Yes"))
            await pilot.pause()
            await pilot.press(*keys.split())
            await pilot.pause()
        assert dict(zip(wanted, pilot.app.results, strict=True)) == wanted


async def test_a_picker_narrows_and_takes() -> None:
    choices = [Choice("1", "fix the parser", "2 days ago"), Choice("2", "write docs", "just now")]
    async with Host().run_test(size=(80, 24)) as pilot:
        pilot.app.ask(PickerDialog("Sessions", choices, current="1"))
        await pilot.pause()
        assert "● fix the parser" in screen_text(pilot.app)
        await pilot.press(*"docs", "enter")
        await pilot.pause()
        assert pilot.app.results == ["2"]


async def test_a_picker_moves_by_arrows_and_can_be_left() -> None:
    choices = [Choice("1", "one"), Choice("2", "two"), Choice("3", "three")]
    async with Host().run_test(size=(80, 24)) as pilot:
        pilot.app.ask(PickerDialog("Numbers", choices))
        await pilot.pause()
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        pilot.app.ask(PickerDialog("Numbers", choices))
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.results == ["3", None]


async def test_the_help_scrolls_to_its_end_at_every_size() -> None:
    async with Host().run_test(size=(80, 24)) as pilot:
        pilot.app.ask(HelpDialog())
        for size in ((80, 24), (200, 50), (36, 12)):
            await pilot.resize_terminal(*size)
            await pilot.press("home")
            await pilot.pause()
            assert "Keys and commands" in screen_text(pilot.app), size
            await pilot.press("end")
            await pilot.pause()
            last = help_lines(size[0])[-1][0]
            assert last[-3:] in screen_text(pilot.app), size


class FakeTools:
    """One local server; a provider that wants a key."""

    def __init__(self) -> None:
        self.tried: list[Connection] = []

    async def find_servers(self) -> Sequence[FoundServer]:
        return [FoundServer("Ollama [/]", "http://127.0.0.1:11434/v1", ("qwen3:8b", "llama3:8b"))]

    def known_key(self, base_url: str) -> str:
        return "kept" if "provider" in base_url else ""

    async def test(self, connection: Connection) -> TrialReport:
        self.tried.append(connection)
        if connection.model == "broken":
            return TrialReport(False, "broken [/] answers nothing")
        return TrialReport(True, "works", ("gpt-5", "gpt-5-mini"))


async def test_a_server_found_here_is_connected_with_a_few_keys() -> None:
    tools = FakeTools()
    async with Host().run_test(size=(100, 30)) as pilot:
        pilot.app.ask(ConnectDialog(tools, Connection("", "", "")))
        await pilot.pause()
        await pilot.pause()
        assert "Ollama [/]" in screen_text(pilot.app)
        await pilot.press("tab", "tab", "down", "enter")
        await pilot.pause()
        assert pilot.app.results == [Connection("http://127.0.0.1:11434/v1", "", "qwen3:8b")]


async def test_a_typed_server_lists_its_models_and_a_failed_test_keeps_the_dialog() -> None:
    tools = FakeTools()
    async with Host().run_test(size=(100, 30)) as pilot:
        pilot.app.ask(ConnectDialog(tools, Connection("http://one.example/v1", "", "old")))
        await pilot.pause()
        pilot.app.screen.query_one("#connect-url", Input).value = "http://provider.example/v1"
        await pilot.press("enter")
        await pilot.pause()
        assert tools.tried[-1] == Connection("http://provider.example/v1", "kept", "")
        assert "gpt-5-mini" in screen_text(pilot.app)
        model = pilot.app.screen.query_one("#connect-model", Input)
        assert model.has_focus
        model.value = "broken"
        await pilot.press("enter")
        await pilot.pause()
        assert "broken [/] answers nothing" in screen_text(pilot.app)
        assert pilot.app.results == []


async def test_a_key_is_masked_and_never_offered_to_another_server() -> None:
    tools = FakeTools()
    async with Host().run_test(size=(100, 30)) as pilot:
        pilot.app.ask(ConnectDialog(tools, Connection("http://provider.example/v1", "kept", "gpt-5")))
        await pilot.pause()
        await pilot.press("tab", *"sk-secret", "enter")
        await pilot.pause()
        assert "sk-secret" not in screen_text(pilot.app)
        assert tools.tried[-1].api_key == "sk-secret"
        pilot.app.screen.query_one("#connect-key", Input).value = ""
        pilot.app.screen.query_one("#connect-url", Input).value = "http://elsewhere.example/v1"
        pilot.app.screen.query_one("#connect-url", Input).focus()
        await pilot.press("enter")
        await pilot.pause()
        assert tools.tried[-1] == Connection("http://elsewhere.example/v1", "", "")


async def test_nothing_that_a_dialog_shows_is_markup() -> None:
    async with Host().run_test(size=(80, 24)) as pilot:
        dialog = await asked(pilot)
        assert all(isinstance(static.content, Content) for static in dialog.query(Static))
