"""A text file as bytes and text at once: encoding, byte order mark, line endings, mode and links survive an edit."""

from __future__ import annotations

import codecs
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.tools.file_state import digest_of
from codeagent_tui.tools.tool import ToolError

LARGEST_EDITABLE = 20_000_000
_SNIFFED = 8_192
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's bytes are text: the codec and the mark that stands before it."""

    name: str
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Return `text` as the file's bytes.

        Raises:
            ToolError: when the file's encoding has no such character.
        """
        try:
            return self.mark + text.encode(self.name)
        except UnicodeEncodeError as error:
            bad = text[error.start : error.start + 1]
            raise ToolError(
                f"Nothing was written: the file is {self.name}, which cannot hold {bad!r} (U+{ord(bad):04X})."
            ) from None


UTF8 = Encoding("utf-8")


def sniff(head: bytes, *, complete: bool) -> Encoding | None:
    """Return the encoding of a file that starts with `head` (and is it, when `complete`), None for a binary one."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, mark)
    if b"\0" in head[:_SNIFFED]:
        return None
    for name in ("utf-8", "gb18030"):
        decoder = codecs.getincrementaldecoder(name)()
        try:
            text = decoder.decode(head, final=complete)
        except UnicodeDecodeError:
            continue
        if name == "utf-8" or _looks_chinese(text):
            return Encoding(name)
    return None if _mostly_control(head) else Encoding("latin-1")


def _looks_chinese(text: str) -> bool:
    """Whether text that decodes as GB 18030 is likely to be it: nearly all of its wide characters are common ones."""
    wide = [char for char in text if char > "\x7f"]
    common = sum(
        "\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef" for char in wide
    )
    return bool(wide) and common >= 0.9 * len(wide)


def _mostly_control(head: bytes) -> bool:
    control = sum(byte < 32 and byte not in b"\t\n\r\x0c\x1b" for byte in head[:_SNIFFED])
    return control * 20 > len(head[:_SNIFFED])


@dataclass(frozen=True, slots=True)
class TextFile:
    """The content of a file when it was loaded."""

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
            raise ToolError(f"{shown} is {'a folder' if path.is_dir() else 'no regular file'}.")
        if status.st_size > LARGEST_EDITABLE:
            raise ToolError(f"{shown} has {status.st_size:,} bytes; files up to {LARGEST_EDITABLE:,} can be changed.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise ToolError(f"{shown} does not exist.") from None
    except OSError as error:
        raise ToolError(f"{shown} cannot be read: {error.strerror}.") from None
    encoding = sniff(data, complete=True)
    if encoding is None:
        raise ToolError(f"{shown} is a binary file; only text can be changed.")
    text = data[len(encoding.mark) :].decode(encoding.name, "surrogateescape" if encoding == UTF8 else "strict")
    return TextFile(path, text, encoding, digest_of(data))


def replace_content(path: Path, data: bytes, *, expected: str | None, shown: str) -> None:
    """Replace what is at `path` in one step, if it is still what `expected` says (None: nothing is there).

    Mode and owner of the old file are kept. `path` must be real: writing goes through links to what they point at.

    Raises:
        ToolError: when somebody else was quicker, or it cannot be written; the file is as it was then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _take_over(path, name)
            _recheck(path, expected, shown)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ToolError(f"{shown} was not written: {error.strerror or error}. It is as it was.") from None


def _recheck(path: Path, expected: str | None, shown: str) -> None:
    try:
        now: str | None = digest_of(path.read_bytes())
    except FileNotFoundError:
        now = None
    if now != expected:
        raise ToolError(f"{shown} was not written: it changed in this very moment. Read it again, then decide.")


def _take_over(path: Path, temporary: str) -> None:
    """Give the new file the old one's mode and owner, or a new file's usual mode."""
    try:
        status = path.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        return
    Path(temporary).chmod(stat.S_IMODE(status.st_mode))
    if hasattr(os, "chown") and (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
        try:
            os.chown(temporary, status.st_uid, status.st_gid)
        except PermissionError:
            # Only root may give files away; the content matters more than the owner.
            return
