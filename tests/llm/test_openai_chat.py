"""A real server on loopback, with the habits that real servers have."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from typing import Any

import pytest

from codeagent_tui.conversation.events import AttemptDiscarded, ReasoningDelta, RetryScheduled, TextDelta
from codeagent_tui.conversation.messages import Message, Role, ToolCall, assistant, tool_result, user
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.provider import (
    AuthFailed,
    BadReply,
    ChatRequest,
    ContextOverflow,
    ModelError,
    NetworkFailed,
    RateLimited,
    Reply,
    RequestRefused,
    ServerFailed,
    ToolSpec,
)
from codeagent_tui.llm.reply import ReplyEvent, RetryPolicy, stream_reply
from tests.support.server import (
    DONE,
    DROP,
    EOF,
    WAIT,
    Answer,
    ChatServer,
    content,
    finish,
    reasoning,
    says,
    status,
    tool,
    usage,
)

ONCE = RetryPolicy(max_attempts=1)


class Pauses:
    """Keeps the waits of a retry instead of waiting."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


async def ask(
    *answers: Answer, policy: RetryPolicy = ONCE, request: ChatRequest | None = None, strict: bool = False
) -> tuple[Reply, list[ReplyEvent], ChatServer]:
    server = ChatServer(*answers, strict=strict)
    async with server:
        model = OpenAIChatModel("test-model", base_url=server.base_url, api_key="k")
        events: list[ReplyEvent] = []
        try:
            async for event in stream_reply(model, request or ChatRequest("S", (user("hi"),)), policy):
                events.append(event)
        finally:
            await model.aclose()
    last = events[-1]
    assert isinstance(last, Reply)
    return last, events, server


def shown(events: list[ReplyEvent]) -> str:
    """Return what is on the screen in the end."""
    text = ""
    for event in events:
        if isinstance(event, TextDelta):
            text += event.text
        elif isinstance(event, AttemptDiscarded):
            text = ""
    return text


P01 = [
    {"choices": [], "prompt_filter_results": [{}]},
    {"choices": None},
    {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "read_file", "arguments": None}}]}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [{"function": {"arguments": '{"path":"x"}'}}]}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [
        {"id": "b", "type": "function", "function": {"name": "list_dir", "arguments": '{"path":"."}'}}]}}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": ""}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}},
]  # fmt: skip


@pytest.mark.parametrize("ids", [True, False])
async def test_p_01_missing_and_null_fields(ids: bool) -> None:
    frames: list[Any] = json.loads(json.dumps(P01))
    if not ids:
        for frame in frames:
            for choice in frame.get("choices") or ():
                for call in (choice.get("delta") or {}).get("tool_calls", ()):
                    call.pop("id", None)
    reply, _, _ = await ask(frames)
    calls = [(c.name, json.loads(c.arguments)) for c in reply.message.tool_calls]
    assert calls == [("read_file", {"path": "x"}), ("list_dir", {"path": "."})]
    assert len({c.id for c in reply.message.tool_calls} - {""}) == 2
    assert reply.usage is not None and reply.usage.prompt_tokens == 10
    assert not reply.cut_calls and not reply.faults


async def test_p_01_usage_of_the_last_frame_that_has_it() -> None:
    frames = [{**content("x"), "usage": {"prompt_tokens": n, "completion_tokens": n}} for n in (1, 2, 3)]  # type: ignore[dict-item]
    reply, _, _ = await ask([*frames, finish("stop")])
    assert reply.usage is not None and reply.usage.prompt_tokens == 3


async def test_parallel_calls_that_all_have_index_0_stay_apart() -> None:
    frames = [tool(0, "a", "read_file", '{"p":1}'), tool(0, "b", "list_dir", '{"p":2}'), finish("tool_calls")]
    reply, _, _ = await ask(frames)
    assert [c.name for c in reply.message.tool_calls] == ["read_file", "list_dir"]


