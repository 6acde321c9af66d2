"""Commands that destroy more than they were meant to: what is dangerous about one, with its real targets.

A warned-about command is never covered by a rule; it asks each time, and never runs unattended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codeagent_tui.permissions.shell import nodes, parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset({"sudo", "doas", "command", "builtin", "exec", "nohup", "time", "env", "nice", "ionice"})
_SYSTEM = tuple(
    Path(name)
    for name in ("/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/var", "/boot", "/opt", "/root", "/home")
)
_STARTUP = (".ssh", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zprofile", ".gitconfig", ".config/fish")
_DEVICE = re.compile(r"/dev/(?:sd|hd|nvme|vd|mmcblk|disk|mapper/)")
_VARIABLE = re.compile(r"\$\{?(\w+)(?::?[-=+?][^}]*)?\}?")
_GLOB_END = re.compile(r"/?(?:\*|\.\*|\.\[!\.\]\*)+$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command runs, and what its words mean there."""

    workspace: Path
    home: Path
    environment: Mapping[str, str]


def dangers(command: str, place: Place) -> tuple[str, ...]:
    """Return what is dangerous about `command`, one sentence each; empty for the usual."""
    found: dict[str, None] = {}
    cwd = place.workspace
    root = parse(command)
    for node in nodes(root, "command", "file_redirect"):
        if node.type == "file_redirect":
            found.update(dict.fromkeys(_of_redirect(node, place, cwd)))
            continue
        for parts in _split_at_lines(node):
            words = _unwrapped([_expand(part, place, cwd) for part in parts])
            if not words:
                continue
            name = Path(words[0].text.lstrip("\\")).name
            if name == "cd" and len(words) > 1:
                cwd = _path(words[1].text, cwd)
            else:
                found.update(dict.fromkeys(_of_command(name, words[1:], place, cwd)))
    return tuple(found)


def _split_at_lines(node: Node) -> list[list[Node]]:
    """Return the parts of a command. The grammar (0.25) takes a line that begins with a backslash for more words of
    the line before; here it is a command of its own."""
    commands: list[list[Node]] = [[]]
    for child in node.children:
        if child.type == "variable_assignment":
            continue
        if text_of(child).startswith("\n"):
            commands.append([])
        commands[-1].append(child)
    return [parts for parts in commands if parts]


def _unwrapped(words: list[_Expanded]) -> list[_Expanded]:
    """Drop what only runs the rest (`sudo -n`, `env`, …)."""
    wrapped = False
    while words:
        name = words[0].text.lstrip("\\\n")
        if name in _WRAPPERS:
            wrapped = True
        elif not (wrapped and (name.startswith("-") or "=" in name)):
            break
        words = words[1:]
    return words


@dataclass(frozen=True, slots=True)
class _Expanded:
    """A word as the shell would make it, as far as that can be known; `unset` names variables that are empty."""

    text: str
    unset: tuple[str, ...] = ()


def _expand(node: Node, place: Place, cwd: Path) -> _Expanded:
    raw = text_of(node)
    if node.type == "raw_string":
        return _Expanded(raw[1:-1])
    quoted = node.type == "string" or raw.startswith('"')
    text = re.sub(r"\$\(\s*pwd\s*\)|`\s*pwd\s*`|\$\{?PWD\}?", lambda _: str(cwd), raw.replace('"', ""))
    unset: list[str] = []

    def value(hit: re.Match[str]) -> str:
        found = str(place.home) if hit[1] == "HOME" else place.environment.get(hit[1], "")
        if not found:
            unset.append(hit[1])
        return found

    text = _VARIABLE.sub(value, text)
    if text.startswith("~") and not quoted and (len(text) == 1 or text[1] == "/"):
        text = str(place.home) + text[1:]
    return _Expanded(text.replace("'", "").lstrip("\n"), tuple(unset))


