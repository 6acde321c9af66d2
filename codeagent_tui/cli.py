"""The command line. Nothing heavy is imported before it is known what to run."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from codeagent_tui import __version__
from codeagent_tui.credentials import CredentialsError
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.paths import Paths
from codeagent_tui.settings import PermissionMode, Settings
from codeagent_tui.settings_file import SettingsError, load_settings
from codeagent_tui.standard_streams import OutputStream

_STDIN = "-"
_USAGE = """\
%(prog)s [options] [MESSAGE]
       %(prog)s -p TEXT [options]          COMMAND | %(prog)s -p TEXT [options]
       %(prog)s sessions list|show|export|delete|prune …
       %(prog)s doctor [options]"""
_EPILOG = """\
standard input with -p:
  What is piped in is added to TEXT; without TEXT it is the request. A pipe that stays open and silent is given up
  after 5 seconds; "-" as the message waits as long as it takes. A terminal is not read. In a shell loop that reads
  its own input, use: codeagent -p TEXT </dev/null

exit codes:
    0  answered
    1  the model failed or gave no answer, or the output could not be written
    2  wrong usage or settings; nothing was done
    3  answered, but a tool was refused because nobody could be asked
    4  stopped at the step limit
   70  internal error; a log says more
  130  interrupted by ctrl+c, SIGTERM or SIGHUP; the session is kept (on the screen SIGTERM gives 143, SIGHUP 129)

codeagent sessions looks at the sessions on disk, exports and deletes them: codeagent sessions --help.
codeagent doctor checks versions, files and the connection, and says how to mend what is wrong: 0 all well, 1 not.
"""


class _Usage(Exception):
    """The command line asks for something that cannot be; the message says what."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status (see `ExitCode`)."""
    try:
        return _run([_in_utf8(word) for word in sys.argv[1:]] if argv is None else argv)
    except _Usage as error:
        return _usage(str(error))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED


def _in_utf8(word: str) -> str:
    """Return a word of the command line as UTF-8 where Python could not read it in the locale (LANG=C)."""
    if not any("\udc80" <= char <= "\udcff" for char in word):
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


def _run(words: Sequence[str]) -> int:
    if words and words[0] == "sessions":
        from codeagent_tui.sessions_cli.run import run as run_sessions

        return run_sessions(words[1:], _paths, _folder)
    arguments = _parser().parse_args(words)
    doctor = arguments.message == "doctor" and arguments.prompt is None
    headless = arguments.prompt is not None
    _check(arguments, headless=headless)
    workspace = _folder(arguments.cwd)
    paths = _paths()
    flags = _flags(arguments)
    if doctor:
        from codeagent_tui.doctor.report import run_doctor

        return run_doctor(paths, workspace, os.environ, flags)
    try:
        settings = load_settings(paths, workspace, os.environ, flags)
    except (SettingsError, CredentialsError) as error:
        raise _Usage(f"{error} (codeagent doctor looks at everything.)") from None
    resume = "" if arguments.go_on else arguments.resume
    show = _headless if headless else _screen
    return show(arguments, settings, paths, workspace, resume)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="codeagent",
        usage=_USAGE,
        description="A terminal coding agent whose memory you can see, trust and edit.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("message", nargs="?", metavar="MESSAGE", help="a first message; without one the screen opens")
    parser.add_argument(
        "-p",
        "--prompt",
        nargs="?",
        const="",
        metavar="TEXT",
        help="work on TEXT without a screen, print the answer, never ask: what would need a question is refused",
    )
    parser.add_argument(
        "--output",
        choices=("text", "json", "stream-json"),
        help="what -p prints: the answer (text, the default), one JSON object, or a line of JSON an event",
    )
    earlier = parser.add_mutually_exclusive_group()
    earlier.add_argument("-c", "--continue", dest="go_on", action="store_true", help="go on with the last session here")
    earlier.add_argument("-r", "--resume", metavar="ID", help="go on with the session whose id begins with ID")
    parser.add_argument("-m", "--model", help="the model's id; “offline” for the engine that needs none")
    parser.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible endpoint")
    modes = [mode.value for mode in PermissionMode]
    parser.add_argument("--mode", choices=modes, metavar="MODE", help=f"what runs without asking: {', '.join(modes)}")
    parser.add_argument("--window", type=int, metavar="TOKENS", help="the model's context window")
    parser.add_argument("--max-steps", type=int, metavar="N", help="model calls in one turn")
    parser.add_argument("--theme", help="codeagent-dark, codeagent-light or another of Textual's")
    parser.add_argument("-C", "--cwd", default=".", metavar="DIR", help="work in DIR")
    parser.add_argument("--version", action="version", version=f"codeagent {__version__}")
    return parser


