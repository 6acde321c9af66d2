"""What a shell script does, command by command, as far as it can be known: its acts, in the order of the source.

It follows variables, `cd`, subshells, functions, loops over words, wrappers such as `sudo`, and scripts given to
another shell (`bash -c '…'`, `eval`, a here-document). It looks at every branch.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.permissions.shell import Part, TooMuch, parse
from codeagent_tui.permissions.shell_words import Place, Scope, Word, expand
from codeagent_tui.permissions.wrapped_commands import SHELLS, base_name, run_by, script_of

_MOST_NODES = 5_000
_MOST_ACTS = 300
_DEEPEST = 60
_MOST_ITEMS = 8
_MOST_LINES = 200
_MOST_FOLDERS = 4
_APART = frozenset({"subshell", "command_substitution", "process_substitution"})
_BRANCHING = frozenset({"if_statement", "while_statement", "case_statement", "c_style_for_statement"})
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_GIVEN = frozenset({"heredoc_redirect", "herestring_redirect"})
_NAMING = frozenset({"read", "mapfile", "readarray", "getopts"})


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command that is run: its name (without folder), its arguments, and the folders it may run in.

    `upstream` is what pipes into it.
    """

    name: str
    words: tuple[Word, ...]
    folders: tuple[Path, ...]
    upstream: tuple[Invocation, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirection:
    """A file that a redirection opens; `writes` or reads."""

    target: Word
    folders: tuple[Path, ...]
    writes: bool


Act = Invocation | Redirection


@dataclass(frozen=True, slots=True)
class Script:
    """The acts of a script; `complete` is false when it was too long or too deep to be looked through."""

    acts: tuple[Act, ...]
    complete: bool


def read_script(command: str, place: Place) -> Script:
    """Return what `command` does when it is run at `place`."""
    reader = _Reader(place)
    if reader.read(command):
        # A shell runs each command before it stumbles over a later one; the tree of a broken script is a guess.
        for line in command.splitlines()[:_MOST_LINES]:
            reader.read(line)
    return Script(tuple(dict.fromkeys(reader.acts)), reader.complete)


@dataclass(slots=True)
class _Reader:
    place: Place
    acts: list[Act] = field(default_factory=list)
    complete: bool = True
    _made: set[Path] = field(default_factory=set)
    _nodes: int = 0
    _depth: int = 0

    def read(self, text: str) -> bool:
        """Read a script; return whether it is broken."""
        scope = Scope(self.place, (self.place.folder,))
        self._depth = 0
        try:
            root = parse(text)
            scope.assigned = self._assigned(root)
            self._walk(root, scope)
        except TooMuch:
            self.complete = False
            return False
        return root.is_broken

    def _assigned(self, root: Part) -> frozenset[str]:
        names = set()
        waiting = [root]
        while waiting:
            part = waiting.pop()
            if part.type in ("variable_assignment", "for_statement"):
                named = part.field("name" if part.type == "variable_assignment" else "variable")
                names.add(named.text if named is not None else "")
            elif part.type == "command":
                words = part.text.split()
                names.update(words[1:] if words and words[0] in _NAMING else [])
            waiting += [child for child in part.children if child.is_compound]
        return frozenset(names)

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(self.acts) > _MOST_ACTS:
            raise TooMuch

    def _walk(self, part: Part, scope: Scope, upstream: Sequence[Invocation] = (), *, certain: bool = False) -> None:
        """Read one part. `certain`: what follows runs only if it succeeds, or after an `exit` if it does not."""
        self._count()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TooMuch
        match part.type:
            case "command":
                self._command(part, scope, upstream, certain=certain)
            case "list":
                self._list(part, scope)
            case "pipeline":
                self._pipeline(part, scope, upstream)
            case "variable_assignment":
                self._assign(part, scope)
            case "for_statement":
                self._loop(part, scope)
            case "declaration_command":
                self._walk_children(part, scope)
                words = [word for child in part.children[1:] for word in expand(child, scope)]
                self.acts.append(Invocation(part.children[0].text, tuple(words), scope.folders))
            case "function_definition":
                self._walk_children(part, scope.inner(in_function=True))
            case "redirected_statement":
                self._redirected(part, scope, upstream, certain=certain)
            case kind if kind in _REDIRECTS:
                self._redirect(part, scope)
            case kind if kind in _APART:
                self._walk_children(part, scope.inner())
            case kind if kind in _BRANCHING:
                before = scope.folders
                self._walk_children(part, scope)
                scope.folders = _merged(scope.folders, before)
            case _:
                self._walk_children(part, scope)
        self._depth -= 1

    def _walk_children(self, part: Part, scope: Scope) -> None:
        for child in part.children:
            # What has no parts runs nothing.
            if child.is_compound and child.type != "simple_expansion":
                self._walk(child, scope)

    def _list(self, part: Part, scope: Scope) -> None:
        """Read `a && b || c`. The tree leans to the left, as deep as the list is long."""
        items: list[Part] = []
        while part.type == "list":
            items += reversed(part.children[1:])
            part = part.children[0]
        items.append(part)
        items.reverse()
        for item, following in zip(items, [*items[1:], None], strict=True):
            self._walk(item, scope, certain=following is not None and following.type in ("&&", "||"))

    def _pipeline(self, part: Part, scope: Scope, upstream: Sequence[Invocation]) -> None:
        before: list[Invocation] = list(upstream)
        for child in part.children:
            since = len(self.acts)
            self._walk(child, scope.inner(), tuple(before))
            before += [act for act in self.acts[since:] if isinstance(act, Invocation)]

    def _assign(self, part: Part, scope: Scope) -> None:
        self._walk_children(part, scope)
        name = part.field("name")
        value = part.field("value")
        if name is not None:
            words = [] if value is None else expand(value, scope)
            known = all(not word.unknown for word in words) and (value is None or value.type != "array")
            scope.variables[name.text] = " ".join(word.text for word in words) if known else None

    def _loop(self, part: Part, scope: Scope) -> None:
        """Read a loop once for each word it goes over, while those are few and known."""
        name = part.field("variable")
        body = part.field("body")
        if name is None or body is None:
            self._walk_children(part, scope)
            return
        values: list[str | None] = []
        for child in part.fields("value"):
            self._walk(child, scope)
            values += [None if word.unknown or word.glob else word.text for word in expand(child, scope)]
        if not values or len(values) > _MOST_ITEMS:
            values = [None]
        before = scope.folders
        for value in dict.fromkeys(values):
            scope.variables[name.text] = value
            self._walk(body, scope)
        scope.folders = _merged(scope.folders, before)

    def _redirected(self, part: Part, scope: Scope, upstream: Sequence[Invocation], *, certain: bool) -> None:
        since = len(self.acts)
        for child in part.children:
            if child.type in _REDIRECTS:
                self._redirect(child, scope)
            else:
                self._walk(child, scope, upstream, certain=certain)
        ran = [act for act in self.acts[since:] if isinstance(act, Invocation)]
        for child in part.children:
            if child.type in _GIVEN and any(act.name in SHELLS for act in ran):
                self._source(_given(child, scope), scope.inner())

    def _redirect(self, part: Part, scope: Scope) -> None:
        self._walk_children(part, scope)
        if part.type != "file_redirect":
            return
        writes = any(child.type in (">", ">>", "&>", "&>>", ">|", "<>") for child in part.children)
        reads = any(child.type == "<" for child in part.children)
        target = part.field("destination")
        if target is not None and (writes or reads):
            self.acts += [Redirection(word, scope.folders, writes) for word in expand(target, scope)]

    def _source(self, text: str, scope: Scope) -> None:
        """Read a script that a command of this one runs."""
        root = parse(text)
        scope.assigned |= self._assigned(root)
        self._walk(root, scope)

    def _command(self, part: Part, scope: Scope, upstream: Sequence[Invocation], *, certain: bool) -> None:
        for parts in _split_at_lines(part):
            for part in parts:
                self._walk_children(part, scope)
                if part.type in _REDIRECTS:
                    self._redirect(part, scope)
            words = [word for part in parts if part.type not in _REDIRECTS for word in expand(part, scope)]
            if words:
                self._invoke(words, scope, upstream, certain=certain)
            for part in parts:
                if part.type in _GIVEN and words and any(base_name(word) in SHELLS for word in words):
                    self._source(_given(part, scope), scope.inner())

    def _invoke(
        self, words: Sequence[Word], scope: Scope, upstream: Sequence[Invocation], *, certain: bool = False
    ) -> None:
        name = base_name(words[0])
        arguments = tuple(words[1:])
        self.acts.append(Invocation(name, arguments, scope.folders, tuple(upstream)))
        if name in ("cd", "pushd"):
            scope.folders = self._changed(arguments, scope, certain=certain)
        elif name == "set":
            scope.stops_at_errors |= any(word.text.startswith("-") and "e" in word.text for word in arguments)
        elif name == "mkdir":
            self._made.update(_there(word, folder) for word in arguments for folder in scope.folders)
        elif name == "eval":
            self._source(" ".join(word.text for word in arguments), scope)
        elif name in SHELLS or name in ("su", "trap"):
            script = script_of(name, arguments)
            if script:
                # What `$1` is in there comes from the words behind it.
                self._source(script, scope.inner(in_function=True))
            elif upstream and name in SHELLS and upstream[-1].name in ("echo", "printf"):
                self._source(" ".join(word.text for word in upstream[-1].words), scope.inner())
        elif name in _NAMING:
            scope.variables.update({word.text: None for word in arguments})
        else:
            for inner in run_by(name, arguments):
                self._depth += 1
                if self._depth > _DEEPEST:
                    raise TooMuch
                self._invoke(inner, scope, (*upstream, Invocation(name, arguments, scope.folders)))
                self._depth -= 1

    def _changed(self, words: tuple[Word, ...], scope: Scope, *, certain: bool) -> tuple[Path, ...]:
        """Return where the shell may be after `cd`: also where it was, when it is not plain that the step succeeds."""
        wanted = [word for word in words if word.text in ("", "-") or not word.text.startswith("-")]
        if not wanted:
            return (scope.place.home,)
        if wanted[0].text == "-" or (wanted[0].unknown and not wanted[0].text):
            return scope.folders
        there = tuple(dict.fromkeys(_there(wanted[0], folder) for folder in scope.folders))
        certain = certain or scope.stops_at_errors
        if certain or all(folder in self._made or folder.is_dir() for folder in there):
            return there
        return _merged(there, scope.folders)


def _given(part: Part, scope: Scope) -> str:
    """Return the text of a here-document or here-string."""
    for child in part.children:
        if child.type == "heredoc_body":
            return child.text
    return " ".join(word.text for child in part.children[1:] for word in expand(child, scope))


def _split_at_lines(part: Part) -> list[list[Part]]:
    """Return the parts of a command. The grammar (0.25) takes a line that begins with a backslash for more words of
    the line before; here it is a command of its own."""
    commands: list[list[Part]] = [[]]
    for child in part.children:
        if child.type == "variable_assignment":
            continue
        if child.text.startswith("\n"):
            commands.append([])
        commands[-1].append(child)
    return [parts for parts in commands if parts]


def _there(word: Word, folder: Path) -> Path:
    return Path(os.path.normpath(folder / word.text))


def _merged(first: tuple[Path, ...], second: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:_MOST_FOLDERS]
