"""Paths outside the workspace (X-04) and files with secrets (X-06), by every door."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_tui.secret_files import holds_secrets
from codeagent_tui.settings import PermissionMode
from codeagent_tui.workspace import BadPath, Workspace
from tests.support.permissions import ScratchGate

OUTSIDE = [
    *("../x", "../proj-evil/x", "src/../../x", "~/x", "~", "/etc/passwd", "/", "out/x", "out"),
    *("/proc/self/cwd/../x", "out/../x", "./src/./../../proj/../x"),
]


@pytest.fixture
def linked(scratch: ScratchGate) -> ScratchGate:
    (scratch.home / "proj-evil").mkdir()
    (scratch.root / "out").symlink_to("/tmp")
    (scratch.home / "link").symlink_to(scratch.root)
    return scratch


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("tool", ["read_file", "search_code", "find_files", "list_directory"])
def test_x_04_reading_outside_asks_and_shows_the_real_path(linked: ScratchGate, path: str, tool: str) -> None:
    verdict = linked.read(path, tool)
    assert verdict.outcome == "ask"
    assert str(linked.workspace.resolve(path)) in verdict.reason


@pytest.mark.parametrize("path", [*OUTSIDE, "{home}/proj-evil/x", "{home}/proj/../x"])
@pytest.mark.parametrize("tool", ["write_file", "edit_file"])
def test_x_04_writing_outside_asks_and_shows_the_real_path(linked: ScratchGate, path: str, tool: str) -> None:
    path = path.replace("{home}", str(linked.home))
    linked.gate.mode = PermissionMode.ACCEPT_EDITS
    verdict = linked.write(path, tool)
    assert verdict.outcome == "ask"
    assert str(linked.workspace.resolve(path)) in verdict.reason


@pytest.mark.parametrize("path", ["a\x00b", "./a\x00b", "FILE:///etc/x", "file:/etc/x", "", " "])
def test_x_04_what_names_no_file_never_gets_as_far_as_the_gate(linked: ScratchGate, path: str) -> None:
    with pytest.raises(BadPath):
        linked.workspace.resolve(path)


@pytest.mark.parametrize("path", ["src/a.py", "./src/../a.py", "a.py  ", " a.py", "new/folder/a.py", "..a", "a..b"])
def test_x_04_inside_is_inside(linked: ScratchGate, path: str) -> None:
    linked.gate.mode = PermissionMode.ACCEPT_EDITS
    assert linked.read(path).outcome == "allow"
    assert linked.write(path).outcome == "allow"


def test_x_04_the_workspace_may_be_reached_through_a_link(linked: ScratchGate) -> None:
    through = ScratchGate(linked.home, "link", PermissionMode.ACCEPT_EDITS)
    assert through.root == linked.root
    for path in ("src/a.py", str(linked.home / "link" / "a.py"), str(linked.root / "a.py")):
        assert through.write(path).outcome == "allow"
    assert through.write("../x").outcome == "ask"
    assert through.command("cat src/a.py").outcome == "allow"


@pytest.mark.parametrize("command", ["cd .. && touch x", "touch ../x", "cat ../x", "ls /", "cp a out/a", "cat out/x"])
def test_x_04_a_shell_does_not_reach_outside_unasked(linked: ScratchGate, command: str) -> None:
    assert linked.command(command).outcome == "ask"


@pytest.mark.parametrize("command", ["cat ../x", "cp a ../x", "cat out/x", "echo x > ../x", "grep foo ../src/x"])
def test_x_04_the_question_about_a_command_names_the_real_place(linked: ScratchGate, command: str) -> None:
    (linked.home / "src").mkdir()
    reason = linked.command(command).reason
    assert f"outside the workspace: {'/tmp' if 'out' in command else linked.home}" in reason


def test_x_04_the_shells_own_folder_is_shown(linked: ScratchGate) -> None:
    verdict = linked.command("make", folder="out")
    assert verdict.outcome == "ask"
    assert "outside the workspace, in /tmp" in verdict.reason
    assert "/tmp" in verdict.rule


def test_a_pattern_that_begins_with_a_slash_is_no_place(scratch: ScratchGate) -> None:
    assert scratch.command("grep -rn /api/v1 src").reason == "It runs a command."


# --- secrets --------------------------------------------------------------------------------------------------------

SECRET = [
    *(".env", ".env.local", ".env.production", "sub/.env", "prod.env", ".ENV", ".envrc", "id_rsa", "id_ed25519.old"),
    *(
        "certs/server.pem",
        "server.key",
        "store.p12",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        "credentials.json",
    ),
    *(".aws/credentials", ".ssh/config", ".ssh", ".docker/config.json", ".kube/config", "secrets.yaml", ".htpasswd"),
]
HARMLESS = [
    *(
        ".env.example",
        ".env.sample",
        ".env.template",
        "sub/.env.example",
        "id_rsa.pub",
        "src/secrets.py",
        "env.py",
        "env",
    ),
    *("environment.ts", "keys.py", "server.key.example", ".docker/Dockerfile", "monkey.md", "config.json", "README.md"),
]


@pytest.mark.parametrize("name", SECRET)
def test_x_06_files_with_secrets_ask_even_for_reading(scratch: ScratchGate, name: str) -> None:
    assert holds_secrets(scratch.root / name)
    for tool in ("read_file", "search_code", "list_directory"):
        verdict = scratch.read(name, tool)
        assert verdict.outcome == "ask" and "secrets" in verdict.reason
    assert scratch.command(f"cat {name}").outcome == "ask"
    scratch.gate.mode = PermissionMode.ACCEPT_EDITS
    assert scratch.write(name).outcome == "ask"


@pytest.mark.parametrize("name", HARMLESS)
def test_x_06_their_examples_and_namesakes_do_not(scratch: ScratchGate, name: str) -> None:
    assert not holds_secrets(scratch.root / name)
    assert scratch.read(name).outcome == "allow"
    assert scratch.command(f"cat {name}").outcome == "allow"


def test_x_06_other_spellings_and_links_lead_to_the_same_file(scratch: ScratchGate) -> None:
    (scratch.root / ".env").write_text("K=1")
    (scratch.root / "innocent.txt").symlink_to(".env")
    for path in ("./src/../.env", str(scratch.root / ".env"), "innocent.txt", "/proc/self/environ"):
        assert scratch.read(path).outcome == "ask"
    assert scratch.read(f"/proc/{os.getpid()}/environ").outcome == "ask"
    assert scratch.command("cat innocent.txt").outcome == "ask"


@pytest.mark.parametrize(
    "command",
    [
        *(
            "grep KEY .env",
            'grep -E "A|B" .env',
            "cat < .env",
            ". ./.env; echo $K",
            "source .env && make",
            "env",
            "printenv",
        ),
        *(
            "git show HEAD:.env",
            "git show :0:.env",
            "bash -c 'cat .env'",
            "sudo cat .env",
            "cp .env /tmp/x",
            "base64 .env",
        ),
        *(
            "env | grep KEY",
            "export -p",
            "set",
            "x=.env; cat $x",
            "cat sub/../.env",
            "while read l; do echo $l; done < .env",
        ),
        *("python3 -m dotenv -f .env list", "docker run --env-file=.env x", "tail -n1 '.env'", "cat {.env,a}"),
    ],
)
def test_x_06_shell_forms_ask_and_say_why(scratch: ScratchGate, command: str) -> None:
    verdict = scratch.command(command)
    assert verdict.outcome == "ask"
    assert "hold secrets" in verdict.reason


@pytest.mark.parametrize("command", ["cp .env.example .env", "echo K=1 > .env", "cat .env.example", "set -e; make"])
def test_x_06_making_one_from_an_example_is_no_reading(scratch: ScratchGate, command: str) -> None:
    assert "secrets" not in scratch.command(command).reason


def test_an_unusual_path_breaks_nothing(scratch: ScratchGate, tmp_path: Path) -> None:
    assert not holds_secrets(Path("/"))
    assert not holds_secrets(Path())
    loop = scratch.root / "loop"
    loop.symlink_to(loop)
    assert Workspace.at(tmp_path).contains(scratch.workspace.resolve("loop"))
    for command in ("cat loop", f"cat {'a' * 5_000}", "cat '~nobody-is-called-that/x'", f"cat {'a/' * 3_000}"):
        assert scratch.command(command).outcome in ("allow", "ask")
