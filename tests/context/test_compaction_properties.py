"""What holds for a compaction of any history, in any window, with any summariser, however it is disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from codeagent_tui.context.compactor import ConversationHistoryCompactor
from codeagent_tui.context.outcome import CompactionResult
from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.conversation.history import History
from codeagent_tui.conversation.messages import Message, MessageKind
from codeagent_tui.tokens import estimate_tokens
from tests.support.answers import Played
from tests.support.depth import searching
from tests.support.histories import Round, ScriptedTurn, append_turn, built, last_said, same, scripts
from tests.support.strict_model import StrictModel
from tests.support.summarisers import FAILING, Behaviour

WINDOWS = st.one_of(st.sampled_from((1_024, 8_192, 32_768, 200_000, 2_000_000)), st.integers(1_024, 2_000_000))
WRITING = tuple(kind for kind in Behaviour if kind not in FAILING)
BEHAVIOURS = st.lists(
    # Mostly good: of what fails at once nothing can be seen afterwards.
    st.integers(0, 99).map(lambda drawn: Behaviour.GOOD if drawn < 50 else list(Behaviour)[drawn % len(Behaviour)]),
    min_size=1,
    max_size=4,
)
HISTORIES = scripts()
SECOND = 2
"""A compaction is tried a second time at most."""
SPLITS = 7
"""So often at most its request is halved, or halved and asked again, because the server finds it too long."""


class Script:
    """Behaviours one after the other, the last one again and again."""

    def __init__(self, behaviours: list[Behaviour]) -> None:
        self._left: Iterator[Behaviour] = iter(behaviours)
        self._last = behaviours[-1]

    def __call__(self, number: int) -> Behaviour:
        self._last = next(self._left, self._last)
        return self._last


def summariser(behaviours: list[Behaviour], window: int) -> StrictModel:
    return StrictModel(lambda request: Played("ok"), window=10 * window, behave=Script(behaviours))


def compactor(model: StrictModel, window: int, keep_turns: int = 3) -> ConversationHistoryCompactor:
    return ConversationHistoryCompactor(model, ContextProfile.for_window(window), keep_turns)


def check(before: tuple[Message, ...], history: History, result: CompactionResult) -> None:
    """What holds after every compaction of `before`, done or not."""
    after = history.messages
    assert history.check_pairs() == []
    assert last_said(after) is last_said(before)
    if not result.applied:
        assert same(after[: len(before)], before) and result.note
        return
    assert result.tokens_after < result.tokens_before
    assert same(after[: len(result.replacement)], result.replacement)
    assert same(
        after[len(result.replacement) : len(before) - result.replaced + len(result.replacement)],
        before[result.replaced :],
    )
    assert same(result.taken, before[: result.replaced])
    first, second, *restated = after[: len(result.replacement)]
    assert (first.kind, second.kind) == (MessageKind.SUMMARY, MessageKind.ACKNOWLEDGEMENT)
    assert all(message is last_said(before) for message in restated)


@searching(100)
@given(HISTORIES, WINDOWS, st.integers(1, 4), BEHAVIOURS)
@example(
    [ScriptedTurn("one", tuple(Round("", (("read_file", "a", "x " * 4_000),)) for _ in range(9)))],
    8_192,
    3,
    [Behaviour.GOOD],
)
async def test_c_01_whatever_a_compaction_does_pairs_the_tail_and_the_last_request_stay(
    script: list[ScriptedTurn], window: int, keep_turns: int, behaviours: list[Behaviour]
) -> None:
    history, model = built(script), summariser(behaviours, window)
    for _ in range(3):
        before = history.messages
        result = await compactor(model, window, keep_turns).compact(history)
        check(before, history, result)
        if result.applied and result.taken:
            assert history.replace_prefix(result.replacement, result.taken)
            assert same(history.messages, before)
            assert history.replace_prefix(result.taken, result.replacement)
    assert model.faults == []


@searching(60)
@given(HISTORIES, WINDOWS, BEHAVIOURS)
async def test_c_06_every_summary_request_fits_and_there_are_no_more_than_the_pieces_need(
    script: list[ScriptedTurn], window: int, behaviours: list[Behaviour]
) -> None:
    history, model = built(script), summariser(behaviours, window)
    sizes: list[int] = []
    ask = model.stream

    def watched(request):  # type: ignore[no-untyped-def]  # hands the request on as it is
        sizes.append(
            estimate_tokens(request.system) + estimate_tokens(request.messages[0].content) + request.max_output_tokens
        )
        return ask(request)

    model.stream = watched  # type: ignore[method-assign]
    tokens = sum(estimate_tokens(message.content) for message in history.messages)
    await compactor(model, window).compact(history)
    assert all(size <= window for size in sizes)
    room = max(64, window // 4)
    assert len(sizes) <= SECOND * SPLITS * (2 * tokens // room + 4)


@searching(60)
@given(HISTORIES, scripts(1, least_turns=1), st.sampled_from(WRITING), st.integers(1, 12))
async def test_c_10_what_is_said_while_a_summary_is_made_stays_and_a_cancel_changes_nothing(
    script: list[ScriptedTurn], meanwhile: list[ScriptedTurn], behaviour: Behaviour, steps: int
) -> None:
    for cancels in (True, False):
        history, model = built(script), summariser([behaviour], 64_000)
        before = history.messages
        task = asyncio.create_task(compactor(model, 64_000).compact(history))
        for _ in range(steps):
            await asyncio.sleep(0)
        running = not task.done()
        if running:
            append_turn(history, meanwhile[0])
        expected = history.messages[len(before) :] if running else ()
        if cancels and running:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert same(history.messages[: len(before)], before)
        else:
            await task
        assert history.check_pairs() == []
        assert same(history.messages[len(history.messages) - len(expected) :], expected)
        if expected:
            assert last_said(history.messages) is last_said(expected)


@searching(40)
@given(HISTORIES, WINDOWS, st.sampled_from(sorted(FAILING)))
async def test_c_07_what_is_no_summary_never_changes_anything(
    script: list[ScriptedTurn], window: int, behaviour: Behaviour
) -> None:
    history, model = built(script), summariser([behaviour], window)
    before = history.messages
    result = await compactor(model, window).compact(history)
    assert not result.applied and same(history.messages, before)


@searching(40)
@given(scripts(6, least_turns=1), WINDOWS)
async def test_c_09_the_summary_is_never_the_newest_message_of_the_user(
    script: list[ScriptedTurn], window: int
) -> None:
    history = built(script)
    result = await compactor(summariser([Behaviour.INVENTS], window), window, 1).compact(history)
    if result.applied:
        spoken = [message for message in history.messages if message.role == "user"]
        assert spoken[0].content.startswith("[Background, not a request") and spoken[-1].content == script[-1].said
