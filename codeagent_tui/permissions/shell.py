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


def parse(command: str) -> Node:
    """Return the root of the syntax tree of `command`.

    Raises:
        TooMuch: when reading it takes longer than a moment: some texts take the grammar quadratic time.
    """
    source = command.encode("utf-8", "replace")
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
    return tree.root_node


def text_of(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def plain_commands(command: str) -> list[SimpleCommand] | None:
    """Return the simple commands of `command` (at most 4,000 characters), or None when it is not plain."""
    if len(command) > _LONGEST_PLAIN or _CONTROL.search(command):
        return None
    try:
        root = parse(command)
    except TooMuch:
        return None
    if root.has_error or command.encode("utf-8", "replace").strip(b" \t\n") != (root.text or b"").strip(b" \t\n"):
        return None
    found: list[SimpleCommand] = []
    # A loop, not a recursion: a chain of joints is as deep in the tree as it is long.
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not _only_blanks_between_parts(node):
            return None
        if node.type in _TRANSPARENT:
            waiting.extend(reversed(node.children))
        elif node.type == "command":
            simple = _simple(node)
            if simple is None:
                return None
            found.append(simple)
        elif node.type not in _JOINTS:
            return None
    return found or None


def _only_blanks_between_parts(node: Node) -> bool:
    """Whether nothing is left out between the parts of `node`, and the words of a command stand apart.

    The grammar (0.25) passes over a backslash at a line's end, an escaped blank and some blanks of Unicode as if they
    parted words; a shell joins words there.
    """
    source, start = node.text or b"", node.start_byte
    at = start
    for child in node.children:
        between = source[at - start : child.start_byte - start]
        if between.strip(b" \t\n") or (node.type == "command" and at > start and not between):
            return False
        at = child.end_byte
    return not node.children or not source[at - start :].strip(b" \t\n")


def _simple(node: Node) -> SimpleCommand | None:
    words: list[Word] = []
    for child in node.children:
        inner = child.children[0] if child.type == "command_name" and child.child_count == 1 else child
        word = literal(inner)
        if word is None:
            return None
        words.append(word)
    if not words or words[0].quoted or not words[0].text:
        return None
    return SimpleCommand(words[0].text, tuple(words[1:]))


def literal(node: Node) -> Word | None:
    """Return the word that `node` is, when it is one without anything that the shell would work out."""
    text = text_of(node)
    match node.type:
        case "word" | "number":
            return None if any(mark in text for mark in "\\{\n") else Word(text)
        case "raw_string":
            return Word(text[1:-1], quoted=True)
        case "string":
            if any(child.type not in ('"', "string_content") for child in node.children) or "\\" in text:
                return None
            return Word(text[1:-1], quoted=True)
        case _:
            return None
