"""The READMEs' tables, made from the code: `python -m tests.support.readme_tables` writes them into both files.

Each table stands between `<!-- table: NAME -->` and `<!-- end -->`; `tests/test_readme.py` fails when one is stale.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS
from codeagent_tui.settings import Settings
from codeagent_tui.settings_file import ENVIRONMENT, NOT_FROM_A_PROJECT
from codeagent_tui.tui.command_tables import commands_table, keys_table
from codeagent_tui.tui.commands import COMMANDS
from tests.support.readme_words import COMMANDS_IN_CHINESE, EXIT_CODES, SETTINGS

ROOT = Path(__file__).resolve().parents[2]
READMES = ("README.md", "README.zh-CN.md")
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)


def with_tables(text: str, language: int) -> str:
    """Return a README's text with its tables made anew; `language` is its place in `READMES`."""
    tables = all_tables(language)
    return _TABLE.sub(lambda found: f"{found[1]}\n{tables[found[2]]}\n{found[3]}", text)


def all_tables(language: int) -> dict[str, str]:
    """Return every table by its name."""
    return {
        "commands": _translated(commands_table(), language),
        "keys": _translated(keys_table(), language),
        "settings": _settings(language),
        "exit_codes": _table(
            (("code", "meaning"), ("退出码", "含义"))[language],
            [(f"{code.value}", EXIT_CODES[code.value][language]) for code in ExitCode],
        ),
        "offline": _table(
            ("English", "中文"), [(f"`{english}`", f"`{chinese}`") for english, chinese in OFFLINE_REQUESTS]
        ),
    }


def _translated(table: str, language: int) -> str:
    if language == 0:
        return table
    for command in COMMANDS:
        table = table.replace(f"| {command.summary} |", f"| {COMMANDS_IN_CHINESE[command.id]} |")
    return table.replace("| key | what it does |", "| 按键 | 作用 |").replace(
        "| command | what it does |", "| 命令 | 作用 |"
    )


def _settings(language: int) -> str:
    head = (("setting", "default", "environment", "meaning"), ("设置", "默认值", "环境变量", "含义"))[language]
    variables = {name: f"`{variable}`" for variable, name in ENVIRONMENT.items()}
    rows = []
    for field in fields(Settings):
        if field.name == "sources":
            continue
        mark = " ¹" if field.name in NOT_FROM_A_PROJECT else ""
        meaning = SETTINGS[field.name][language]
        rows.append((f"`{field.name}`{mark}", _shown(field.default), variables.get(field.name, ""), meaning))
    return _table(head, rows)


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, float):
        return f"`{default:g}`"
    return f"`{default}`" if default != "" else ""


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def main() -> None:
    """Write the tables into both files."""
    for language, name in enumerate(READMES):
        path = ROOT / name
        path.write_text(with_tables(path.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
