"""The connect dialog: a server (found here or typed), a key, a model from its list; tested before it is used."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tui.connecting import Connection, ConnectionTools, FoundServer
from codeagent_tui.tui.dialogs.frame import Dialog

_KEYS = "tab next field   ↑↓ choose   enter list models, then test and connect   esc close"
_NO_KEY = "none is kept for this server; a local one needs none"
_KEPT_KEY = "the kept one is used; type another to replace it"
_MOST_MODELS = 500


class ConnectDialog(Dialog[Connection]):
    """Its result is a connection that was tested, None when it was left."""

    LEAST_SIZE = (40, 10)
    FLEXIBLE = "#connect-models"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move('down')", show=False),
        Binding("up", "move('up')", show=False),
    ]
    AUTO_FOCUS = "#connect-url"

    def __init__(self, tools: ConnectionTools, current: Connection) -> None:
        super().__init__("Connect a model", _KEYS)
        self._tools = tools
        self._current = current
        self._servers: list[FoundServer] = []
        self._models: tuple[str, ...] = ()
        self._testing: Worker[None] | None = None

    def body(self) -> ComposeResult:
        """Yield the servers found, the three fields, the models, and what the test says."""
        yield Static(Content("Looking for servers on this machine…"), id="connect-found")
        yield self._row("server", Input(self._current.base_url, placeholder="https://…/v1", id="connect-url"))
        yield self._row("key", Input(password=True, placeholder=_NO_KEY, id="connect-key"))
        yield self._row("model", Input(self._current.model, placeholder="enter lists them", id="connect-model"))
        models = OptionList(id="connect-models", markup=False)
        models.can_focus = False
        yield models
        yield Static(Content(""), id="connect-report")

    def _row(self, name: str, field: Input) -> Horizontal:
        return Horizontal(Label(name, classes="field-name", markup=False), field, classes="field")

    def on_mount(self) -> None:
        """Look for local servers, beside everything else."""
        self._hint_at_key()
        self.run_worker(self._find(), group="find", exit_on_error=False)

    async def _find(self) -> None:
        self._servers = list(await self._tools.find_servers())
        if not self._servers:
            words = "No model server was found on this machine. Type the address of one, or of a provider."
            self.query_one("#connect-found", Static).update(Content(words))
            return
        lines = [f"{server.name}  {server.base_url}  ({len(server.models)} models)" for server in self._servers]
        found = "\n".join(one_line(line) for line in lines)
        self.query_one("#connect-found", Static).update(Content(f"Found here (↑↓ in the server field):\n{found}"))
        if not self._value("url") and not self._current.model:
            self._take_server(0)

    def _value(self, name: str) -> str:
        return self.query_one(f"#connect-{name}", Input).value.strip()

    def _connection(self) -> Connection:
        url, typed = self._value("url").rstrip("/"), self._value("key")
        return Connection(url, typed or self._tools.known_key(url), self._value("model"), new_key=bool(typed))

    def _hint_at_key(self) -> None:
        kept = self._tools.known_key(self._value("url").rstrip("/"))
        self.query_one("#connect-key", Input).placeholder = _KEPT_KEY if kept else _NO_KEY

    def _take_server(self, index: int) -> None:
        server = self._servers[index % len(self._servers)]
        self.query_one("#connect-url", Input).value = server.base_url
        self._show_models(server.models)

    def _show_models(self, models: tuple[str, ...]) -> None:
        self._models = models
        self._narrow("")

    def _narrow(self, wanted: str) -> None:
        options = self.query_one("#connect-models", OptionList)
        fitting = [model for model in self._models if wanted.lower() in model.lower()][:_MOST_MODELS]
        options.set_options([Option(Content(one_line(model, 100))) for model in fitting])
        current = self._value("model")
        options.highlighted = fitting.index(current) if current in fitting else None

    def _report(self, text: str, state: str) -> None:
        report = self.query_one("#connect-report", Static)
        report.update(Content(clean_text(text)))
        report.set_classes(f"-{state}")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the models while one is typed; another server has another key."""
        if event.input.id == "connect-url":
            self._hint_at_key()
        if event.input.id == "connect-model" and event.input.has_focus:
            self._narrow(event.value if event.value not in self._models else "")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Test what is filled in; with all three fields, connect when it works."""
        event.stop()
        if not self.too_small:
            self._test(and_connect=event.input.id == "connect-model")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take a model by a click."""
        event.stop()
        self._take_model(event.option_index)

    def _take_model(self, index: int) -> None:
        options = self.query_one("#connect-models", OptionList)
        field = self.query_one("#connect-model", Input)
        with self.prevent(Input.Changed):
            field.value = str(options.get_option_at_index(index).prompt)
        field.focus()

    def action_move(self, where: str) -> None:
        """In the server field: the next server found; elsewhere: the next model of the list."""
        step = 1 if where == "down" else -1
        if self.query_one("#connect-url", Input).has_focus:
            if self._servers:
                urls = [server.base_url for server in self._servers]
                at = urls.index(self._value("url")) if self._value("url") in urls else -min(step, 0) - 1
                self._take_server(at + step)
            return
        options = self.query_one("#connect-models", OptionList)
        if options.option_count:
            options.action_cursor_down() if step > 0 else options.action_cursor_up()
            if options.highlighted is not None:
                self._take_model(options.highlighted)

    def _test(self, *, and_connect: bool) -> None:
        connection = self._connection()
        and_connect = and_connect and bool(connection.model)
        if not and_connect:
            # Only the server and the key are tried: its models are what is wanted.
            connection = replace(connection, model="")
        if self._testing is not None:
            self._testing.cancel()
        self._report("testing…", "busy")
        self._testing = self.run_worker(self._try(connection, and_connect), group="test", exit_on_error=False)

    async def _try(self, connection: Connection, and_connect: bool) -> None:
        report = await self._tools.test(connection)
        if report.models:
            self._show_models(report.models)
        self._report(report.message, "ok" if report.ok else "failed")
        if report.ok and and_connect:
            self.dismiss(connection)
        elif report.ok:
            self.query_one("#connect-model", Input).focus()