@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        ('{"path":"README.md","content":"# T\\n\\nfirst par', [finish("length")]),
        ('{"path":"README.md","content":"# T\\n\\nfirst par', [finish("tool_calls")]),
        ('{"path":"README.md","content":"# T\\n\\nfirst par', [EOF]),
        ('{"path":"README.md"}', [finish("length")]),
    ],
)
async def test_p_03_a_call_that_was_cut_off_is_marked(arguments: str, ending: list[Any]) -> None:
    reply, _, _ = await ask([tool(0, "w1", "write_file", arguments), *ending])
    assert reply.cut_calls == {"w1"}
    assert isinstance(json.loads(reply.message.tool_calls[0].arguments), dict)


async def test_p_03_of_two_calls_only_the_second_was_cut() -> None:
    frames = [tool(0, "a", "read_file", '{"path":"x"}'), tool(1, "b", "write_file", '{"pa'), finish("length")]
    reply, _, _ = await ask(frames)
    assert reply.cut_calls == {"b"}


@pytest.mark.parametrize("arguments", ["[]", '"ls"', "null", '{"a":1}{"b":2}', "{'path': 'x'}"])
async def test_p_04_arguments_that_are_no_object_are_a_fault_and_are_sent_back_as_one(arguments: str) -> None:
    reply, _, _ = await ask([tool(0, "k", "run_command", arguments), finish("tool_calls")])
    assert set(reply.faults) == {"k"}
    healed = reply.message.tool_calls[0]
    request = ChatRequest("S", (user("hi"), reply.message, tool_result("k", "error")))
    _, _, server = await ask(says("ok"), request=request, strict=True)
    assert server.refusals == []
    assert isinstance(json.loads(healed.arguments), dict)


async def test_p_04_megabytes_of_broken_arguments_are_bounded() -> None:
    reply, _, _ = await ask([tool(0, "k", "run_command", '{"a":' * 600_000), finish("tool_calls")])
    assert len(reply.message.tool_calls[0].arguments) < 2_000
    assert reply.cut_calls | set(reply.faults) == {"k"}


async def test_p_07_an_empty_assistant_message_is_never_sent() -> None:
    history = (user("a"), Message(Role.ASSISTANT, " \n", reasoning="hm"), user("b"))
    _, _, server = await ask(says("ok"), request=ChatRequest("S", history), strict=True)
    assert [m["role"] for m in server.requests[0]["messages"]] == ["system", "user", "user"]


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ([content("par"), 'data: {"error":{"message":"backend busy","code":502}}\n\n'], "backend busy"),
        ([content("par"), 'data: {"error":"slow down"}\n\n'], "slow down"),
        ([content("par"), 'event: error\ndata: {"message":"boom"}\n\n'], "boom"),
    ],
)
async def test_p_09_an_error_inside_a_200_stream_is_an_error_and_keeps_the_partial_text(
    frames: list[Any], said: str
) -> None:
    with pytest.raises(ServerFailed, match=said) as caught:
        await ask(frames)
    assert caught.value.retryable
    assert caught.value.partial is not None and caught.value.partial.content == "par"


async def test_p_09_keep_alives_and_empty_frames_are_nothing() -> None:
    reply, _, _ = await ask([": ping\n\n", "data:\n\n", content("x"), finish("stop")])
    assert reply.message.content == "x"


async def test_p_09_a_page_of_html_becomes_one_readable_line() -> None:
    page = "<html><style>x{}</style><h1>Bad \x1b[31mgateway</h1>" + "<p>x</p>" * 250_000
    with pytest.raises(ServerFailed) as caught:
        await ask(status(500, page, {"Content-Type": "text/html"}))
    said = str(caught.value)
    assert "Bad gateway" in said and len(said) < 500 and "\n" not in said and "\x1b" not in said


async def test_a_web_page_with_status_200_is_no_answer() -> None:
    with pytest.raises(BadReply, match="base URL"):
        await ask(status(200, "<html><title>Welcome</title></html>", {"Content-Type": "text/html"}))


