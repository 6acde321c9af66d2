"""The windows of known models."""

import pytest

from codeagent_tui.llm.catalog import window_of


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("gpt-4o-mini", 128_000),
        ("chatgpt-4o-latest", 128_000),
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-1106-preview", 128_000),
        ("gpt-4.1-nano", 1_047_576),
        ("gpt-5", 400_000),
        ("gpt-5.2-codex", 400_000),
        ("gpt-5.2-chat-latest", 128_000),
        ("gpt-5.4-mini", 400_000),
        ("gpt-5.5", 1_050_000),
        ("gpt-5.10", 1_050_000),
        ("o1-mini", 128_000),
        ("o4-mini", 200_000),
        ("gpt-oss:20b", 131_072),
        ("claude-3-5-sonnet-20241022", 200_000),
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-20250514", 200_000),
        ("anthropic/claude-opus-4.6", 1_000_000),
        ("claude-sonnet-5", 1_000_000),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", 200_000),
        ("models/gemini-2.5-pro", 1_048_576),
        ("gemini-3.1-flash-image-preview", 32_768),
        ("gemma3:27b", 131_072),
        ("deepseek-chat", 1_000_000),
        ("deepseek-ai/DeepSeek-V3.2", 131_072),
        ("deepseek.r1-v1:0", 131_072),
        ("qwen3:8b", 131_072),
        ("qwen/qwen3-coder:free", 262_144),
        ("qwen3-coder-plus", 1_000_000),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507", 262_144),
        ("qwen3.6-plus", 1_000_000),
        ("qwen3.6-27b", 262_144),
        ("qwen2.5-coder:7b", 131_072),
        ("qwen-max", 32_768),
        ("zai/glm-4.5-air", 131_072),
        ("glm-4.7", 200_000),
        ("glm-5.1", 200_000),
        ("kimi-k2-0711-preview", 131_072),
        ("kimi-k2.5", 262_144),
        ("MiniMax-M2.1", 196_608),
        ("MiniMax-M3", 1_000_000),
        ("mistral-large-latest", 262_144),
        ("mistral.ministral-3-8b-instruct", 128_000),
        ("mistral:7b", 32_768),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", 131_072),
        ("llama-3-8b", 8_192),
        ("llama3.3:70b", 131_072),
        ("accounts/fireworks/models/llama-v3p1-70b-instruct", 131_072),
        ("C:\\models\\Qwen3-8B-Q4_K_M.gguf", 131_072),
        ("x-ai/grok-4-fast", 2_000_000),
        ("grok-3-mini", 131_072),
        ("phi4", 16_384),
        ("offline", 32_768),
    ],
)
def test_a_known_model(name: str, window: int) -> None:
    assert window_of(name) == window


@pytest.mark.parametrize("name", ["", "my-finetune", "gpt", "o5", "test-model", "openai/", "💡"])
def test_an_unknown_model(name: str) -> None:
    assert window_of(name) is None


@pytest.mark.parametrize("name", ["gpt-4o", "qwen3", "claude-sonnet-4-5"])
@pytest.mark.parametrize("dressed", ["{}", " {} ", "vendor/{}", "a/b/{}", "{}:free", "{}:8b", "eu.vendor.{}"])
def test_vendors_and_tags_do_not_matter(name: str, dressed: str) -> None:
    assert window_of(dressed.format(name)) == window_of(dressed.format(name).upper()) == window_of(name)
