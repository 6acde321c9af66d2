"""What is said and shown in the coding sessions of `coding_sessions`: sentences and outputs by kind and language."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum


class Work(StrEnum):
    """What a session is about."""

    FEATURE = "feature work"
    BUG = "bug hunt"
    REFACTORING = "refactoring"
    OPERATIONS = "operations"


class Language(StrEnum):
    """What the user speaks."""

    ENGLISH = "English"
    CHINESE = "Chinese"


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one language. `{path}`, `{name}` and `{n}` are filled in."""

    goals: dict[Work, str]
    requests: dict[Work, tuple[str, ...]]
    rules: tuple[str, ...]
    decisions: tuple[str, ...]
    conclusions: tuple[str, ...]
    plan: str
    cancelled: str
    reason: str
    items: tuple[str, ...]
    paste: str
    answer: str


ENGLISH = Words(
    goals={
        Work.FEATURE: "I want report {n} as a download: CSV and PDF, for orders of customer group {name}.",
        Work.BUG: "Order {n} was billed twice since the release of {name}. Find out why and fix it.",
        Work.REFACTORING: "Split the {name} module, {n} lines long, into parts that can be tested by themselves.",
        Work.OPERATIONS: "Move the {name} service to the new cluster before ticket {n} is due.",
    },
    requests={
        Work.FEATURE: (
            "Add the column discount_{n} to {path} and show it in the preview.",
            "Write the endpoint for export {n} in {path}, with paging.",
            "The preview of export {n} is empty for Greek names, look at {path}.",
        ),
        Work.BUG: (
            "Look at what {path} does with payment {n} when the callback comes twice.",
            "Reproduce case {n} in a test for {path}.",
            "Why does {path} retry request {n} after a timeout?",
        ),
        Work.REFACTORING: (
            "Move the validation of form {n} out of {path}.",
            "Rename handler_{n} in {path} and adapt its callers.",
            "Who still imports helper_{n} from {path}?",
        ),
        Work.OPERATIONS: (
            "Check the readiness probe of pod {n} in {path}.",
            "Give job {n} in {path} more memory and roll it out on staging.",
            "What fills volume {n}? See {path} for the mounts.",
        ),
    },
    rules=(
        "Never touch the folder vendor/{name}_{n}.",
        "Amounts of group {n} must stay integers in cents, also in {name}.",
        "Always run check {n} before you say that {name} is done.",
    ),
    decisions=(
        "We decided: {name} keeps version {n} of the protocol, the old clients need it.",
        "Let us use queue {n} for {name} instead of polling.",
    ),
    conclusions=(
        "The cause is the lock in {name}: it is released {n} ms too early.",
        "I checked {name}: nothing but case {n} depends on the order of the keys.",
    ),
    plan="Then plan the migration of {name} to storage engine {n}, step by step.",
    cancelled="Drop the migration of {name} to storage engine {n}: we stay with what we have.",
    reason="table {name}_{n} is still in use",
    items=("write the tests for case {n}", "update the page on {name} {n}", "tell team {n} about {name}"),
    paste="This is what the log says around it:",
    answer="Done: {path} does it now, and the tests that cover it pass. Part {n} was left as it is.",
)
CHINESE = Words(
    goals={
        Work.FEATURE: "我想要第 {n} 号报表的下载功能：CSV 和 PDF，针对 {name} 客户组的订单。",
        Work.BUG: "自从 {name} 发布以来，订单 {n} 被重复扣款。请找出原因并修复。",
        Work.REFACTORING: "把 {n} 行的 {name} 模块拆成可以单独测试的几个部分。",
        Work.OPERATIONS: "在工单 {n} 到期之前，把 {name} 服务迁到新集群。",
    },
    requests={
        Work.FEATURE: (
            "在 {path} 里加一列 discount_{n}，预览里也要显示。",
            "在 {path} 里写第 {n} 号导出的接口，带分页。",
            "第 {n} 号导出的预览对希腊名字是空的，看一下 {path}。",
        ),
        Work.BUG: (
            "看看回调来两次时 {path} 怎么处理付款 {n}。",
            "在测试里复现 {path} 的第 {n} 种情况。",
            "为什么 {path} 超时后会重试请求 {n}？",
        ),
        Work.REFACTORING: (
            "把表单 {n} 的校验从 {path} 里移出来。",
            "把 {path} 里的 handler_{n} 改个名字，调用的地方也改。",
            "还有谁从 {path} 导入 helper_{n}？",
        ),
        Work.OPERATIONS: (
            "检查 {path} 里第 {n} 号 pod 的就绪探针。",
            "给 {path} 里的任务 {n} 加内存，在预发环境上线。",
            "第 {n} 号卷被什么占满了？挂载见 {path}。",
        ),
    },
    rules=(
        "不要动 vendor/{name}_{n} 这个目录。",
        "第 {n} 组的金额必须一直用整数分，{name} 里也一样。",
        "以后说 {name} 完成之前，一定先跑第 {n} 号检查。",
    ),
    decisions=(
        "我们决定：{name} 保留协议第 {n} 版，老客户端需要它。",
        "{name} 改用队列 {n}，不再轮询。",
    ),
    conclusions=(
        "原因是 {name} 里的锁：早释放了 {n} 毫秒。",
        "查过 {name} 了：只有第 {n} 种情况依赖键的顺序。",
    ),
    plan="接着一步一步规划把 {name} 迁移到第 {n} 号存储引擎。",
    cancelled="取消把 {name} 迁移到第 {n} 号存储引擎的计划：维持现状。",
    reason="{name}_{n} 表还在用",
    items=("给第 {n} 种情况写测试", "更新 {name} 的第 {n} 页文档", "把 {name} 的事告诉第 {n} 组"),
    paste="日志里前后是这样写的：",
    answer="完成了：{path} 现在可以了，相关测试都通过。第 {n} 部分保持原样。",
)
WORDS = {Language.ENGLISH: ENGLISH, Language.CHINESE: CHINESE}
_AREAS = ("billing", "orders", "export", "auth", "search", "ledger", "mail", "stock")
_PARTS = ("parser", "views", "client", "worker", "cache", "schema", "limits", "paging")


