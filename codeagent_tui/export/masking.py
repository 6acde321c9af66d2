"""A transcript without what looks like a secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from codeagent_tui.conversation.call_title import arguments_of
from codeagent_tui.conversation.messages import Message, ToolCall
from codeagent_tui.export.transcript import Entry, SessionTranscript
from codeagent_tui.secret_masking import SecretMasker

_Text = Callable[[str], str]


def masked(transcript: SessionTranscript) -> tuple[SessionTranscript, int]:
    """Return `transcript` with its secrets masked, and in how many places."""
    masker = SecretMasker()
    for text in _texts(transcript):
        masker.learn(text)
    entries = tuple(_masked(entry, masker.mask) for entry in transcript.entries)
    done = replace(transcript, title=masker.mask(transcript.title), entries=entries)
    return done, masker.count


def _texts(transcript: SessionTranscript) -> Iterator[str]:
    yield transcript.title
    for entry in transcript.entries:
        if not isinstance(entry, Message):
            yield entry.detail
            continue
        yield entry.content
        yield entry.reasoning
        for call in entry.tool_calls:
            yield from _strings(arguments_of(call) or call.arguments)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            if isinstance(held, str):
                yield f"{key}: {held}"
            yield from _strings(held)
    elif isinstance(value, list):
        for held in value:
            yield from _strings(held)


def _masked(entry: Entry, mask: _Text) -> Entry:
    if not isinstance(entry, Message):
        return replace(entry, detail=mask(entry.detail)) if entry.detail else entry
    calls = tuple(_masked_call(call, mask) for call in entry.tool_calls)
    return replace(entry, content=mask(entry.content), reasoning=mask(entry.reasoning), tool_calls=calls)


def _masked_call(call: ToolCall, mask: _Text) -> ToolCall:
    """Mask the strings of the arguments one by one, so that they stay JSON."""
    arguments = arguments_of(call)
    if not arguments:
        return replace(call, arguments=mask(call.arguments))
    changed = {key: _masked_value(value, mask) for key, value in arguments.items()}
    return call if changed == arguments else replace(call, arguments=json.dumps(changed, ensure_ascii=False))


def _masked_value(value: object, mask: _Text) -> object:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {key: _masked_value(held, mask) for key, held in value.items()}
    return [_masked_value(held, mask) for held in value] if isinstance(value, list) else value
