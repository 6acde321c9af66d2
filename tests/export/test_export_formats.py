"""The three formats: whole, escaped, and readable by those that they are for."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.conversation.messages import Message, ToolCall, assistant, tool_result, user
from codeagent_tui.export.call_body import BodyKind, body_of, line_diff
from codeagent_tui.export.html import as_html
from codeagent_tui.export.json_file import as_json
from codeagent_tui.export.markdown import as_markdown
from codeagent_tui.export.transcript import SessionTranscript, read_transcript
from codeagent_tui.sessions.records import message_from_json
from tests.support.logged_sessions import FIRST_TURN, SECOND_TURN, logged_session


@pytest.fixture
def transcript(tmp_path: Path) -> SessionTranscript:
    log = logged_session(tmp_path / "home", tmp_path)
    return read_transcript(log.path, log.session_id)


def of(*messages: Message) -> SessionTranscript:
    return SessionTranscript("id", "title", "/work", 0.0, 0.0, 1, 0, messages)


class Page(HTMLParser):
    """The elements of a page, its texts, and what is wrong with how they nest."""

    VOID = frozenset({"meta", "br", "hr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.faults: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.faults += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.text += data


WANTED = (
    "Tokenizer",
    "Fix the tokenizer.",
    "\u8bf7\u4fee\u590d\u5b83\u3002",
    "Look first.",
    "I look.",
    "pytest -q",
    "FAILED test_last </pre> & more",
    "a.py",
    "old <b>",
    "new <b>",
    "return text",
    "We fixed the tokenizer.",
    "Now store",
    "conf.py",
    "refused",
    "It is in the envir",
    "interrupted",
)


def test_markdown_has_everything_in_order(transcript: SessionTranscript) -> None:
    text = as_markdown(transcript)
    assert all(part in text for part in WANTED)
    places = [text.index(part) for part in ("I look.", "pytest -q", "FAILED", "-old <b>", "+new <b>", "41,000")]
    assert places == sorted(places)


def test_a_result_with_fences_stays_inside_its_own() -> None:
    messages = [assistant("", ToolCall("c1", "read_file", '{"path": "a"}')), tool_result("c1", "```python\n1\n```")]
    assert "````\n```python\n1\n```\n````" in as_markdown(of(*messages))


def test_the_page_has_everything_as_text(transcript: SessionTranscript) -> None:
    page = Page(as_html(transcript, masked=0))
    assert all(part in page.text for part in WANTED)
    assert "<script>alert(1)</script>" in page.text


def test_the_page_loads_and_runs_nothing(transcript: SessionTranscript) -> None:
    page = Page(as_html(transcript, masked=None))
    assert not {"script", "img", "link", "iframe", "object", "form", "base", "video"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in ("src", "srcset", "style") or name.startswith("on")]
    assert not re.search(r"url\(|@import", as_html(transcript, masked=None))
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'") in (
        page.attributes
    )


def test_tool_output_is_folded_and_a_short_diff_and_a_failure_are_not(transcript: SessionTranscript) -> None:
    page = as_html(transcript, masked=0)
    heads = re.findall(r'<details class="(call [a-z]+)"( open)?><summary>', page)
    assert heads == [("call failed", " open"), ("call ok", " open"), ("call refused", "")]
    assert '<span class="added"><b>+</b> new &lt;b&gt;</span>' in page


def test_the_page_follows_the_readers_colours() -> None:
    assert "prefers-color-scheme: dark" in as_html(of(user("hi")), masked=0)


HOSTILE = (
    "</pre></details><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[click](javascript:alert(1)) [x](data:text/html,<script>) ![x](https://e.example/p.png)",
    '```"><script>\nx\n```',
    "<!-- --><style>*{display:none}</style>",
    "\x1b]52;c;aGk=\x07\x9b31m \ud83d \u202e",
    "[" * 400,
    "> " * 60 + "deep",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_was_said_becomes_part_of_the_page(text: str) -> None:
    call = ToolCall("c1", text, json.dumps({"path": text, "old_text": text, "new_text": text * 2}))
    result = tool_result("c1", text)
    page = as_html(of(user(text), assistant(text, call, reasoning=text), result), masked=0)
    read = Page(page)
    assert read.faults == [] and not {"script", "img", "iframe"} & set(read.tags) and read.tags.count("style") == 1
    assert not [value for name, value in read.attributes if name == "href" and not str(value).startswith(("http", "#"))]
    assert not set("\x1b\x07\x9b\ud83d\u202e") & set(page)
    page.encode()


@given(st.text(), st.text())
def test_any_text_makes_a_page_that_nests_and_can_be_written(said: str, answered: str) -> None:
    page = as_html(of(user(said), assistant(answered)), masked=0)
    assert Page(page).faults == []
    page.encode()


def test_json_gives_back_every_message(transcript: SessionTranscript) -> None:
    data = json.loads(as_json(transcript, masked=3))
    assert (data["format"], data["version"], data["masked"], data["turns"]) == ("codeagent-session", 1, 3, 2)
    said = [message_from_json(entry) for entry in data["entries"] if entry["type"] == "message"]
    assert said == [*FIRST_TURN, *SECOND_TURN]
    assert [entry["type"] for entry in data["entries"] if entry["type"] != "message"] == ["compaction"]


def test_s03_half_a_pair_can_be_written_in_every_format() -> None:
    transcript = of(user("half: \ud83d"))
    for text in (as_markdown(transcript), as_json(transcript, masked=0), as_html(transcript, masked=0)):
        text.encode()


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("edit_file", {"path": "a", "old_text": "x", "new_text": "y"}, BodyKind.DIFF),
        ("write_file", {"path": "a.py", "content": "x"}, BodyKind.CODE),
        ("run_command", {"command": "ls"}, BodyKind.NONE),
        ("run_command", {"command": "ls\npwd"}, BodyKind.CODE),
        ("search_code", {"pattern": "x", "path": "src"}, BodyKind.CODE),
        ("list_directory", {}, BodyKind.NONE),
    ],
)
def test_a_call_shows_what_its_title_does_not_say(name: str, arguments: dict[str, object], kind: BodyKind) -> None:
    assert body_of(ToolCall("c", name, json.dumps(arguments))).kind is kind


def test_a_diff_of_two_pieces_shows_what_changed_and_a_little_around_it() -> None:
    old = [str(number) for number in range(30)]
    new = ["first", *old[1:25], "changed", *old[26:]]
    lines = line_diff("\n".join(old), "\n".join(new)).split("\n")
    assert lines[:3] == ["-0", "+first", " 1"] and "\u22ef" in lines and "-25" in lines and "+changed" in lines
    assert line_diff("same", "same") == ""
    assert line_diff("a\n" * 4_000, "b\n").count("\n") == 4_000