async def test_a_server_that_does_not_stream_is_understood() -> None:
    body = {"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    reply, _, _ = await ask(status(200, body))
    assert reply.message.content == "whole"


async def test_p_10_a_broken_attempt_leaves_nothing_behind() -> None:
    pauses = Pauses()
    reply, events, server = await ask(
        [content("I will edit "), tool(0, "e1", "edit_file", '{"path":"a.p'), DROP],
        [content("I will edit a.py"), tool(0, "e2", "edit_file", '{"path":"a.py"}'), finish("tool_calls")],
        policy=RetryPolicy(4, sleep=pauses),
    )
    assert shown(events) == "I will edit a.py"
    assert [c.id for c in reply.message.tool_calls] == ["e2"]
    assert len(server.requests) == 2 and len(pauses.seconds) == 1


async def test_p_10_attempts_are_bounded_and_the_partial_text_is_kept() -> None:
    pauses = Pauses()
    server = ChatServer([content("half"), DROP])
    async with server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        with pytest.raises(NetworkFailed) as caught:
            async for _ in stream_reply(model, ChatRequest("S", (user("x"),)), RetryPolicy(3, sleep=pauses)):
                pass
        await model.aclose()
    assert len(server.requests) == 3
    assert caught.value.partial is not None and caught.value.partial.content == "half"
    assert pauses.seconds[0] < pauses.seconds[1]


@pytest.mark.parametrize(
    ("header", "least"),
    [("3", 3), ("<a date in 60 s>", 40), ("-5", 0), ("abc", 0), ("²", 0), (None, 0)],
)
async def test_p_11_the_header_is_a_lower_bound_and_nonsense_means_normal_back_off(
    header: str | None, least: float
) -> None:
    pauses = Pauses()
    if header is not None and header.startswith("<"):
        header = email.utils.formatdate(time.time() + 60, usegmt=True)
    headers = {} if header is None else {"Retry-After": header.encode().decode("latin-1")}
    _, events, server = await ask(
        status(429, {"error": {"message": "slow"}}, headers), says("ok"), policy=RetryPolicy(4, 90, sleep=pauses)
    )
    told = [e for e in events if isinstance(e, RetryScheduled)]
    assert len(told) == 1 and told[0].delay == pauses.seconds[0] >= least
    assert pauses.seconds[0] < least + 25
    assert len(server.requests) == 2


async def test_p_11_the_number_of_requests_is_what_the_setting_says() -> None:
    server = ChatServer(status(503, "busy"))
    async with server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        with pytest.raises(ServerFailed):
            async for _ in stream_reply(model, ChatRequest("S", (user("x"),)), RetryPolicy(4, sleep=Pauses())):
                pass
        await model.aclose()
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("code", "body", "limit"),
    [
        (400, {"error": {"code": "context_length_exceeded", "message": "too much"}}, None),
        (400, {"error": {"message": "model's maximum context length is 8192 tokens, you asked for 0 output tokens "
                         "and the prompt has at least 8193"}}, 8192),
        (400, {"error": {"type": "exceed_context_size_error",
                         "message": "9001 tokens is more than the available context size 8192"}}, 8192),
        (400, {"error": "prompt too long, over max context length by 812 tokens"}, None),
        (500, {"error": "context shift is off"}, None),
    ],
)  # fmt: skip
async def test_p_12_an_overflow_is_recognised_in_every_wording(code: int, body: dict[str, Any], limit: int) -> None:
    with pytest.raises(ContextOverflow) as caught:
        await ask(status(code, body))
    assert caught.value.limit == limit


@pytest.mark.parametrize(
    ("code", "body", "kind"),
    [
        (429, "tokens per minute limit reached", RateLimited),
        (400, {"error": {"message": "max_tokens must be at most 4096"}}, RequestRefused),
        (413, "<html>Request entity too large</html>", RequestRefused),
        (401, {"error": {"message": "no such key"}}, AuthFailed),
    ],
)
async def test_p_12_what_is_no_overflow_is_not_taken_for_one(code: int, body: Any, kind: type[ModelError]) -> None:
    with pytest.raises(ModelError) as caught:
        await ask(status(code, body))
    assert type(caught.value) is kind


