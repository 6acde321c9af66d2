"""The one table of slash commands and keys: bindings, footer, help, palette and README are read from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """Where a command stands in the help."""

    CONVERSATION = "Conversation"
    MEMORY = "Memory"
    MODEL = "Model and permissions"
    SCREEN = "Screen"
    PROGRAM = "Program"


STOP_FIRST = "A turn is running. Press esc to stop it, then try again."


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that the user can ask the program itself for.

    `id` names the act; `slash` what is typed (empty: only a key), `argument` its hint; `keys` in Textual's names, the
    first one is shown. `footer` is the word beside that key at the bottom of the screen (empty: not there).
    `while_running` says why it cannot be done during a turn (empty: it can). `action` is the Textual action when it
    is not the act of that id.
    """

    id: str
    summary: str
    group: Group
    slash: str = ""
    argument: str = ""
    keys: tuple[str, ...] = ()
    footer: str = ""
    while_running: str = ""
    needs_session: bool = True
    action: str = ""

    @property
    def usage(self) -> str:
        """The command as it is typed, with its argument's hint."""
        return f"{self.slash} {self.argument}".strip()

    @property
    def opening(self) -> str:
        """What is put into the composer when the command needs words and was asked for without any; else ""."""
        if self.argument.startswith(("!", "#")):
            return self.argument[0]
        return f"{self.slash} " if "<" in self.argument else ""


