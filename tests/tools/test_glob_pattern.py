"""Globs: what they match, and that none takes long."""

from __future__ import annotations

import pytest

from codeagent_tui.tools.glob_pattern import compile_glob
from codeagent_tui.tools.tool import ToolError


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "a.pyc", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/*.py", "lib/src/a.py", False),
        ("/a.py", "a.py", True),
        ("/a.py", "src/a.py", False),
        ("./a.py", "a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("src/**", "src/x/y/a.py", True),
        ("src/**", "lib/a.py", False),
        ("**/test_*.py", "test_a.py", True),
        ("**/test_*.py", "x/test_a.py", True),
        ("*.{ts,tsx}", "x/a.tsx", True),
        ("*.{ts,tsx}", "x/a.js", False),
        ("{src,lib}/**/*.{c,h}", "lib/x/a.h", True),
        ("a{b{c,d},e}", "abd", True),
        ("{literal}", "{literal}", True),
        ("docs", "docs/a/b.md", True),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("?.txt", "é.txt", True),
        ("!x", "!x", True),
        ("#x", "#x", True),
        ("*", "caf\udce9", True),
        ("*.py", "new\nline.py", True),
        ("A.py", "a.py", False),
    ],
)
def test_what_matches(pattern: str, path: str, fits: bool) -> None:
    assert compile_glob(pattern)(path) is fits


def test_t_11_no_pattern_takes_long() -> None:
    long = "/".join(["a" * 255] * 16)
    assert not compile_glob("*a" * 60 + "b")("a" * 255)
    assert not compile_glob("**/a*/" * 30 + "b")(long)


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(ToolError, match="alternatives"):
        compile_glob("{a,b}" * 12)
