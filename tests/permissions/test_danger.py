"""Commands that destroy more than they were meant to: X-07."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagent_tui.conversation.events import Decision
from codeagent_tui.settings import PermissionMode
from tests.support.permissions import ScratchGate

LISTED = [
    *(
        "rm -rf ~",
        'rm -rf "$HOME"',
        "rm -fr ${HOME}/",
        "rm -r -f -- /",
        "rm --recursive --force .",
        'rm -rf "$UNSET/"*',
    ),
    *("cd / && rm -rf *", "find ~ -delete", "sudo rm -rf /*", "rm -rf ./~ ~", "rm -rf ..", "git clean -xfd /"),
    *("\\rm -rf ~", "rm -rf $(pwd)", "mv ~ /tmp/x", "> ~/.ssh/authorized_keys", "dd if=x of=/dev/sda"),
]
"""The case's own list."""
OTHER_TARGETS = [
    *(
        "rm -rf ~/",
        "rm -rf ~/*",
        "rm -rf ~/.[!.]*",
        "rm -rf //",
        "rm -rf /*/",
        "rm -rf /h*",
        "rm -rf /{etc,usr}",
        "rm -rf *",
    ),
    *(
        "rm -rf '/'*",
        "rm -rf $'\\x2f'",
        "rm -rf ~root",
        "rm -rf /usr/lib",
        "rm -rf .git",
        "rm -rf ../../home",
        "rm -rf {~,x}",
    ),
    *(
        "rm -rf `pwd`",
        'rm -r "$PWD"',
        "rm -rf $(git rev-parse --show-toplevel)",
        "rm -rf link/",
        "rm -rf link/*",
        "rm -f ~/*",
    ),
    *("chmod -R 777 /", "chown -R me ~", "rsync -a --delete x/ ~", "mv ~/* /tmp", "mv -t /tmp ~", "rm -rf ~/.ssh"),
    *("cp k ~/.ssh/authorized_keys", "echo k | tee -a ~/.bashrc", "sed -i s/a/b/ ~/.bashrc", "echo x >> ~/.profile"),
    *(
        "ls > /dev/sda",
        "cat x > /etc/hosts",
        "mkfs.ext4 /dev/sda1",
        "wipefs -a /dev/sda",
        "shred /dev/nvme0n1",
        "rm /etc/passwd",
    ),
    *(
        "find ~ /tmp -delete",
        "find -L ~ -delete",
        "find . -delete",
        "find ~ -type f -exec shred {} +",
        "git -C / clean -xfd",
    ),
]
OTHER_WAYS = [
    *(
        "r\\m -rf ~",
        "'rm' -rf ~",
        "r''m -rf ~",
        "/bin/rm -rf ~",
        "rm \\\n -rf ~",
        "x=1 rm -rf ~",
        "rm -rf ~ # x",
        "! rm -rf ~",
    ),
    *(
        "sudo -u root rm -rf /",
        "timeout 10 rm -rf ~",
        "env -i rm -rf ~",
        "nice -n 10 sudo rm -rf /",
        "busybox rm -rf ~",
    ),
    *("nohup rm -rf ~ &", "coproc rm -rf ~", "bash -c 'rm -rf ~'", 'sudo bash -lc "rm -rf $HOME"', "eval 'rm -rf ~'"),
    *(
        "su -c 'rm -rf /' x",
        "trap 'rm -rf ~' EXIT",
        "bash <<E\nrm -rf ~\nE",
        "cat <<E | bash\nrm -rf ~\nE",
        "sh <<< 'rm -rf ~'",
    ),
    *(
        "echo 'rm -rf ~' | sh",
        "find . -name x -exec rm -rf ~ \\;",
        "find / -name x | xargs rm",
        "echo / | xargs rm -rf",
    ),
    *(
        "if true; then rm -rf ~; fi",
        "while rm -rf ~; do :; done",
        "case x in x) rm -rf ~;; esac",
        "f() { rm -rf ~; }; f",
    ),
    *("a=$(rm -rf ~)", "(rm -rf ~)", "{ rm -rf ~; }", "[[ -n x ]] && rm -rf ~", "rm -rf ~\necho '", "true | rm -rf ~"),
    *(
        "X=~; rm -rf $X",
        'A=/;B=$A;rm -rf "${B}"',
        "rm -rf ${X:-/}",
        "X='-rf /'; rm $X",
        'rm -rf "$1"/*',
        "export X=/; rm -r $X",
    ),
    *(
        "for d in ~ /; do rm -rf $d; done",
        "cd; rm -rf *",
        "cd -P / && rm -rf *",
        "cd missing; rm -rf *",
        "cd / \n rm -rf *",
    ),
    *("cd ~ && git clean -xfd", "(cd src; ls); rm -rf .", "X=$(ls); rm -rf $X", "if true; then cd src; fi; rm -rf *"),
    *(
        "bash -c 'bash -c \"rm -rf ~\"'",
        "sudo env A=1 sh -c 'rm -rf ~'",
        "cd $UNSET && rm -rf *",
        "pushd / && rm -rf *",
    ),
]
NEVER = [*LISTED, *OTHER_TARGETS, *OTHER_WAYS]


