"""What a shell would make of a word, as far as that can be known before it runs: variables, tildes, braces, quotes.

Nothing here decides what is allowed. It feeds warnings and reasons, so it prefers a guess that warns to none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codeagent_tui.permissions.shell import Part, parse

_QUOTED = "\x02"
"""Stands before a character that lost its meaning by quoting."""
_SPLIT = "\x01"
"""Stands where an unquoted value falls into several words."""
_MEANINGFUL = frozenset("*?[]{},~")
_GLOB = re.compile(f"(?<!{_QUOTED})[*?[]")
_IN_BRACES = rf"(?:[^{{}}]|{_QUOTED}[{{}}])"
_BRACES = re.compile(rf"(?<![{_QUOTED}$])\{{({_IN_BRACES}*?(?<!{_QUOTED}),{_IN_BRACES}*)(?<!{_QUOTED})\}}")
_OPERATION = re.compile(r"(!|#(?=.))?([\w]+|[@*#?$!-])(?:\[[^\]]*\])?(.*)", re.S)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|.)", re.S)
_FIND_BELOW = re.compile(r"find (?:\./? |\w[\w-]*(?:/\w[\w.-]*)* )?(?:-\w+ \S+ )*?-i?(?:name|path|regex) ")
"""A search that narrows what it finds, in one folder below the current one."""
_MOST_WORDS = 64
_CHANGING = frozenset({"OLDPWD", "RANDOM", "SECONDS", "REPLY", "LINENO", "?", "$", "!", "-", "_"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command runs (`folder`), and what its words mean there. `own` is CodeAgent's data folder."""

    folder: Path
    workspace: Path
    home: Path
    environment: Mapping[str, str]
    own: Path


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the shell would make it. With `glob`, `text` is a pattern (`fnmatch`), else it is literal.

    `unset` names variables in it that are empty here; `unknown` shows what only running it tells, "" when all is known.
    """

    text: str
    glob: bool = False
    unset: tuple[str, ...] = ()
    unknown: str = ""


@dataclass(slots=True)
class Scope:
    """What is known at one place of a script: its possible current folders and its variables (None: unknown value)."""

    place: Place
    folders: tuple[Path, ...]
    variables: dict[str, str | None] = field(default_factory=dict)
    assigned: frozenset[str] = frozenset()
    """Every name that the script sets anywhere: not called unset, whatever the order of things."""
    in_function: bool = False
    stops_at_errors: bool = False
    """After `set -e`: a `cd` that fails ends the script."""

    def inner(self, *, in_function: bool | None = None) -> Scope:
        """Return a copy for a part whose changes stay in it."""
        function = self.in_function if in_function is None else in_function
        return Scope(self.place, self.folders, dict(self.variables), self.assigned, function, self.stops_at_errors)

    def value(self, name: str) -> str | None:
        """Return a variable's value: "" when it is unset, None when it cannot be known."""
        if name in self.variables:
            return self.variables[name]
        if name == "PWD":
            return str(self.folders[0])
        if name in _CHANGING or (name in self.assigned and not self.place.environment.get(name)):
            return None
        if name.isdigit() or name in ("@", "*", "#"):
            return None if self.in_function else ""
        return str(self.place.home) if name == "HOME" else self.place.environment.get(name, "")


@dataclass(slots=True)
class _Notes:
    """What was met while one word was worked out."""

    unset: list[str] = field(default_factory=list)
    unknown: str = ""
    stops: bool = False
    """The shell stops here when the variable is unset (`${X:?}`): such a word never reaches its command."""


def expand(part: Part, scope: Scope) -> list[Word]:
    """Return the words that `part` becomes; none when nothing is left of it or the shell would stop at it."""
    notes = _Notes()
    marked = _marked(part, scope, notes, quoted=False)
    if notes.stops:
        return []
    words = []
    for alternative in _braces(marked):
        for piece in alternative.split(_SPLIT):
            word = _finished(piece, scope, notes)
            if word.text or word.unset or word.unknown:
                words.append(word)
    return words[:_MOST_WORDS]


def expand_text(text: str, scope: Scope) -> list[Word]:
    """Return the words of a piece of shell source, such as the default in `${X:-…}`."""
    waiting = [parse(f": {text}")]
    while waiting:
        part = waiting.pop(0)
        if part.type == "command":
            return [word for child in part.children[1:] for word in expand(child, scope)]
        waiting += part.children
    return []


def _finished(marked: str, scope: Scope, notes: _Notes) -> Word:
    text = marked
    if text.startswith("~"):
        name, slash, rest = text[1:].partition("/")
        folder = {"": str(scope.place.home), "+": str(scope.folders[0])}.get(name) or _home_of(name)
        text = folder + slash + rest
    glob = bool(_GLOB.search(text))
    if glob:
        text = re.sub(f"{_QUOTED}([*?[])", r"[\1]", text)
    return Word(text.replace(_QUOTED, ""), glob, tuple(dict.fromkeys(notes.unset)), notes.unknown)


def _home_of(user: str) -> str:
    try:
        return str(Path(f"~{user}").expanduser())
    except (RuntimeError, ValueError):
        # Nobody is called that: the shell leaves the word as it is.
        return f"~{user}"


