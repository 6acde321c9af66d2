"""The tree of project memory as rows: layers, their files, what these import, and what the loader has to say. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from codeagent_tui.memory.project_layers import Layer, shown_path
from codeagent_tui.memory.project_memory import BUDGET_CHARACTERS, MemorySource, ProjectMemory
from codeagent_tui.tokens import estimate_tokens
from codeagent_tui.tui.gauge_layout import short_count
from codeagent_tui.tui.inspector.level import Level
from codeagent_tui.tui.line_view import lines_of
from codeagent_tui.tui.pieces import Piece, on_both_sides

ALL = "all"
_LAYERS = {Layer.USER: "yours, in every project", Layer.PROJECT: "the project's", Layer.LOCAL: "this machine's"}
_LOADED = "loaded"
_SHARE = len(" 100%")


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row. `path` is what the editor opens there, None: nothing; `text` what is shown below."""

    key: str
    left: tuple[Piece, ...]
    right: tuple[Piece, ...] = ()
    path: Path | None = None
    text: str = ""


def file_rows(memory: ProjectMemory, root: Path, at_home: Callable[[Layer], Path]) -> list[FileRow]:
    """Return the rows; `root` is what paths are shown from, `at_home` tells where a layer's first file would be."""
    whole = (f"{len(memory.text):,}{' ' * _SHARE}", "text")
    rows = [FileRow(ALL, (("Everything, as it is sent", "strong"),), (whole,), None, memory.text)]
    for layer, whose in _LAYERS.items():
        rows.append(FileRow(f"layer:{layer}", ((f"{layer}", "accent"), (f"  {whose}", "muted"))))
        sources = [source for source in memory.sources if source.layer is layer]
        rows += _files(sources, memory, root)
        if not sources:
            path = at_home(layer)
            missing = (("  ", "text"), (shown_path(path, root), "muted"))
            told = "There is no such file; o makes one in your editor."
            rows.append(FileRow(f"none:{layer}", missing, (("not there", "muted"),), path, told))
    for number, notice in enumerate(memory.notices):
        rows.append(FileRow(f"notice:{number}", (("! ", "warning"), (notice, "warning")), (), None, notice))
    return rows


def _files(sources: list[MemorySource], memory: ProjectMemory, root: Path) -> Iterator[FileRow]:
    importers = {source.path: source.imported_by for source in sources}
    for source in sources:
        depth = _depth(source.path, importers)
        branch = "   " * (depth - 1) + "└ " if depth else ""
        left = (("  " + branch, "muted"), (shown_path(source.path, root), "text"))
        well = source.state.startswith(_LOADED)
        state = "" if source.state == _LOADED else f"{source.state}  "
        right = ((state, "good" if well else "warning"), (_size(source.characters), "text"))
        text = _sent(source.path, memory) or f"Nothing of it is sent: {source.state}."
        yield FileRow(f"file:{source.layer}:{source.path}:{source.imported_by}", left, right, source.path, text)


def _depth(path: Path, importers: dict[Path, Path | None]) -> int:
    depth = 0
    above = importers.get(path)
    while above is not None and depth < len(importers):
        depth += 1
        above = importers.get(above)
    return depth


def _size(characters: int) -> str:
    if not characters:
        return ""
    return f"{characters:>7,} {characters / BUDGET_CHARACTERS:>4.0%}"


def _sent(path: Path, memory: ProjectMemory) -> str:
    return "\n".join(memory.text[part.start : part.end] for part in memory.parts if part.path == path)


def row_pieces(row: FileRow, width: int) -> list[Piece]:
    """Return a row at a width."""
    return on_both_sides(row.left, row.right, width)


def level_of(memory: ProjectMemory) -> Level:
    """Return how much of the 24,000 characters is used; headings and marks of ours do not count."""
    used = sum(source.characters for source in memory.sources)
    tokens = short_count(estimate_tokens(memory.text))
    return Level(used, BUDGET_CHARACTERS, f"{used:,} of {BUDGET_CHARACTERS:,} characters · {tokens} tokens")


def text_lines(row: FileRow) -> list[Piece]:
    """Return what is shown below the tree for a row."""
    return lines_of(row.text)