def name(chance: random.Random) -> str:
    """Return the name of some part of a program."""
    return f"{chance.choice(_AREAS)}_{chance.choice(_PARTS)}"


def path(chance: random.Random, work: Work) -> str:
    """Return a path as such a project has it."""
    if work is Work.OPERATIONS:
        return f"deploy/{chance.choice(_AREAS)}/{chance.choice(_PARTS)}_{chance.randrange(99)}.yaml"
    return f"src/{chance.choice(_AREAS)}/{chance.choice(_PARTS)}_{chance.randrange(99)}.py"


def command(chance: random.Random, work: Work, number: int) -> str:
    """Return a command of that kind of work; `number` makes it one of its own."""
    area, part = chance.choice(_AREAS), chance.choice(_PARTS)
    choices = {
        Work.OPERATIONS: (
            f"kubectl -n {area} rollout status deploy/{part}-{number} --timeout=120s",
            f"docker compose -f deploy/{area}/compose.yaml logs --since {number}m {part} | tail -n 200",
            f"curl -sS -H 'Accept: application/json' \"https://staging.internal/{area}/{part}/health?probe={number}\"",
        )
    }
    usual = (
        f"python -m pytest tests/{area}/test_{part}.py -q -k 'case_{number} or \"empty\"'",
        f"git log --oneline -n {number} -- src/{area}/{part}.py && git diff --stat HEAD~{number}",
        f"python -m mypy src/{area} && python -m ruff check src/{area} --select E,F,B --output-format json # {number}",
    )
    return chance.choice(choices.get(work, usual))


def code(chance: random.Random, size: int) -> str:
    """Return some `size` characters of Python as a reader shows it."""
    lines = ["from __future__ import annotations", ""]
    held = 0
    while held < size:
        line = (
            f"def {name(chance)}_{chance.randrange(999)}(value: int, *, strict: bool = False) -> int:\n"
            f"    # {chance.choice(('rounds down', '四舍五入', 'see the ticket', 'old clients'))}\n"
            f"    return (value * {chance.randrange(99)} + {chance.randrange(9_999)}) % {chance.randrange(2, 997)}\n"
        )
        held += len(line)
        lines.append(line)
    return "\n".join(lines)


def log(chance: random.Random, size: int) -> str:
    """Return some `size` characters of a service's log."""
    lines, held = [], 0
    while held < size:
        line = (
            f"2026-03-{chance.randrange(1, 29):02}T{chance.randrange(24):02}:{chance.randrange(60):02}:07Z "
            f"{chance.choice(('INFO', 'WARN', 'ERROR'))} {name(chance)} request={chance.randrange(16**8):08x} "
            f"took={chance.randrange(900)}ms"
        )
        held += len(line)
        lines.append(line)
    return "\n".join(lines)


def tests(chance: random.Random, failed: int, size: int) -> str:
    """Return the output of a test run with `failed` failures."""
    traces = "\n".join(
        f"____ test_{name(chance)} ____\n{code(chance, size // max(1, failed))}\n"
        f"E   assert {chance.randrange(99)} == {chance.randrange(99)}"
        for _ in range(failed)
    )
    return f"{traces}\n{failed} failed, {chance.randrange(10, 300)} passed in {chance.randrange(1, 60)}.1s"