def _check(arguments: argparse.Namespace, *, headless: bool) -> None:
    if arguments.output is not None and not headless:
        raise _Usage("--output goes with -p.")
    if arguments.resume is not None and not arguments.resume.strip():
        raise _Usage("--resume wants the start of a session's id; --continue takes the last session.")
    if headless and arguments.prompt and arguments.message not in (None, _STDIN):
        raise _Usage(f"There are two requests: {arguments.prompt!r} and {arguments.message!r}. Put one text in quotes.")


def _folder(given: str) -> Path:
    try:
        folder = Path(given).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _Usage(f"The folder {given} cannot be used: {reason}.") from None
    if not folder.is_dir():
        raise _Usage(f"{folder} is no folder.")
    return folder


def _paths() -> Paths:
    try:
        return Paths.from_environment()
    except RuntimeError:
        raise _Usage("Your home folder is not known: set HOME, or CODEAGENT_HOME to a folder for the data.") from None


def _flags(arguments: argparse.Namespace) -> dict[str, object]:
    names = ("model", "base_url", "mode", "window", "max_steps", "theme")
    given = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _headless(
    arguments: argparse.Namespace, settings: Settings, paths: Paths, workspace: Path, resume: str | None
) -> int:
    text, notices = _request(arguments)
    # As for the screen: importing makes many objects and no garbage.
    gc.disable()
    from codeagent_tui.headless.run import run

    gc.freeze()
    gc.enable()
    output = arguments.output or "text"
    return run(text, settings, paths, workspace, output=output, resume=resume, notices=notices)


def _request(arguments: argparse.Namespace) -> tuple[str, tuple[str, ...]]:
    """Return the request, what is piped in included, and what is to be said about that."""
    from codeagent_tui.headless.stdin import PATIENCE, BadInput, read_piped

    words = [text for text in (arguments.prompt, arguments.message) if text not in (None, "", _STDIN)]
    text = words[0] if words else ""
    waits = not text.strip() or _STDIN in (arguments.prompt, arguments.message)
    try:
        piped = read_piped(0, patience=None if waits else PATIENCE)
    except BadInput as error:
        raise _Usage(str(error)) from None
    notices: tuple[str, ...] = ()
    if piped.silent:
        notices = (
            f"Nothing came on standard input within {PATIENCE:.0f} seconds; going on without it. "
            "To wait for it, give “-” as the message; to leave it alone, use </dev/null.",
        )
    if piped.text.strip():
        text = f"{text}\n\n<stdin>\n{piped.text}\n</stdin>" if text.strip() else piped.text
    if not text.strip():
        raise _Usage("There is nothing to do: give -p a text, or send one on standard input.")
    return text, notices


def _screen(
    arguments: argparse.Namespace, settings: Settings, paths: Paths, workspace: Path, resume: str | None
) -> int:
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        raise _Usage("The screen needs a terminal. For scripts: codeagent -p TEXT")
    if os.environ.get("TERM", "") in ("dumb", "") and os.name == "posix":
        raise _Usage("This terminal (TERM=dumb) cannot show the screen. Use: codeagent -p TEXT")
    # Importing makes many objects and no garbage: collecting meanwhile is a third of the time to the first frame.
    gc.disable()
    from codeagent_tui.tui.app import run_app

    return run_app(settings, paths, workspace, resume=resume, message=arguments.message)


def _usage(message: str) -> int:
    OutputStream(sys.stderr).line(f"codeagent: {message}")
    return ExitCode.USAGE
