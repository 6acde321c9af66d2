"""Diffs: right line numbers, visible line endings, bounded."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagent_tui.tools.diffs import unified_diff
from codeagent_tui.tools.output import DIFF_CHARACTERS

lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "\x0c\n", "x\u2028y\n"]), max_size=25).map("".join)


@settings(max_examples=25, deadline=None)
@given(before=lines, after=lines, tail=st.sampled_from(["", "end"]))
def test_applying_it_makes_the_one_of_the_other(before: str, after: str, tail: str) -> None:
    after += tail
    diff = unified_diff("f", before, after)
    if before == after:
        assert diff.text.count("\n") == 2
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f"
        file.write_bytes(before.encode())
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn"], input=diff.text.encode(), cwd=folder, capture_output=True
        )
        assert done.returncode == 0, done.stderr
        assert (file.read_bytes() if file.exists() else b"").decode() == after


def test_carriage_returns_are_shown_where_they_are_not_everywhere() -> None:
    assert "␍" not in unified_diff("f", "a\r\nb\r\n", "a\r\nc\r\n").text
    diff = unified_diff("f", "a\r\nb\n", "a\nb\n")
    assert "-a␍\n+a\n b\n" in diff.text
    assert unified_diff("f", "log 1\rlog 2\r\nend\n", "log 1\rlog 2\r\nfin\n").text.splitlines()[3:] == [
        " log 1␍log 2␍",
        "-end",
        "+fin",
    ]


def test_a_new_file_and_a_missing_last_newline() -> None:
    diff = unified_diff("new", None, "one\ntwo")
    assert diff.text == "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"
    assert diff.counts == "+2 -0"


def test_a_large_diff_is_cut_and_counted_whole() -> None:
    before = "".join(f"old {number}\n" for number in range(5_000))
    after = "".join(f"new {number}\n" for number in range(6_000))
    diff = unified_diff("f", before, after)
    assert len(diff.text) < DIFF_CHARACTERS + 100 and "[partial:" in diff.text
    assert diff.counts == "+6000 -5000"
    one = unified_diff("f", "x" * 100_000, "y" * 100_000)
    assert len(one.text) < DIFF_CHARACTERS + 100