@pytest.fixture
def linked(scratch: ScratchGate) -> ScratchGate:
    (scratch.root / "link").symlink_to(scratch.home)
    return scratch


@pytest.mark.parametrize("command", [*NEVER, *(f"#!/bin/sh\nset -u\n{line}\necho done" for line in LISTED)])
def test_x_07_never_without_a_specific_warning_whatever_rules_there_are(linked: ScratchGate, command: str) -> None:
    for decision in (Decision.SESSION, Decision.ALWAYS):
        linked.allow_command(command, decision)
    verdict = linked.command(command)
    assert verdict.outcome == "ask" and verdict.warnings and not verdict.rule
    linked.gate.mode = PermissionMode.ACCEPT_EDITS
    assert linked.command(command).warnings
    linked.gate.mode = PermissionMode.UNATTENDED
    refusal = linked.command(command)
    assert refusal.outcome == "refuse" and verdict.warnings[0] in refusal.reason


ORDINARY = [
    *(
        "rm -rf ./build",
        "rm notes.txt~",
        "rm -rf ~/proj/tmp",
        'echo "rm -rf /"',
        'grep -r "rm -rf" .',
        "rm a.txt",
        "mv a b",
    ),
    *(
        "git commit -m 'rm -rf ~'",
        "rm -rf link",
        "rm -rf 'build'/*",
        'rm -rf "*"',
        "rm -rf ./~",
        "rm -rf '~'",
        "rm -f *.o",
    ),
    *(
        "BUILD=build; rm -rf $BUILD",
        "for d in a b; do rm -rf $d; done",
        "mkdir -p out && cd out && rm -rf *",
        "rm -rf build/*",
    ),
    *("mkdir out\ncd out\nrm -rf *", "set -e\ncd out\nrm -rf *", "cd src && rm -rf *", 'T=$(mktemp -d)\nrm -rf "$T"'),
    *("rm -rf node_modules dist .pytest_cache", "find . -name '*.pyc' -delete", "find . -name x -exec rm -rf {} +"),
    *("rm -rf $(find . -name __pycache__)", "find . -name '*.pyc' | xargs rm -f", "git clean -xfd", "git clean -nfd /"),
    *(
        "chmod -R u+w .",
        "chmod +x run.sh",
        "mv *.txt build/",
        "cp -r a b",
        "echo x > out.txt",
        "make 2>&1 | tee log.txt",
    ),
    *("sudo apt-get install -y x", "pytest -q 2>/dev/null", "cat > a.sh <<'E'\nrm -rf ~\nE", 'rm -rf "${DIR:?}"/*'),
    *(
        "sed -i s/a/b/ src/a.py",
        "tar xf a.tgz -C build",
        "rm -rf /tmp/foo",
        "rm -rf build/{a,b}",
        "rm -rf src/../build",
    ),
    *("npm run build && rm -rf dist/*", "docker run -v $PWD:/w x rm -rf /w/build", "cp x ~/.local/bin/x", "fdisk -l"),
    *("git rm -r --cached .", "find . -type f -name '*.js' -exec sed -i s/a/b/ {} +", "echo hi > /tmp/x", "ls -la ~"),
]


@pytest.mark.parametrize("command", ORDINARY)
def test_x_07_ordinary_commands_raise_no_false_alarm(linked: ScratchGate, command: str) -> None:
    assert linked.command(command).warnings == ()


