"""Reads a shell command with a real grammar (tree-sitter-bash): the plain commands in it, or that it is not plain.

Plain is what can be understood wholly: simple commands of literal words, joined by `&&`, `||`, `;`, `|` and line
ends. Any substitution, redirection, assignment, group, background job or control structure makes it not plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

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


def parse(command: str) -> Node:
    """Return the root of the syntax tree of `command`."""
    return _parser().parse(command.encode("utf-8", "replace")).root_node


def text_of(node: Node) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def plain_commands(command: str) -> list[SimpleCommand] | None:
    """Return the simple commands of `command`, or None when it is not plain."""
    if _CONTROL.search(command):
        return None
    root = parse(command)
    if root.has_error or not root.children:
        return None
    found: list[SimpleCommand] = []
    return found if _collect(root, found) and found else None


def _collect(node: Node, found: list[SimpleCommand]) -> bool:
    if node.type == "command":
        simple = _simple(node)
        if simple is None:
            return False
        found.append(simple)
        return True
    if node.type in _TRANSPARENT:
        return all(_collect(child, found) for child in node.children)
    return node.type in _JOINTS


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


def nodes(node: Node, *kinds: str) -> Iterator[Node]:
    """Yield the nodes of these kinds in `node`, in the order of the source."""
    if node.type in kinds:
        yield node
    for child in node.children:
        yield from nodes(child, *kinds)
