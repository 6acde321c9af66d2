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

_EPILOG = """\
exit codes: 0 answered · 1 the model failed · 2 wrong usage or settings · 3 answered, but a tool was refused
            4 step limit · 130 interrupted

codeagent doctor      check versions, paths and the connection to the model
"""
_STDIN_LIMIT = 10_000_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status (see `ExitCode`)."""
    words = list(sys.argv[1:] if argv is None else argv)
    doctor = words[:1] == ["doctor"]
    arguments = _parser().parse_args(words[1:] if doctor else words)
    workspace = Path(arguments.cwd).expanduser()
    if not workspace.is_dir():
        return _usage(f"{workspace} is no folder.")
    paths = Paths.from_environment()
    try:
        settings = load_settings(paths, workspace, os.environ, _flags(arguments))
    except (SettingsError, CredentialsError) as error:
        if doctor:
            print(f"settings  WRONG  {error}", file=sys.stderr)
        return _usage(str(error))
    if doctor:
        from codeagent_tui.doctor import run_doctor

        return run_doctor(settings, paths, workspace)
    resume = "" if arguments.go_on else arguments.resume
    if arguments.prompt is not None:
        return _headless(arguments, settings, paths, workspace, resume)
    return _screen(arguments, settings, paths, workspace, resume)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="codeagent",
        description="A terminal coding agent whose memory you can see, trust and edit.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("message", nargs="?", help="a first message; without one the screen just opens")
    parser.add_argument(
        "-p",
        "--prompt",
        nargs="?",
        const="",
        metavar="TEXT",
        help="work on TEXT (and what comes on standard input) without a screen, print the answer, never ask",
    )
    parser.add_argument("--output", choices=("text", "json", "stream-json"), default="text", help="what -p prints")
    parser.add_argument("-c", "--continue", dest="go_on", action="store_true", help="go on with the last session here")
    parser.add_argument("-r", "--resume", metavar="ID", help="go on with the session whose id begins with ID")
    parser.add_argument("-m", "--model", help="the model's id")
    parser.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible endpoint")
    parser.add_argument("--mode", choices=[mode.value for mode in PermissionMode], help="what runs without asking")
    parser.add_argument("--window", type=int, metavar="TOKENS", help="the model's context window")
    parser.add_argument("--max-steps", type=int, metavar="N", help="model calls in one turn")
    parser.add_argument("--theme", help="codeagent-dark or codeagent-light")
    parser.add_argument("-C", "--cwd", default=".", metavar="DIR", help="work in DIR")
    parser.add_argument("--version", action="version", version=f"codeagent {__version__}")
    return parser


def _flags(arguments: argparse.Namespace) -> dict[str, object]:
    names = ("model", "base_url", "mode", "window", "max_steps", "theme")
    given = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _headless(
    arguments: argparse.Namespace, settings: Settings, paths: Paths, workspace: Path, resume: str | None
) -> int:
    prompt = _with_stdin(arguments.prompt or arguments.message or "")
    if not prompt.strip():
        return _usage("There is nothing to do: give -p a text, or send one on standard input.")
    import asyncio

    from codeagent_tui.headless import run_headless

    try:
        return asyncio.run(run_headless(prompt, settings, paths, workspace, output=arguments.output, resume=resume))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED


def _with_stdin(prompt: str) -> str:
    """Return `prompt` with what is piped in after it; a terminal and a closed stdin are not read."""
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return prompt
    piped = sys.stdin.buffer.read(_STDIN_LIMIT).decode("utf-8", "replace")
    if not piped.strip():
        return prompt
    return f"{prompt}\n\n<stdin>\n{piped}\n</stdin>" if prompt else piped


def _screen(
    arguments: argparse.Namespace, settings: Settings, paths: Paths, workspace: Path, resume: str | None
) -> int:
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return _usage("The screen needs a terminal. For scripts: codeagent -p TEXT")
    if os.environ.get("TERM", "") in ("dumb", ""):
        return _usage("This terminal (TERM=dumb) cannot show the screen. Use: codeagent -p TEXT")
    # Importing makes many objects and no garbage: collecting meanwhile is a third of the time to the first frame.
    gc.disable()
    from codeagent_tui.tui.app import run_app

    return run_app(settings, paths, workspace, resume=resume, message=arguments.message)


def _usage(message: str) -> int:
    print(f"codeagent: {message}", file=sys.stderr)
    return ExitCode.USAGE
