"""The file's format: what is written is read again; whatever happens to its bytes, what is intact is kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.entry import MemoryEntry, MemoryType, Scope
from codeagent_tui.memory.fact_file import FactFile, parse, record_of, render, with_one_more

TEXTS = st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
METADATA = st.dictionaries(
    st.sampled_from(["colour", "folder", "来源", "x"]),
    st.none() | st.booleans() | st.integers() | st.text(),
    max_size=2,
)
FACTS = st.builds(
    lambda content, number, scope, time, metadata: MemoryEntry(
        MemoryType.FACT,
        content,
        id=f"id{number}",
        scope=scope,
        project="p" * (scope is Scope.PROJECT),
        timestamp=time,
        source="command",
        metadata=metadata,
    ),
    TEXTS,
    st.integers(0, 10**6),
    st.sampled_from(Scope),
    st.floats(-(2.0**60), 2.0**60),
    METADATA,
)
FILES = st.lists(FACTS, max_size=8, unique_by=lambda fact: fact.id)


def written(facts: list[MemoryEntry], **extra: object) -> bytes:
    return render([record_of(fact) for fact in facts], extra)


@given(FILES, st.dictionaries(st.text(max_size=5), st.integers() | st.text(), max_size=3))
def test_what_is_written_is_read_and_written_again(facts: list[MemoryEntry], extra: dict[str, object]) -> None:
    extra = {key: value for key, value in extra.items() if key not in ("entries", "version")}
    data = render([record_of(fact) for fact in facts], extra)
    found = parse(data)
    assert found.faults == () and found.extra == {"version": 1, **extra}
    assert [entry.id for entry in found.entries] == [fact.id for fact in facts]
    assert [(e.timestamp, e.scope, e.project, e.source) for e in found.entries] == [
        (f.timestamp, f.scope, f.project, f.source) for f in facts
    ]
    assert render(found.records, found.extra) == data
    if facts:
        more = record_of(facts[0])
        assert with_one_more(data, more) == render([*found.records, more], found.extra)
    assert json.loads(data)["entries"] == [json.loads(record.line) for record in found.records]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A file, and what became of it."""
    before = written(draw(FILES), note="x")
    data = bytearray(before)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["cut", "insert", "drop", "line twice", "line gone"])):
            case "cut":
                del data[at:]
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=6) | st.sampled_from([b"\n", b"}", b'"', b",", b" "]))
            case "drop":
                del data[at : at + draw(st.integers(1, 20))]
            case "line twice" | "line gone" as act:
                lines = bytes(data).split(b"\n")
                number = draw(st.integers(0, len(lines) - 1))
                lines[number : number + 1] = lines[number : number + 1] * (2 * (act == "line twice"))
                data = bytearray(b"\n".join(lines))
    return before, bytes(data)


def shape(found: FactFile) -> object:
    return [(record.id, json.loads(record.line)) for record in found.records], dict(found.extra)


@settings(max_examples=120)
@given(damaged())
def test_a_line_that_is_known_is_read_as_any_other(files: tuple[bytes, bytes]) -> None:
    """What was read before makes reading quicker and changes nothing, whatever the bytes are."""
    before, after = files
    known = {record.line: record for record in parse(before).records}
    found = parse(after, known)
    # A line end more, and it is no file of our layout: it is read as a whole.
    fresh = parse(after + b"\n")
    assert shape(found) == shape(fresh) == shape(parse(after)) and bool(found.faults) == bool(fresh.faults)
    assert len({record.id for record in found.records}) == len(found.records)
    if not found.faults:
        assert shape(parse(render(found.records, found.extra))) == shape(found) or "version" not in found.extra


@given(FILES.filter(bool), st.data())
def test_l_01_a_file_that_is_cut_off_keeps_all_before_the_cut(facts: list[MemoryEntry], data: st.DataObject) -> None:
    whole = written(facts)
    cut = data.draw(st.integers(0, len(whole)))
    found = parse(whole[:cut])
    complete = sum(whole.index(record_of(fact).line) + len(record_of(fact).line) <= cut for fact in facts)
    assert [entry.id for entry in found.entries] == [fact.id for fact in facts[:complete]]
    assert bool(found.faults) == (whole[:cut].rstrip() != whole.rstrip())


def test_l_01_what_another_version_keeps_is_kept() -> None:
    held = {
        "version": 9,
        "index": {"a": [1]},
        "entries": [
            {"id": "a", "type": "RULE", "content": "never", "scope": "global"},
            {"id": "b", "content": "team fact", "scope": "team", "team": "blue"},
            {"id": "c", "content": "use uv", "scope": "global", "confidence": 0.9},
        ],
    }
    found = parse(json.dumps(held).encode())
    assert [entry.content for entry in found.entries] == ["use uv"] and found.faults == ()
    again = json.loads(render(found.records, found.extra))
    assert again == held
    # And by the quick way, where the file has our layout.
    assert json.loads(render(parse(render(found.records, found.extra)).records, found.extra)) == held


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig", "shift_jis", "big5"])
def test_l_01_a_file_in_another_encoding_is_read_or_named(encoding: str) -> None:
    text = "提交信息用中文。" if encoding != "shift_jis" else "コミットメッセージは日本語で書いてください。"
    data = json.dumps({"entries": [{"id": "a", "content": text * 3, "scope": "global"}]}, ensure_ascii=False)
    found = parse(data.encode(encoding))
    assert [entry.content for entry in found.entries] == [text * 3] or found.faults
    assert bool(found.faults) == (encoding != "utf-8-sig")


@pytest.mark.parametrize("time", [1e300, -1e300, 10**400, float("nan"), float("inf"), "now", None, True, [], 4e18])
def test_any_time_stamp_can_be_read(time: object) -> None:
    data = json.dumps({"entries": [{"id": "a", "content": "x", "scope": "global", "timestamp": time}]}).encode()
    [entry] = parse(data).entries
    assert entry.timestamp == entry.timestamp and abs(entry.timestamp) != float("inf")


@given(st.binary(max_size=200))
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert parse(data).records == () or parse(data).entries is not None
