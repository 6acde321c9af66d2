"""Files for tests."""

from __future__ import annotations

from pathlib import Path


def put(path: Path, content: str | bytes) -> Path:
    """Write `content` to `path`, with the folders above it, and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
