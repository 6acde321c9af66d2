"""What version control leaves out: .gitignore and .ignore files, nested, with the nearest one deciding.

A folder that is a repository of its own starts afresh, as it does for git: what a .gitignore above it says ends there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILES = (".ignore", ".gitignore")
"""The first kind decides before the second is asked, however far up it stands; so does ripgrep."""
_LARGEST_IGNORE_FILE = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore files of one folder, and the rules of those above it."""

    specs: tuple[GitIgnoreSpec | None, GitIgnoreSpec | None]
    """In the order of `IGNORE_FILES`."""
    base: str = ""
    """The folder, relative to the top of the walk; empty or ending in `/`."""
    above: Rules | None = None
    way_down: str = ""
    """For a folder above the top of the walk: the way from it to the top; empty or ending in `/`."""
    is_repository: bool = False

    def ignores(self, relative: str, *, is_dir: bool) -> bool:
        """Whether the entry at `relative` (from the top of the walk, with `/`) is left out.

        Its folder must have been asked about before: nothing beneath an ignored folder comes back.
        """
        asked = relative + "/" if is_dir else relative
        for kind in range(len(IGNORE_FILES)):
            rules: Rules | None = self
            while rules is not None:
                spec = rules.specs[kind]
                if spec is not None:
                    verdict = spec.check_file(rules.way_down + asked[len(rules.base) :]).include
                    if verdict is not None:
                        return verdict
                if rules.is_repository and IGNORE_FILES[kind] == ".gitignore":
                    break
                rules = rules.above
        return False


def rules_of(folder: Path, names: Iterable[str], base: str, above: Rules | None) -> Rules | None:
    """Return the rules inside `folder`, which holds `names`; `base` and `above` as in `Rules`."""
    held = frozenset(names)
    is_repository = ".git" in held
    if not is_repository and held.isdisjoint(IGNORE_FILES):
        return above
    ignore, git = (_spec(folder / name) if name in held else None for name in IGNORE_FILES)
    return Rules((ignore, git), base, above, is_repository=is_repository)


def rules_above(top: Path, root: Path) -> Rules | None:
    """Return the rules that the folders above `top` lay down: up to its repository, or to `root` where that is higher
    or there is no repository."""
    above = list(top.parents)
    ends = [number for number, folder in enumerate(above) if folder == root or (folder / ".git").exists()]
    rules: Rules | None = None
    for folder in reversed(above[: max(ends, default=-1) + 1]):
        ignore, git = (_spec(folder / name) for name in IGNORE_FILES)
        way_down = f"{top.relative_to(folder).as_posix()}/"
        rules = Rules((ignore, git), "", rules, way_down, (folder / ".git").exists())
    return rules


def _spec(file: Path) -> GitIgnoreSpec | None:
    """Return the patterns in `file`; None when it has none or is no file that can be read."""
    try:
        # A pipe in the place of the file would never end.
        if not file.is_file() or file.stat().st_size > _LARGEST_IGNORE_FILE:
            return None
        lines = file.read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
    except OSError:
        return None
    # Where the first file is read: its import would delay each session's first request.
    from pathspec import GitIgnoreSpec

    patterns = [line for line in lines if _is_valid(line)]
    return GitIgnoreSpec.from_lines(patterns) if patterns else None


@cache
def _is_valid(line: str) -> bool:
    """Whether `line` is a pattern; git passes over one that is not."""
    if not line.strip() or line.startswith("#"):
        return False
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