def _braces(text: str) -> Iterator[str]:
    """Yield `a{b,c}d` as `abd` and `acd`, innermost first."""
    waiting = [text]
    found = 0
    while waiting and found < _MOST_WORDS:
        text = waiting.pop()
        hit = _BRACES.search(text)
        if hit is None:
            found += 1
            yield text
        else:
            parts = re.split(f"(?<!{_QUOTED}),", hit[1])[:_MOST_WORDS]
            waiting += [text[: hit.start()] + part + text[hit.end() :] for part in parts]


def _marked(part: Part, scope: Scope, notes: _Notes, *, quoted: bool) -> str:
    raw = part.text
    match part.type:
        case "raw_string":
            return _literal(raw[1:-1])
        case "ansi_c_string":
            return _literal(_ESCAPE.sub(_ansi_character, raw[2:-1]))
        case "string" | "translated_string":
            return _joined(part, scope, notes, quoted=True)
        case "concatenation" | "command_name":
            return _joined(part, scope, notes, quoted=quoted)
        case "simple_expansion":
            lead, _, name = raw.partition("$")
            return lead + _value(name, scope, notes, quoted=quoted)
        case "expansion":
            lead, _, rest = raw.partition("${")
            return lead + _operation(rest.removesuffix("}"), scope, notes, quoted=quoted)
        case "command_substitution":
            return _substituted(raw, scope, notes)
        case "arithmetic_expansion":
            return "0"
        case "process_substitution":
            return "/dev/fd/63"
        case _:
            return _unescaped(raw, quoted=quoted)


def _joined(part: Part, scope: Scope, notes: _Notes, *, quoted: bool) -> str:
    """Return the children one after the other, with what the grammar left out between them."""
    at = part.start
    parts = []
    for child in part.children:
        parts.append(_unescaped(part.source[at : child.start], quoted=quoted))
        if child.is_named:
            parts.append(_marked(child, scope, notes, quoted=quoted))
        elif child.type not in ('"', '$"', "$"):
            parts.append(_unescaped(child.text, quoted=quoted))
        at = max(at, child.end)
    parts.append(_unescaped(part.source[at : part.end], quoted=quoted))
    return "".join(parts)


def _literal(text: str) -> str:
    """Return `text` with every meaningful character marked as quoted."""
    return "".join(_QUOTED + char if char in _MEANINGFUL else char for char in text.replace(_QUOTED, ""))


def _unescaped(raw: str, *, quoted: bool) -> str:
    """Take the backslashes out of source text: in double quotes only some of them mean anything."""
    raw = raw.replace(_QUOTED, "").replace(_SPLIT, "")
    if quoted:
        return _literal(re.sub(r'\\([$`"\\\n])', lambda hit: "" if hit[1] == "\n" else hit[1], raw))
    return re.sub(r"\\(.)|\n", lambda hit: _literal(hit[1]) if hit[1] else "", raw.replace("\\\n", ""))


def _ansi_character(hit: re.Match[str]) -> str:
    code = hit[1]
    if code[0] in "xu" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8) & 0xFF)
    return {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b"}.get(code, code)


def _value(name: str, scope: Scope, notes: _Notes, *, quoted: bool) -> str:
    value = scope.value(name)
    if value is None:
        notes.unknown = notes.unknown or f"${name}"
        return ""
    if not value:
        notes.unset.append(name)
    marked = "".join(_QUOTED + char if char in "{},~" else char for char in value)
    return _literal(value) if quoted else re.sub(r"\s+", _SPLIT, marked)


def _operation(inside: str, scope: Scope, notes: _Notes, *, quoted: bool) -> str:
    """Work out `${…}`. Cutting and replacing operators are passed over: the whole value is near enough to warn by."""
    hit = _OPERATION.fullmatch(inside)
    if hit is None or hit[1] == "!":
        notes.unknown = notes.unknown or f"${{{inside}}}"
        return ""
    if hit[1] == "#":
        return "0"
    name, operator = hit[2], hit[3].removeprefix(":")[:1]
    default = hit[3].removeprefix(":")[1:]
    value = scope.value(name)
    if operator == "?" and not value:
        notes.stops = notes.stops or value == ""
    if (operator in ("-", "=") and value == "") or (operator == "+" and value):
        words = expand_text(default, scope)
        for word in words:
            notes.unset += word.unset
            notes.unknown = notes.unknown or word.unknown
        return _SPLIT.join(_literal(word.text) for word in words)
    return "" if operator == "+" else _value(name, scope, notes, quoted=quoted)


def _substituted(raw: str, scope: Scope, notes: _Notes) -> str:
    """Return what a command substitution gives, for the few whose answer is known."""
    lead = raw[: len(raw) - len(raw.lstrip())]
    inside = re.sub(r"^(\$\(|`)|(\)|`)$", "", raw.strip()).strip()
    if inside in ("pwd", "pwd -P"):
        return lead + _literal(str(scope.folders[0]))
    if inside == "git rev-parse --show-toplevel":
        return lead + _literal(str(scope.place.workspace))
    if re.match(r"mktemp\b", inside):
        return f"{lead}/tmp/tmp.new"
    if _FIND_BELOW.match(inside):
        return f"{lead}found/below"
    notes.unknown = notes.unknown or raw.strip()
    return lead
