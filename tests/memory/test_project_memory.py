"""CODEAGENT.md files: layers, imports, encodings, sizes, and noticing what changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagent_tui.memory.project_memory import Layer, ProjectMemory, ProjectMemoryLoader
from tests.support.files import put


def load(proj: Path, home: Path, **more: object) -> ProjectMemory:
    return ProjectMemoryLoader(proj, home, **more).load()  # type: ignore[arg-type]


def states(memory: ProjectMemory) -> dict[str, str]:
    return {source.path.name: source.state for source in memory.sources}


def test_the_layers_come_in_order(proj: Path, home: Path) -> None:
    put(home / "CODEAGENT.md", "USER")
    put(proj / "CODEAGENT.md", "TEAM1")
    put(proj / ".code-agent-cli" / "CODEAGENT.md", "TEAM2")
    put(proj / ".codeagent" / "CODEAGENT.md", "TEAM3")
    put(proj / "CODEAGENT.local.md", "LOCAL")
    put(proj / "src" / "CODEAGENT.md", "NESTED")
    memory = load(proj, home, working_directory=proj / "src")
    order = ["USER", "TEAM1", "TEAM2", "TEAM3", "NESTED", "LOCAL"]
    positions = [memory.text.index(word) for word in order]
    assert positions == sorted(positions)
    assert memory.sources[0].layer is Layer.USER
    assert "NESTED" not in load(proj, home).text


def test_other_agents_files_are_read_where_there_is_none_of_ours(proj: Path, home: Path) -> None:
    put(proj / "AGENTS.md", "AGENTS RULES")
    put(proj / "CLAUDE.md", "CLAUDE RULES")
    assert "AGENTS RULES" in load(proj, home).text and "CLAUDE RULES" not in load(proj, home).text
    assert load(proj, home, read_foreign=False).text == ""
    # A note for this machine alone does not take the team's rules away.
    put(proj / "CODEAGENT.local.md", "MINE")
    memory = load(proj, home)
    assert "AGENTS RULES" in memory.text and "MINE" in memory.text
    assert states(memory)["AGENTS.md"] == "loaded instead of CODEAGENT.md"
    put(proj / "CODEAGENT.md", "OURS")
    assert "AGENTS RULES" not in load(proj, home).text


def test_m_01_only_paths_on_lines_of_their_own_are_imports(proj: Path, home: Path) -> None:
    text = (
        "Contact ops@example.test, ask @nadia or (@BuildBot).\nRun yarn workspace @acme/web dev and npx @acme/cli@1.2.3.\n"  # noqa: E501
        'Tags: @param, @returns. Decorator @app.route("/x"), @overload.\nPrice 5@3 EUR. user@host:/srv\n@docs/style.md\n'  # noqa: E501
        '- @./docs/tests.md\n@param\n@acme/web\n@app.route("/x")\n```\n@docs/fenced.md\n```\n`@docs/span.md`\n'
    )
    put(proj / "CODEAGENT.md", text)
    put(proj / "docs" / "style.md", "STYLE-TEXT")
    put(proj / "docs" / "tests.md", "TESTS-TEXT")
    put(proj / "acme" / "web" / "x", "")
    memory = load(proj, home)
    assert [source.path.name for source in memory.sources] == ["CODEAGENT.md", "style.md", "tests.md"]
    assert memory.notices == ()
    for kept in ("@nadia", "@acme/web dev", "@param", '@app.route("/x")', "@docs/fenced.md", "`@docs/span.md`"):
        assert kept in memory.text
    assert "@docs/style.md" not in memory.text


def test_m_01_a_failed_import_is_one_notice_and_stays_as_text(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "@docs/missing.md\n@docs/missing.md\n")
    memory = load(proj, home)
    assert len(memory.notices) == 1 and "docs/missing.md" in memory.notices[0]
    assert "@docs/missing.md" in memory.text


@pytest.mark.parametrize("start", [".", "src/deep"])
def test_m_03_paths_are_from_the_importing_file_with_blanks_parents_and_home(
    proj: Path, home: Path, start: str
) -> None:
    (proj / "src" / "deep").mkdir(parents=True)
    put(proj / "CODEAGENT.md", "@docs/a.md\n")
    put(proj / "docs" / "a.md", "@sub/b.md\n@../shared/c d.md\n")
    put(proj / "docs" / "sub" / "b.md", "B-CANARY")
    put(proj / "shared" / "c d.md", "C-CANARY")
    put(home / "CODEAGENT.md", "@~/notes/x~1.md\n")
    put(home.parent / "notes" / "x~1.md", "X-CANARY")
    memory = load(proj, home, working_directory=proj / start)
    for canary in ("B-CANARY", "C-CANARY", "X-CANARY"):
        assert canary in memory.text
    by_name = {source.path.name: source for source in memory.sources}
    assert by_name["b.md"].imported_by == proj / "docs" / "a.md"


def test_a_project_cannot_import_the_users_files(proj: Path, home: Path) -> None:
    put(home.parent / ".ssh" / "id_rsa", "SECRET")
    put(proj / "CODEAGENT.md", "@~/.ssh/id_rsa\n@../.ssh/id_rsa\n")
    (proj / "link.md").symlink_to(home.parent / ".ssh" / "id_rsa")
    put(proj / "CODEAGENT.local.md", "@link.md\n")
    memory = load(proj, home)
    assert "SECRET" not in memory.text and "usually holds secrets" in memory.notices[0]
    assert memory.outside == ()


def test_m_04_cycles_diamonds_and_many_spellings_end_and_give_each_text_once(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "@a.md\n@d.md\n@./x/../d.md\n@link.md\n")
    put(proj / "a.md", "A\n@b.md\n@c.md\n@a.md\n")
    put(proj / "b.md", "B\n@./a.md\n@d.md\n")
    put(proj / "c.md", "C\n@d.md\n")
    put(proj / "d.md", "D-TEXT")
    (proj / "x").mkdir()
    (proj / "link.md").symlink_to("d.md")
    memory = load(proj, home)
    assert memory.text.count("D-TEXT") == 1 and memory.notices == ()
    assert memory.text == load(proj, home).text


def test_m_04_depth_beyond_three_is_named(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "@1.md\n")
    for number in range(1, 6):
        put(proj / f"{number}.md", f"LEVEL{number}\n@{number + 1}.md\n")
    memory = load(proj, home)
    assert "LEVEL3" in memory.text and "LEVEL4" not in memory.text
    assert "4.md" in memory.notices[0] and "3 imports deep" in memory.notices[0]


def test_m_04_two_thousand_imports_share_one_budget(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "".join(f"@i/{n}.md\n" for n in range(2_000)))
    for number in range(2_000):
        put(proj / "i" / f"{number}.md", "x")
    assert load(proj, home).text.count("x") >= 2_000


def test_m_06_every_kind_of_change_is_noticed(proj: Path, home: Path) -> None:
    loader = ProjectMemoryLoader(proj, home)
    assert loader.changed()
    loader.load()
    assert not loader.changed()
    put(proj / "CODEAGENT.md", "created later\n@part.md\n")
    assert loader.changed() and "created later" in loader.load().text
    put(proj / "part.md", "import created later")
    assert loader.changed() and "import created later" in loader.load().text
    for number in range(3):
        put(proj / ".tmp", f"renamed {number}\n")
        (proj / ".tmp").replace(proj / "CODEAGENT.md")
        assert loader.changed() and f"renamed {number}" in loader.load().text
        assert not loader.changed()
    put(proj / "CODEAGENT.md", "")
    assert loader.changed() and loader.load().text == ""
    put(proj / "CODEAGENT.md", "back again")
    assert loader.changed() and "back again" in loader.load().text
    (proj / "CODEAGENT.md").unlink()
    assert loader.changed() and loader.load().text == ""


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("规范:提交信息用中文".encode("gb18030"), "规范:提交信息用中文"),
        (b"\xef\xbb\xbf@a.md\n", "IMPORTED"),
        ("规范".encode("utf-16"), "规范"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("规范 good ".encode() + b"\xff" + " 中文".encode(), "\ufffd"),
    ],
)
def test_m_08_encodings_are_read_right(proj: Path, home: Path, data: bytes, shown: str) -> None:
    put(proj / "a.md", "IMPORTED")
    put(proj / "CODEAGENT.md", data)
    memory = load(proj, home)
    assert shown in memory.text and "\ufeff" not in memory.text
    assert memory.text.count("\ufffd") <= 1


def test_m_09_a_giant_file_is_read_only_as_far_as_the_budget(proj: Path, home: Path) -> None:
    with (proj / "CODEAGENT.md").open("wb") as file:
        file.write(b"start\n" + b"line of text\n" * 10_000)
        file.truncate(300_000_000)
    memory = load(proj, home)
    assert len(memory.text) < 25_000 and memory.text.startswith("[from CODEAGENT.md]\nstart")
    assert "[cut:" in memory.text and memory.notices


def test_m_09_binary_folder_unreadable_and_link(proj: Path, home: Path) -> None:
    put(proj / "pic.png", b"\x89PNG\r\n\x1a\n\0\0\0")
    put(proj / "real.md", "LINKED")
    (proj / "CODEAGENT.local.md").symlink_to("real.md")
    (proj / ".codeagent" / "CODEAGENT.md").mkdir(parents=True)
    put(proj / "CODEAGENT.md", "GOOD\n@pic.png\n")
    memory = load(proj, home)
    assert "GOOD" in memory.text and "LINKED" in memory.text
    assert states(memory)["pic.png"] == "binary"
    assert len(memory.notices) == 2


def test_m_09_what_matters_more_is_kept_when_the_budget_is_small(proj: Path, home: Path) -> None:
    put(home / "CODEAGENT.md", "user " * 100)
    put(proj / "CODEAGENT.md", "team " * 100)
    put(proj / "CODEAGENT.local.md", "local " * 100)
    memory = load(proj, home, budget_characters=1_000)
    assert memory.text.count("local ") >= 99 and 0 < memory.text.count("team ") < 100
    assert memory.text.count("user ") == 0
    assert any("cut" in notice for notice in memory.notices)


def test_m_09_a_cut_falls_on_a_whole_character(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.local.md", "记" * 24_000 + "忆")
    text = load(proj, home).text
    assert "\ufffd" not in text and text.count("记") == 24_000
