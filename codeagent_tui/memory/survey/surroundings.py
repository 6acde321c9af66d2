"""What else a repository shows: its languages, its folders, what its README says, rules for agents and editors."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from codeagent_tui.memory.survey.findings import Tree
from codeagent_tui.text import cut_characters, one_line

_LANGUAGES = {
    **dict.fromkeys(("py", "pyi"), "Python"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts"), "TypeScript"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), "JavaScript"),
    **dict.fromkeys(("c", "h"), "C"),
    **dict.fromkeys(("cc", "cpp", "cxx", "hpp"), "C++"),
    **dict.fromkeys(("kt", "kts"), "Kotlin"),
    **dict.fromkeys(("sh", "bash"), "shell"),
    "rs": "Rust",
    "go": "Go",
    "java": "Java",
    "cs": "C#",
    "rb": "Ruby",
    "php": "PHP",
    "swift": "Swift",
    "scala": "Scala",
    "ex": "Elixir",
    "exs": "Elixir",
    "hs": "Haskell",
    "lua": "Lua",
    "r": "R",
    "jl": "Julia",
    "dart": "Dart",
    "zig": "Zig",
    "vue": "Vue",
    "svelte": "Svelte",
    "css": "CSS",
    "scss": "CSS",
    "html": "HTML",
    "sql": "SQL",
    "tf": "Terraform",
    "proto": "Protocol Buffers",
    "ml": "OCaml",
    "erl": "Erlang",
    "m": "Objective-C",
}
_MOST_LANGUAGES = 4
_READMES = ("README.md", "README.rst", "README.txt", "README", "readme.md", "Readme.md", "README.zh-CN.md")
_NOT_PROSE = re.compile(r"^\s*(?:\[?!\[|<|#|=+\s*$|-+\s*$|\.\. |:|\||>|```|~~~|[-*+] |\d+\. )")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_LONGEST_SUMMARY = 400
_USUAL_FOLDERS = {
    **dict.fromkeys(("tests", "test", "spec", "__tests__"), "tests"),
    **dict.fromkeys(("docs", "doc"), "documentation"),
    "benchmarks": "benchmarks",
    "examples": "examples",
    "scripts": "scripts",
    "assets": "assets",
    "migrations": "database migrations",
    "cmd": "entry points",
    "vendor": "third-party code",
}
_MOST_FOLDERS = 12
_DOCS = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "DESIGN.md",
    "docs/README.md",
    "docs/index.md",
)
_OTHER_RULES = (".cursorrules", ".windsurfrules", ".clinerules", "GEMINI.md", ".github/copilot-instructions.md")


def languages(tree: Tree) -> list[tuple[str, int]]:
    """Return the languages with their numbers of files, most first."""
    counted = Counter(_LANGUAGES.get(path.rsplit(".", 1)[-1].lower(), "") for path in tree.files if "." in path)
    del counted[""]
    return counted.most_common(_MOST_LANGUAGES)


def readme(tree: Tree) -> tuple[str, str]:
    """Return the title and the first paragraph of prose of the README, each "" where there is none."""
    text = tree.read(tree.has(*_READMES))
    lines = text.split("\n")
    title = next((_plain(line.lstrip("# ")) for line in lines if line.startswith("# ")), "")
    paragraph: list[str] = []
    fence = False
    for line in lines:
        fence ^= line.lstrip().startswith(("```", "~~~"))
        if not fence and line.strip() and not _NOT_PROSE.match(line):
            paragraph.append(line)
        elif paragraph:
            break
    return title, cut_characters(_plain(" ".join(paragraph)), _LONGEST_SUMMARY)


def _plain(text: str) -> str:
    return one_line(_LINK.sub(r"\1", text)).strip()


def folders(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the folders at the top that matter, with what is in each."""
    inside: dict[str, list[str]] = {}
    for path in tree.files:
        name, slash, _ = path.partition("/")
        if slash and not name.startswith("."):
            inside.setdefault(name, []).append(path)
    for name, files in sorted(sorted(inside.items(), key=lambda item: -len(item[1]))[:_MOST_FOLDERS]):
        what = _docstring(tree, name) or _USUAL_FOLDERS.get(name, "")
        count = f"{len(files):,} file{'' if len(files) == 1 else 's'}"
        main = next(iter(languages(Tree(tree.root, tuple(files)))), None)
        mostly = f", mostly {main[0]}" if main and main[1] * 2 > len(files) else ""
        yield f"{name}/", f"{what} ({count}{mostly})" if what else count + mostly


def _docstring(tree: Tree, folder: str) -> str:
    """Return the first line that a Python package says of itself."""
    try:
        said = ast.get_docstring(ast.parse(tree.read(f"{folder}/__init__.py"))) or ""
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return one_line(said.split("\n", 1)[0], 120).rstrip(".:")


def editor_rules(tree: Tree) -> list[str]:
    """Return what .editorconfig says of all files."""
    found = []
    section = ""
    values: dict[str, str] = {}
    for line in tree.read(".editorconfig").split("\n"):
        if line.strip().startswith("["):
            section = line.strip()
        elif "=" in line and section in ("", "[*]"):
            key, _, value = line.partition("=")
            values[key.strip().lower()] = value.strip().lower()
    if values.get("indent_style") in ("tab", "space"):
        width = values.get("indent_size", "")
        found.append(
            "Indent with tabs."
            if values["indent_style"] == "tab"
            else f"Indent with {width} spaces.".replace("  ", " ")
        )
    if values.get("end_of_line"):
        found.append(f"Lines end with {values['end_of_line'].upper()}.")
    return found


def documents(tree: Tree) -> list[str]:
    """Return what is worth reading first."""
    return [path for path in _DOCS if tree.has(path)]


def other_agents_rules(tree: Tree) -> list[str]:
    """Return the rule files of other agents that are not read by themselves."""
    return [path for path in tree.files if path in _OTHER_RULES or path.startswith(".cursor/rules/")]
