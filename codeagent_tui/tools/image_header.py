"""Names an image by its header: kind and size, without decoding it."""

from __future__ import annotations

import struct

HEADER_BYTES = 64 * 1024


def describe_image(head: bytes) -> str:
    """Return `PNG image, 640x480` or the like for the first bytes of a file, or "" when it is no known image."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return "PNG image, {}x{}".format(*struct.unpack(">II", head[16:24]))
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return "GIF image, {}x{}".format(*struct.unpack("<HH", head[6:10]))
    if head.startswith(b"BM") and len(head) >= 26:
        # A negative height says that the lines go from top to bottom.
        return "BMP image, {}x{}".format(*map(abs, struct.unpack("<ii", head[18:26])))
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return f"WebP image{_webp_size(head)}"
    if head.startswith(b"\xff\xd8"):
        size = _jpeg_size(head)
        return f"JPEG image{size}"
    return ""


def _webp_size(head: bytes) -> str:
    """Return `, 640x480` from the first chunk, whose kind says where the size stands (RFC 9649)."""
    kind = head[12:16]
    if kind == b"VP8X" and len(head) >= 30:
        width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8 " and len(head) >= 30:
        width, height = (size & 0x3FFF for size in struct.unpack("<HH", head[26:30]))
    elif kind == b"VP8L" and len(head) >= 25:
        bits = int.from_bytes(head[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        return ""
    return f", {width}x{height}"


def _jpeg_size(head: bytes) -> str:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        # Start-of-frame segments (ITU T.81, table B.1) hold height and width; DHT, JPG and DAC only look alike.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return f", {width}x{height}"
        at += 2 + int(struct.unpack(">H", head[at + 2 : at + 4])[0])
    return ""
