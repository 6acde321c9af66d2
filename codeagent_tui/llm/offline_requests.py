"""The plain requests that the offline engine understands, in English and Chinese: one step each, or several in a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from codeagent_tui.llm.provider import JsonValue


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: a tool call, or (`tool` empty) an answer of the engine's own, named by `answer`."""

    tool: str = ""
    arguments: Mapping[str, JsonValue] | None = None
    answer: str = ""


OFFLINE_REQUESTS: tuple[tuple[str, str], ...] = (
    ("read FILE", "读 FILE"),
    ("list [DIR]", "列出 [DIR]"),
    ("find files PATTERN", "找文件 PATTERN"),
    ("search for TEXT [in DIR]", "搜索 TEXT [在 DIR]"),
    ("run COMMAND", "运行 COMMAND"),
    ("replace A with B in F", "把 F 里的 A 替换成 B"),
    ("create F with TEXT", "新建 F 内容 TEXT"),
    ("remember FACT", "记住 FACT"),
    ("what do you remember about X", "回忆 X"),
    ("fetch URL", "打开 URL"),
    ("help", "你能做什么"),
    ("…, then …", "……,然后……"),
)
"""What may be asked, for help texts: the English form and the Chinese one."""

_ENDINGS = "".join(("\u3002", "\uff01", "\uff0c", "\uff1b", "!,; "))
_Q = "[\"'`“”‘’「」]"
_Made = Callable[[re.Match[str]], list[Step]]


def _bare(text: str) -> str:
    """Return `text` without the quotes around it and the full stop after it."""
    text = text.strip().rstrip("\u3002").strip()
    if len(text) > 1 and re.match(_Q, text[0]) and re.match(_Q, text[-1]):
        return text[1:-1]
    return text.rstrip(".") if text.endswith(".") and not text.endswith("..") and len(text) > 1 else text


def _one(tool: str, name: str, **more: JsonValue) -> _Made:
    return lambda hit: [Step(tool, {name: _bare(hit[name]), **more})]


def _edit(hit: re.Match[str]) -> list[Step]:
    path = _bare(hit["path"])
    change: dict[str, JsonValue] = {"path": path, "old_text": _bare(hit["old"]), "new_text": _bare(hit["new"])}
    if hit.groupdict().get("all"):
        change["replace_all"] = True
    # A file must have been read before it may be changed.
    return [Step("read_file", {"path": path}), Step("edit_file", change)]


def _create(hit: re.Match[str]) -> list[Step]:
    text = _bare(hit["content"]).replace("\\n", "\n")
    return [Step("write_file", {"path": _bare(hit["path"]), "content": text if text.endswith("\n") else text + "\n"})]


def _search(hit: re.Match[str]) -> list[Step]:
    where = hit.groupdict().get("path")
    return [
        Step("search_code", {"pattern": _bare(hit["pattern"]), "literal": True, "path": _bare(where) if where else "."})
    ]


def _list(hit: re.Match[str]) -> list[Step]:
    return [Step("list_directory", {"path": _bare(hit["path"] or ".") or "."})]


def _remember(hit: re.Match[str]) -> list[Step]:
    everywhere = bool(re.search(r"(?i)everywhere|in all projects|全局|所有项目", hit[0]))
    return [Step("save_memory", {"fact": _bare(hit["fact"]), "project_only": not everywhere})]