COMMANDS: tuple[Command, ...] = (
    Command(
        "interrupt",
        "Close what is on top; else stop the running turn",
        Group.CONVERSATION,
        keys=("escape",),
        footer="stop",
        needs_session=False,
        action="stop_key('escape')",
    ),
    Command(
        "shell",
        "Run a line in your shell; the agent sees what came of it",
        Group.CONVERSATION,
        argument="!<command>",
    ),
    Command(
        "new",
        "Start a new session; this one stays under /resume",
        Group.CONVERSATION,
        slash="/new",
        while_running=STOP_FIRST,
    ),
    Command(
        "clear",
        "Start a new session on an empty screen",
        Group.CONVERSATION,
        slash="/clear",
        while_running=STOP_FIRST,
    ),
    Command(
        "resume",
        "Go on with an earlier session: search, rename, delete, fork",
        Group.CONVERSATION,
        slash="/resume",
        argument="[id]",
        while_running=STOP_FIRST,
    ),
    Command(
        "sessions",
        "List the sessions, of this folder or of all; also while a turn is running",
        Group.CONVERSATION,
        slash="/sessions",
    ),
    Command("rename", "Give this session a title", Group.CONVERSATION, slash="/rename", argument="<title>"),
    Command(
        "fork",
        "Go on in a copy of this session",
        Group.CONVERSATION,
        slash="/fork",
        while_running=STOP_FIRST,
    ),
    Command(
        "rewind",
        "Go back to an earlier turn: the conversation, the files, or both (esc esc)",
        Group.CONVERSATION,
        slash="/rewind",
        while_running=STOP_FIRST,
    ),
    Command(
        "retry",
        "Try the last turn again after it failed",
        Group.CONVERSATION,
        slash="/retry",
        while_running=STOP_FIRST,
    ),
    Command(
        "compact",
        "Summarise older turns now to make room",
        Group.CONVERSATION,
        slash="/compact",
        argument="[focus]",
        keys=("f5",),
    ),
    Command(
        "uncompact",
        "Take the last compaction back: the earlier messages return",
        Group.CONVERSATION,
        slash="/uncompact",
        while_running=STOP_FIRST,
    ),
    Command(
        "context",
        "Show what fills the window, how fast it grows, and the largest messages",
        Group.CONVERSATION,
        slash="/context",
    ),
    Command(
        "export",
        "Write the conversation to a file: Markdown, JSON or an HTML page; secrets are masked",
        Group.CONVERSATION,
        slash="/export",
        argument="[file] [--with-secrets]",
    ),
    Command(
        "copy",
        "Copy the last answer",
        Group.CONVERSATION,
        slash="/copy",
        keys=("f8",),
        needs_session=False,
    ),
    Command(
        "save",
        "Save a fact: for this project, or for all; the key takes a selection",
        Group.MEMORY,
        slash="/save",
        argument="[--global] <fact>",
        keys=("f3",),
    ),
    Command(
        "memory",
        "Show the saved facts; adopt: take over those of a moved project",
        Group.MEMORY,
        slash="/memory",
        argument="[query]",
    ),
    Command("forget", "Delete a saved fact", Group.MEMORY, slash="/forget", argument="<id or text>"),
    Command(
        "recall",
        "Bring back what memory holds on some words, for you and the model",
        Group.MEMORY,
        slash="/recall",
        argument="<words>",
    ),
    Command(
        "inspector",
        "Show or hide the memory inspector",
        Group.MEMORY,
        keys=("f2", "ctrl+o"),
        footer="memory",
    ),
    Command(
        "note",
        "Add a line to CODEAGENT.md: the project's, this machine's or your own",
        Group.MEMORY,
        argument="#<note>",
    ),
    Command(
        "imports",
        "Allow or refuse files outside the project that its CODEAGENT.md imports",
        Group.MEMORY,
        slash="/imports",
    ),
    Command(
        "init",
        "Draft a CODEAGENT.md from what is in the repository",
        Group.MEMORY,
        slash="/init",
    ),
    Command("model", "Connect a model: server, key, model", Group.MODEL, slash="/model", keys=("f4",)),
    Command(
        "mode",
        "Set what runs without asking: ask, accept-edits, plan, unattended",
        Group.MODEL,
        slash="/mode",
        argument="[mode]",
    ),
    Command(
        "next_mode",
        "Switch between ask, accept edits and plan",
        Group.MODEL,
        keys=("shift+tab",),
        footer="mode",
    ),
    Command(
        "permissions",
        "Show what was allowed for the session or for good, and take it back",
        Group.MODEL,
        slash="/permissions",
    ),
    Command("tools", "List the tools and what they may do", Group.MODEL, slash="/tools"),
    Command(
        "palette",
        "Find a command",
        Group.SCREEN,
        keys=("ctrl+p",),
        footer="commands",
        needs_session=False,
        action="command_palette",
    ),
    Command(
        "fold",
        "Fold or unfold all tool output",
        Group.SCREEN,
        keys=("ctrl+t",),
        footer="fold",
        needs_session=False,
    ),
    Command(
        "page_up",
        "Scroll the transcript up",
        Group.SCREEN,
        keys=("pageup",),
        needs_session=False,
        action="scroll_transcript('page_up')",
    ),
    Command(
        "page_down",
        "Scroll the transcript down",
        Group.SCREEN,
        keys=("pagedown",),
        needs_session=False,
        action="scroll_transcript('page_down')",
    ),
    Command(
        "transcript_home",
        "Go to the start of the transcript",
        Group.SCREEN,
        keys=("ctrl+home",),
        needs_session=False,
        action="scroll_transcript('home')",
    ),
    Command(
        "transcript_end",
        "Go to the newest output and follow it (end too, while nothing is typed)",
        Group.SCREEN,
        keys=("ctrl+end", "end"),
        needs_session=False,
        action="scroll_transcript('end')",
    ),
    Command(
        "theme",
        "Choose the colours",
        Group.SCREEN,
        slash="/theme",
        argument="[name]",
        needs_session=False,
    ),
    Command(
        "help",
        "Show keys and commands",
        Group.PROGRAM,
        slash="/help",
        keys=("f1",),
        footer="help",
        needs_session=False,
    ),
    Command(
        "suspend",
        "Put the program into the background",
        Group.PROGRAM,
        keys=("ctrl+z",),
        needs_session=False,
        action="suspend_process",
    ),
    Command(
        "clear_or_quit",
        "Copy a selection; stop a turn; clear the draft (up brings it back); on an empty line, twice: quit",
        Group.PROGRAM,
        keys=("ctrl+c",),
        needs_session=False,
        action="stop_key('ctrl+c')",
    ),
    Command(
        "quit_empty",
        "Quit, when nothing is typed",
        Group.PROGRAM,
        keys=("ctrl+d",),
        needs_session=False,
        action="stop_key('ctrl+d')",
    ),
    Command(
        "quit",
        "Quit; what is typed is there again next time",
        Group.PROGRAM,
        slash="/quit",
        keys=("ctrl+q",),
        needs_session=False,
    ),
)

BY_ID = {command.id: command for command in COMMANDS}
BY_SLASH = {command.slash: command for command in COMMANDS if command.slash}

_KEY_NAMES = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "shift+tab": "⇧tab",
}


def key_name(key: str) -> str:
    """Return a Textual key name as people write it: `ctrl+o` becomes `^o`."""
    return _KEY_NAMES.get(key, key).replace("ctrl+", "^")


_SLASH_LINE = re.compile(r"(/[A-Za-z][A-Za-z_-]*)(?:\s+(.*))?", re.DOTALL)


def parse_slash(text: str) -> tuple[str, str] | None:
    """Split a submitted text into slash word and argument; None when it is no command line.

    A path (`/usr/bin`) is a message: the word must end at a blank or at the end.
    """
    match = _SLASH_LINE.fullmatch(text.rstrip())
    return None if match is None else (match[1].lower(), (match[2] or "").strip())


def nearest_slash(word: str) -> str:
    """Return the command that `word` was probably meant to be, or nothing."""
    import difflib

    starts = [slash for slash in BY_SLASH if slash.startswith(word)]
    if len(starts) == 1:
        return starts[0]
    close = difflib.get_close_matches(word, list(BY_SLASH), n=1, cutoff=0.6)
    return close[0] if close else ""
