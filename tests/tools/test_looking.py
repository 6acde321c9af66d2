"""list_directory, find_files, search_code: the same tree by every door, bounded and honest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.tools.find_files import FindFiles
from codeagent_tui.tools.list_directory import ListDirectory
from codeagent_tui.tools.search_backends import ripgrep
from codeagent_tui.tools.search_code import SearchCode
from codeagent_tui.tools.tool import ToolContext
from tests.support.tools import fails, scratch_context, use

LIST, FIND = ListDirectory(), FindFiles()
BACKENDS = [pytest.param(True, id="ripgrep"), pytest.param(False, id="python")]


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return scratch_context(tmp_path)


@pytest.fixture
def tree(context: ToolContext) -> Path:
    """A tree with everything that makes a search go wrong."""
    root = context.workspace.root
    for name, text in {
        "a.py": "needle one\nother\nneedle two\n",
        "src/b.py": "x = 'needle'\n",
        "src/deep/c.txt": "no\nneedle\n",
        "build/out.py": "needle built\n",
        "logs/x.log": "needle log\n",
        "logs/keep.log": "needle kept\n",
        "node_modules/m/index.js": "needle module\n",
        ".git/config": "needle git\n",
        ".hidden/h.py": "needle hidden\n",
        "名字.md": "needle 中文\n",
        "-dash": "needle dash\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / ".gitignore").write_text("build/\n*.log\n")
    (root / "logs" / ".gitignore").write_text("!keep.log\n")
    (root / "bin.dat").write_bytes(b"needle\0\1\2")
    (root / os.fsdecode(b"caf\xe9.py")).write_text("needle odd\n")
    (root / "loop").symlink_to("..")
    (root / "out").symlink_to("/")
    return root


FILES = {"-dash", ".hidden/h.py", "a.py", "caf\ufffd.py", "logs/keep.log", "src/b.py", "src/deep/c.txt", "名字.md"}


@pytest.mark.parametrize("use_ripgrep", BACKENDS)
async def test_t_11_both_back_ends_find_the_same(context: ToolContext, tree: Path, use_ripgrep: bool) -> None:
    output = await use(SearchCode(use_ripgrep=use_ripgrep), context, pattern="needle")
    found = {line for line in output.text.splitlines() if line and ": " not in line}
    assert found == FILES
    assert output.summary == "9 hits in 8 files"


@pytest.mark.parametrize(
    "arguments",
    [
        {"pattern": "needle (one|two)"},
        {"pattern": "needle", "context": 1},
        {"pattern": "NEEDLE", "ignore_case": True, "glob": "*.py"},
        {"pattern": "x = '", "literal": True},
        {"pattern": "needle", "path": "src"},
        {"pattern": "needle", "path": "src/b.py"},
        {"pattern": "needle", "include_ignored": True},
        {"pattern": "-dash|one"},
        {"pattern": "中文"},
        {"pattern": "nowhere to be found"},
        {"pattern": "^other$"},
        {"pattern": "needle", "max_hits": 2},
    ],
)
async def test_t_11_answers_do_not_depend_on_the_back_end(
    context: ToolContext, tree: Path, arguments: dict[str, object]
) -> None:
    assert ripgrep() is not None
    texts = [(await use(SearchCode(use_ripgrep=one), context, **arguments)).text for one in (True, False)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("use_ripgrep", BACKENDS)
@pytest.mark.parametrize("pattern", ["([", r"(?=x)", r"(a)\1", ""])
async def test_t_11_a_bad_pattern_is_a_readable_error(context: ToolContext, use_ripgrep: bool, pattern: str) -> None:
    assert "pattern" in await fails(SearchCode(use_ripgrep=use_ripgrep), context, pattern=pattern)


async def test_t_11_a_pattern_without_end_is_ended(
    context: ToolContext, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeagent_tui.tools.search_code._SECONDS", 1.0)
    (tree / "evil.txt").write_text("a" * 60 + "!\n")
    output = await use(SearchCode(use_ripgrep=False), context, pattern="(a+)+$", path="evil.txt")
    assert "[partial: stopped" in output.text


@pytest.mark.parametrize("use_ripgrep", BACKENDS)
async def test_t_09_a_hit_in_a_giant_line_shows_a_window(context: ToolContext, use_ripgrep: bool) -> None:
    (context.workspace.root / "bundle.js").write_text("x" * 2_000_000 + "needle" + "y" * 2_000_000)
    output = await use(SearchCode(use_ripgrep=use_ripgrep), context, pattern="needle")
    assert "needle" in output.text and "4,000,006" in output.text and len(output.text) < 600


@pytest.mark.parametrize("use_ripgrep", BACKENDS)
async def test_too_many_hits_are_cut_with_a_mark(context: ToolContext, use_ripgrep: bool) -> None:
    (context.workspace.root / "many.txt").write_text("needle\n" * 5_000)
    output = await use(SearchCode(use_ripgrep=use_ripgrep), context, pattern="needle")
    assert "[partial:" in output.text and output.text.count("needle") == 100


async def test_x_04_a_search_outside_says_the_real_path(context: ToolContext, tree: Path) -> None:
    from codeagent_tui.tools.tool import parse_arguments

    tool = SearchCode()
    access = await tool.access(parse_arguments(tool, '{"pattern": "x", "path": "out/etc"}'), context)  # type: ignore[arg-type]
    assert access.paths == (Path("/etc"),)


async def test_listing_counts_what_it_leaves_out(context: ToolContext, tree: Path) -> None:
    text = (await use(LIST, context, depth=3)).text
    lines = text.splitlines()
    assert "src/" in lines and "  b.py" in lines and "    c.txt" in lines
    assert "build/" not in lines and "node_modules/" not in lines
    assert "3 ignored: build/, node_modules/, logs/x.log;" in text and "loop -> .." in lines
    assert "build/" in (await use(LIST, context, include_ignored=True)).text


async def test_a_large_folder_is_listed_in_part(context: ToolContext) -> None:
    for number in range(450):
        (context.workspace.root / f"f{number:03}").touch()
    text = (await use(LIST, context)).text
    assert "[partial: showed 400 of 450" in text


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", {".hidden/h.py", "a.py", "caf\ufffd.py", "src/b.py"}),
        ("src/**/*.txt", {"src/deep/c.txt"}),
        ("src/*.py", {"src/b.py"}),
        ("名字.*", {"名字.md"}),
        ("*.log", {"logs/keep.log"}),
        ("-dash", {"-dash"}),
    ],
)
async def test_files_are_found_by_glob(context: ToolContext, tree: Path, pattern: str, found: set[str]) -> None:
    assert set((await use(FIND, context, pattern=pattern)).text.splitlines()) == found


async def test_nothing_found_says_so(context: ToolContext, tree: Path) -> None:
    assert "No file matches" in (await use(FIND, context, pattern="*.zig")).text
    assert "does not exist" in await fails(FIND, context, pattern="*", path="nowhere")


async def test_rules_from_above_a_searched_folder_count(context: ToolContext) -> None:
    root = context.workspace.root
    (root / "src").mkdir()
    (root / ".gitignore").write_text("generated.py\n")
    (root / "src" / "generated.py").write_text("needle\n")
    (root / "src" / "real.py").write_text("needle\n")
    for one in (True, False):
        output = await use(SearchCode(use_ripgrep=one), context, pattern="needle", path="src")
        assert "generated" not in output.text and "src/real.py" in output.text
    assert (await use(FIND, context, pattern="*.py", path="src")).text == "src/real.py"


@pytest.mark.parametrize("use_ripgrep", BACKENDS)
async def test_x_06_a_search_of_a_folder_shows_nothing_of_files_with_secrets(
    context: ToolContext, use_ripgrep: bool
) -> None:
    root = context.workspace.root
    for name in (".env", "sub/.env.local", "sub/id_rsa", ".ssh/config"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("KEY=hidden\n")
    (root / ".env.example").write_text("KEY=\n")
    tool = SearchCode(use_ripgrep=use_ripgrep)
    for path, glob, ignored in ((".", "", False), ("sub", "", True), (".", ".env*", True)):
        output = await use(tool, context, pattern="KEY", path=path, glob=glob, include_ignored=ignored)
        assert "hidden" not in output.text
    assert ".env.example" in (await use(tool, context, pattern="KEY")).text
    # What the user was asked for by name is searched.
    for path in (".env", "sub/id_rsa", ".ssh"):
        assert "hidden" in (await use(tool, context, pattern="KEY", path=path)).text
