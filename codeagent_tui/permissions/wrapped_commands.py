"""Commands inside a command's words: `sudo rm …`, `find -exec rm …`, `bash -c '…'`."""

from __future__ import annotations

from itertools import pairwise

from codeagent_tui.permissions.shell_words import Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_WRAPPERS = frozenset(
    {"sudo", "doas", "command", "builtin", "exec", "nohup", "time", "env", "nice", "ionice", "timeout", "stdbuf"}
    | {"setsid", "xargs", "parallel", "busybox", "chroot", "coproc", "unbuffer", "strace", "watch", "systemd-run"}
)
_ACTING = frozenset(
    (
        *(
            "rm",
            "rmdir",
            "unlink",
            "shred",
            "find",
            "mv",
            "cp",
            "ln",
            "tee",
            "install",
            "truncate",
            "rsync",
            "sed",
            "dd",
        ),
        *(
            "chmod",
            "chown",
            "chgrp",
            "git",
            "wipefs",
            "fdisk",
            "parted",
            "eval",
            "su",
            "cat",
            "env",
            "printenv",
            *SHELLS,
        ),
    )
)


def base_name(word: Word) -> str:
    """Return a command's name without its folder."""
    return word.text.rpartition("/")[2]


def run_by(name: str, words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """Return the commands that a command runs (`sudo -u x rm …`, `find -exec rm … ;`): from the first name that acts,
    because the options before it, and their values, differ from wrapper to wrapper."""
    texts = [base_name(word) for word in words]
    if name in _WRAPPERS:
        known = _ACTING | _WRAPPERS
        at = next((i for i, text in enumerate(texts) if text in known or text.startswith("mkfs")), None)
        return [] if at is None else [words[at:]]
    found = []
    if name == "find":
        for at, text in enumerate(texts):
            if text in ("-exec", "-execdir", "-ok", "-okdir"):
                end = next((i for i in range(at, len(texts)) if texts[i] in (";", "+")), len(texts))
                found.append(words[at + 1 : end])
    return [part for part in found if part]


def script_of(name: str, words: tuple[Word, ...]) -> str:
    """Return the script in `bash -lc '…'`, `su x -c '…'` or `trap '…' EXIT`."""
    if name == "trap":
        return words[0].text if words and not words[0].text.startswith("-") else ""
    for option, following in pairwise(words):
        if option.text.startswith("-") and not option.text.startswith("--") and option.text.endswith("c"):
            return following.text
    return ""
