"""Addresses and keys as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm.endpoint import DEFAULT_ENDPOINT, endpoint_of, is_near, key_of
from codeagent_tui.llm.provider import AuthFailed, ModelError, RequestRefused


@pytest.mark.parametrize(
    ("typed", "endpoint"),
    [
        ("", DEFAULT_ENDPOINT),
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        (" https://api.example.com/v1/ \n", "https://api.example.com/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.example.com/v1/models/", "https://api.example.com/v1"),
        ("https://example.com/models/chat/completions", "https://example.com/models"),
        ("localhost:11434/v1", "http://localhost:11434/v1"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("192.168.1.5:1234/v1", "http://192.168.1.5:1234/v1"),
        ("[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("api.example.com/v1", "https://api.example.com/v1"),
        ("HTTP://Example.com/V1", "HTTP://Example.com/V1"),
    ],
)
def test_an_address_is_taken_as_it_was_meant(typed: str, endpoint: str) -> None:
    assert endpoint_of(typed) == endpoint


@pytest.mark.parametrize(
    "typed",
    ["http://[::1", "http://a b/v1", "http://127.0.0.1:99999/v1", "http://", "ftp://x/v1", "http://x:port/v1", "/v1"],
)
def test_what_is_no_address_is_refused_before_anything_is_sent(typed: str) -> None:
    with pytest.raises(RequestRefused, match="base URL"):
        endpoint_of(typed)


@given(st.text(max_size=40))
def test_nothing_typed_raises_anything_else(typed: str) -> None:
    try:
        assert endpoint_of(typed).isprintable()
    except ModelError as error:
        assert "base URL" in str(error)


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]/v1", True),
        ("http://10.0.0.7/v1", True),
        ("http://box.local/v1", True),
        ("https://api.example.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("nonsense", False),
        ("http://[::1", False),
    ],
)
def test_what_is_near(url: str, near: bool) -> None:
    assert is_near(url) is near


def test_a_key_is_taken_without_what_came_along() -> None:
    assert key_of(" sk-1\n") == "sk-1" == key_of("Bearer sk-1")
    assert key_of("") == ""


@pytest.mark.parametrize("typed", ["sk-密-secret", "sk secret", "sk\x00secret", "“secret”"])
def test_an_impossible_key_is_refused_and_never_shown(typed: str) -> None:
    with pytest.raises(AuthFailed) as caught:
        key_of(typed)
    assert "secret" not in str(caught.value)