def _path(text: str, cwd: Path) -> Path:
    return Path(os.path.normpath(cwd / text))


def _of_command(name: str, words: list[_Expanded], place: Place, cwd: Path) -> Iterator[str]:
    options = [word.text for word in words if word.text.startswith("-") and word.text != "--"]
    targets = [word for word in words if not word.text.startswith("-")]
    if name in ("rm", "rmdir", "shred", "unlink"):
        yield from _deleting(name, targets, options, place, cwd)
    elif name == "find" and any(word.text in ("-delete", "-exec", "-execdir", "-ok") for word in words):
        first = targets[:1] or [_Expanded(".")]
        yield from _touching("deletes or runs something on everything under", first, place, cwd, whole_workspace=False)
    elif name in ("mv", "chmod", "chown", "chgrp") and (name == "mv" or _has(options, "R", "--recursive")):
        moved = targets[:-1] if name == "mv" else targets[1:]
        yield from _touching("moves" if name == "mv" else "changes everything under", moved, place, cwd)
    elif name == "git" and targets and targets[0].text == "clean":
        yield from _touching("deletes all untracked files under", targets[1:], place, cwd, whole_workspace=False)
    elif name == "dd":
        outputs = [word.text[3:] for word in words if word.text.startswith("of=")]
        yield from (f"It overwrites the device {target}." for target in outputs if _DEVICE.match(target))
    elif name.startswith("mkfs") or name in ("wipefs", "fdisk", "parted"):
        yield f"{name} changes a disk itself."


def _has(options: list[str], letter: str, word: str) -> bool:
    return any(option == word or (not option.startswith("--") and letter in option) for option in options)


def _deleting(name: str, targets: list[_Expanded], options: list[str], place: Place, cwd: Path) -> Iterator[str]:
    for target in targets:
        for variable in target.unset:
            yield f"The variable {variable} is not set here, so {name} would get {target.text!r}."
    recursive = name != "rm" or _has(options, "r", "--recursive") or _has(options, "R", "--recursive")
    if recursive:
        yield from _touching("deletes everything in", targets, place, cwd)


def _touching(
    does: str, targets: list[_Expanded], place: Place, cwd: Path, *, whole_workspace: bool = True
) -> Iterator[str]:
    """Yield a sentence for each target that holds more than a project: the root, a home, a system folder, what the
    workspace lies in, or (when `whole_workspace`) the workspace itself."""
    for target in targets:
        inside = _GLOB_END.sub("", target.text) if _GLOB_END.search(target.text) else target.text
        path = _path(inside or ("/" if target.text.startswith("/") else "."), cwd)
        why = _importance(path, place, whole_workspace=whole_workspace)
        if why:
            yield f"It {does} {path}, which is {why}."


def _importance(path: Path, place: Place, *, whole_workspace: bool) -> str:
    if path == Path("/"):
        return "the whole system"
    if path == place.home:
        return "your home folder"
    if path == place.workspace:
        return "the workspace itself" if whole_workspace else ""
    if place.workspace.is_relative_to(path):
        return "a folder that the workspace lies in"
    if place.home.is_relative_to(path):
        return "a folder that your home lies in"
    if path in _SYSTEM or any(path.parent == folder for folder in _SYSTEM[:7]):
        return "part of the system"
    return ""


def _of_redirect(node: Node, place: Place, cwd: Path) -> Iterator[str]:
    if not any(child.type in (">", ">>", "&>", "&>>", ">|") for child in node.children):
        return
    target = _expand(node.children[-1], place, cwd).text
    path = _path(target, cwd)
    if _DEVICE.match(target):
        yield f"It writes over the device {target}."
    elif any(path == place.home / name or path.is_relative_to(place.home / name) for name in _STARTUP):
        yield f"It writes to {path}, which decides how your account works."
    elif any(path.is_relative_to(folder) for folder in _SYSTEM[:7]):
        yield f"It writes to {path}, part of the system."
