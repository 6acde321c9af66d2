"""A text file as bytes and text at once, so that whatever an edit does not touch stays as it is."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.text_encoding import Encoding, decode
from codeagent_tui.tools.atomic_replace import digest_of
from codeagent_tui.tools.tool import ToolError

LARGEST_EDITABLE = 10_000_000


@dataclass(frozen=True, slots=True)
class TextFile:
    """The content of a file when it was loaded; `text` has its line endings as they are."""

    path: Path
    text: str
    encoding: Encoding
    digest: str


def load(path: Path, shown: str) -> TextFile:
    """Read `path` whole.

    Raises:
        ToolError: when it is missing, a folder, binary, or too large to be edited.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ToolError(f"{shown} is {'a folder' if stat.S_ISDIR(status.st_mode) else 'no regular file'}.")
        if status.st_size > LARGEST_EDITABLE:
            raise ToolError(
                f"{shown} has {status.st_size:,} bytes; files up to {LARGEST_EDITABLE:,} can be changed by this tool."
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise ToolError(f"{shown} does not exist.") from None
    except OSError as error:
        raise ToolError(f"{shown} cannot be read: {error.strerror}.") from None
    decoded = decode(data)
    if decoded is None:
        raise ToolError(f"{shown} is a binary file; only text can be changed by this tool.")
    return TextFile(path, *decoded, digest_of(data))


def encode(text: str, encoding: Encoding) -> bytes:
    """Return `text` as the file's bytes.

    Raises:
        ToolError: when the encoding has no such character.
    """
    try:
        return encoding.encode(text)
    except UnicodeEncodeError as error:
        bad = text[error.start : error.start + 1]
        raise ToolError(
            f"Nothing was written: the file is {encoding.name}, which cannot hold {bad!r} (U+{ord(bad):04X})."
        ) from None
