"""Who may import whom: the arrows of the house, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import codeagent_tui

ROOT = Path(codeagent_tui.__file__).parent
GROUND = {
    "conversation",
    "tokens",
    "text",
    "text_encoding",
    "settings",
    "settings_file",
    "credentials",
    "exit_codes",
    "standard_streams",
    "paths",
    "secret_files",
    "byte_sizes",
    "secret_shapes",
    "secret_masking",
    "workspace",
}
MIDDLE = {"context", "memory", "tools", "permissions", "sessions", "code_index"}
MAY_IMPORT = {
    **dict.fromkeys(GROUND, GROUND),
    "llm": GROUND | {"llm"},
    **{name: GROUND | {"llm", name} for name in MIDDLE},
    "export": GROUND | {"sessions", "export"},
    "agent": GROUND | {"llm", "agent"} | MIDDLE,
}
FACES = {"tui", "headless", "doctor", "sessions_cli", "cli", "__main__", "__init__"}


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            yield node.module or ""


def sources() -> list[tuple[str, Path]]:
    """Return each source file with its room (the first part below the package)."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        relative = path.relative_to(ROOT)
        found.append((relative.parts[0].removesuffix(".py"), path))
    return found


def test_arrows_point_down() -> None:
    wrong = []
    for room, path in sources():
        if room in FACES:
            continue
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "codeagent_tui" and len(parts) > 1 and parts[1] not in MAY_IMPORT[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def test_nothing_below_the_screen_imports_textual() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for room, path in sources()
        if room != "tui" and any(name.split(".")[0] == "textual" for name in imports_of(path))
    ]
    assert not wrong


def test_no_import_cycles_between_modules() -> None:
    graph: dict[str, set[str]] = {}
    for _, path in sources():
        module = ".".join(("codeagent_tui", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        graph[module] = set()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("codeagent_tui"):
                graph[module] |= {node.module or ""} - {module}
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join((*above, module))
        if module not in done:
            for other in graph.get(module, ()):
                visit(other, (*above, module))
            done.add(module)

    for module in graph:
        visit(module, ())
