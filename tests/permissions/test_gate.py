"""What runs, what asks, what never runs: the cases of the shell, of paths and of rules."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

import pytest

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.permissions.gate import PermissionGate
from codeagent_tui.settings import PermissionMode
from codeagent_tui.workspace import Workspace


@dataclass(frozen=True)
class Touch:
    kind: ToolKind
    paths: tuple[Path, ...] = ()
    command: str = ""
    url: str = ""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    home = tmp_path / "home"
    (home / "proj" / "src").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("UNSET", raising=False)
    return Workspace.at(home / "proj")


@pytest.fixture
def gate(workspace: Workspace, tmp_path: Path) -> PermissionGate:
    return PermissionGate(PermissionMode.ASK, workspace, tmp_path / "home" / ".code-agent-cli" / "permissions.json")


def run(gate: PermissionGate, command: str) -> str:
    where = gate._workspace.root  # the tests' own shorthand for the workspace
    return gate.judge("run_command", Touch(ToolKind.EXECUTE, (where,), command)).outcome


def file(gate: PermissionGate, kind: ToolKind, path: str) -> str:
    real = gate._workspace.resolve(path)
    return gate.judge("write_file", Touch(kind, (real,))).outcome


@pytest.mark.parametrize(
    "command",
    ["ls", "git status", "echo hi", 'echo "a && b"', "ls -la src && git status", "cat a.py | head -n 3", "git log --oneline",
     "grep -n foo src/a.py", "find . -name '*.py'", "sed -n 1,20p a.py", "git diff HEAD~1 -- src", "ls\ngit status", "pwd; ls"],
)  # fmt: skip
def test_x_01_commands_that_only_look_run(gate: PermissionGate, command: str) -> None:
    assert run(gate, command) == "allow"


@pytest.mark.parametrize(
    "command",
    ["ls; id", "ls && id", "ls || id", "ls | sh", "ls & id", "ls\nid", "ls $(id)", "ls `id`", "ls <(id)", "ls > f",
     "ls >> ~/.bashrc", "FOO=1 ls", "lsof", "git statusx", "echo ${x:-$(id)}", "(ls; id)", "{ ls; id; }", "ls \\\n; id",
     "LS", "ls\rid", "bash -c 'ls'", "eval ls", "command ls; id", "cat <<E\nx\nE", "ls '", "", "ls &", "echo $HOME",
     "git -c core.pager=x log", "git diff --output=f", "find . -delete", "find . -exec id {} +", "sort -o f a", "sort -uof a",
     "sort --outp=f a", "cat /etc/passwd", "cat ../x", "ls ~", "cat .env", "cat *.py", "git show HEAD:.env", "grep -r KEY .",
     "grep -f /etc/passwd x", "sed -i s/a/b/ f", "sed -n 1e f", "tail -f log", "uniq a b", "if ls; then id; fi", "! ls",
     "ls 2>&1", "function f { id; }; ls", "alias ls=id; ls", "'ls'", "l''s", "ls {a,b}"],
)  # fmt: skip
def test_x_01_whatever_is_not_wholly_understood_asks(gate: PermissionGate, command: str) -> None:
    assert run(gate, command) == "ask"


def test_x_01_a_rule_for_one_command_covers_no_other(gate: PermissionGate, workspace: Workspace) -> None:
    allowed = Touch(ToolKind.EXECUTE, (workspace.root,), "make test")
    gate.remember("run_command", allowed, Decision.SESSION)
    assert run(gate, "make test") == "allow"
    for other in ("make test && rm x", "make test;id", "make testx", "make  test", "make", "make test\nid"):
        assert run(gate, other) == "ask"


@pytest.mark.parametrize(
    "path", ["../x", "../proj-evil/x", "src/../../x", "~/x", "/etc/passwd", "/proc/self/cwd/../../x"]
)
def test_x_04_outside_asks_for_reading_and_for_writing(gate: PermissionGate, path: str) -> None:
    assert file(gate, ToolKind.READ, path) == "ask"
    assert file(gate, ToolKind.WRITE, path) == "ask"


def test_x_04_a_link_that_leads_outside_is_outside(gate: PermissionGate, workspace: Workspace) -> None:
    (workspace.root / "out").symlink_to("/tmp")
    real = workspace.resolve("out/x")
    verdict = gate.judge("write_file", Touch(ToolKind.WRITE, (real,)))
    assert verdict.outcome == "ask" and str(real) in verdict.reason


def test_x_04_inside_reads_run_and_writes_ask(gate: PermissionGate) -> None:
    assert file(gate, ToolKind.READ, "src/a.py") == "allow"
    assert file(gate, ToolKind.WRITE, "src/a.py") == "ask"
    gate.mode = PermissionMode.ACCEPT_EDITS
    assert file(gate, ToolKind.WRITE, "src/a.py") == "allow"
    for protected in (".git/config", ".git/hooks/pre-commit", ".env", "../x"):
        assert file(gate, ToolKind.WRITE, protected) == "ask"


def test_a_command_elsewhere_asks_even_if_it_only_looks(gate: PermissionGate, tmp_path: Path) -> None:
    assert gate.judge("run_command", Touch(ToolKind.EXECUTE, (tmp_path,), "ls")).outcome == "ask"


@pytest.mark.parametrize("mode", PermissionMode)
def test_our_own_store_is_never_written_by_a_tool(gate: PermissionGate, tmp_path: Path, mode: PermissionMode) -> None:
    gate.mode = mode
    for name in ("permissions.json", "settings.json", "credentials.json"):
        path = tmp_path / "home" / ".code-agent-cli" / name
        assert gate.judge("write_file", Touch(ToolKind.WRITE, (path,))).outcome == "refuse"


def test_plan_mode_lets_only_looking_through(gate: PermissionGate) -> None:
    gate.mode = PermissionMode.PLAN
    assert file(gate, ToolKind.READ, "src/a.py") == "allow"
    assert run(gate, "git diff") == "allow"
    assert file(gate, ToolKind.WRITE, "src/a.py") == "refuse"
    assert run(gate, "make") == "refuse"
    assert gate.judge("save_memory", Touch(ToolKind.MEMORY)).outcome == "refuse"
    assert gate.judge("todo", Touch(ToolKind.PLAN)).outcome == "allow"


def test_unattended_asks_nothing(gate: PermissionGate) -> None:
    gate.mode = PermissionMode.UNATTENDED
    assert file(gate, ToolKind.WRITE, "src/a.py") == "allow"
    assert run(gate, "make test && make install") == "allow"
    assert gate.judge("web_fetch", Touch(ToolKind.NETWORK, url="https://x.test/")).outcome == "allow"


def test_saving_a_fact_always_asks_a_person(gate: PermissionGate) -> None:
    for mode in (PermissionMode.ASK, PermissionMode.ACCEPT_EDITS):
        gate.mode = mode
        verdict = gate.judge("save_memory", Touch(ToolKind.MEMORY))
        assert verdict.outcome == "ask" and not verdict.rule


@pytest.mark.parametrize(
    ("shown", "other"),
    [
        ("git fetch --dry-run", "git branch -D main"),
        ("rm build/tmp.txt", "rm -r build/tmp.txt"),
        ("python3 x.py", 'python3 -c "x"'),
        ("npm test", "npm publish"),
    ],
)
def test_x_03_always_means_exactly_what_was_shown(
    gate: PermissionGate, workspace: Workspace, tmp_path: Path, shown: str, other: str
) -> None:
    gate.remember("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), shown), Decision.ALWAYS)
    store = tmp_path / "home" / ".code-agent-cli" / "permissions.json"
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    again = PermissionGate(PermissionMode.ASK, workspace, store)
    assert run(again, shown) == "allow" and run(again, other) == "ask"
    (tmp_path / "home" / "elsewhere").mkdir()
    elsewhere = PermissionGate(PermissionMode.ASK, Workspace.at(tmp_path / "home" / "elsewhere"), store)
    assert run(elsewhere, shown) == "ask"
    [rule] = again.rules()
    assert again.forget(rule.id) and run(again, shown) == "ask"


def test_x_03_a_file_and_a_url_are_exact_too(gate: PermissionGate, workspace: Workspace) -> None:
    gate.remember("write_file", Touch(ToolKind.WRITE, (workspace.resolve("src/a.py"),)), Decision.SESSION)
    assert file(gate, ToolKind.WRITE, "src/a.py") == "allow"
    assert file(gate, ToolKind.WRITE, "src/../../b") == "ask"
    page = Touch(ToolKind.NETWORK, url="https://docs.example.test/a")
    gate.remember("web_fetch", page, Decision.SESSION)
    assert gate.judge("web_fetch", page).outcome == "allow"
    evil = Touch(ToolKind.NETWORK, url="https://docs.example.test.evil.test/")
    assert gate.judge("web_fetch", evil).outcome == "ask"


def test_the_rule_is_shown_before_it_is_stored(gate: PermissionGate, workspace: Workspace) -> None:
    verdict = gate.judge("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), "make"))
    assert "exactly this command" in verdict.rule and str(workspace.root) in verdict.rule


def test_a_damaged_store_allows_nothing_and_is_kept(gate: PermissionGate, workspace: Workspace, tmp_path: Path) -> None:
    store = tmp_path / "home" / ".code-agent-cli" / "permissions.json"
    store.parent.mkdir()
    store.write_text("{broken")
    assert run(gate, "make") == "ask"
    gate.remember("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), "make"), Decision.ALWAYS)
    assert run(gate, "make") == "allow"
    assert [p.read_text() for p in store.parent.glob("*.damaged-*")] == ["{broken"]


@pytest.mark.parametrize("path", [".env", ".env.local", "src/../.env", "id_rsa", "certs/server.pem"])
def test_x_06_files_with_secrets_ask_even_for_reading(gate: PermissionGate, path: str) -> None:
    assert file(gate, ToolKind.READ, path) == "ask"
    assert run(gate, f"cat {path}") == "ask"


def test_x_06_examples_and_links(gate: PermissionGate, workspace: Workspace) -> None:
    assert file(gate, ToolKind.READ, ".env.example") == "allow"
    (workspace.root / ".env").write_text("K=1")
    (workspace.root / "innocent.txt").symlink_to(".env")
    assert file(gate, ToolKind.READ, "innocent.txt") == "ask"
    assert file(gate, ToolKind.READ, "/proc/self/environ") == "ask"


NEVER = [
    "rm -rf ~", 'rm -rf "$HOME"', "rm -fr ${HOME}/", "rm -r -f -- /", "rm --recursive --force .", 'rm -rf "$UNSET/"*',
    "cd / && rm -rf *", "find ~ -delete", "sudo rm -rf /*", "rm -rf ./~ ~", "rm -rf ..", "git clean -xfd /", "\\rm -rf ~",
    "rm -rf $(pwd)", "mv ~ /tmp/x", "echo k > ~/.ssh/authorized_keys", "dd if=x of=/dev/sda", "> ~/.ssh/authorized_keys",
]  # fmt: skip


@pytest.mark.parametrize("command", [*NEVER, *(f"set -e\nmake\n{c}\necho done" for c in NEVER)])
def test_x_07_never_without_a_specific_warning_whatever_rules_there_are(
    gate: PermissionGate, workspace: Workspace, command: str
) -> None:
    touch = Touch(ToolKind.EXECUTE, (workspace.root,), command)
    gate.remember("run_command", touch, Decision.ALWAYS)
    verdict = gate.judge("run_command", touch)
    assert verdict.outcome == "ask" and verdict.warnings and not verdict.rule
    gate.mode = PermissionMode.UNATTENDED
    assert gate.judge("run_command", touch).outcome == "refuse"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf ./build",
        "rm notes.txt~",
        "rm -rf ~/proj/tmp",
        'echo "rm -rf /"',
        'grep -r "rm -rf" .',
        "rm a.txt",
        "mv a b",
    ],
)
def test_x_07_ordinary_commands_raise_no_false_alarm(gate: PermissionGate, workspace: Workspace, command: str) -> None:
    verdict = gate.judge("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), command))
    assert verdict.warnings == ()


def test_x_07_the_question_names_the_real_target(gate: PermissionGate, workspace: Workspace, tmp_path: Path) -> None:
    verdict = gate.judge("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), 'rm -rf "$HOME"'))
    assert str(tmp_path / "home") in verdict.warnings[0]
    unset = gate.judge("run_command", Touch(ToolKind.EXECUTE, (workspace.root,), 'rm -rf "$UNSET/"*'))
    assert any("UNSET is not set" in warning for warning in unset.warnings)
