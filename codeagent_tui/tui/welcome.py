"""What an empty transcript says: where we are, what answers, and what to try."""

from __future__ import annotations

from codeagent_tui import __version__

_CONNECTED = """\
CodeAgent {version}

Say what you want done in {folder}. For example:
    find where the tests are, and run them
    why does the parser drop the last character?
    from now on, answer in one paragraph

f1 keys and commands · f2 what is remembered · @ a file · ! a shell line · # a note"""

_OFFLINE = """\
CodeAgent {version}

No language model is connected. A small offline engine answers: it follows plain requests and makes nothing up.
    read README.md
    search for main in .
    remember that the tests need node 22

f4 connects a model · f1 keys and commands · f2 what is remembered"""


def welcome_text(folder: str, *, offline: bool) -> str:
    """Return the lines; the first is a title."""
    return (_OFFLINE if offline else _CONNECTED).format(version=__version__, folder=folder)
