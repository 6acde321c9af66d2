"""What servers say, made into one readable line and the right kind of error."""

import email.utils
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.errors import error_from_frame, error_from_status, not_an_answer, retry_after_seconds
from codeagent_tui.llm.provider import (
    AuthFailed,
    ContextOverflow,
    ModelError,
    RateLimited,
    RequestRefused,
    ServerFailed,
)

NOW = 1_796_119_200.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "1800"}, 1800.0),
        ({"retry-after": email.utils.formatdate(NOW + 4, usegmt=True)}, 4.0),
        ({"retry-after": email.utils.formatdate(NOW + 4)}, 4.0),
        ({"retry-after": email.utils.formatdate(NOW - 60, usegmt=True)}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "abc"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": "Infinity"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_p_11_what_the_header_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_p_11_no_header_is_too_odd(value: str) -> None:
    seconds = retry_after_seconds({"retry-after": value}, NOW)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (429, {"error": {"message": "slow down"}}, RateLimited, True),
        (429, {"error": {"code": "insufficient_quota", "message": "pay first"}}, RequestRefused, False),
        (402, {"error": {"message": "Insufficient Balance"}}, RequestRefused, False),
        (401, {"error": "no"}, AuthFailed, False),
        (403, {"detail": "not yours"}, AuthFailed, False),
        (404, {"error": {"message": "no such model"}}, RequestRefused, False),
        (422, {"detail": [{"loc": ["body"], "msg": "bad field", "input": "x"}]}, RequestRefused, False),
        (408, "late", ServerFailed, True),
        (500, {"error": {"message": "no user query found"}}, ServerFailed, True),
        (503, "<html><h1>Busy &amp; tired</h1></html>", ServerFailed, True),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, ServerFailed, True),
    ],
)
def test_every_status_has_its_kind(status: int, body: Any, kind: type[ModelError], retryable: bool) -> None:
    error = error_from_status(status, {}, body if isinstance(body, str) else json.dumps(body))
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.status == status
    assert str(status) in str(error) and "\n" not in str(error)


def test_the_servers_own_words_are_in_the_line() -> None:
    nested = {"error": {"message": "Provider failed", "metadata": {"raw": json.dumps({"error": {"message": "disk"}})}}}
    assert "Provider failed: disk" in str(error_from_status(502, {}, json.dumps(nested)))
    assert "bad field" in str(error_from_status(422, {}, json.dumps({"detail": [{"msg": "bad field"}]})))
    assert "Busy & tired" in str(error_from_status(503, {}, "<h1>Busy &amp; tired</h1>"))


def test_p_12_the_overflow_may_be_told_by_the_server_behind_the_server() -> None:
    inner = json.dumps({"error": {"message": "maximum context length is 8192 tokens"}})
    body = {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": inner}}}
    error = error_from_status(400, {}, json.dumps(body))
    assert isinstance(error, ContextOverflow) and error.limit == 8192
    body = {"error": {"code": 400, "type": "exceed_context_size_error", "message": "does not fit", "n_ctx": 4096}}
    error = error_from_status(400, {}, json.dumps(body))
    assert isinstance(error, ContextOverflow) and error.limit == 4096


def test_p_12_an_echo_of_the_request_is_not_read() -> None:
    echo = "I wrote: maximum context length is 8192 tokens"
    body = {"detail": [{"loc": ["body", "x"], "msg": "Extra inputs are not permitted", "input": echo}]}
    assert type(error_from_status(422, {}, json.dumps(body))) is RequestRefused


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "busy", "code": 502}, ServerFailed),
        ({"message": "busy", "code": "502"}, ServerFailed),
        ("slow down", ServerFailed),
        ({"message": "x", "code": 429}, RateLimited),
        ({"message": "x", "code": 401}, AuthFailed),
        ({"message": "x", "code": 400}, RequestRefused),
        ({"message": "x", "code": "insufficient_quota"}, RequestRefused),
        ({"message": "x", "code": "context_length_exceeded"}, ContextOverflow),
        ({"message": None, "code": None}, ServerFailed),
        ([], ServerFailed),
        (True, ServerFailed),
    ],
)
def test_p_09_errors_inside_a_stream_have_their_kinds_too(error: object, kind: type[ModelError]) -> None:
    assert type(error_from_frame(error)) is kind


@given(st.binary(max_size=200).map(lambda data: data.decode("latin-1")), st.integers(400, 599))
def test_p_09_any_body_is_one_printable_line(body: str, status: int) -> None:
    for line in (str(error_from_status(status, {}, body)), str(not_an_answer(body))):
        assert len(line.splitlines()) == 1
        assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)


def test_p_09_a_huge_page_is_read_quickly_and_told_shortly() -> None:
    page = "<html><style>" + "x" * 3_000_000 + "</style>" + "<" * 100_000
    assert len(str(error_from_status(500, {}, page))) < 400
    deep: Any = "x"
    for _ in range(500):
        deep = {"error": deep}
    assert len(str(error_from_status(500, {}, json.dumps(deep)))) < 400
