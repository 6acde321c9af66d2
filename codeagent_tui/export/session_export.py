"""Exports one session: reads its log, masks secrets, writes the file in the wanted format."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from codeagent_tui.export.masking import masked
from codeagent_tui.export.transcript import SessionTranscript, read_transcript
from codeagent_tui.export.writing import write_whole


class ExportFormat(StrEnum):
    """The formats, by their file ending."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


_ENDINGS = {
    ".md": ExportFormat.MARKDOWN,
    ".markdown": ExportFormat.MARKDOWN,
    ".html": ExportFormat.HTML,
    ".htm": ExportFormat.HTML,
    ".json": ExportFormat.JSON,
}


@dataclass(frozen=True, slots=True)
class SessionLogFile:
    """Where the session is that is exported: its log, its id, and records that could not be written to it yet."""

    path: Path
    session_id: str = ""
    waiting: bytes = b""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written. `masked` is in how many places a secret was masked; None when nobody looked for any."""

    text: str
    masked: int | None
    notices: tuple[str, ...] = ()

    @property
    def about_secrets(self) -> str:
        """What the user should know about secrets in it."""
        if self.masked is None:
            return "Secrets were left in it: look through it before you share it."
        if not self.masked:
            return "Nothing in it looks like a secret; look through it before you share it."
        places = f"{self.masked} place{'' if self.masked == 1 else 's'}"
        return f"What looks like a secret was masked in {places}; --with-secrets leaves it in."


def format_of(name: str) -> ExportFormat | None:
    """Return the format that a file's ending asks for; None when it asks for none that there is."""
    return _ENDINGS.get(Path(name).suffix.lower())


def file_name(title: str, wanted: ExportFormat) -> str:
    """Return a name for an export made now: what the session is about, and the time."""
    words = re.sub(r"[^\w]+", "-", title.lower()).strip("-_")[:40].rstrip("-_")
    return f"{words or 'codeagent'}-{time.strftime('%Y%m%d-%H%M%S')}.{wanted.value}"


def render(log: SessionLogFile, wanted: ExportFormat, *, with_secrets: bool = False) -> Exported:
    """Return the session as a text in the format `wanted`.

    Raises:
        OSError: when its log cannot be read.
    """
    transcript = read_transcript(log.path, log.session_id, waiting=log.waiting)
    count: int | None = None
    if not with_secrets:
        transcript, count = masked(transcript)
    return Exported(_text(transcript, wanted, count), count, transcript.notices)


def export(
    log: SessionLogFile,
    target: Path,
    wanted: ExportFormat,
    *,
    with_secrets: bool = False,
    replace: bool = False,
) -> Exported:
    """Write the session to `target`. It blocks: call it in a thread.

    Raises:
        FileExistsError: when `target` is there already and `replace` is not set; nothing was written then.
        OSError: when the log cannot be read or the file not be written; what was there is as it was.
    """
    done = render(log, wanted, with_secrets=with_secrets)
    write_whole(target, done.text.encode("utf-8", "replace"), replace=replace)
    return done


def _text(transcript: SessionTranscript, wanted: ExportFormat, count: int | None) -> str:
    match wanted:
        case ExportFormat.MARKDOWN:
            from codeagent_tui.export.markdown import as_markdown

            return as_markdown(transcript)
        case ExportFormat.HTML:
            from codeagent_tui.export.html import as_html

            return as_html(transcript, masked=count)
        case ExportFormat.JSON:
            from codeagent_tui.export.json_file import as_json

            return as_json(transcript, masked=count)
