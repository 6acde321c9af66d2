"""Commands that only look, with arguments that keep them so: these run without a question.

The list is short on purpose, and each entry says which options would make the command write, run something else or
read from elsewhere. What is not known here asks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from codeagent_tui.permissions.paths_in_words import possible_paths
from codeagent_tui.permissions.shell import SimpleCommand, Word, plain_commands
from codeagent_tui.secret_files import holds_secrets
from codeagent_tui.workspace import Workspace

_GLOB = re.compile(r"[*?[]")
_Check = Callable[[Sequence[str]], bool]


def is_safe(command: str, workspace: Workspace, folder: Path) -> bool:
    """Whether every part of `command`, run in the real folder `folder`, is known to change nothing and to read only
    inside the workspace. No file is opened to find out; links are followed."""
    commands = plain_commands(command)
    if commands is None or not workspace.contains(folder):
        return False
    # A `cd` may fail or run in a part of its own: what follows must be safe in either folder.
    folders = {folder}
    for part in commands:
        if part.name == "cd":
            there = _entered(part, workspace, folders)
            if not there:
                return False
            folders |= there
        elif not all(_is_safe(part, workspace, at) for at in folders):
            return False
    return True


def _entered(command: SimpleCommand, workspace: Workspace, folders: set[Path]) -> set[Path]:
    """Return the folders that a plain `cd FOLDER` may lead to, or none when that is not surely inside."""
    if len(command.arguments) != 1 or "CDPATH" in os.environ:
        return set()
    word = command.arguments[0]
    if not word.text or word.text.startswith("-") or not all(_stays_inside(word, workspace, at) for at in folders):
        return set()
    return {Path(os.path.realpath(at / word.text)) for at in folders}


def _is_safe(command: SimpleCommand, workspace: Workspace, folder: Path) -> bool:
    check = _CHECKS.get(command.name)
    if check is None or not check([word.text for word in command.arguments]):
        return False
    if command.name == "git" and not _is_plain_git(command, workspace, folder):
        return False
    if command.name == "diff" and any((folder / word.text).is_dir() for word in command.arguments):
        # Of two folders it shows whatever lies in them, secrets too.
        return False
    if command.name in _NO_FILES:
        return True
    ended = False
    for word in command.arguments:
        if not _stays_inside(word, workspace, folder, option=not ended):
            return False
        ended |= word.text == "--"
    return True


def _stays_inside(word: Word, workspace: Workspace, folder: Path, *, option: bool = True) -> bool:
    """Whether a word, taken for a path wherever it could be one, names nothing outside and no secrets."""
    if not word.quoted and (_GLOB.search(word.text) or word.text.startswith("~")):
        return False
    for candidate in possible_paths(word.text, option=option):
        try:
            path = Path(os.path.realpath(folder / candidate))
        except (OSError, ValueError):
            return False
        if not workspace.contains(path) or holds_secrets(path):
            return False
    return True


def _is_plain_git(command: SimpleCommand, workspace: Workspace, folder: Path) -> bool:
    """Whether git takes its settings from the workspace's own repository, and files by name only.

    A folder laid out like a bare repository would bring settings that run programs; and git matches patterns itself,
    so that quotes do not make `*env` a name.
    """
    if any(_GLOB.search(word.text) for word in command.arguments):
        return False
    return not any(_looks_like_a_repository(at) for at in _upwards(folder, workspace))


def _upwards(folder: Path, workspace: Workspace) -> Iterator[Path]:
    for at in (folder, *folder.parents):
        if (at / ".git").exists() or not workspace.contains(at):
            # Below the root, a repository of its own is as strange as a bare one.
            if at != workspace.root and workspace.contains(at):
                yield at / ".git"
            return
        yield at


def _looks_like_a_repository(folder: Path) -> bool:
    return (folder / "HEAD").exists() and (folder / "objects").exists()


def _anything(_: Sequence[str]) -> bool:
    return True


def _without(*options: str) -> _Check:
    """Allow everything but these options, also bundled (`-xo`), shortened (`--out`) or with a value."""
    short = {option[1] for option in options if len(option) == 2}
    long = [option for option in options if option.startswith("--")]
    other = [option for option in options if not option.startswith("--") and len(option) > 2]

    def check(arguments: Sequence[str]) -> bool:
        for argument in arguments:
            name = argument.partition("=")[0]
            if name.startswith("--"):
                if len(name) > 2 and any(option.startswith(name) or name.startswith(option) for option in long):
                    return False
            elif argument.startswith("-") and (short & set(argument[1:]) or any(name.startswith(o) for o in other)):
                return False
        return True

    return check


def _only_options(arguments: Sequence[str]) -> bool:
    return all(argument.startswith(("-", "+")) for argument in arguments)


def _find(arguments: Sequence[str]) -> bool:
    acting = ("-exec", "-ok", "-delete", "-fprint", "-fls", "-files0")
    return not any(argument.startswith(acting) for argument in arguments)


def _grep(arguments: Sequence[str]) -> bool:
    # Recursive searches would read files with secrets; the search tool does not.
    return _without("-r", "-R", "-f", "--recursive", "--dereference-recursive", "--file", "-d", "--directories")(
        arguments
    )


def _uniq(arguments: Sequence[str]) -> bool:
    # The second file is written.
    return "--" not in arguments and sum(not argument.startswith("-") for argument in arguments) <= 1


def _sed(arguments: Sequence[str]) -> bool:
    """Allow printing lines only: `sed -n 10,20p FILE`."""
    if len(arguments) < 2 or arguments[0] != "-n" or not re.fullmatch(r"\d+(,(\d+|\$))?p", arguments[1]):
        return False
    return not any(argument.startswith("-") for argument in arguments[2:])


_GIT_LOOKING: dict[str, _Check] = {
    "status": _anything,
    "diff": _without("--output", "--ext-diff", "--no-index", "-O"),
    "log": _without("--output", "--ext-diff", "-O"),
    "show": _without("--output", "--ext-diff", "-O"),
    "blame": _without("--contents"),
    "ls-files": _anything,
    "rev-parse": _anything,
    "describe": _anything,
    "shortlog": _without("--output"),
    "branch": lambda a: all(
        x in ("-a", "-r", "-v", "-vv", "--list", "--all", "--show-current", "--no-color") for x in a
    ),
    "tag": lambda a: all(x in ("-l", "--list", "-n") for x in a),
    "stash": lambda a: list(a) == ["list"],
}


def _git(arguments: Sequence[str]) -> bool:
    # Options before the subcommand (-c, -C, --git-dir, --exec-path) change what runs, and where.
    while arguments and arguments[0] in ("--no-pager", "-P"):
        arguments = arguments[1:]
    check = _GIT_LOOKING.get(arguments[0]) if arguments else None
    return check is not None and check(arguments[1:])


_CHECKS: dict[str, _Check] = {
    "ls": _anything,
    "pwd": _only_options,
    "echo": _anything,
    "true": _anything,
    "false": _anything,
    "cat": _anything,
    "head": _anything,
    "tail": _without("-f", "-F", "--follow", "--retry"),
    "wc": _without("--files0-from"),
    "nl": _anything,
    "cut": _anything,
    "tr": _anything,
    "uniq": _uniq,
    "sort": _without("-o", "--output", "--compress-program", "-T", "--temporary-directory", "--files0-from"),
    "diff": _without("--to-file", "--from-file", "-r", "--recursive", "-N", "--new-file"),
    "cmp": _anything,
    "basename": _anything,
    "dirname": _anything,
    "stat": _anything,
    "file": _without("-f", "--files-from", "-C", "--compile", "-m", "--magic-file"),
    "du": _without("--files0-from"),
    "df": _only_options,
    "uname": _only_options,
    "whoami": _only_options,
    "date": lambda a: all(x.startswith("+") or x in ("-u", "-R", "-I", "--utc") for x in a),
    "which": _anything,
    "tree": _without("-o", "--fromfile", "-R"),
    "find": _find,
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _grep,
    "sed": _sed,
    "git": _git,
}
_NO_FILES = frozenset({"echo", "true", "false", "pwd", "uname", "whoami", "date", "df", "which", "basename", "dirname"})
