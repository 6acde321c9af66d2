"""The context windows of known models."""

from __future__ import annotations

import re

# Tokens: what the vendors' own model pages say, compared with the models.dev catalogue of July 2026. The first
# pattern that matches the start of the name wins, so the narrower ones come first; a family's pattern counts for its
# later members too. Where hosts differ, the smaller window stands here: too large a one loses requests.
_WINDOWS: tuple[tuple[str, int], ...] = (
    ("offline", 32_768),
    # OpenAI
    ("gpt-3.5", 16_385),
    ("gpt-4-32k", 32_768),
    (r"gpt-4-(turbo|\d{4}-preview|vision)", 128_000),
    ("(chat)?gpt-4o", 128_000),
    (r"gpt-4\.1", 1_047_576),
    (r"gpt-4\.5", 128_000),
    (r"gpt-4(?![\d.])", 8_192),
    (r"gpt-5[^/]*-(chat|codex-spark)", 128_000),
    (r"gpt-5\.\d+-(mini|nano)", 400_000),
    (r"gpt-5\.([4-9]|\d\d)", 1_050_000),
    ("gpt-5", 400_000),
    ("gpt-oss", 131_072),
    ("o1-(mini|preview)", 128_000),
    (r"o[134](?![a-z\d])", 200_000),
    ("codex-mini", 200_000),
    # Anthropic
    (r"claude-(2\.0|instant)", 100_000),
    (r"claude-(opus|sonnet)-4[-.][6-9](?!\d)", 1_000_000),
    (r"claude-(opus|sonnet|fable)-[5-9](?!\d)", 1_000_000),
    ("claude", 200_000),
    # Google
    (r"gemini-[\d.]+[^/]*-(image|tts|live)", 32_768),
    ("gemini-(1.5|[2-9]|flash|pro-latest)", 1_048_576),
    ("gemini", 32_768),
    ("gemma-?3n", 32_768),
    ("gemma-?3", 131_072),
    ("gemma-?4", 262_144),
    ("gemma", 8_192),
    # DeepSeek: its own two names lead to the newest version, a name with a version to that one.
    (r"deepseek-(chat|reasoner)$", 1_000_000),
    (r"deepseek-v([4-9]|\d\d)", 1_000_000),
    ("deepseek-coder(?!-v2)", 16_384),
    ("deepseek", 131_072),
    # Alibaba
    ("qwen-?(plus|turbo|flash)", 1_000_000),
    ("qwen-?long", 1_000_000),
    ("qwen-?max", 32_768),
    (r"qwen-?3-coder-(plus|flash)", 1_000_000),
    (r"qwen-?3-(coder|max)", 262_144),
    (r"qwen-?3-[\w-]*-2507", 262_144),
    (r"qwen-?3[.-]?\d*-omni", 65_536),
    (r"qwen-?3\.([5-9]|\d\d)-(plus|flash)", 1_000_000),
    (r"qwen-?3\.([7-9]|\d\d)-max", 1_000_000),
    (r"qwen-?3\.([5-9]|\d\d)", 262_144),
    ("qwen-?3", 131_072),
    (r"qwen-?2[.-]5-(omni|0[.-]5b|1[.-]5b|3b)", 32_768),
    (r"qwen-?2[.-]5", 131_072),
    ("qwen", 32_768),
    ("qwq|qvq", 131_072),
    # Zhipu
    ("glm-4-long", 1_000_000),
    (r"glm-4\.5v", 64_000),
    (r"glm-4\.5", 131_072),
    (r"glm-4\.6v", 128_000),
    (r"glm-4\.[6-9]", 200_000),
    ("glm-4", 128_000),
    (r"glm-5\.([2-9]|\d\d)", 1_000_000),
    ("glm-5", 200_000),
    # Moonshot
    ("kimi-k2-0711", 131_072),
    ("kimi-k[2-9]", 262_144),
    ("kimi", 131_072),
    ("moonshot-v1-8k", 8_192),
    ("moonshot-v1-32k", 32_768),
    ("moonshot", 131_072),
    # MiniMax
    ("minimax-(m1|m[3-9]|text)", 1_000_000),
    ("minimax", 196_608),
    # Mistral
    (r"(labs-)?devstral-(2|latest|small-2512|medium-latest)", 262_144),
    ("codestral", 256_000),
    (r"mistral-large-(latest|2512|26\d\d|3)", 262_144),
    (r"mistral-medium-(latest|2508|26\d\d)", 262_144),
    (r"mistral-small-(latest|26\d\d|4)", 256_000),
    ("(open-)?mistral-nemo", 128_000),
    ("devstral|magistral|ministral|pixtral|mistral-(large|medium|small)", 128_000),
    ("(open-)?mixtral-8x22b", 65_536),
    ("open-mistral-7b", 8_000),
    ("(open-)?(mistral|mixtral)", 32_768),
    # Meta
    ("llama-?4", 131_072),
    (r"llama-?v?3[.p-]?[123](?!\d*b)", 131_072),
    ("llama-?v?3", 8_192),
    ("llama-?2", 4_096),
    ("code-?llama", 16_384),
    # xAI
    (r"grok-4-fast|grok-4[.-]1-fast", 2_000_000),
    (r"grok-4\.(2|3|20)", 1_000_000),
    ("grok-(4|code|build)", 256_000),
    ("grok", 131_072),
    # Others
    ("phi-?4-(mini|multimodal)", 131_072),
    ("phi-?4", 16_384),
    ("command-a", 256_000),
    ("command-r", 128_000),
    ("nova-(micro|2)", 128_000),
    ("nova-(lite|pro)", 300_000),
    ("seed-oss", 262_144),
    (r"step-3\.", 256_000),
    (r"mimo-v2(\.\d)?-pro|mimo-v2\.5", 1_048_576),
    ("mimo-v2", 262_144),
    ("nemotron-3-ultra", 1_000_000),
    ("nemotron-(3-super|super-3)", 262_144),
    ("nemotron", 128_000),
)
# Bedrock puts the region and the vendor before a name, with points: `us.anthropic.claude-…`.
_VENDOR = re.compile(r"^(?:[a-z]{2,}\.)+(?=[a-z])")


def window_of(model: str) -> int | None:
    """Return the window of `model` in tokens, or None when it is not known.

    What does not matter: folders or a vendor before a slash (`openai/gpt-4o`) or points (`us.anthropic.claude-…`), a
    tag after a colon (`qwen3:8b`, `…:free`), letter case, and `_` in place of `-`.
    """
    name = re.split(r"[/\\]", model.strip().lower())[-1].split(":", 1)[0].replace("_", "-")
    found = _window_at_start_of(_VENDOR.sub("", name).removeprefix("meta-"))
    return found if found is not None else _window_at_start_of(name)


def _window_at_start_of(name: str) -> int | None:
    return next((window for pattern, window in _WINDOWS if re.match(pattern, name)), None)
