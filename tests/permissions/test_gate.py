"""The gate's modes: what runs, what asks, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagent_tui.conversation.events import Decision, ToolKind
from codeagent_tui.settings import PermissionMode
from tests.support.permissions import ScratchGate, Touch


def test_asking_lets_reads_inside_run_and_asks_about_the_rest(scratch: ScratchGate) -> None:
    assert scratch.read("src/a.py").outcome == "allow"
    assert scratch.write("src/a.py").outcome == "ask"
    assert scratch.command("make").outcome == "ask"
    assert scratch.fetch("https://x.test/").outcome == "ask"
    assert scratch.read("../x").outcome == "ask"
    assert scratch.gate.judge("todo", Touch(ToolKind.PLAN)).outcome == "allow"


def test_accepting_edits_lets_only_plain_files_inside_be_written(scratch: ScratchGate) -> None:
    scratch.gate.mode = PermissionMode.ACCEPT_EDITS
    assert scratch.write("src/a.py").outcome == "allow"
    for protected in (
        ".git/config",
        "sub/.git/hooks/pre-commit",
        ".env",
        ".vscode/tasks.json",
        ".husky/pre-push",
        "../x",
    ):
        assert scratch.write(protected).outcome == "ask"
    assert scratch.command("make").outcome == "ask"
    assert scratch.fetch("https://x.test/").outcome == "ask"


def test_accepting_edits_keeps_out_of_our_own_folder_when_the_workspace_is_the_home(scratch: ScratchGate) -> None:
    home = ScratchGate(scratch.home, ".", PermissionMode.ACCEPT_EDITS)
    assert home.write("notes.txt").outcome == "allow"
    assert home.write(".code-agent-cli/CODEAGENT.md").outcome == "ask"
    assert home.write(".code-agent-cli/permissions.json").outcome == "refuse"


def test_plan_mode_lets_only_looking_through(scratch: ScratchGate) -> None:
    scratch.gate.mode = PermissionMode.PLAN
    assert scratch.read("src/a.py").outcome == "allow"
    assert scratch.read("../x").outcome == "ask"
    assert scratch.command("git diff").outcome == "allow"
    assert scratch.gate.judge("todo", Touch(ToolKind.PLAN)).outcome == "allow"
    for verdict in (
        scratch.write("src/a.py"),
        scratch.command("make"),
        scratch.fetch("https://x.test/"),
        scratch.gate.judge("save_memory", Touch(ToolKind.MEMORY)),
    ):
        assert verdict.outcome == "refuse"
        assert "Plan mode" in verdict.reason


def test_plan_mode_is_not_opened_by_a_rule(scratch: ScratchGate) -> None:
    scratch.allow_command("make")
    scratch.gate.mode = PermissionMode.PLAN
    assert scratch.command("make").outcome == "refuse"


def test_unattended_asks_nothing(scratch: ScratchGate) -> None:
    scratch.gate.mode = PermissionMode.UNATTENDED
    assert scratch.write("src/a.py").outcome == "allow"
    assert scratch.write("../x").outcome == "allow"
    assert scratch.command("make test && make install").outcome == "allow"
    assert scratch.fetch("https://x.test/").outcome == "allow"
    assert scratch.gate.judge("save_memory", Touch(ToolKind.MEMORY)).outcome == "allow"


def test_unattended_still_refuses_what_destroys_with_a_reason(scratch: ScratchGate) -> None:
    scratch.gate.mode = PermissionMode.UNATTENDED
    verdict = scratch.command("rm -rf ~")
    assert verdict.outcome == "refuse"
    assert str(scratch.home) in verdict.reason and "unattended" in verdict.reason


def test_unattended_does_not_read_our_own_keys(scratch: ScratchGate) -> None:
    scratch.gate.mode = PermissionMode.UNATTENDED
    assert scratch.read("~/.code-agent-cli/credentials.json").outcome == "refuse"
    assert scratch.command("cat ~/.code-agent-cli/credentials.json").outcome == "refuse"


@pytest.mark.parametrize("mode", [PermissionMode.ASK, PermissionMode.ACCEPT_EDITS])
def test_saving_a_fact_always_asks_a_person_and_is_never_covered(scratch: ScratchGate, mode: PermissionMode) -> None:
    scratch.gate.mode = mode
    fact = Touch(ToolKind.MEMORY)
    for decision in Decision:
        scratch.gate.remember("save_memory", fact, decision)
    verdict = scratch.gate.judge("save_memory", fact)
    assert verdict.outcome == "ask" and not verdict.rule


@pytest.mark.parametrize("mode", PermissionMode)
@pytest.mark.parametrize(
    "name",
    [
        "permissions.json",
        "settings.json",
        "credentials.json",
        "memory/long_term_memory.json",
        ".permissions.json.1.tmp",
    ],
)
def test_our_own_files_are_never_written_by_a_tool(scratch: ScratchGate, mode: PermissionMode, name: str) -> None:
    scratch.gate.mode = mode
    assert scratch.write(f"~/.code-agent-cli/{name}").outcome == "refuse"


def test_our_own_files_are_known_through_links_too(scratch: ScratchGate, tmp_path: Path) -> None:
    scratch.store.parent.mkdir()
    scratch.store.write_text("{}")
    (scratch.root / "soft.json").symlink_to(scratch.store)
    (scratch.root / "hard.json").hardlink_to(scratch.store)
    assert scratch.write("soft.json").outcome == "refuse"
    assert scratch.write("hard.json").outcome == "refuse"


@pytest.mark.parametrize(
    "command",
    [
        "echo '{}' > ~/.code-agent-cli/permissions.json",
        "cd ~/.code-agent-cli && rm permissions.json",
        "python3 -c \"open('{home}/.code-agent-cli/permissions.json', 'w')\"",
        "cp x ~/.code-agent-cli/perm*.json",
        "sed -i s/a/b/ ~/.code-agent-cli/settings.json",
        "ln -sf x ~/.code-agent-cli/permissions.json",
        "rm -r ~/.code-agent-cli",
    ],
)
def test_x_03_commands_that_reach_into_the_store_are_warned_about_each_time(scratch: ScratchGate, command: str) -> None:
    command = command.replace("{home}", str(scratch.home))
    scratch.allow_command(command)
    verdict = scratch.command(command)
    assert verdict.outcome == "ask" and verdict.warnings and not verdict.rule
    scratch.gate.mode = PermissionMode.UNATTENDED
    assert scratch.command(command).outcome == "refuse"


@pytest.mark.parametrize("command", ["echo a\x1b[2K", "make a\u202eb", "ls\rid", "rm x\u200b", "echo \x08\x08"])
def test_what_cannot_be_seen_in_a_command_is_named_and_asks_each_time(scratch: ScratchGate, command: str) -> None:
    scratch.allow_command(command)
    verdict = scratch.command(command)
    assert verdict.outcome == "ask" and "U+" in verdict.warnings[0] and not verdict.rule


def test_visible_characters_of_any_script_are_no_reason(scratch: ScratchGate) -> None:
    assert scratch.command("git commit -m '修复:👩‍💻 é'").warnings == ()
    assert scratch.command("cat > a.txt <<'E'\r\nx\r\nE").warnings == ()
