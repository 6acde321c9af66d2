"""Every folder and file that CodeAgent keeps, and where the stylesheets are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PRIVATE_DIR_MODE = 0o700
PRIVATE_FILE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Paths:
    """The layout of the data folder (`~/.code-agent-cli`, or wherever `CODEAGENT_HOME` points)."""

    home: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Paths:
        """Return the layout for this process; `environ` defaults to `os.environ`."""
        env = os.environ if environ is None else environ
        moved = env.get("CODEAGENT_HOME", "").strip()
        return cls(Path(moved).expanduser().absolute() if moved else Path.home() / ".code-agent-cli")

    @property
    def settings(self) -> Path:
        """The user's settings file."""
        return self.home / "settings.json"

    @property
    def credentials(self) -> Path:
        """API keys by base URL; mode 0600."""
        return self.home / "credentials.json"

    @property
    def history(self) -> Path:
        """Session logs, one folder a project."""
        return self.home / "history"

    @property
    def prompt_history(self) -> Path:
        """What the user has typed, for the composer's `up` key."""
        return self.home / "prompt_history.jsonl"

    @property
    def long_term_memory(self) -> Path:
        """The long-term facts."""
        return self.home / "memory" / "long_term_memory.json"

    @property
    def code_index(self) -> Path:
        """The SQLite code index."""
        return self.home / "rag" / "codebase.db"

    @property
    def permissions(self) -> Path:
        """Approvals that the user gave for good."""
        return self.home / "permissions.json"

    @property
    def user_memory(self) -> Path:
        """The user's own CODEAGENT.md, read in every project."""
        return self.home / "CODEAGENT.md"

    @property
    def import_consents(self) -> Path:
        """What the user has said about files outside a project that it imports."""
        return self.home / "import_consents.json"

    @property
    def last_note_layer(self) -> Path:
        """Where the last note to project memory went."""
        return self.home / "last_note_layer"

    @property
    def logs(self) -> Path:
        """Diagnostic logs."""
        return self.home / "logs"

    @property
    def drafts(self) -> Path:
        """What was typed and not sent when the program ended."""
        return self.home / "drafts"


def ensure_private_dir(folder: Path) -> None:
    """Create `folder` (and what is missing above it) readable by its owner alone.

    Raises:
        OSError: when it cannot be created.
    """
    missing = []
    at = folder
    while not at.exists():
        missing.append(at)
        at = at.parent
    for path in reversed(missing):
        path.mkdir(mode=PRIVATE_DIR_MODE, exist_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step, durable when this returns, mode 0600.

    A crash leaves either the whole old file or the whole new one.

    Raises:
        OSError: when the data could not be written; the old file is untouched then.
    """
    ensure_private_dir(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE_MODE)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(folder: Path) -> None:
    """Make a rename in `folder` durable where the system can (POSIX); elsewhere do nothing."""
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    fd = os.open(folder, os.O_RDONLY | flags)
    try:
        os.fsync(fd)
    except OSError:
        # Some network and overlay file systems refuse fsync on a folder; the file itself is synced.
        return
    finally:
        os.close(fd)


def styles_dir() -> Path:
    """Return the folder of the .tcss files: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "styles"
    return inside if inside.is_dir() else package.parent / "styles"