def test_x_07_a_workspace_in_a_system_folder_is_no_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scratch: ScratchGate
) -> None:
    from codeagent_tui.permissions import targets

    monkeypatch.setattr(targets, "_SYSTEM_PARTS", (tmp_path, tmp_path / "home"))
    for command in ("echo x > out.txt", "rm -rf build", "rm a.txt", "cp a b"):
        assert scratch.command(command).warnings == ()
    assert scratch.command(f"echo x > {tmp_path}/y").warnings


def test_x_07_the_question_names_the_real_targets(linked: ScratchGate) -> None:
    assert str(linked.home) in linked.command('rm -rf "$HOME"').warnings[0]
    assert str(linked.home) in linked.command("rm -rf link/*").warnings[0]
    assert str(linked.root) in linked.command("rm -rf $(pwd)").warnings[0]
    unset = linked.command('rm -rf "$UNSET/"*')
    assert any("UNSET is not set" in warning and "'/*'" in warning for warning in unset.warnings)
    assert any("/, which is the whole system" in warning for warning in unset.warnings)


def test_x_07_an_ordinary_question_says_what_goes_and_how_much(scratch: ScratchGate) -> None:
    for number in range(3):
        (scratch.root / "build" / "deep" / f"{number}").mkdir(parents=True)
        (scratch.root / "build" / "deep" / f"{number}" / "a.o").touch()
    assert scratch.command("rm -rf ./build").reason == "It deletes build (3 files)."
    assert scratch.command("B=build; rm -rf $B/deep/1").reason == "It deletes build/deep/1 (1 file)."
    assert scratch.command("rm -rf build").rule
    (scratch.root / "构建").mkdir()
    assert scratch.command("D='构建'; rm -rf \"$D\"").reason == "It deletes 构建 (0 files)."


def test_x_07_a_folder_too_big_to_count_is_not_counted(scratch: ScratchGate) -> None:
    (scratch.root / "build").mkdir()
    for number in range(1_100):
        (scratch.root / "build" / str(number)).touch()
    assert scratch.command("rm -rf build").reason == "It deletes build (more than 1000 files)."


@pytest.mark.parametrize(
    "script",
    [
        *("rm -rf build\n" * 9_000, "(" * 300 + "ls" + ")" * 300, 'X=\'eval "$X"; eval "$X"\'; eval "$X"'),
        *("<" * 40_000, "a|" * 20_000),
        *("echo " + "${A:-" * 300 + "x" + "}" * 300, "$(" * 200 + "ls" + ")" * 200),
        "for a in 1 2 3 4; do " * 8 + "rm $a$RANDOM" + "; done" * 8,
    ],
)
def test_what_is_too_much_to_look_through_is_said_and_asks_each_time(scratch: ScratchGate, script: str) -> None:
    scratch.allow_command(script)
    verdict = scratch.command(script)
    assert verdict.outcome == "ask" and any("looked through" in warning for warning in verdict.warnings)


def test_a_long_file_written_by_a_command_is_no_reason(scratch: ScratchGate) -> None:
    text = "a line of $text\n" * 3_000
    for quote in ("'E'", "E"):
        assert scratch.command(f"cat > f <<{quote}\n{text}E").warnings == ()


_PIECES = st.sampled_from(
    [
        *(
            "rm -rf ",
            "~",
            "/",
            "$X",
            "${X:-",
            "}",
            "$(",
            ")",
            "`",
            "'",
            '"',
            "\\",
            "\n",
            ";",
            "&&",
            "|",
            "cd ",
            "X=",
            "{a,b}",
        ),
        *(
            "<<E\n",
            "E\n",
            "<<<",
            ">",
            "for x in ",
            "do ",
            "done",
            "if ",
            "then ",
            "fi",
            "find ",
            "-exec ",
            "xargs ",
            "bash -c ",
        ),
        *(
            "*",
            "[",
            "]",
            "?",
            "..",
            "sudo ",
            "eval ",
            "$'",
            "${#X}",
            "${!X}",
            "${X/a/b}",
            "$1",
            "=(",
            "[[ ",
            " ]]",
            "\x00",
        ),
    ]
)


@given(st.lists(_PIECES, max_size=16).map("".join))
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_script_breaks_the_judgement(scratch: ScratchGate, text: str) -> None:
    assert scratch.command(text).outcome in ("allow", "ask")
