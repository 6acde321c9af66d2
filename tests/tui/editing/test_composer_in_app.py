"""The composer within the whole screen: who takes escape and ctrl+c, and what happens while a turn runs."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual import events

from codeagent_tui.llm.provider import TextPiece
from tests.support.models import ScriptedModel, says

Started = Callable[..., AbstractAsyncContextManager[Any]]


async def test_u09_escape_closes_the_list_first_and_stops_the_turn_then(started: Started) -> None:
    async with started(ScriptedModel([TextPiece("half"), asyncio.Event()])) as screen:
        await screen.send("first")
        await screen.shows("half")
        await screen.type("/me")
        await screen.until(lambda: screen.app.composer.completing, "the list")
        await screen.pilot.press("escape")
        assert not screen.app.composer.completing
        assert screen.app.host.running, "escape was meant for the list"
        await screen.pilot.press("ctrl+r")
        await screen.shows("search history:")
        await screen.pilot.press("escape")
        assert screen.app.host.running, "escape was meant for the search"
        await screen.pilot.press("escape")
        await screen.idle()
        assert screen.app.composer.draft == "/me"


async def test_u09_ctrl_c_copies_what_is_selected_in_the_draft(started: Started) -> None:
    async with started() as screen:
        await screen.type("one two")
        await screen.pilot.press("ctrl+shift+left")
        await screen.pilot.press("ctrl+c")
        assert screen.app.clipboard == "two"
        assert screen.app.composer.draft == "one two"
        await screen.type("!")
        assert screen.app.composer.draft == "one !two", "the selection has gone, its text has not"


async def test_u08_a_paste_while_a_turn_runs_waits_in_the_draft(started: Started) -> None:
    hold = asyncio.Event()
    model = ScriptedModel([TextPiece("half"), hold, *says("")], says("done"))
    async with started(model) as screen:
        await screen.send("first")
        await screen.shows("half")
        screen.app.post_message(events.Paste("line1\nline2\nline3\n"))
        await screen.until(lambda: screen.app.composer.draft == "line1\nline2\nline3\n", "the draft")
        assert not screen.app.waiting.texts
        hold.set()
        await screen.idle()
        assert screen.app.composer.draft == "line1\nline2\nline3\n"


async def test_commands_of_the_table_and_files_of_the_workspace_are_offered(started: Started) -> None:
    async with started() as screen:
        (screen.app.workspace / "设计 说明.md").write_text("x")
        await screen.type("/comp")
        await screen.shows("/compact [focus]")
        await screen.pilot.press("tab", "@", "说")
        await screen.until(lambda: screen.app.composer.completing, "the list")
        await screen.pilot.press("tab")
        assert screen.app.composer.draft == '/compact @"设计 说明.md" '
