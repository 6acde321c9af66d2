"""Tells from a server's words that a request did not fit the model's window, and how large the window is.

There is no standard for it: OpenAI has a code, everybody else a sentence. What is matched are the telling words of
hosted services and local servers (OpenAI, Anthropic, Gemini, xAI, Mistral, Moonshot, Qwen, Zhipu, MiniMax, Together,
GitHub Models; vLLM, SGLang, llama.cpp, Ollama, LM Studio), loosely enough for their next version.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"\s*[(:=]?\s*(\d[\d,_]*)"
# Said of nothing else, so they count before everything else.
_CODES = (
    r"context_length_exceeded|exceed_context_size|model_max_prompt_tokens_exceeded|tokens_limit_reached"
    r"|inputs\W+tokens \+ \W*max_new_tokens\W+must be"
)
# Limits of another kind, which share words with an overflow.
_OTHER = (
    r"per[ -_](?:second|minute|min|hour|day)\b|rate.?limit|throttl|\b[tr]pm\b|频率|速率|并发|次数|余额"
    r"|max_\w*tokens\W+(?:is|are|must|should|can ?not|may not|exceeds? the (?:max|limit))\b"
)
_WINDOW = (
    r"context limit: \d+ \+ \d+ > (\d+)",
    r"tokens? > (\d[\d,_]*) max",
    rf"max(?:imum)? (?:allowed )?(?:context|prompt|input|sequence|model) (?:length|size|window)(?: is| of)?{_NUMBER}",
    rf"context (?:size|length|window|limit)(?: is| of)?(?: only)?{_NUMBER}",
    r"(\d[\d,_]*)[ -]?(?:tokens? )?max(?:imum)? context",
    rf"input tokens?\b.{{0,80}}max(?:imum)? number of (?:input )?tokens(?: allowed)?{_NUMBER}",
    rf"input token count.{{0,80}}max(?:imum)? number of (?:input )?tokens(?: allowed)?{_NUMBER}",
    r"input token count.{0,60}supports? (?:only )?up to (\d[\d,_]*)",
    rf"(?:prompt|input|request)\b.{{0,80}}exceed\w* (?:the |its )?(?:model )?token limit(?: of)?{_NUMBER}",
    rf"token count.{{0,40}}exceed\w* the limit of{_NUMBER}",
    r"input length should be \[\d+, ?(\d+)\]",
    rf"max_seq_len{_NUMBER}",
    r"max_new_tokens\W+must be <= (\d+)",
    r"max size: (\d+) tokens",
    r"\bn_ctx\W+(\d+)",
)
_WORDS = (
    r"(?:over|exceed\w*|beyond|overflow\w*|(?:great|larg|long)er than) (?:the |its |your |this )?(?:model'?s? )?"
    r"(?:max(?:imum)? |available )?(?:context\b|(?:prompt|input) length|length$)",
    r"context (?:length|window|size|limit) (?:was |is |has been )?(?:exceed|overflow|too )",
    r"context shift is (?:off|disabled)",
    r"reduce the length of the (?:messages|prompt|input)",
    r"too many (?:input|prompt) tokens",
    r"(?:prompt|input|context|输入|上下文).{0,12}(?:超长|过长|超过|超出)",
)
# A proxy says this of a body in bytes, too: with status 413 it means nothing.
_TOO_LONG = r"\b(?:prompt|input|request|message|conversation)s? (?:length )?(?:is |are )?too (?:long|large|big)\b"
# Smaller and larger "windows" are numbers that mean something else.
_PLAUSIBLE = range(256, 100_000_000)


@dataclass(frozen=True, slots=True)
class Overflow:
    """A request that did not fit; `limit` is the window in tokens, or None when it was not said."""

    limit: int | None


def overflow_in(said: str, status: int | None = None) -> Overflow | None:
    """Return the overflow that the words of an error report, or None when they report something else."""
    if status == 429:
        return None
    sure = _says(_CODES, said) is not None
    if not sure and _says(_OTHER, said):
        return None
    hit = next(filter(None, (_says(pattern, said) for pattern in _WINDOW)), None)
    limit = int(re.sub(r"\D", "", hit[1])) if hit else 0
    if limit in _PLAUSIBLE:
        return Overflow(limit)
    if sure or any(_says(pattern, said) for pattern in _WORDS):
        return Overflow(None)
    return Overflow(None) if status != 413 and _says(_TOO_LONG, said) else None


def _says(pattern: str, said: str) -> re.Match[str] | None:
    # Compiled by `re` when a server first fails, not at import: that would cost every start.
    return re.search(pattern, said, re.I | re.S)
