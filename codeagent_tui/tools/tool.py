"""What a tool is: its schema, what it is about to touch, how it runs, and the context it runs in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from codeagent_tui.conversation.events import TodoItem, ToolKind
from codeagent_tui.llm.provider import JsonValue, ToolSpec
from codeagent_tui.text import replace_surrogates
from codeagent_tui.workspace import Workspace

if TYPE_CHECKING:
    from codeagent_tui.tools.file_state import FileState


class ToolError(Exception):
    """A tool could not do what was asked; the message tells the model what happened and what to do instead."""


class Arguments(BaseModel):
    """Base of every tool's arguments: unknown names are refused, so that a misspelt option is noticed."""

    model_config = ConfigDict(extra="forbid")


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Access:
    """What one call is about to touch: what permissions are decided on, and what the user is shown.

    `paths` are the real absolute paths it reads or writes; `command` and `url` are set by the kinds that have
    one. `body` is what will really happen, whole: a command, a unified diff, a URL, a text.
    """

    kind: ToolKind
    title: str
    paths: tuple[Path, ...] = ()
    command: str = ""
    url: str = ""
    body: str = ""
    body_kind: str = "text"
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back: `text` for the model, the rest for the screen.

    `summary` is one line for people (`42 lines`, `exit 1, 3.2 s`); `diff` a unified diff of what was changed.
    """

    text: str
    ok: bool = True
    summary: str = ""
    diff: str = ""


class FactSaver(Protocol):
    """The one door through which a tool may save a long-term fact."""

    async def save_fact(self, content: str, *, project_only: bool) -> str:
        """Save `content` and return a sentence that says what was saved, where, or that it was known.

        Raises:
            ToolError: when it was not saved, with the reason.
        """
        ...


class Checkpointer(Protocol):
    """Whoever keeps files as they were before they are changed. Its methods block: call them in a thread."""

    def before_write(self, path: Path, sha256: str | None) -> None:
        """Keep what is at `path`, which is about to hold content of that digest (None: to be deleted)."""
        ...

    def before_command(self, command: str) -> None:
        """Keep what `command`, about to run, may change, as far as that is cheap."""
        ...

    def after_command(self) -> None:
        """Note what that command has changed."""
        ...


@dataclass(slots=True)
class ToolContext:
    """What tools share during a session. One owner: the agent."""

    workspace: Workspace
    file_state: FileState
    environment: Mapping[str, str]
    facts: FactSaver | None = None
    checkpoints: Checkpointer | None = None
    todos: list[TodoItem] = field(default_factory=list)
    progress: Callable[[str], None] = field(default=lambda _: None)
    """Shows more output of this call on the screen; cheap, and safe to call from the loop's thread only."""


class Tool(Generic[ArgumentsT]):
    """Base of the tools. A subclass names itself, its arguments and its kind, and says how to run."""

    name: ClassVar[str]
    description: ClassVar[str]
    kind: ClassVar[ToolKind]
    arguments: ClassVar[type[Arguments]]

    def title(self, arguments: ArgumentsT) -> str:
        """Return one line for people that says what this call does."""
        return self.name

    async def access(self, arguments: ArgumentsT, context: ToolContext) -> Access:
        """Say what the call will touch, without doing it.

        Raises:
            ToolError: when it is plain already that the call cannot work.
        """
        return Access(self.kind, self.title(arguments))

    async def run(self, arguments: ArgumentsT, context: ToolContext) -> ToolOutput:
        """Do it.

        Raises:
            ToolError: when it failed in a way that the model can act on.
        """
        raise ToolError(f"{self.name} cannot run here.")

    def spec(self) -> ToolSpec:
        """Return the tool as the model is told of it."""
        schema = cast("dict[str, JsonValue]", self.arguments.model_json_schema())
        return ToolSpec(self.name, self.description, _without_titles(schema))


def _without_titles(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Drop pydantic's titles: they repeat the names, and every request pays for them."""
    return {
        key: _without_titles(value) if isinstance(value, dict) else value
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


class Registry:
    """The tools of a session, by name, in a stable order (the provider's prompt cache depends on it)."""

    def __init__(self, tools: Iterable[Tool[Arguments]]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self.specs = tuple(tool.spec() for tool in self._tools.values())

    def __iter__(self) -> Iterator[Tool[Arguments]]:
        return iter(self._tools.values())

    def get(self, name: str) -> Tool[Arguments]:
        """Return the tool called `name`.

        Raises:
            ToolError: naming the tools there are.
        """
        try:
            return self._tools[name]
        except KeyError:
            raise ToolError(f"There is no tool named {name!r}. The tools are: {', '.join(self._tools)}.") from None


def parse_arguments(tool: Tool[Arguments], text: str) -> Arguments:
    """Return the call's arguments, checked against the tool's schema; halves of surrogate pairs become U+FFFD.

    Raises:
        ToolError: one line a fault, naming the argument and what it should be.
    """
    try:
        return tool.arguments.model_validate(_without_surrogates(json.loads(text or "{}")))
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()
        )
        raise ToolError(f"{tool.name} was not run, its arguments do not fit: {faults}.") from None
    except ValueError as error:
        raise ToolError(f"{tool.name} was not run, its arguments are no JSON: {error}.") from None


def _without_surrogates(value: JsonValue) -> JsonValue:
    """Return `value` with every string fit to be written as UTF-8: no tool has to think of it again."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {replace_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value
