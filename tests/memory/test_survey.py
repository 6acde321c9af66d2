"""The draft of a CODEAGENT.md: it states what the repository's files say, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.memory.project_memory import ProjectMemoryLoader
from codeagent_tui.memory.survey.draft import draft, with_what_is_missing
from codeagent_tui.memory.survey.findings import Tree
from tests.support.files import put


def tree(root: Path, **files: str) -> Tree:
    """Return a repository of `files`, whose names have `__` for `.` and `___` for `/`."""
    named = {name.replace("___", "/").replace("__", "."): text for name, text in files.items()}
    for path, text in named.items():
        put(root / path, text)
    return Tree(root, tuple(named))


def test_a_python_project_with_uv(tmp_path: Path) -> None:
    manifest = (
        '[project]\nname = "tool"\ndescription = "Does things."\nrequires-python = ">=3.12"\n'
        '[project.scripts]\ntool = "tool:main"\n[tool.pytest.ini_options]\n'
        "[tool.ruff]\nline-length = 100\n[tool.mypy]\n"
    )
    text = draft(tree(tmp_path, pyproject__toml=manifest, uv__lock="", tool___a__py="", tool___b__py=""))
    assert text.startswith("# tool\n\nDoes things.\n\n## Commands\n")
    for line in (
        "- Set up: `uv sync`",
        "- Run: `tool`",
        "- Test: `uv run pytest`",
        "- Check: `uv run ruff check .`, `uv run mypy .`",
        "- Format: `uv run ruff format .`",
        "- Python >=3.12.",
        "- Lines have at most 100 characters (ruff).",
        "Languages, by files: Python (2).",
        "- `tool/`: 2 files, mostly Python",
    ):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        ({"requirements__txt": "x"}, ["python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"]),
        (
            {"pyproject__toml": "[tool.poetry]\nname='x'\n", "tests___conftest__py": ""},
            ["poetry install", "poetry run pytest"],
        ),
        (
            {"pyproject__toml": "[project]\n[project.optional-dependencies]\ndev=[]\n", "test_a__py": ""},
            ["pip install -e '.[dev]'", "python -m unittest discover"],
        ),
        ({"setup__py": "", "tox__ini": "", "_flake8": ""}, ["pip install -e .", "tox"]),
        (
            {"package__json": json.dumps({"scripts": {"test": "vitest", "build": "tsc", "lint": "eslint ."}})},
            ["npm install", "npm test", "npm run build", "npm run lint"],
        ),
        (
            {"package__json": json.dumps({"scripts": {"test": "jest"}}), "pnpm-lock__yaml": ""},
            ["pnpm install", "pnpm run test"],
        ),
        ({"package__json": json.dumps({"packageManager": "yarn@4.1.0"})}, ["yarn install"]),
        ({"Cargo__toml": '[package]\nname="x"\nedition="2021"\n'}, ["cargo test", "cargo clippy", "Rust edition 2021"]),
        ({"go__mod": "module example.test/x\n\ngo 1.23\n"}, ["go test ./...", "go vet ./...", "Go 1.23"]),
        ({"pom__xml": "", "mvnw": ""}, ["./mvnw test"]),
        ({"App__sln": ""}, ["dotnet test"]),
        ({"Makefile": "CC := gcc\ntest: all\n\tx\nlint:\n\tx\nhelper:\n"}, ["make test", "make lint"]),
        ({"justfile": "set shell := ['sh']\n@test *args:\n  x\nfmt:\n  x\n"}, ["just test", "just fmt"]),
        ({"Taskfile__yml": "version: '3'\ntasks:\n  build:\n    cmds: [x]\n"}, ["task build"]),
        (
            {
                "_github": "",
                "__github___workflows___ci__yml": "jobs:\n  t:\n    steps:\n      - run: cargo test --all\n",
            },
            ["cargo test --all"],
        ),
        ({"__editorconfig": "root = true\n[*]\nindent_style = space\nindent_size = 4\n"}, ["Indent with 4 spaces."]),
    ],
)
def test_other_projects(tmp_path: Path, files: dict[str, str], lines: list[str]) -> None:
    text = draft(tree(tmp_path, **files))
    for line in lines:
        assert line in text


def test_what_ci_runs_is_quoted_without_its_own_variables(tmp_path: Path) -> None:
    workflow = (
        "jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - name: Test\n        run: |\n"
        "          pip install -U pip\n          pytest -q --cov\n          mypy ${{ matrix.target }}\n"
        "      - run: ruff check .\n      - run: echo done\n"
    )
    text = draft(tree(tmp_path, __github___workflows___ci__yml=workflow))
    assert "- CI (`.github/workflows/ci.yml`): `pytest -q --cov`, `ruff check .`\n" in text


def test_a_ci_of_gitlab(tmp_path: Path) -> None:
    text = draft(
        tree(tmp_path, **{"__gitlab-ci__yml": "test:\n  script:\n    - make test\n    - echo x\n  only:\n    - main\n"})
    )
    assert "- CI (`.gitlab-ci.yml`): `make test`\n" in text


def test_the_readme_gives_title_and_first_paragraph(tmp_path: Path) -> None:
    readme = (
        "<p align=center><img src=x></p>\n\n# The Tool\n\n[![ci](x)](y)\n\n> note\n\n"
        "The tool keeps `snake_case` and [links](https://x).\nIt goes on.\n\nMore.\n"
    )
    text = draft(tree(tmp_path, README__md=readme, package__json='{"name": "other", "description": "no"}'))
    assert text.startswith("# The Tool\n\nThe tool keeps `snake_case` and links. It goes on.\n\n## Commands")
    assert "- `README.md`" in text


def test_packages_say_themselves_what_they_are(tmp_path: Path) -> None:
    text = draft(
        tree(tmp_path, core_____init____py='"""The core of it.\n\nMore."""\n', core___a__py="", tests___t__py="")
    )
    text = text.replace("core/.init./py", "")
    assert "- `tests/`: tests (1 file, mostly Python)" in text


def test_rules_for_other_agents_stay_in_force(tmp_path: Path, home: Path) -> None:
    found = tree(tmp_path, AGENTS__md="AGENTS RULES", CLAUDE__md="@AGENTS.md\nCLAUDE RULES", __cursorrules="x")
    text = draft(found)
    assert "## Rules\n@AGENTS.md\n@CLAUDE.md\n\nRules for other tools" in text and "`.cursorrules`" in text
    put(tmp_path / "CODEAGENT.md", text)
    memory = ProjectMemoryLoader(tmp_path, home).load()
    assert memory.text.count("AGENTS RULES") == 1 and "CLAUDE RULES" in memory.text and memory.notices == ()


def test_an_empty_repository_gives_a_heading_and_a_place_for_notes(tmp_path: Path) -> None:
    assert draft(Tree(tmp_path, ())) == f"# {tmp_path.name}\n\n## Notes\n"


@pytest.mark.parametrize(
    "damage", ["", "{", "[", "\0", "null", "[1]", "[tool]\nruff = 3\n", '{"scripts": 3}', "[project]\nscripts = 1"]
)
def test_damaged_manifests_are_passed_over(tmp_path: Path, damage: str) -> None:
    names = ("pyproject__toml", "package__json", "Cargo__toml", "go__mod", "Makefile", "README__md", "__editorconfig")
    assert draft(tree(tmp_path, **dict.fromkeys(names, damage))).endswith("## Notes\n")


def test_only_missing_sections_are_added_to_a_file_that_is_there(tmp_path: Path) -> None:
    drafted = draft(tree(tmp_path, Makefile="test:\n", src___a__py="", README__md="# X\n"))
    existing = "# Mine\r\n\r\n## commands\r\n- mine\r\n"
    text = with_what_is_missing(existing, drafted)
    assert text.startswith(existing) and "make test" not in text
    assert "\r\n\r\n## Layout\r\n" in text and "\n" not in text.replace("\r\n", "")
    assert with_what_is_missing(text, drafted) == text


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(max_size=200),
    name=st.sampled_from(["README.md", "package.json", "pyproject.toml", "Makefile", ".editorconfig"]),
)
def test_no_content_breaks_it(tmp_path: Path, text: str, name: str) -> None:
    put(tmp_path / name, text.encode("utf-8", "surrogatepass"))
    assert draft(Tree(tmp_path, (name, "src/a.py"))).endswith("## Notes\n")