_PATTERNS: tuple[tuple[re.Pattern[str], _Made], ...] = tuple(
    (re.compile(pattern, re.I | re.S), made)
    for pattern, made in (
        (r"(?:replace|change) (?P<all>all |every )?(?P<old>.+?) (?:with|to|by) (?P<new>.+) in (?:file )?(?P<path>\S+)", _edit),
        (r"in (?P<path>\S+?),? (?:replace|change) (?P<all>all |every )?(?P<old>.+?) (?:with|to|by) (?P<new>.+)", _edit),
        (r"把\s*(?P<path>\S+?)\s*(?:里|中|文件里|里面)的?\s*(?P<all>所有)?(?P<old>.+?)\s*(?:替换成|替换为|改成|改为|换成)\s*(?P<new>.+)", _edit),
        (r"(?:create|write|make) (?:a |the )?(?:new )?(?:file )?(?P<path>\S+) (?:with|containing)(?: the)?(?: text| content)?:? ?(?P<content>.+)", _create),
        (r"(?:新建|创建|写入?)\s*(?:文件)?\s*(?P<path>\S+?)[,\uff0c]?\s*(?:内容(?:是|为)?|写上)[:\uff1a]?\s*(?P<content>.+)", _create),
        (r"(?:find|look for) (?:the )?files? (?:named |called |matching )?(?P<pattern>\S+)", _one("find_files", "pattern")),
        (r"(?:找|查找|寻找)\s*文件\s*(?P<pattern>\S+)", _one("find_files", "pattern")),
        (rf"(?:search|grep|look|find)(?: for)? (?P<pattern>{_Q}.+?{_Q}|.+?)(?: in (?P<path>\S+))?", _search),
        (rf"在\s*(?P<path>\S+?)\s*(?:里|中)?\s*(?:搜索|查找|搜)\s*(?P<pattern>{_Q}.+?{_Q}|.+)", _search),
        (rf"(?:搜索|查找|搜)\s*(?P<pattern>{_Q}.+?{_Q}|\S+?)(?:\s+(?:在|于)\s*(?P<path>\S+?)\s*(?:里|中)?)?", _search),
        (r"(?:read|show|open|cat|view) (?:me )?(?:the )?(?:file )?(?P<path>\S+)", _one("read_file", "path")),
        (r"(?:读取?|看看?|查看|打开|显示)\s*(?:一下)?\s*(?:文件)?\s*(?P<path>(?!https?:)\S+)", _one("read_file", "path")),
        (r"(?:list|ls|dir)(?: (?:the )?(?:files|folder|directory))?(?: in| of)?(?: (?P<path>\S+))?", _list),
        (r"(?:列出|列一下)\s*(?:目录|文件夹|文件)?\s*(?P<path>\S*)", _list),
        (r"(?:run|execute|exec)(?: the command)?:? (?P<command>.+)", _one("run_command", "command")),
        (r"(?:运行|执行)\s*(?:命令)?[:\uff1a]?\s*(?P<command>.+)", _one("run_command", "command")),
        (r"(?:please )?(?:remember|note|memorise|memorize)(?: this| that)?(?: (?:everywhere|in all projects))?[:,]? (?P<fact>.+)", _remember),
        (r"from now on,? (?P<fact>.+)", _remember),
        (r"(?:请)?(?:(?:全局|所有项目)(?:都)?)?(?:记住|记一下|以后记得|记得)[,\uff0c:\uff1a]?\s*(?P<fact>.+)", _remember),
        (r"(?:recall|what do you (?:know|remember)(?: about)?|do you remember)(?: (?P<about>.+?))?\??", lambda _: [Step(answer="recall")]),
        (r"(?:回忆|回想|你(?:还)?记得)(?:一下)?\s*(?P<about>.*?)[?\uff1f吗]*", lambda _: [Step(answer="recall")]),
        (r"(?:fetch|get|download|open) (?P<url>https?://\S+)", _one("web_fetch", "url")),
        (r"(?:打开|抓取|下载|获取)\s*(?P<url>https?://\S+)", _one("web_fetch", "url")),
        (r"(?:help|\?|what can you do\??|你能做什么[?\uff1f]?|你会什么[?\uff1f]?|帮助)", lambda _: [Step(answer="help")]),
    )
)  # fmt: skip
_THEN = re.compile(
    r"\s*(?:[,;\uff0c\uff1b。]?\s*(?:and )?\bthen\b[,]?|[,;\uff0c\uff1b。]?\s*(?:然后|接着)(?=\s*\S)|[,;\uff0c\uff1b。]\s*再(?=\s*\S)|\n+|;;)\s*",
    re.I,
)


def plan(request: str) -> list[Step] | None:
    """Return the steps that `request` asks for, or None when it is not one of the plain requests."""
    whole = _step(request)
    if whole is not None and whole[0].tool == "save_memory":
        # A fact may hold “then”; it is never parted.
        return whole
    steps: list[Step] = []
    for part in _parts(request):
        made = _step(part)
        if made is None:
            return None
        steps += made
    return steps or None


def _parts(request: str) -> list[str]:
    """Return the parts of a request in a row; what stands in quotes is never parted."""
    kept: list[str] = []

    def keep(hit: re.Match[str]) -> str:
        kept.append(hit[0])
        return f"\0{len(kept) - 1}\0"

    masked = re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」", keep, request.strip())
    parts = [part for part in _THEN.split(masked) if part.strip()]
    return [re.sub("\0(\\d+)\0", lambda hit: kept[int(hit[1])], part) for part in parts]


def _step(part: str) -> list[Step] | None:
    text = re.sub(r"^(?:please|first|now|请|先|帮我|请帮我)[,\uff0c]?\s*", "", part.strip(), flags=re.I)
    text = text.rstrip(_ENDINGS)
    for pattern, made in _PATTERNS:
        hit = pattern.fullmatch(text)
        if hit:
            return made(hit)
    return None
