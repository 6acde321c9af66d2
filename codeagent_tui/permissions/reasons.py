"""Why a command asks, as specifically as can be said: what it may show, where it reaches, what it deletes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from codeagent_tui.permissions.paths_in_words import possible_paths
from codeagent_tui.permissions.script import Act, Invocation, Redirection, Script
from codeagent_tui.permissions.shell_words import Word
from codeagent_tui.permissions.wrapped_commands import SHELLS
from codeagent_tui.secret_files import holds_secrets
from codeagent_tui.workspace import Workspace

_SHOWS_ENVIRONMENT = frozenset({"env", "printenv", "set", "export", "declare"})
_SAYS_ONLY = frozenset({"echo", "printf", "cd", ":"})
_MOST_COUNTED = 1_000
_MOST_NAMED = 3


def reasons_to_ask(script: Script, workspace: Workspace) -> tuple[str, ...]:
    """Return why a script is asked about, one sentence each; empty when it just runs a command."""
    found = dict.fromkeys(
        sentence for act in script.acts for folder in act.folders for sentence in _of(act, folder, workspace)
    )
    return tuple(found)


def _of(act: Act, folder: Path, workspace: Workspace) -> Iterator[str]:
    if isinstance(act, Redirection):
        yield from _reaching(act.target.text, folder, workspace, reads=not act.writes)
        return
    if act.name in _SHOWS_ENVIRONMENT and _lists_variables(act):
        yield "It shows environment variables, which may hold secrets."
    if act.name in _SAYS_ONLY:
        return
    last = len(act.words) - 1
    for at, word in enumerate(act.words):
        copied_to = act.name in ("cp", "mv", "install") and at == last
        # A script in a word (`bash -c '…'`) is looked at as a script.
        if not (act.name in SHELLS and " " in word.text):
            yield from _reaching(word.text, folder, workspace, reads=not copied_to)
    if act.name == "rm":
        yield from _deleting([word for word in act.words if not word.text.startswith("-")], folder, workspace)


def _lists_variables(act: Invocation) -> bool:
    texts = [word.text for word in act.words]
    if act.name in ("env", "printenv"):
        # `env NAME=value command` runs something instead.
        return act.name == "printenv" or all(text.startswith("-") for text in texts)
    return not texts or texts[0] == "-p" or texts[0] == "-x"


def _reaching(word: str, folder: Path, workspace: Workspace, *, reads: bool) -> Iterator[str]:
    secret: Path | None = None
    for text in possible_paths(word):
        try:
            path = Path(os.path.realpath(folder / text))
        except (OSError, ValueError):
            continue
        if reads and holds_secrets(path):
            # The shortest reading of the word is the likeliest: `.env` in `HEAD:.env`.
            secret = path
        elif not workspace.contains(path) and _is_there(path):
            yield f"It reaches outside the workspace: {path}"
    if secret is not None:
        yield f"It may show {workspace.shown(secret)}, and files like this usually hold secrets."


def _is_there(path: Path) -> bool:
    """Whether `path` is a place rather than, say, a pattern that begins with a slash."""
    if path == Path(os.devnull):
        return False
    return os.path.lexists(path) or (path.parent != Path("/") and path.parent.is_dir())


def _deleting(words: list[Word], folder: Path, workspace: Workspace) -> Iterator[str]:
    """Say what an `rm` would take, with the number of files as far as it is quickly counted."""
    for word in words[:_MOST_NAMED]:
        path = folder / word.text
        if word.glob or path.is_symlink() or not path.is_dir():
            continue
        files, all_counted = _count(path)
        number = f"{files} file{'' if files == 1 else 's'}" if all_counted else f"more than {files} files"
        yield f"It deletes {workspace.shown(path)} ({number})."


def _count(folder: Path) -> tuple[int, bool]:
    """Return how many files lie in `folder`, and whether all were counted: a look at some hundred entries is quick
    enough for the loop, more is not."""
    files = seen = 0
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > _MOST_COUNTED:
                        return files, False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        files += 1
        except OSError:
            return files, False
    return files, True
