"""A request that was too large, in the words of many servers (P-12)."""

import pytest

from codeagent_tui.llm.overflow import Overflow, overflow_in

OVERFLOWS = [
    ("code context_length_exceeded", None),
    ("The model's maximum context length is 8192 tokens; the prompt has at least 8193", 8192),
    ("This endpoint's maximum context length is 131,072 tokens. You asked for about 140,000.", 131_072),
    ("9001 tokens is more than the available context size 8192", 8192),
    ("the request (9001 tokens) exceeds the available context size (8192 tokens)", 8192),
    ("exceed_context_size_error n_ctx 4096", 4096),
    ("prompt too long, over max context length by 812 tokens", None),
    ("context shift is off", None),
    ("Context shift is disabled.", None),
    ("prompt is too long: 208310 tokens > 200000 maximum", 200_000),
    ("input length and max_tokens exceed context limit: 190000 + 20000 > 200000, ask for less", 200_000),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    ("the input token count is 32825 but the model only supports up to 32768.", 32_768),
    ("The maximum prompt length is 131072 and the request contains 537812 tokens", 131_072),
    ("Your request exceeded model token limit: 131072", 131_072),
    ("a prompt token count of 200000 exceeds the limit of 128000", 128_000),
    ("Range of input length should be [1, 30720]", 30_720),
    ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768),
    ("The prompt (length 9001) is longer than the maximum model length of 8192.", 8192),
    ("The input (9001 tokens) is longer than the model's context length (8192 tokens).", 8192),
    ("Prompt too long: 5152 tokens exceeds max_seq_len 2048", 2048),
    ("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", 131_040),
    ("`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000", 8193),
    ("the model was loaded with a context length of only 4096 tokens, which is not enough", 4096),
    ("The number of tokens to keep from the initial prompt is greater than the context length.", None),
    ("the input length exceeds the context length", None),
    ("invalid params, context window exceeds limit (2013)", None),
    ("Your input exceeds the context window of this model.", None),
    ("Please reduce the length of the messages or the completion.", None),
    ("Input is too long for the requested model.", None),
    ("Prompt exceeds max length", None),
    ("Prompt 超长", None),
    ("输入长度超过模型上限", None),
]


@pytest.mark.parametrize(("said", "limit"), OVERFLOWS)
def test_p_12_an_overflow_and_its_limit(said: str, limit: int | None) -> None:
    assert overflow_in(said, 400) == Overflow(limit)


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens must be at most 4096",
        "max_tokens is too large: 40000. This model supports at most 16384 completion tokens",
        "'max_tokens' or 'max_completion_tokens' is too large: 90000. The maximum context length is 32768",
        "Request too large on tokens per minute (TPM): limit 6000, requested 9000",
        "Too many tokens, please wait: the rate limit is reached",
        "Throttled: input too long in this window",
        "The file name is too long",
        "model not found",
        "messages: text content blocks must not be empty",
        "请求超过频率限制",
        "",
    ],
)
def test_p_12_what_is_no_overflow(said: str) -> None:
    assert overflow_in(said, 400) is None


@pytest.mark.parametrize("status", [429, 413])
def test_p_12_with_these_states_a_long_request_is_something_else(status: int) -> None:
    assert overflow_in("request too large", status) is None


def test_p_12_a_413_that_speaks_of_tokens_is_one() -> None:
    assert overflow_in("code tokens_limit_reached Request body too large. Max size: 8000 tokens.", 413) == Overflow(
        8000
    )


def test_p_12_an_absurd_number_is_not_taken_for_a_window() -> None:
    assert overflow_in("maximum context length is 8 (thousand) tokens", 400) is None
    assert overflow_in("context_length_exceeded: maximum context length is 8", 400) == Overflow(None)
