"""What was typed and not sent when the program ended, one small file a workspace."""

from __future__ import annotations

import logging
import os
import zlib
from pathlib import Path

from codeagent_tui.paths import Paths, write_private
from codeagent_tui.text import replace_surrogates

_log = logging.getLogger(__name__)


class DraftStore:
    """Keeps the draft of one workspace."""

    def __init__(self, paths: Paths, workspace: Path) -> None:
        # A checksum tells folders of one name apart; loading a real hash would delay the first frame.
        real = os.path.realpath(workspace)
        self.path = paths.drafts / f"{Path(real).name or 'root'}-{zlib.crc32(os.fsencode(real)):08x}.txt"

    def take(self) -> str:
        """Return the draft that was left here, and forget it; "" when there is none.

        A file that cannot be read is left where it is, and noted in the log.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
            self.path.unlink()
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            _log.warning("the draft %s could not be read: %s", self.path, error)
            return ""
        return text

    def keep(self, text: str) -> bool:
        """Store `text` for the next start; an empty one needs no file. Returns whether it is safe."""
        if not text.strip():
            return True
        try:
            write_private(self.path, replace_surrogates(text).encode())
        except OSError as error:
            _log.warning("the draft was not saved: %s", error)
            return False
        return True
