"""The context windows of known models."""

from __future__ import annotations

import re

# Tokens, from the vendors' own model pages (2026). The first pattern that matches the name's start wins, so the
# narrower ones come first. Names of families count for their later members too.
_WINDOWS: tuple[tuple[str, int], ...] = (
    ("offline", 32_768),
    ("gpt-3.5", 16_385),
    ("gpt-4-32k", 32_768),
    ("gpt-4-turbo", 128_000),
    ("gpt-4o", 128_000),
    (r"gpt-4\.1", 1_047_576),
    (r"gpt-4\.5", 128_000),
    (r"gpt-4(?![\d.])", 8_192),
    ("gpt-5", 400_000),
    ("gpt-oss", 131_072),
    ("o1-mini", 128_000),
    (r"o[134](?![a-z])", 200_000),
    ("claude", 200_000),
    (r"gemini-(1\.5|2|3)", 1_048_576),
    ("gemma-?3", 131_072),
    ("gemma", 8_192),
    (r"deepseek-(chat|reasoner|v3|v4|r1)", 131_072),
    ("deepseek", 131_072),
    ("qwen3-coder", 262_144),
    ("qwen3-max", 262_144),
    ("qwen3", 131_072),
    (r"qwen2\.5-coder", 131_072),
    (r"qwen2\.5", 131_072),
    ("qwen-(plus|turbo|flash)", 1_000_000),
    ("qwen-max", 32_768),
    ("qwq", 131_072),
    (r"glm-4\.[67]", 200_000),
    ("glm-5", 200_000),
    ("glm-4", 128_000),
    ("kimi-k2", 262_144),
    ("kimi", 131_072),
    ("moonshot-v1-8k", 8_192),
    ("moonshot-v1-32k", 32_768),
    ("moonshot", 131_072),
    ("minimax-m1", 1_000_000),
    ("minimax", 204_800),
    ("devstral|codestral|mistral-(large|medium|small)|magistral|ministral", 131_072),
    ("mistral|mixtral", 32_768),
    ("llama-?4", 1_000_000),
    (r"llama-?3[.\-]?[123]", 131_072),
    ("llama-?3", 8_192),
    (r"grok-4(?!\.)", 256_000),
    ("grok", 131_072),
    ("phi-?4", 16_384),
    ("command-r|command-a", 128_000),
)
_COMPILED = tuple((re.compile(pattern), window) for pattern, window in _WINDOWS)


def window_of(model: str) -> int | None:
    """Return the window of `model` in tokens, or None when it is not known.

    A vendor before a slash (`openai/gpt-4o`), a tag after a colon (`qwen3:8b`, `…:free`) and letter case do not matter.
    """
    name = model.strip().lower().rsplit("/", 1)[-1].split(":", 1)[0].replace("meta-", "").replace("_", "-")
    return next((window for pattern, window in _COMPILED if pattern.match(name)), None)
