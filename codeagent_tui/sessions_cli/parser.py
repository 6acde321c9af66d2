"""What `codeagent sessions` understands."""

from __future__ import annotations

import argparse
import re

from codeagent_tui.export.session_export import ExportFormat

_DESCRIPTION = "Look at the sessions on disk, export them, delete them. Nothing is ever deleted by itself."
_EPILOG = """\
An ID is the beginning of a session's id, or “last” for the newest session of this folder.

exit codes: 0 done, 1 something could not be done, 2 wrong usage or no such session; nothing was done
"""
_UNITS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}


def sessions_parser() -> argparse.ArgumentParser:
    """Return the parser of the words after `codeagent sessions`."""
    parser = argparse.ArgumentParser(
        prog="codeagent sessions",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-C", "--cwd", default=".", metavar="DIR", help="“this folder” is DIR; stands before the word")
    words = parser.add_subparsers(dest="word", metavar="WORD", title="words", required=True)
    listing = words.add_parser("list", help="the sessions of this folder, newest first, with their sizes")
    _all(listing)
    _json(listing)
    show = words.add_parser("show", help="what a session is, and what was said in it turn by turn")
    show.add_argument("id", metavar="ID")
    _json(show)
    _add_export(words.add_parser("export", help="write a session to a file: Markdown, JSON, or an HTML page"))
    delete = words.add_parser("delete", help="delete sessions for good, with the contents of files that they keep")
    delete.add_argument("ids", metavar="ID", nargs="+")
    _yes(delete)
    _json(delete)
    prune = words.add_parser("prune", help="delete all sessions of this folder that were not used for a time")
    prune.add_argument("--older-than", type=seconds_of, metavar="AGE", required=True, help="12h, 30d, 8w, 1y")
    _all(prune)
    _yes(prune)
    prune.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
    _json(prune)
    return parser


def _add_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("id", metavar="ID")
    export.add_argument("file", metavar="FILE", nargs="?", help="where to; “-” is standard output")
    formats = [wanted.value for wanted in ExportFormat]
    export.add_argument("--format", choices=formats, help="without it the file's ending says the format; else md")
    export.add_argument("--with-secrets", action="store_true", help="leave in what looks like a key or a password")
    export.add_argument("--force", action="store_true", help="replace FILE if it is there")


def _all(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-a", "--all", action="store_true", help="the sessions of all folders")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask; needed where nobody can be asked")


def seconds_of(text: str) -> float:
    """Return the seconds of an age such as `30d`.

    Raises:
        argparse.ArgumentTypeError: when it is none.
    """
    found = re.fullmatch(r"(\d{1,6})([hdwy])", text.strip().lower())
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no age: a number and h, d, w or y, for example 30d")
    return float(found[1]) * _UNITS[found[2]]
