"""Project memory files that are not what they should be: one clear message each, and the others load."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.context.profile import ContextProfile
from codeagent_tui.memory.manager import MemoryManager
from codeagent_tui.memory.project_memory import ProjectMemory, ProjectMemoryLoader
from codeagent_tui.paths import Paths
from codeagent_tui.tokens import estimate_tokens
from tests.support.files import put

RULES = "规范:提交信息用中文"


def load(proj: Path, home: Path) -> ProjectMemory:
    return ProjectMemoryLoader(proj, home).load()


def one_notice(memory: ProjectMemory, *parts: str) -> None:
    """Assert that there is one notice, with all `parts` in it."""
    assert len(memory.notices) == 1, memory.notices
    assert all(part in memory.notices[0] for part in parts), memory.notices[0]


@pytest.mark.parametrize("locale", ["C", "zh_CN.GBK", "C.UTF-8"])
@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (RULES.encode("gbk"), RULES),
        (RULES.encode("utf-16"), RULES),
        ("\ufeff".encode("utf-16-le") + RULES.encode("utf-16-le"), RULES),
        (b"\xef\xbb\xbf@a.md\n", "IMPORTED"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
    ],
)
def test_m_08_the_locale_decides_nothing(proj: Path, home: Path, locale: str, data: bytes, shown: str) -> None:
    put(proj / "a.md", "IMPORTED")
    put(proj / "CODEAGENT.md", data)
    program = (
        "import sys; from pathlib import Path\n"
        "from codeagent_tui.memory.project_memory import ProjectMemoryLoader\n"
        "memory = ProjectMemoryLoader(Path(sys.argv[1]), Path(sys.argv[2])).load()\n"
        "sys.stdout.buffer.write(memory.text.encode()); sys.stderr.write(str(len(memory.notices)))\n"
    )
    environment = {**os.environ, "LANG": locale, "LC_ALL": locale, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(proj), str(home)], env=environment, capture_output=True, check=True
    )
    assert shown in done.stdout.decode() and "\ufeff" not in done.stdout.decode()
    assert done.stderr == b"0"


@pytest.mark.parametrize("encoding", ["big5", "shift_jis", "euc_jp", "euc_kr", "koi8-r", "cp1251"])
def test_m_08_what_could_only_be_guessed_is_refused_by_name(proj: Path, home: Path, encoding: str) -> None:
    japanese = "日本語の規則です。テストを先に書く"
    korean = "한국어 규칙입니다. 테스트를 먼저 작성하고 실행하세요"
    words = {"big5": "繁體中文規範說明", "shift_jis": japanese, "euc_jp": japanese, "euc_kr": korean}
    put(proj / "CODEAGENT.md", (words.get(encoding, "Правила проекта и сборки") + "\n").encode(encoding) * 20)
    memory = load(proj, home)
    assert memory.text == ""
    one_notice(memory, "CODEAGENT.md", "save it as UTF-8")


def test_m_08_one_stray_byte_costs_one_mark(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "规范 good ".encode() + b"\xff" + " 中文 and more words\n".encode())
    memory = load(proj, home)
    assert memory.text.count("\ufffd") == 1 and memory.notices == ()


def test_m_09_a_folder_in_its_place(proj: Path, home: Path) -> None:
    (proj / "CODEAGENT.md").mkdir()
    put(proj / "CODEAGENT.local.md", "OTHER")
    memory = load(proj, home)
    assert "OTHER" in memory.text
    one_notice(memory, "CODEAGENT.md", "it is a folder")


def test_m_09_a_pipe_is_not_waited_for(proj: Path, home: Path) -> None:
    os.mkfifo(proj / "CODEAGENT.md")
    os.mkfifo(proj / "pipe.md")
    put(proj / "CODEAGENT.local.md", "OTHER\n@pipe.md\n")
    memory = load(proj, home)
    assert "OTHER" in memory.text and len(memory.notices) == 2
    assert all("no regular file" in notice for notice in memory.notices)


def test_m_09_links_that_lead_nowhere_or_in_circles(proj: Path, home: Path) -> None:
    (proj / "CODEAGENT.md").symlink_to("gone.md")
    (proj / "a.md").symlink_to("b.md")
    (proj / "b.md").symlink_to("a.md")
    put(proj / "CODEAGENT.local.md", "OTHER\n@a.md\n")
    memory = load(proj, home)
    assert "OTHER" in memory.text and len(memory.notices) == 2
    assert "a link that leads nowhere" in memory.notices[0] and "a.md" in memory.notices[1]


def test_m_04_a_folder_that_holds_itself_ends(proj: Path, home: Path) -> None:
    (proj / "loop").symlink_to(".")
    put(proj / "CODEAGENT.md", "TOP\n@loop/loop/CODEAGENT.md\n@loop/a.md\n@a.md\n")
    put(proj / "a.md", "A-TEXT")
    memory = load(proj, home)
    assert memory.text.count("TOP") == 1 and memory.text.count("A-TEXT") == 1 and memory.notices == ()


def test_m_04_a_hard_link_is_the_same_file(proj: Path, home: Path) -> None:
    put(proj / "a.md", "A-TEXT")
    os.link(proj / "a.md", proj / "b.md")
    put(proj / "CODEAGENT.md", "@a.md\n@b.md\n")
    assert load(proj, home).text.count("A-TEXT") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_m_09_an_unreadable_file(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "SECRET").chmod(0)
    put(proj / "CODEAGENT.local.md", "OTHER")
    memory = load(proj, home)
    assert "OTHER" in memory.text and "SECRET" not in memory.text
    one_notice(memory, "CODEAGENT.md", "not readable", "Permission denied")


def test_m_09_a_read_that_fails(proj: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(proj / "CODEAGENT.md", "BROKEN")
    put(proj / "CODEAGENT.local.md", "OTHER")
    real_open = Path.open

    def failing(path: Path, mode: str = "r") -> object:
        if path.name == "CODEAGENT.md":
            raise OSError(5, "Input/output error")
        return real_open(path, mode)

    monkeypatch.setattr(Path, "open", failing)
    memory = load(proj, home)
    assert "OTHER" in memory.text
    one_notice(memory, "CODEAGENT.md", "not readable (Input/output error)")


def test_m_09_a_giant_is_not_read_whole(proj: Path, home: Path) -> None:
    with (proj / "CODEAGENT.md").open("wb") as file:
        file.write(b"start\n" + b"line of text\n" * 10_000)
        file.truncate(300_000_000)
    (proj / "big.md").symlink_to("CODEAGENT.md")
    put(proj / "CODEAGENT.local.md", "MINE\n")
    memory = load(proj, home)
    assert len(memory.text) < 25_000 and "MINE" in memory.text
    assert "[cut:" in memory.text
    one_notice(memory, "CODEAGENT.md was cut", "24,000 characters")


def test_m_09_a_giant_of_zeros_is_binary(proj: Path, home: Path) -> None:
    with (proj / "CODEAGENT.md").open("wb") as file:
        file.truncate(300_000_000)
    memory = load(proj, home)
    assert memory.text == ""
    one_notice(memory, "it is binary")


def test_m_09_a_small_window_bounds_it_in_tokens_and_says_so(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "规" * 24_000)
    memory = MemoryManager(Paths(home), proj, ContextProfile.for_window(8_192)).project_context()
    assert estimate_tokens(memory.text) < 1_700
    one_notice(memory, "CODEAGENT.md was cut", "1,638 tokens", "CODEAGENT.local.md first")


def test_m_09_one_very_long_line_is_cut_at_a_character(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.local.md", "👩\u200d👩\u200d👧" * 6_000)
    text = load(proj, home).text
    body = text.split("\n")[1]
    assert body.replace("👩\u200d👩\u200d👧", "") == "" and "[cut:" in text


def test_many_failures_are_counted_and_not_listed(proj: Path, home: Path) -> None:
    put(proj / "CODEAGENT.md", "".join(f"@gone/{number}.md\n" for number in range(500)))
    memory = load(proj, home)
    assert len(memory.notices) == 13 and "488 more" in memory.notices[-1]


NAMES = ("CODEAGENT.md", "CODEAGENT.local.md", "a.md", "b.md", "sub/c.md", "AGENTS.md")
CONTENT = st.one_of(
    st.binary(max_size=80),
    st.lists(
        st.sampled_from(
            [
                "@a.md",
                "@b.md",
                "@sub/c.md",
                "@../a.md",
                "@./gone.md",
                "text",
                "",
                "```",
                "@/etc/hostname",
                "@~/x.md",
                "规范",
            ]
        ),
        max_size=8,
    ).map(lambda lines: "\n".join(lines).encode()),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(st.sampled_from(NAMES), CONTENT), budget=st.integers(0, 200))
def test_whatever_lies_there_it_ends_bounded_and_the_same_each_time(
    proj: Path, home: Path, files: dict[str, bytes], budget: int
) -> None:
    for name in NAMES:
        (proj / name).unlink(missing_ok=True)
    for name, data in files.items():
        put(proj / name, data)
    loader = ProjectMemoryLoader(proj, home, budget_characters=budget)
    memory = loader.load()
    assert sum(source.characters for source in memory.sources) <= budget
    assert memory == loader.load() and not loader.changed()
    assert all(part.end <= len(memory.text) for part in memory.parts)
    assert Path("/etc/hostname") not in {part.path for part in memory.parts}
