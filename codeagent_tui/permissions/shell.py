"""Reads a shell command with a real grammar (tree-sitter-bash): the plain commands in it, or that it is not plain.

Plain is what can be understood wholly: simple commands of literal words, joined by `&&`, `||`, `;`, `|` and line
ends. Any substitution, redirection, assignment, group, background job or control structure makes it not plain.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_LONGEST_PLAIN = 4_000
_LONGEST_SECONDS = 0.1
_READ_SIZE = 1 << 16
_JOINTS = frozenset({"&&", "||", ";", "|", "\n"})
_TRANSPARENT = frozenset({"program", "list", "pipeline"})
_NOT_PLAIN_ASCII = re.compile("[^\t\n -~]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Word:
    """One literal word; `quoted` says that the shell takes it exactly as it is (no glob, no tilde)."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A command and its arguments."""

    name: str
    arguments: tuple[Word, ...]


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


class TooMuch(Exception):
    """A command is too long, or nested too deeply, to be looked through."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a command's syntax tree, with the text it was read from."""

    node: Node
    source: str

    @property
    def type(self) -> str:
        """What the grammar calls it."""
        return self.node.type

    @property
    def start(self) -> int:
        """Where it begins in the source."""
        return self.node.start_byte

    @property
    def end(self) -> int:
        """Where it ends in the source."""
        return self.node.end_byte

    @property
    def text(self) -> str:
        """Its source."""
        return self.source[self.node.start_byte : self.node.end_byte]

    @property
    def children(self) -> list[Part]:
        """Its parts, in the order of the source."""
        return [Part(child, self.source) for child in self.node.children]

    @property
    def is_broken(self) -> bool:
        """Whether there is something in it that the grammar does not know."""
        return self.node.has_error

    @property
    def is_named(self) -> bool:
        """Whether it is more than a mark of punctuation."""
        return self.node.is_named

    @property
    def is_compound(self) -> bool:
        """Whether it has parts."""
        return self.node.child_count > 0

    def field(self, name: str) -> Part | None:
        """Return the child that the grammar calls `name`."""
        child = self.node.child_by_field_name(name)
        return None if child is None else Part(child, self.source)

    def fields(self, name: str) -> list[Part]:
        """Return the children that the grammar calls `name`."""
        return [Part(child, self.source) for child in self.node.children_by_field_name(name)]


def parse(command: str) -> Part:
    """Return the root of the syntax tree of `command`.

    The grammar's scanner (0.25) reads beyond its tables, and so may end the process, on characters outside ASCII. To a
    shell these are parts of words and nothing else: each is read as a percent sign, which is no more than that either,
    and a byte is a character then.

    Raises:
        TooMuch: when reading it takes longer than a moment: some texts take the grammar quadratic time.
    """
    source = _NOT_PLAIN_ASCII.sub("%", command).encode("ascii")
    end = time.monotonic() + _LONGEST_SECONDS
    parser = _parser()
    try:
        tree = parser.parse(
            lambda start, _: source[start : start + _READ_SIZE], progress_callback=lambda *_: time.monotonic() > end
        )
    except ValueError:
        # What it says when the callback ends it. Without a reset the next text would be taken for the rest of this one.
        parser.reset()
        raise TooMuch from None
    return Part(tree.root_node, command)


def plain_commands(command: str) -> list[SimpleCommand] | None:
    """Return the simple commands of `command` (at most 4,000 characters), or None when it is not plain."""
    if len(command) > _LONGEST_PLAIN or _CONTROL.search(command):
        return None
    try:
        root = parse(command)
    except TooMuch:
        return None
    if root.is_broken or command.strip(" \t\n") != root.text.strip(" \t\n"):
        return None
    found: list[SimpleCommand] = []
    # A loop, not a recursion: a chain of joints is as deep in the tree as it is long.
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if not _only_blanks_between_parts(part):
            return None
        if part.type in _TRANSPARENT:
            waiting.extend(reversed(part.children))
        elif part.type == "command":
            simple = _simple(part)
            if simple is None:
                return None
            found.append(simple)
        elif part.type not in _JOINTS:
            return None
    return found or None


def _only_blanks_between_parts(part: Part) -> bool:
    """Whether nothing is left out between the parts of `part`, and the words of a command stand apart.

    The grammar (0.25) passes over a backslash at a line's end and an escaped blank as if they parted words; a shell
    joins words there.
    """
    at = part.start
    for child in part.children:
        between = part.source[at : child.start]
        if between.strip(" \t\n") or (part.type == "command" and at > part.start and not between):
            return False
        at = child.end
    return not part.is_compound or not part.source[at : part.end].strip(" \t\n")


def _simple(part: Part) -> SimpleCommand | None:
    words: list[Word] = []
    for child in part.children:
        inner = child.children[0] if child.type == "command_name" and len(child.children) == 1 else child
        word = literal(inner)
        if word is None:
            return None
        words.append(word)
    if not words or words[0].quoted or not words[0].text:
        return None
    return SimpleCommand(words[0].text, tuple(words[1:]))


def literal(part: Part) -> Word | None:
    """Return the word that `part` is, when it is one without anything that the shell would work out."""
    text = part.text
    match part.type:
        case "word" | "number":
            return None if any(mark in text for mark in "\\{\n") else Word(text)
        case "raw_string":
            return Word(text[1:-1], quoted=True)
        case "string":
            if any(child.type not in ('"', "string_content") for child in part.children) or "\\" in text:
                return None
            return Word(text[1:-1], quoted=True)
        case _:
            return None
