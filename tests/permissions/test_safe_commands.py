"""Commands that run without a question, and all those that do not: X-01."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.permissions import ScratchGate


@pytest.mark.parametrize(
    "command",
    [
        *(
            "ls",
            "git status",
            "echo hi",
            'echo "a && b"',
            "ls -la src && git status",
            "cat a.py | head -n 3",
            "pwd; ls",
        ),
        *("git log --oneline", "grep -n foo src/a.py", "find . -name '*.py'", "sed -n 1,20p a.py", "ls\ngit status"),
        *(
            "git diff HEAD~1 -- src",
            "git show HEAD:src/a.py",
            "sort a | uniq -c",
            "wc -l a.py",
            "cat '-'",
            "ls src || pwd",
        ),
        *("cd src && ls", "cd src && git status", "cat .env.example", "echo '$HOME'", "git --no-pager log -n 3"),
    ],
)
def test_x_01_commands_that_only_look_run(scratch: ScratchGate, command: str) -> None:
    assert scratch.command(command).outcome == "allow"


@pytest.mark.parametrize(
    "command",
    [
        # Each way to hang something on an allowed command.
        *(
            "ls; id",
            "ls && id",
            "ls || id",
            "ls | sh",
            "ls & id",
            "ls\nid",
            "ls $(id)",
            "ls `id`",
            "ls <(id)",
            "ls > f",
        ),
        *("ls >> ~/.bashrc", "FOO=1 ls", "lsof", "git statusx", "echo ${x:-$(id)}", "(ls; id)", "{ ls; id; }"),
        *("ls \\\n; id", "LS", "ls\rid", "bash -c 'ls'", "eval ls", "command ls; id", "cat <<E\nx\nE", "ls '", 'ls "'),
        *("", "   ", "\n", "# ls", "ls # x", "ls &", "ls;;", "ls &&", "| ls", "!ls", "! ls", "ls |& sh", "ls >| f"),
        *("ls 2>&1", "ls < f", "ls <<< x", "echo $HOME", "echo ${HOME}", "echo $((1))", "echo $'a'", 'echo $"a"'),
        *("if ls; then id; fi", "while ls; do id; done", "for x in a; do ls; done", "case a in a) ls;; esac"),
        *("function f { id; }; ls", "f() { id; }; ls", "alias ls=id; ls", "'ls'", '"ls"', "l''s", "\\ls", "ls {a,b}"),
        # The grammar parts words here that a shell joins.
        *("ls\\\nof", "cat .en\\\nv", "cat a\\ .env", "ls [\u3000", "ls a\u2028b'c'", "ls 'a'\u3000b"),
        *("time ls", "coproc ls", "exec ls", "sudo ls", "env ls", "xargs ls", "[ -f a ] && ls", "[[ -f a ]]", "./ls"),
        *(
            "/bin/ls /",
            "ls\x00id",
            "ls\x0bid",
            "ls\x1bid",
            "a=1",
            "export A=1",
            "ls\n\\rm -rf x",
            "nohup ls",
            "trap id EXIT",
        ),
    ],
)
def test_x_01_whatever_is_not_wholly_understood_asks(scratch: ScratchGate, command: str) -> None:
    assert scratch.command(command).outcome == "ask"


@pytest.mark.parametrize(
    "command",
    [
        # Options that write, run something, or read from elsewhere.
        *("git -c core.pager=x log", "git -C / log", "git diff --output=f", "git diff --outp f", "git log --output=f"),
        *(
            "git diff --no-index a b",
            "git diff --ext-diff",
            "git show --ext-diff",
            "git -p log",
            "git --exec-path=. status",
        ),
        *("git branch x", "git branch -D x", "git tag x", "git stash", "git stash drop", "git push", "git config -l"),
        *("find . -delete", "find . -exec id {} +", "find . -execdir id ;", "find . -ok id ;", "find . -fprint f"),
        *("find . -fls f", "find . -fprintf f x", "sort -o f a", "sort -uof a", "sort --outp=f a", "sort -T /tmp a"),
        *(
            "sort --compress-program=id a",
            "uniq a b",
            "uniq -- a -b",
            "sed -i s/a/b/ f",
            "sed -n 1e f",
            "sed -n 1p -i f",
        ),
        *(
            "sed s/a/b/e f",
            "tail -f log",
            "tail -F log",
            "tail --follow log",
            "tree -o f",
            "date -s 1",
            "du --files0-from=f",
        ),
        *(
            "grep -f /etc/passwd x",
            "grep -r KEY .",
            "grep -R KEY .",
            "grep -nr KEY .",
            "wc --files0-from=f",
            "file -f x",
        ),
        *(
            "rg --pre id x",
            "rg x",
            "awk 1 f",
            "tee f",
            "env",
            "printenv",
            "python3 x.py",
            "diff -r . src",
            "diff . src",
        ),
    ],
)
def test_x_01_options_that_write_or_run_or_read_elsewhere_ask(scratch: ScratchGate, command: str) -> None:
    assert scratch.command(command).outcome == "ask"


def test_x_01_a_rule_for_one_command_covers_no_other(scratch: ScratchGate) -> None:
    scratch.allow_command("make test")
    assert scratch.command("make test").outcome == "allow"
    for other in (
        "make test && rm x",
        "make test;id",
        "make testx",
        "make  test",
        "make",
        "make test\nid",
        " make test",
    ):
        assert scratch.command(other).outcome == "ask"


def test_the_whole_of_a_long_chain_is_looked_at(scratch: ScratchGate) -> None:
    chain = " && ".join(["ls"] * 400)
    assert scratch.command(chain).outcome == "allow"
    assert scratch.command(f"{chain} && id").outcome == "ask"
    assert scratch.command("ls; " * 100_000).outcome == "ask"


@pytest.mark.parametrize(
    "command", ["$(" * 3_000, "(" * 3_000, "ls " + "{a," * 500, "if " * 1_000, "`" * 999, "${A:-" * 900]
)
def test_nesting_without_end_asks(scratch: ScratchGate, command: str) -> None:
    assert scratch.command(command).outcome == "ask"


# --- paths in commands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        *(
            "cat /etc/passwd",
            "cat ../x",
            "ls ~",
            "ls /",
            "ls ..",
            "cat .env",
            "cat sub/../.env",
            "cat *.py",
            "cat .e?v",
        ),
        *(
            "cat ~root/x",
            "git show HEAD:.env",
            "git show :0:id_rsa",
            "git show HEAD -- '*env'",
            "git diff -- ':(glob)*'",
        ),
        *("head -n1 .env.local", "grep KEY .env", "grep -E 'A|B' .env", "diff a ../b", "wc -l /proc/self/environ"),
        *("cd .. && ls", "cd / && ls", "cd && ls", "cd - && ls", "cd ~ && ls", "cd src .. && ls", "cd .. && touch x"),
    ],
)
def test_x_04_x_06_commands_that_reach_outside_or_for_secrets_ask(scratch: ScratchGate, command: str) -> None:
    assert scratch.command(command).outcome == "ask"


def test_x_04_paths_are_taken_from_where_the_command_runs(scratch: ScratchGate) -> None:
    (scratch.root / "src" / "etc").symlink_to("/etc")
    (scratch.root / ".env").write_text("K=1")
    (scratch.root / "src" / "notes").symlink_to("../.env")
    (scratch.root / "src" / "-n").symlink_to("/etc/passwd")
    assert scratch.command("cat etc/passwd").outcome == "allow"  # there is no such file from the root
    for command in ("cat etc/passwd", "cat notes", "cat -- -n", "cd etc && ls"):
        assert scratch.command(command, folder="src").outcome == "ask"
    for command in (
        "cd src && cat etc/passwd",
        "cd src; cat notes",
        "cd missing; cd src; cat notes",
        "cd src | cat notes",
    ):
        assert scratch.command(command).outcome == "ask"


def test_x_04_a_command_run_elsewhere_asks_even_if_it_only_looks(scratch: ScratchGate) -> None:
    verdict = scratch.command("ls", folder="..")
    assert verdict.outcome == "ask" and str(scratch.home) in verdict.reason


def test_a_folder_that_poses_as_a_repository_makes_git_ask(scratch: ScratchGate) -> None:
    """Git would take settings from it, and settings name programs to run."""
    for part in ("objects", "refs"):
        (scratch.root / "src" / part).mkdir()
    (scratch.root / "src" / "HEAD").write_text("ref: refs/heads/main\n")
    assert scratch.command("git status").outcome == "allow"
    assert scratch.command("git status", folder="src").outcome == "ask"
    assert scratch.command("cd src && git status").outcome == "ask"


def test_cdpath_makes_cd_ask(scratch: ScratchGate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CDPATH", "/etc")
    assert scratch.command("cd src && ls").outcome == "ask"


# --- what must hold for any text -----------------------------------------------------------------------------------


@given(st.text(max_size=60))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_command_breaks_the_gate(scratch: ScratchGate, text: str) -> None:
    assert scratch.command(text).outcome in ("allow", "ask")


def test_the_own_environment_is_not_touched(scratch: ScratchGate, tmp_path: Path) -> None:
    before = dict(os.environ)
    scratch.command("export A=1; X=2 make")
    assert dict(os.environ) == before
