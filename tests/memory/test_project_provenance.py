"""Where each part of project memory's text is from."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.project_memory import ProjectMemory, ProjectMemoryLoader
from tests.support.files import put


def line_of(memory: ProjectMemory, word: str) -> tuple[str, int]:
    """Return the file name and the line that `word` is from."""
    origin = memory.origin(memory.text.index(word))
    assert origin is not None, word
    return origin[0].name, origin[1]


def test_every_paragraph_knows_its_file_and_line(proj: Path, home: Path) -> None:
    put(home / "CODEAGENT.md", "\n\nMINE\n")
    put(proj / "CODEAGENT.md", "one\n\n@docs/style.md\n\nafter\n@missing.md\nlast\n")
    put(proj / "docs" / "style.md", "STYLE\n\nSECOND\n@deep.md\nTHIRD")
    put(proj / "docs" / "deep.md", "DEEP")
    memory = ProjectMemoryLoader(proj, home).load()
    assert line_of(memory, "MINE") == ("CODEAGENT.md", 3)
    assert line_of(memory, "one") == ("CODEAGENT.md", 1)
    assert line_of(memory, "STYLE") == ("style.md", 1)
    assert line_of(memory, "SECOND") == ("style.md", 3)
    assert line_of(memory, "DEEP") == ("deep.md", 1)
    assert line_of(memory, "THIRD") == ("style.md", 5)
    assert line_of(memory, "after") == ("CODEAGENT.md", 5)
    assert line_of(memory, "@missing.md") == ("CODEAGENT.md", 6)
    assert line_of(memory, "last") == ("CODEAGENT.md", 7)
    assert memory.origin(memory.text.index("[from")) is None
    assert memory.origin(len(memory.text)) is None


def test_what_was_cut_has_no_part_and_marks_belong_to_nobody(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "".join(f"line {number}\n" for number in range(1, 101)))
    memory = ProjectMemoryLoader(proj, home, budget_characters=100).load()
    assert memory.origin(memory.text.index("[cut:")) is None
    assert line_of(memory, "line 9\n") == ("CODEAGENT.md", 9)


LINES = st.lists(st.sampled_from(["", "text", "规则", "- item", "@a.md", "@b.md", "@gone.md"]), max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=LINES, a=LINES, b=LINES, budget=st.integers(0, 60))
def test_parts_are_the_lines_of_their_files(
    proj: Path, home: Path, top: list[str], a: list[str], b: list[str], budget: int
) -> None:
    for name, lines in (("CODEAGENT.md", top), ("a.md", a), ("b.md", b)):
        put(proj / name, "\n".join(lines))
    memory = ProjectMemoryLoader(proj, home, budget_characters=budget).load()
    at = 0
    for part in memory.parts:
        assert at <= part.start < part.end <= len(memory.text)
        lines = part.path.read_text(encoding="utf-8").split("\n")
        text = memory.text[part.start : part.end]
        assert "\n".join(lines[part.line - 1 :]).startswith(text)
        at = part.end
