"""What a Python project's files say: pyproject.toml, lock files, the tools' own files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from codeagent_tui.memory.survey.findings import Command, Findings, Purpose, Tree

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
_EXTRAS = ("dev", "test", "tests", "all")

Table = dict[str, object]


def python(tree: Tree) -> Findings | None:
    """Return what is found, None when this is no Python project."""
    manifest = tree.has(*_MANIFESTS)
    if not manifest:
        return None
    data = _toml(tree.read("pyproject.toml"))
    project, tools = _table(data, "project"), _table(data, "tool")
    poetry = _table(tools, "poetry")
    commands = (
        Command(Purpose.SETUP, _setup(tree, project, tools), manifest),
        *(Command(Purpose.RUN, str(name), manifest) for name in list(_table(project, "scripts"))[:2]),
        *_tests(tree, tools, _prefix(tree, tools)),
        *_checks(tree, tools, _prefix(tree, tools)),
    )
    name, summary = (str(project.get(key) or poetry.get(key) or "") for key in ("name", "description"))
    return Findings(commands, tuple(_conventions(project, tools)), name, summary)


def _toml(text: str) -> Table:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _table(table: Table, name: str) -> Table:
    value = table.get(name)
    return value if isinstance(value, dict) else {}


def _prefix(tree: Tree, tools: Table) -> str:
    if tree.has("uv.lock"):
        return "uv run "
    if tree.has("poetry.lock") or "poetry" in tools:
        return "poetry run "
    if tree.has("pdm.lock"):
        return "pdm run "
    return "hatch run " if "hatch" in tools and "envs" in _table(tools, "hatch") else ""


def _setup(tree: Tree, project: Table, tools: Table) -> str:
    installer = _prefix(tree, tools).split(" ")[0]
    if installer in ("poetry", "pdm"):
        return f"{installer} install"
    if installer == "uv":
        return "uv sync"
    environment = "python3 -m venv .venv && .venv/bin/pip install"
    if not tree.has("pyproject.toml", "setup.py", "setup.cfg"):
        return f"{environment} -r requirements.txt"
    extra = next((name for name in _EXTRAS if name in _table(project, "optional-dependencies")), "")
    return f"{environment} -e '.[{extra}]'" if extra else f"{environment} -e ."


def _tests(tree: Tree, tools: Table, prefix: str) -> Iterator[Command]:
    if tree.has("noxfile.py"):
        yield Command(Purpose.TEST, "nox", "noxfile.py")
    elif tree.has("tox.ini"):
        yield Command(Purpose.TEST, "tox", "tox.ini")
    conftest = next((path for path in tree.files if path.endswith("conftest.py")), "")
    source = "pyproject.toml" if "pytest" in tools else tree.has("pytest.ini") or conftest
    if source:
        yield Command(Purpose.TEST, f"{prefix or 'python -m '}pytest", source)
        return
    unittest = next(
        (path for path in tree.files if path.rsplit("/", 1)[-1].startswith("test_") and path.endswith(".py")), ""
    )
    if unittest:
        yield Command(Purpose.TEST, f"{prefix}python -m unittest discover", unittest)


def _checks(tree: Tree, tools: Table, prefix: str) -> Iterator[Command]:
    def source(tool: str, *files: str) -> str:
        return tree.has(*files) or ("pyproject.toml" if tool in tools else "")

    if where := source("ruff", "ruff.toml", ".ruff.toml"):
        yield Command(Purpose.CHECK, f"{prefix}ruff check .", where)
        yield Command(Purpose.FORMAT, f"{prefix}ruff format .", where)
    if where := source("flake8", ".flake8"):
        yield Command(Purpose.CHECK, f"{prefix}flake8", where)
    if where := source("mypy", "mypy.ini", ".mypy.ini"):
        target = "" if "files" in _table(tools, "mypy") or "packages" in _table(tools, "mypy") else " ."
        yield Command(Purpose.CHECK, f"{prefix}mypy{target}", where)
    if where := source("pyright", "pyrightconfig.json"):
        yield Command(Purpose.CHECK, f"{prefix}pyright", where)
    if where := source("black"):
        yield Command(Purpose.FORMAT, f"{prefix}black .", where)
    if tree.has(".pre-commit-config.yaml"):
        yield Command(Purpose.CHECK, "pre-commit run --all-files", ".pre-commit-config.yaml")


def _conventions(project: Table, tools: Table) -> Iterator[str]:
    if project.get("requires-python"):
        yield f"Python {project['requires-python']}."
    for tool in ("ruff", "black"):
        length = _table(tools, tool).get("line-length")
        if length:
            yield f"Lines have at most {length} characters ({tool})."
            return