async def test_p_14_one_system_message_first_whatever_the_history_holds() -> None:
    history = (
        user("a"),
        assistant("", ToolCall("c", "read_file", "{}")),
        tool_result("c", "text"),
        user("b"),
    )
    _, _, server = await ask(says("ok"), request=ChatRequest("S", history), strict=True)
    assert server.refusals == []


P15 = [
    (["internal", " plan</thi", "nk>answer"], "answer", "internal plan"),
    (["<th", "ink>a", "b</think>", "c"], "c", "ab"),
    (["<think>never closed"], "", "never closed"),
    (["Use `", "<think>draft</think>", "` as example"], "Use `<think>draft</think>` as example", ""),
    (["```xml\n<think>x</think>\n```\n"], "```xml\n<think>x</think>\n```\n", ""),
]


@pytest.mark.parametrize(("pieces", "answer", "thought"), P15)
async def test_p_15_thinking_tags_in_the_content(pieces: list[str], answer: str, thought: str) -> None:
    reply, events, _ = await ask([*map(content, pieces), finish("stop")])
    assert (reply.message.content, reply.message.reasoning) == (answer, thought)
    assert shown(events) == answer
    if thought:
        assert not any("think" in e.text for e in events if isinstance(e, TextDelta | ReasoningDelta))


async def test_p_15_a_tool_call_after_a_closed_block() -> None:
    frames = [content("<think>hm</think>\n"), tool(0, "a", "read_file", "{}"), finish("tool_calls")]
    reply, _, _ = await ask(frames)
    assert reply.message.reasoning == "hm" and reply.message.content == ""
    assert len(reply.message.tool_calls) == 1


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_reasoning_in_a_field_of_its_own_is_no_answer(name: str) -> None:
    reply, events, _ = await ask([reasoning("hm", name), content("yes"), finish("stop")])
    assert (reply.message.reasoning, reply.message.content) == ("hm", "yes")
    assert [e.text for e in events if isinstance(e, ReasoningDelta)] == ["hm"]


async def test_s_03_lone_surrogates_reach_the_server_as_replacement_marks() -> None:
    history = (user("caf\ud83c"), assistant("", ToolCall("c", "t", '{"p":"\\ud83c"}')), tool_result("c", "\udc80"))
    _, _, server = await ask(says("ok"), request=ChatRequest("S\ud83c", history))
    assert server.requests[0]["messages"][1]["content"] == "caf\ufffd"


async def test_the_same_request_is_the_same_bytes_and_carries_tools() -> None:
    spec = ToolSpec("read_file", "Read.", {"type": "object", "properties": {}})
    request = ChatRequest("S", (user("hi"),), (spec,), max_output_tokens=99)
    _, _, one = await ask(says("ok"), request=request)
    _, _, two = await ask(says("ok"), request=request)
    assert json.dumps(one.requests[0]) == json.dumps(two.requests[0])
    assert one.requests[0]["tools"][0]["function"]["name"] == "read_file"
    assert one.requests[0]["max_tokens"] == 99
    assert one.requests[0]["stream_options"] == {"include_usage": True}


async def test_a_server_that_does_not_know_stream_options_is_asked_without() -> None:
    refusal = status(400, {"error": {"message": "unknown field stream_options"}})
    reply, _, server = await ask(refusal, says("ok"))
    assert reply.message.content == "ok"
    assert "stream_options" not in server.requests[1]


async def test_a_cancel_closes_the_connection() -> None:
    server = ChatServer([content("x"), WAIT, finish("stop")])
    async with server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        started = asyncio.Event()

        async def consume() -> None:
            async for _ in stream_reply(model, ChatRequest("S", (user("x"),)), ONCE):
                started.set()

        task = asyncio.create_task(consume())
        await started.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with asyncio.timeout(5):
            await server.closed.wait()
        await model.aclose()


async def test_done_without_a_finish_reason_is_an_end() -> None:
    reply, _, _ = await ask([content("x"), usage(1, 1), DONE])
    assert reply.message.content == "x"
