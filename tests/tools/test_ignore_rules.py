"""Walking a tree: what version control leaves out, links, other repositories, limits."""

from __future__ import annotations

import os
from pathlib import Path

from codeagent_tui.tools.ignore_rules import Walked, walk


def tree(top: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(content)
    return top


def seen(top: Path, **options: object) -> list[str]:
    return sorted(entry.relative for entry in walk(top, **options) if not entry.is_dir)  # type: ignore[arg-type]


def test_t_11_nested_ignore_files_and_what_they_take_back(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            ".gitignore": "*.log\n/build/\ndocs/*.tmp\n",
            "a.log": "",
            "a.py": "",
            "build/out.js": "",
            "docs/x.tmp": "",
            "sub/.gitignore": "!keep.log\nsecret*\n",
            "sub/keep.log": "",
            "sub/other.log": "",
            "sub/secret.txt": "",
            "sub/build/kept.js": "",
            "node_modules/p/index.js": "",
            "x/__pycache__/a.pyc": "",
        },
    )
    assert seen(tmp_path) == [".gitignore", "a.py", "sub/.gitignore", "sub/build/kept.js", "sub/keep.log"]
    walked = Walked()
    assert len(list(walk(tmp_path, walked=walked))) == 9
    assert walked.ignored == 7
    assert walked.first_ignored[:3] == ["a.log", "build/", "node_modules/"]
    assert "node_modules/p/index.js" in seen(tmp_path, include_ignored=True)


def test_the_rules_above_the_folder_count_up_to_the_repository(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "*.up\n", "repo/.gitignore": "*.mid\nsub/deep/no.txt\n", "repo/.git/config": ""})
    sub = tree(tmp_path / "repo" / "sub", {"a.up": "", "a.mid": "", "deep/no.txt": "", "deep/yes.txt": ""})
    assert seen(sub) == ["a.up", "deep/yes.txt"]
    assert seen(tmp_path / "repo" / "sub" / "deep", root=tmp_path / "repo") == ["yes.txt"]


def test_without_a_repository_the_root_is_the_end(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "*.up\n", "work/.gitignore": "*.mid\n", "work/sub/a.up": "", "work/sub/a.mid": ""})
    assert seen(tmp_path / "work" / "sub", root=tmp_path / "work") == ["a.up"]


def test_a_folder_that_is_ignored_can_be_asked_for(tmp_path: Path) -> None:
    tree(tmp_path, {".git/config": "", ".gitignore": "*\n", "work/a.py": "", "work/node_modules/m/b.js": ""})
    assert seen(tmp_path) == []
    assert seen(tmp_path / "work") == ["a.py"]
    assert seen(tmp_path / "work" / "node_modules" / "m", root=tmp_path / "work") == ["b.js"]


def test_a_repository_within_starts_afresh(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {".gitignore": "*.log\n", ".ignore": "*.big\n", "in/.git": "gitdir: x", "in/a.log": "", "in/a.big": ""},
    )
    assert seen(tmp_path) == [".gitignore", ".ignore", "in/a.log"]


def test_dot_ignore_has_the_first_word(tmp_path: Path) -> None:
    tree(tmp_path, {".ignore": "!keep.log\n", "sub/.gitignore": "*.log\n", "sub/keep.log": "", "sub/a.log": ""})
    assert seen(tmp_path) == [".ignore", "sub/.gitignore", "sub/keep.log"]


def test_t_11_links_are_not_followed(tmp_path: Path) -> None:
    tree(tmp_path, {"a/b.txt": ""})
    (tmp_path / "a" / "loop").symlink_to("..")
    (tmp_path / "root").symlink_to("/")
    (tmp_path / "gone").symlink_to("nowhere")
    assert seen(tmp_path) == ["a/b.txt", "a/loop", "gone", "root"]


def test_lines_that_are_no_pattern_are_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, {"a.log": "", "b.txt": "", "z": ""})
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbf*.log\n!\n[z-a]\nx\\\n#b.txt\n\xff\xfe\n")
    assert seen(tmp_path) == [".gitignore", "b.txt", "z"]


def test_an_ignore_file_that_is_none_is_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, {"a": ""})
    (tmp_path / ".ignore").mkdir()
    os.mkfifo(tmp_path / ".gitignore")
    assert seen(tmp_path) == [".gitignore", "a"]


def test_s_03_odd_names_are_walked(tmp_path: Path) -> None:
    tree(tmp_path, {"new\nline": ""})
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")).write_text("")
    assert seen(tmp_path) == ["caf\udce9", "new\nline"]


def test_the_walk_ends_when_it_is_told_to(tmp_path: Path) -> None:
    tree(tmp_path, {f"{number:04}": "" for number in range(1_500)})
    asked = iter([True, True, False])
    walked = Walked()
    assert len(list(walk(tmp_path, keep_going=lambda: next(asked), walked=walked))) == 1_023
    assert walked.stopped


def test_a_folder_that_cannot_be_read_is_counted(tmp_path: Path) -> None:
    walked = Walked()
    assert list(walk(tmp_path / "missing", walked=walked)) == []
    assert walked.unreadable == 1
