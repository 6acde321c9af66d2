"""What is asked beside the conversation is paid for as well, so it is counted."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from codeagent_tui.conversation.messages import Usage, user
from codeagent_tui.llm.metered import MeteredModel
from codeagent_tui.llm.provider import (
    ChatRequest,
    FinishPiece,
    ModelError,
    ServerFailed,
    StreamEvent,
    TextPiece,
    UsagePiece,
)
from tests.support.models import ScriptedModel

_REQUEST = ChatRequest("", (user("hi"),))


def metered(*pieces: StreamEvent | ModelError) -> tuple[MeteredModel, list[Usage]]:
    spent: list[Usage] = []
    return MeteredModel(ScriptedModel(pieces, window=1_000), spent.append), spent


async def test_the_answer_passes_and_the_last_report_counts() -> None:
    model, spent = metered(
        TextPiece("a"), UsagePiece(Usage(9, 1)), TextPiece("b"), UsagePiece(Usage(9, 2)), FinishPiece("stop")
    )
    pieces = [piece async for piece in model.stream(_REQUEST)]
    assert [piece.text for piece in pieces if isinstance(piece, TextPiece)] == ["a", "b"]
    assert spent == [Usage(9, 2)]
    assert model.window == 1_000


async def test_what_broke_off_has_its_price_too() -> None:
    model, spent = metered(UsagePiece(Usage(9, 1)), ServerFailed("down"))
    with pytest.raises(ServerFailed):
        async for _ in model.stream(_REQUEST):
            pass
    assert spent == [Usage(9, 1)]


async def test_what_nobody_reads_on_is_ended_and_counted() -> None:
    model, spent = metered(UsagePiece(Usage(9, 1)), TextPiece("a"), TextPiece("b"))
    async with aclosing(model.stream(_REQUEST)) as pieces:
        await anext(pieces)
    assert spent == [Usage(9, 1)]


async def test_no_report_no_price() -> None:
    model, spent = metered(TextPiece("a"), FinishPiece("stop"))
    assert len([piece async for piece in model.stream(_REQUEST)]) == 2
    assert spent == []
