"""What a JavaScript or TypeScript project's package.json says."""

from __future__ import annotations

import json

from codeagent_tui.memory.survey.findings import Command, Findings, Purpose, Tree

_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
}
_SCRIPTS = {
    "build": Purpose.BUILD,
    "dev": Purpose.RUN,
    "start": Purpose.RUN,
    "test": Purpose.TEST,
    "test:unit": Purpose.TEST,
    "test:e2e": Purpose.TEST,
    "lint": Purpose.CHECK,
    "typecheck": Purpose.CHECK,
    "type-check": Purpose.CHECK,
    "check": Purpose.CHECK,
    "format": Purpose.FORMAT,
    "fmt": Purpose.FORMAT,
}
_FILE = "package.json"
_NO_TESTS = "no test specified"
"""What `npm init` writes where there are no tests."""


def javascript(tree: Tree) -> Findings | None:
    """Return what is found, None when this is no such project."""
    if not tree.has(_FILE):
        return None
    try:
        package = json.loads(tree.read(_FILE) or "{}")
    except (ValueError, RecursionError):
        return None
    if not isinstance(package, dict):
        return None
    manager = _manager(tree, package)
    commands = [Command(Purpose.SETUP, f"{manager} install", _FILE)]
    scripts = package.get("scripts")
    for name, purpose in _SCRIPTS.items():
        script = scripts.get(name) if isinstance(scripts, dict) else None
        if isinstance(script, str) and _NO_TESTS not in script:
            run = "test" if (name, manager) == ("test", "npm") else f"run {name}"
            commands.append(Command(purpose, f"{manager} {run}", _FILE))
    said = {key: value for key, value in package.items() if isinstance(value, str)}
    conventions = tuple(_conventions(tree, package))
    return Findings(tuple(commands), conventions, said.get("name", ""), said.get("description", ""))


def _manager(tree: Tree, package: dict[str, object]) -> str:
    stated = str(package.get("packageManager") or "").partition("@")[0]
    if stated in _LOCKS.values():
        return stated
    return next((manager for lock, manager in _LOCKS.items() if tree.has(lock)), "npm")


def _conventions(tree: Tree, package: dict[str, object]) -> list[str]:
    found = []
    engines = package.get("engines")
    if isinstance(engines, dict) and engines.get("node"):
        found.append(f"Node {engines['node']}.")
    if package.get("workspaces") or tree.has("pnpm-workspace.yaml"):
        found.append("A workspace of several packages.")
    if tree.has("tsconfig.json") and '"strict": true' in tree.read("tsconfig.json"):
        found.append("TypeScript in strict mode.")
    return found
