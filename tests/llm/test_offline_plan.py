"""Plain requests read as plans: what is understood, what is not, where one request ends and the next begins."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.llm import offline_requests
from codeagent_tui.llm.offline_plan import is_chinese, plan
from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS, Step


def tools(request: str) -> list[str] | None:
    steps = plan(request)
    return None if steps is None else [step.tool or step.answer for step in steps]


def only(request: str) -> Step:
    steps = plan(request)
    assert steps is not None and len(steps) == 1
    return steps[0]


@pytest.mark.parametrize("form", [form for pair in OFFLINE_REQUESTS[:-1] for form in pair])
def test_every_documented_form_is_understood(form: str) -> None:
    example = re.sub(r"\bF\b", "f.txt", form.replace("[", "").replace("]", "")).replace("DIR", "src")
    assert plan(example.replace("URL", "https://x.test")) is not None


def test_the_table_in_the_docstring_is_the_documented_set() -> None:
    table = offline_requests.__doc__ or ""
    for english, chinese in OFFLINE_REQUESTS:
        assert re.search(rf"^{re.escape(english)} +{re.escape(chinese)}( |$)", table, re.M), english


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("can you read a.py?", ("read_file", {"path": "a.py"})),
        ("Could you please run make?", ("run_command", {"command": "make"})),
        ("你能不能读一下 a.py\uff1f", ("read_file", {"path": "a.py"})),
        ("请帮我看 src/a.py 的内容", ("read_file", {"path": "src/a.py"})),
        ("find files *.p?", ("find_files", {"pattern": "*.p?"})),
        ("read `my file.txt`", ("read_file", {"path": "my file.txt"})),
        ("run `make, then test`", ("run_command", {"command": "make, then test"})),
        ("run if true; then echo hi; fi", ("run_command", {"command": "if true; then echo hi; fi"})),
        ("run echo a, b", ("run_command", {"command": "echo a, b"})),
        ("list all files", ("list_directory", {"path": "."})),
        ("列出 src 里的文件", ("list_directory", {"path": "src"})),
        ("open https://x.test/a", ("web_fetch", {"url": "https://x.test/a"})),
        ("打开 https://x.test/a", ("web_fetch", {"url": "https://x.test/a"})),
        ('create a.txt with "hello, then read b"', ("write_file", {"path": "a.txt", "content": "hello, then read b\n"})),
        ("create a.py with x = 1\\ny = 2", ("write_file", {"path": "a.py", "content": "x = 1\ny = 2\n"})),
        ("remember that we build first, then run tests", ("save_memory", {"fact": "we build first, then run tests", "project_only": True})),
        ("全局记住\uff1a回答要短", ("save_memory", {"fact": "回答要短", "project_only": False})),
        ("todo: a b; c", ("todo", {"items": [{"text": "a b", "status": "pending"}, {"text": "c", "status": "pending"}]})),
        ("search for then", ("search_code", {"pattern": "then", "literal": True, "path": "."})),
        ("search for result -= in .", ("search_code", {"pattern": "result -=", "literal": True, "path": "."})),
    ],
)  # fmt: skip
def test_one_request_is_one_call(request_: str, expected: tuple[str, dict[str, object]]) -> None:
    step = only(request_)
    assert (step.tool, dict(step.arguments or {})) == expected


@pytest.mark.parametrize(
    ("request_", "old", "new", "path", "everywhere"),
    [
        ("replace `a with b` with `c` in f.py", "a with b", "c", "f.py", False),
        ("replace all foo with bar in src/f.py", "foo", "bar", "src/f.py", True),
        ("replace 'x, y' with '' in f.py", "x, y", "", "f.py", False),
        ("change a / b to a // b in f.py", "a / b", "a // b", "f.py", False),
        ("in f.py, replace don't with do not", "don't", "do not", "f.py", False),
        ("把 src/f.py 中的所有 foo 替换为 bar", "foo", "bar", "src/f.py", True),
        ("把 f.py 里的\u201ca b\u201d改成\u300cc\u300d", "a b", "c", "f.py", False),
    ],
)
def test_an_edit_is_a_read_and_an_edit(request_: str, old: str, new: str, path: str, everywhere: bool) -> None:
    steps = plan(request_)
    assert steps is not None and [step.tool for step in steps] == ["read_file", "edit_file"]
    wanted = {"path": path, "old_text": old, "new_text": new, **({"replace_all": True} if everywhere else {})}
    assert dict(steps[1].arguments or {}) == wanted


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            "search for foo, then read src/a.py, then replace x with y in src/a.py, then run pytest -q",
            ["search_code", "read_file", "read_file", "edit_file", "run_command"],
        ),
        (
            "先搜索 divide\uff0c然后读 calc.py\uff0c再把 calc.py 里的 `a * b` 改成 `a / b`\uff0c最后运行 pytest -q\u3002",
            ["search_code", "read_file", "read_file", "edit_file", "run_command"],
        ),
        ("read a.py\nlist src\n\nrun ls", ["read_file", "list_directory", "run_command"]),
        ("First list, then read a.py, and then run ls.", ["list_directory", "read_file", "run_command"]),
        ("读 a.py\uff0c运行 make", ["read_file", "run_command"]),
        ("read a.py; run make. Then help", ["read_file", "run_command", "help"]),
        ("read a.py, then remember that x, then run y", ["read_file", "save_memory"]),
        ("read a.py, after that todo b; run c", ["read_file", "todo"]),
        ("run make && make install, then read a.py", ["run_command", "read_file"]),
        ("what do you remember about ports, then read a.py", ["recall", "read_file"]),
    ],
)
def test_several_requests_are_done_in_order(request_: str, expected: list[str]) -> None:
    assert tools(request_) == expected


@pytest.mark.parametrize(
    "request_",
    [
        *(
            "find the bug",
            "find a way to make the tests faster in CI",
            "run the tests",
            "write tests with pytest",
            "fix it",
        ),
        *(
            "show me what you did",
            "help me refactor",
            "why does it fail?",
            "read a.py, then explain it",
            "run make, then fly",
        ),
        *(
            "run make then fly",
            "重构这个模块",
            "为什么失败\uff1f",
            "读 a.py\uff0c然后解释一下",
            "看",
            "",
            " ",
            "read",
            "replace a with b",
        ),
        *("create notes", "read a.py and fix what is wrong", "run make\uff0c然后修好它", "then", "\u201c", "`", "\0"),
    ],
)
def test_what_is_no_plain_request_is_not_guessed_at(request_: str) -> None:
    assert plan(request_) is None


@pytest.mark.parametrize(
    ("request_", "chinese"),
    [
        *(
            ("读 src/a.py", True),
            ("read src/a.py", False),
            ("search for 记忆", False),
            ("搜索 memory in the code", True),
        ),
        *(("fix 这个函数里的错误", True), ("React 怎么用\uff1f", True), ("修复 src/very/long/path.py 里的错误", True)),
        *(
            ("src/a.py 里有什么\uff1f", True),
            ("what is 记忆", False),
            ("`代码` is wrong", False),
            ("", False),
            ("123", False),
        ),
        *(("记住:use tabs", True), ("remember 用中文", False)),
    ],
)
def test_the_language_is_the_requests_not_that_of_what_it_names(request_: str, chinese: bool) -> None:
    assert is_chinese(request_) is chinese


@pytest.mark.parametrize(
    "request_",
    [
        *(
            "replace " + "a with " * 3_000,
            "把 " + "a 里 b 改成 " * 2_000,
            "search " * 3_000,
            "then " * 5_000,
            "'" * 50_000,
        ),
        *(
            "run " + " " * 19_000 + "x",
            "read a, " * 39 + "y",
            "记住" * 5_000,
            "请" * 3_000,
            "create a/b with " + "x" * 50_000,
        ),
        *(" " * 100_000, "\n" * 100_000, '"' + " " * 19_000 + '"', "read `" + " " * 15_000 + "`", "a, " * 1_300),
    ],
)
def test_no_request_takes_long(request_: str) -> None:
    """Nothing is measured: what backtracks would not come to an end here."""
    assert plan(request_) is None or len(request_) < 20_000


@given(st.text(max_size=80))
def test_no_request_breaks_the_plan(text: str) -> None:
    steps = plan(text)
    assert steps is None or all(bool(step.tool) != bool(step.answer) for step in steps)
    assert is_chinese(text) in (True, False)


_SIMPLE = st.sampled_from(["read a.py", "run make -j", "list src", "search for foo", "fetch https://x.test", "help"])


@given(st.lists(_SIMPLE, min_size=1, max_size=6), st.sampled_from([", then ", "\n", "; ", " and then ", "\uff0c然后"]))
def test_requests_in_a_row_are_their_steps_in_a_row(parts: list[str], joint: str) -> None:
    each = [step for part in parts for step in plan(part) or []]
    assert plan(joint.join(parts)) == each
