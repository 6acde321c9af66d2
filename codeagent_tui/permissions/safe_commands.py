"""Commands that only look, with arguments that keep them so: these run without a question.

The list is short on purpose, and each entry says which options would make the command write, run something else or
read from elsewhere. What is not known here asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from codeagent_tui.permissions.containment import holds_secrets
from codeagent_tui.permissions.shell import SimpleCommand, Word, plain_commands
from codeagent_tui.workspace import BadPath, Workspace

_GLOB = re.compile(r"[*?\[]")
_Check = Callable[[Sequence[str]], bool]


def is_safe(command: str, workspace: Workspace) -> bool:
    """Whether every part of `command` is known to change nothing and to read only inside the workspace."""
    commands = plain_commands(command)
    return commands is not None and all(_is_safe(part, workspace) for part in commands)


def _is_safe(command: SimpleCommand, workspace: Workspace) -> bool:
    check = _CHECKS.get(command.name)
    if check is None or not check([word.text for word in command.arguments]):
        return False
    return command.name in _NO_FILES or all(_stays_inside(word, workspace) for word in command.arguments)


def _stays_inside(word: Word, workspace: Workspace) -> bool:
    """Whether a word, taken for a path wherever it could be one, names nothing outside and no secrets."""
    text = word.text
    if not word.quoted and (_GLOB.search(text) or text.startswith("~")):
        return False
    for candidate in _possible_paths(text):
        try:
            path = workspace.resolve(candidate)
        except BadPath:
            return False
        if not workspace.contains(path) or holds_secrets(path):
            return False
    return True


def _possible_paths(text: str) -> list[str]:
    if not text:
        return []
    found = [] if text.startswith("-") else [text]
    if text.startswith("-") and "/" in text:
        found.append(text[text.index("/") :])
    # `--file=PATH`, `HEAD:PATH`
    found += [tail for mark in "=:" if (tail := text.partition(mark)[2])]
    return found


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
    return sum(not argument.startswith("-") for argument in arguments) <= 1


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
    "remote": lambda a: all(x in ("-v", "--verbose") for x in a),
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
    "diff": _without("--to-file", "--from-file", "-r", "--recursive"),
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
