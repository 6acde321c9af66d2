"""The Project files tab: the CODEAGENT.md layers with what they import, and each file's text as it is sent."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from codeagent_tui.memory.project_memory import ProjectMemory
from codeagent_tui.tui.inspector.file_rows import FileRow, file_rows, level_of, row_pieces, text_lines
from codeagent_tui.tui.inspector.key_line import Hint
from codeagent_tui.tui.inspector.level import LevelBar
from codeagent_tui.tui.inspector.row_list import RowList
from codeagent_tui.tui.inspector.view import InspectorView, Subject
from codeagent_tui.tui.line_view import LineView
from codeagent_tui.tui.pieces import Piece


class ProjectFilesView(InspectorView):
    """Shows project memory as the files are now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o,e", "open", show=False),
        Binding("y", "copy", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._subject: Subject | None = None
        self._rows: dict[str, FileRow] = {}
        self._shown: tuple[str, str] = ("", "")
        self._bar = LevelBar()
        self._tree = RowList(self._draw, id="files-tree")
        self._text = LineView(id="files-text")

    def compose(self) -> ComposeResult:
        """Yield the bar, the tree, and the text of the file under the cursor."""
        yield self._bar
        yield self._tree
        yield self._text

    def take_focus(self) -> None:
        """Focus the tree."""
        self._tree.focus()

    async def load(self, subject: Subject) -> None:
        """Read the files; they may have changed."""
        self._subject = subject
        manager = subject.session.agent.memory

        def read() -> tuple[ProjectMemory, list[FileRow]]:
            memory = manager.project_context()
            return memory, file_rows(memory, manager.identity.root, manager.note_file)

        memory, rows = await asyncio.to_thread(read)
        self._bar.show(level_of(memory))
        self._rows = {row.key: row for row in rows}
        self._tree.show([row.key for row in rows])
        self._tree.refresh(layout=True)
        self._show_text()

    def _draw(self, key: str, width: int) -> list[Piece]:
        return row_pieces(self._rows[key], width)

    @property
    def _row(self) -> FileRow | None:
        return self._rows.get(self._tree.current or "")

    def _show_text(self) -> None:
        row = self._row
        if row is not None and (row.key, row.text) != self._shown:
            same, self._shown = row.key == self._shown[0], (row.key, row.text)
            self._text.show(text_lines(row), keep_place=same)

    @on(RowList.Moved)
    def show_text(self, event: RowList.Moved) -> None:
        """Show the text of the row under the cursor."""
        event.stop()
        self._show_text()

    @on(RowList.Chosen)
    async def open_chosen(self, event: RowList.Chosen) -> None:
        """Open the chosen file."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the file under the cursor in the user's editor."""
        self.run_worker(self._edit(), group="editor", exclusive=True)

    async def _edit(self) -> None:
        from codeagent_tui.tui.inspector.editor_run import NoEditor, edit_file

        row = self._row
        if row is None or row.path is None:
            self.say("There is no file in this row.")
            return
        try:
            await edit_file(self.screen_app, row.path, os.environ)
        except NoEditor as why:
            self.say(str(why), problem=True)
        if self._subject is not None:
            await self.load(self._subject)

    def action_copy(self) -> None:
        """Copy the text that is shown."""
        row = self._row
        if row is not None and row.text:
            self.copy(row.text, "the text")

    def hints(self) -> Sequence[Hint]:
        """Return what the keys do in the tree or in the text."""
        if self._text.has_focus:
            return (("↑↓ pgup pgdn", "scroll"), ("y", "copy"), ("tab", "to the files"))
        return (("enter", "open in $EDITOR"), ("y", "copy the text"), ("tab", "to the text"))
