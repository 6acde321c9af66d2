"""A session as one JSON object, for programs."""

from __future__ import annotations

import json
from dataclasses import asdict

from codeagent_tui.conversation.messages import Message
from codeagent_tui.export.transcript import Entry, SessionTranscript
from codeagent_tui.sessions.records import message_to_json
from codeagent_tui.text import replace_surrogates

FORMAT_VERSION = 1


def as_json(transcript: SessionTranscript, *, masked: int | None) -> str:
    """Return the session as JSON.

    Args:
        transcript: What is written. Its messages are objects as in a session's log with `type` "message"; marks have
            the `type` of what happened.
        masked: In how many places a secret was masked; None when nobody looked for any.
    """
    facts = {key: value for key, value in asdict(transcript).items() if key != "entries"}
    data = {
        "format": "codeagent-session",
        "version": FORMAT_VERSION,
        **facts,
        "masked": masked,
        "entries": [_entry(entry) for entry in transcript.entries],
    }
    return replace_surrogates(json.dumps(data, ensure_ascii=False, indent=2)) + "\n"


def _entry(entry: Entry) -> dict[str, object]:
    if isinstance(entry, Message):
        return {"type": "message", **message_to_json(entry)}
    return {"type": entry.kind.value, "text": entry.text, "at": entry.at, "detail": entry.detail}
