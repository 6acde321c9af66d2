"""What projects in other languages say by their files; most of their commands are the same everywhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from codeagent_tui.memory.survey.findings import Command, Findings, Purpose, Tree

_USUAL: dict[tuple[str, ...], tuple[tuple[Purpose, str], ...]] = {
    ("Cargo.toml",): (
        (Purpose.BUILD, "cargo build"),
        (Purpose.TEST, "cargo test"),
        (Purpose.CHECK, "cargo clippy --all-targets"),
        (Purpose.FORMAT, "cargo fmt"),
    ),
    ("go.mod",): (
        (Purpose.BUILD, "go build ./..."),
        (Purpose.TEST, "go test ./..."),
        (Purpose.CHECK, "go vet ./..."),
        (Purpose.FORMAT, "gofmt -w ."),
    ),
    ("mvnw",): ((Purpose.BUILD, "./mvnw package"), (Purpose.TEST, "./mvnw test")),
    ("pom.xml",): ((Purpose.BUILD, "mvn package"), (Purpose.TEST, "mvn test")),
    ("gradlew",): ((Purpose.BUILD, "./gradlew build"), (Purpose.TEST, "./gradlew test")),
    ("build.gradle", "build.gradle.kts"): ((Purpose.BUILD, "gradle build"), (Purpose.TEST, "gradle test")),
    ("CMakeLists.txt",): (
        (Purpose.BUILD, "cmake -B build && cmake --build build"),
        (Purpose.TEST, "ctest --test-dir build --output-on-failure"),
    ),
    ("meson.build",): (
        (Purpose.BUILD, "meson setup build && meson compile -C build"),
        (Purpose.TEST, "meson test -C build"),
    ),
    ("Gemfile",): ((Purpose.SETUP, "bundle install"),),
    (".rspec",): ((Purpose.TEST, "bundle exec rspec"),),
    (".rubocop.yml",): ((Purpose.CHECK, "bundle exec rubocop"),),
    ("composer.json",): ((Purpose.SETUP, "composer install"),),
    ("phpunit.xml", "phpunit.xml.dist"): ((Purpose.TEST, "vendor/bin/phpunit"),),
    ("mix.exs",): (
        (Purpose.SETUP, "mix deps.get"),
        (Purpose.TEST, "mix test"),
        (Purpose.FORMAT, "mix format"),
    ),
    ("Package.swift",): ((Purpose.BUILD, "swift build"), (Purpose.TEST, "swift test")),
    ("deno.json", "deno.jsonc"): ((Purpose.TEST, "deno test"), (Purpose.CHECK, "deno lint")),
    ("build.zig",): ((Purpose.BUILD, "zig build"), (Purpose.TEST, "zig build test")),
    ("pubspec.yaml",): ((Purpose.SETUP, "dart pub get"), (Purpose.TEST, "dart test")),
    (".golangci.yml", ".golangci.yaml"): ((Purpose.CHECK, "golangci-lint run"),),
}
_INSTEAD = {"pom.xml": "mvnw", "build.gradle": "gradlew", "build.gradle.kts": "gradlew"}
"""Where the second is there, the first is built by it."""
_SOLUTION = re.compile(r"[^/]+\.(?:sln|slnx|csproj|fsproj)$")
_MODULE = re.compile(r"^module\s+(\S+)", re.M)
_GO = re.compile(r"^go\s+(\S+)", re.M)


def others(tree: Tree) -> Findings | None:
    """Return what is found, None when there is nothing of the kind."""
    commands = tuple(_commands(tree))
    if not commands:
        return None
    cargo, go = _cargo(tree), tree.read("go.mod")
    module, version = _MODULE.search(go), _GO.search(go)
    name = cargo.get("name", "") or (module[1].rsplit("/", 1)[-1] if module else "")
    conventions = [f"Go {version[1]}."] if version else []
    if cargo.get("edition"):
        conventions.append(f"Rust edition {cargo['edition']}.")
    return Findings(commands, tuple(conventions), name, cargo.get("description", ""))


def _commands(tree: Tree) -> Iterator[Command]:
    for files, usual in _USUAL.items():
        found = tree.has(*files)
        if found and not (found in _INSTEAD and tree.has(_INSTEAD[found])):
            yield from (Command(purpose, line, found) for purpose, line in usual)
    solution = next((path for path in tree.top if _SOLUTION.match(path)), "")
    if solution:
        yield Command(Purpose.BUILD, "dotnet build", solution)
        yield Command(Purpose.TEST, "dotnet test", solution)


def _cargo(tree: Tree) -> dict[str, str]:
    try:
        package = tomllib.loads(tree.read("Cargo.toml")).get("package")
    except tomllib.TOMLDecodeError:
        return {}
    values = package.items() if isinstance(package, dict) else ()
    return {key: value for key, value in values if isinstance(value, str)}
