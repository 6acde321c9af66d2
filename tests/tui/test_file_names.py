"""Names for the composer's `@`: what version control shows, best match first."""

from pathlib import Path

from codeagent_tui.tui.file_names import FileNames, best_matches


def test_the_text_in_the_last_part_comes_before_that_anywhere_and_before_scattered_characters() -> None:
    names = ["src/p/a/r/ser.py", "parser/readme.md", "src/my_parser.py", "src/parser.py", "docs/index.md"]
    assert best_matches("parser", names)[0] in ("src/parser.py", "parser/readme.md")
    assert best_matches("parser", names)[-1] == "src/p/a/r/ser.py"
    assert "docs/index.md" not in best_matches("parser", names)


def test_everything_fits_nothing_typed_and_the_list_is_bounded() -> None:
    assert len(best_matches("", [f"f{number}.py" for number in range(500)])) == 50


def test_ignored_files_are_left_out_and_folders_end_in_a_slash(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("secret.txt\n")
    (tmp_path / "secret.txt").write_text("")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.py").write_text("")
    names = FileNames(tmp_path).matching("")
    assert {"src/", "src/main.py"} <= set(names)
    assert "secret.txt" not in names
