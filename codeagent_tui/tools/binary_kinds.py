"""Names a binary file by its first bytes, so that the model knows with what to open it."""

from __future__ import annotations

from codeagent_tui.tools.image_header import describe_image

# The first bytes as the formats' own specifications give them.
_KINDS = (
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive (or a format made of one, such as .docx, .xlsx, .jar, .whl)"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"\x7fELF", "ELF program or library"),
    (b"MZ", "Windows program or library"),
    (b"\xcf\xfa\xed\xfe", "macOS program or library"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"\0asm", "WebAssembly module"),
    (b"\xca\xfe\xba\xbe", "Java class or macOS program"),
    (b"PAR1", "Parquet data"),
    (b"\x93NUMPY", "NumPy array"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"fLaC", "FLAC audio"),
    (b"wOFF", "WOFF font"),
    (b"wOF2", "WOFF2 font"),
)


def describe_binary(head: bytes) -> str:
    """Return what a file that starts with `head` is, in words; for an unknown one, `binary file`."""
    if image := describe_image(head):
        return image
    if head[4:8] == b"ftyp":
        return "AVIF or HEIC image" if head[8:11] in (b"avi", b"hei", b"mif") else "MP4 or QuickTime media"
    return next((f"{kind} (binary)" for start, kind in _KINDS if head.startswith(start)), "binary file")
