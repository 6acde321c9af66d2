"""Where in a word of a command a path may hide."""

from __future__ import annotations

_MOST = 16


def possible_paths(word: str, *, option: bool = True) -> list[str]:
    """Return every path that `word` may name: itself, and what follows a `=` or a `:` in it, or a slash in an option.

    `option` is false behind a `--`, where a word that begins with a dash is a file as well.
    """
    if not word:
        return []
    is_option = option and word.startswith("-")
    found = [word[word.index("/") :]] if is_option and "/" in word else []
    if not is_option:
        found.append(word)
    # `--file=PATH`, `HEAD:PATH`, `:0:PATH`
    found += [word[at + 1 :] for at, char in enumerate(word) if char in "=:" and word[at + 1 :]]
    return found if len(found) <= _MOST else [*found[:_MOST], "/"]
