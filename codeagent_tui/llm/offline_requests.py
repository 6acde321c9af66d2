"""The plain requests that the offline engine understands, in English and Chinese: one at a time.

===============================  ==========================  ======================================================
English                          Chinese                     what is done
===============================  ==========================  ======================================================
read FILE                        读 FILE                     read_file
list [DIR]                       列出 [DIR]                  list_directory
find files PATTERN               找文件 PATTERN              find_files
search for TEXT [in DIR]         [在 DIR 里]搜索 TEXT        search_code, the text as it is written
run COMMAND                      运行 COMMAND                run_command
replace [all] A with B in F      把 F 里的[所有]A 改成 B     read_file, then edit_file
create F with TEXT               新建 F 内容 TEXT            write_file
remember [everywhere] FACT       记住 FACT                   save_memory; "everywhere" (全局): in all projects
what do you remember about X     回忆 X                      answers from long-term memory
todo A; B; C                     待办 A; B; C                todo
fetch URL                        打开 URL                    web_fetch
help                             你能做什么                  says what it can do
..., then ...                    ...,然后...                one after the other (also on lines of their own)
===============================  ==========================  ======================================================

Texts may stand in quotes or backticks, and must where they hold words of the form itself. What fits none of these is
no plain request, and is not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from codeagent_tui.llm.provider import JsonValue

OFFLINE_REQUESTS: tuple[tuple[str, str], ...] = (
    ("read FILE", "读 FILE"),
    ("list [DIR]", "列出 [DIR]"),
    ("find files PATTERN", "找文件 PATTERN"),
    ("search for TEXT [in DIR]", "[在 DIR 里]搜索 TEXT"),
    ("run COMMAND", "运行 COMMAND"),
    ("replace [all] A with B in F", "把 F 里的[所有]A 改成 B"),
    ("create F with TEXT", "新建 F 内容 TEXT"),
    ("remember [everywhere] FACT", "记住 FACT"),
    ("what do you remember about X", "回忆 X"),
    ("todo A; B; C", "待办 A; B; C"),
    ("fetch URL", "打开 URL"),
    ("help", "你能做什么"),
    ("..., then ...", "...,然后..."),
)
"""What may be asked, for help texts and the README: the English form and the Chinese one."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: a tool call, or (`tool` empty) an answer of the engine's own, named by `answer`."""

    tool: str = ""
    arguments: Mapping[str, JsonValue] | None = None
    answer: str = ""


_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」", "『": "』"}
QUOTED = r"(?:\"[^\"]*\"|`[^`]*`|'[^']*'|“[^”]*”|‘[^’]*’|「[^」]*」|『[^』]*』)"
"""A text in quotes or backticks, of any kind."""
_LONGEST = 20_000
_Made = Callable[[re.Match[str]], list[Step]]


def unquoted(text: str) -> str:
    """Return `text` without the quotes around it; without quotes, without the full stop that ends the sentence."""
    text = text.strip().rstrip("。").strip()
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        return text[1:-1]
    return text[:-1] if text.endswith(".") and not text.endswith("..") and len(text) > 1 else text


def _call(tool: str, name: str) -> _Made:
    return lambda hit: [Step(tool, {name: unquoted(hit[name])})]


def _edit(hit: re.Match[str]) -> list[Step]:
    path = unquoted(hit["path"])
    change: dict[str, JsonValue] = {"path": path, "old_text": unquoted(hit["old"]), "new_text": unquoted(hit["new"])}
    if hit["all"]:
        change["replace_all"] = True
    # A file must have been read before it may be changed.
    return [Step("read_file", {"path": path}), Step("edit_file", change)]


def _run(hit: re.Match[str]) -> list[Step]:
    command = unquoted(hit["command"])
    # What goes on with "then" was meant as another step, which nobody understood.
    if command == hit["command"] and _NEXT_STEP.search(command) and not _SHELL_THEN.search(command):
        return []
    return [Step("run_command", {"command": command})]


def _create(hit: re.Match[str]) -> list[Step]:
    text = unquoted(hit["content"]).replace("\\n", "\n")
    return [
        Step("write_file", {"path": unquoted(hit["path"]), "content": text if text.endswith("\n") else text + "\n"})
    ]


def _search(hit: re.Match[str]) -> list[Step]:
    where = unquoted(hit["path"] or ".")
    return [Step("search_code", {"pattern": unquoted(hit["pattern"]), "literal": True, "path": where})]


def _list(hit: re.Match[str]) -> list[Step]:
    return [Step("list_directory", {"path": unquoted(hit["path"] or ".") or "."})]


def _remember(hit: re.Match[str]) -> list[Step]:
    everywhere = bool(re.search(r"(?i)everywhere|all projects|全局|所有项目", hit["scope"] or ""))
    return [Step("save_memory", {"fact": unquoted(hit["fact"]), "project_only": not everywhere})]


def _todo(hit: re.Match[str]) -> list[Step]:
    items: list[JsonValue] = [
        {"text": text.strip()[:500], "status": "pending"}
        for text in re.split(r"[;\uff1b\n]", hit["items"])
        if text.strip()
    ]
    return [Step("todo", {"items": items[:50]})]


def _says(answer: str) -> _Made:
    return lambda _: [Step(answer=answer)]


_PATH = rf"(?:{QUOTED}|[^\s\uff0c\u3002\uff1b]+?)"
_NAME = rf"(?:{QUOTED}|\S*[./]\S*)"
"""A path that looks like one: of a file to be made, which is not there to tell."""
_TEXT = rf"(?:{QUOTED}|.{{1,2000}}?)"
_ENGLISH: tuple[tuple[str, _Made], ...] = (
    (rf"(?:replace|change) (?P<all>all |every )?(?P<old>{_TEXT}) (?:with|to|by) (?P<new>{_TEXT}) in (?:the )?(?:file )?(?P<path>{_PATH})", _edit),
    (rf"in (?:the )?(?:file )?(?P<path>{_PATH}),? (?:replace|change) (?P<all>all |every )?(?P<old>{_TEXT}) (?:with|to|by) (?P<new>.+)", _edit),
    (rf"(?:create|write|make) (?:(?:a |the )?(?:new )?file (?:called |named )?(?P<path>{_PATH})) (?:with|containing)(?: the)?(?: text| content)?:? ?(?P<content>.+)", _create),
    (rf"(?:create|write|make) (?P<path>{_NAME}) (?:with|containing)(?: the)?(?: text| content)?:? ?(?P<content>.+)", _create),
    (rf"(?:find|look for) (?:the |all )?files? (?:named |called |matching )?(?P<pattern>{_PATH})", _call("find_files", "pattern")),
    (rf"(?:search|grep)(?: for)? (?P<pattern>{_TEXT})(?: in (?P<path>{_PATH}))?", _search),
    (rf"(?:look for|find) (?P<pattern>{_PATH})(?: in (?P<path>{_PATH}))?", _search),
    (r"(?:fetch|get|download|open|read) (?P<url>https?://\S+)", _call("web_fetch", "url")),
    (rf"(?:read|show|open|cat|view)(?: me)?(?: the)?(?: file)? (?P<path>{_PATH})", _call("read_file", "path")),
    (rf"(?:list|ls|dir)(?: (?:all )?(?:the )?(?:files|folder|directory))?(?: in| of)?(?: (?P<path>{_PATH}))?", _list),
    (r"(?:run|execute)(?: the command)?:? (?!(?:the|all|my|our|its?|this|that|these|those) )(?P<command>.+)", _run),
    (r"(?:remember|note|memori[sz]e)(?: this| that)?(?P<scope> everywhere| in all projects| for all projects)?(?: that)?[:,]? (?P<fact>.+)", _remember),
    (r"from now on,?(?P<scope> everywhere| in all projects)?,? (?P<fact>.+)", _remember),
    (r"(?:recall|what do you (?:know|remember)|do you remember)(?: about)?(?: .+)?", _says("recall")),
    (r"(?:todo|to-do)(?: list)?:? (?P<items>.+)", _todo),
    (r"help|what can you do|who are you|what are you|hi|hello", _says("help")),
)  # fmt: skip
_CHINESE: tuple[tuple[str, _Made], ...] = (
    (rf"(?:把|将)\s*(?:文件)?\s*(?P<path>{_PATH})\s*(?:文件)?(?:里面|里|中)的?\s*(?P<all>所有的?|全部的?)?\s*(?P<old>{_TEXT})\s*(?:都|全部)?(?:替换成|替换为|改成|改为|换成)\s*(?P<new>.+)", _edit),
    (rf"(?:新建|创建|写入?)\s*(?:一个)?(?:文件)?\s*(?P<path>{_PATH})[,\uff0c]?\s*(?:内容(?:是|为)?|写上)[:\uff1a]?\s*(?P<content>.+)", _create),
    (rf"(?:找|查找|寻找)\s*(?:一下)?\s*文件\s*(?P<pattern>{_PATH})", _call("find_files", "pattern")),
    (rf"在\s*(?P<path>{_PATH})\s*(?:里面|里|中|下)?\s*(?:搜索|查找|搜)\s*(?:一下)?\s*(?P<pattern>{_TEXT})", _search),
    (rf"(?:搜索|查找|搜)\s*(?:一下)?\s*(?P<pattern>{_PATH})(?:\s*(?:在|于)\s*(?P<path>{_PATH})\s*(?:里面|里|中|下)?)?", _search),
    (r"(?:打开|抓取|下载|获取|读取?|看)\s*(?:网页)?\s*(?P<url>https?://\S+)", _call("web_fetch", "url")),
    (rf"(?:读取?|看看?|查看|打开|显示)\s*(?:一下)?\s*(?:文件)?\s*(?P<path>{_PATH})\s*(?:文件)?(?:的内容)?", _call("read_file", "path")),
    (rf"(?:列出|列一下)\s*(?:目录|文件夹|文件)?\s*(?P<path>{_PATH})?\s*(?:目录|文件夹)?(?:(?:里|下|中)?的?文件)?", _list),
    (r"(?:运行|执行)\s*(?:一下)?\s*(?:命令)?[:\uff1a]?\s*(?P<command>.+)", _run),
    (r"(?P<scope>全局(?:都)?|(?:在)?所有项目(?:里|中)?(?:都)?)?(?:要)?(?:记住|记一下|以后记得|记下来?|记得)[,\uff0c:\uff1a]?\s*(?P<fact>.+)", _remember),
    (r"以后(?P<scope>所有项目(?:里|中)?)?[,\uff0c]?\s*(?P<fact>.+)", _remember),
    (r"(?:回忆|回想|你(?:还)?记得)(?:一下)?.*", _says("recall")),
    (r"(?:待办|待办事项|任务列表)[:\uff1a]?\s*(?P<items>.+)", _todo),
    (r"帮助|你能做什么|你会(?:做)?什么|你是谁|你好", _says("help")),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.I | re.S), made) for pattern, made in (*_ENGLISH, *_CHINESE))
_POLITE = re.compile(
    r"(?:(?:please|first|now|finally|ok|okay|and)\b,?\s*|(?:can|could|would|will) you (?:please )?"
    r"|(?:请|先|现在|最后|再|麻烦|帮我|你?能不能|能否|可以)[,\uff0c]?\s*)+",
    re.I,
)
_NEXT_STEP = re.compile(r"\bthen \S|然后", re.I)
_SHELL_THEN = re.compile(r"\b(?:if|elif)\b.*[;\n]\s*then\b", re.S)
_QUESTION = re.compile(r"(?:can|could|would|will) you\b|你?能不能|能否|可以", re.I)
_ENDINGS = ",;!\uff0c\u3002\uff1b\uff01"


def read_request(text: str) -> list[Step] | None:
    """Return the steps of one plain request, or None when it is none."""
    if len(text) > _LONGEST:
        return None
    text = text.strip().rstrip(_ENDINGS).strip()
    polite = _POLITE.match(text)
    for form in dict.fromkeys((text, text[polite.end() :] if polite else text)):
        # Only in a question is the mark at the end surely none of a pattern (`*.p?`).
        without_mark = form.rstrip("?\uff1f吗").rstrip()
        for candidate in (without_mark,) if _QUESTION.match(text) else dict.fromkeys((form, without_mark)):
            made = _first_fit(candidate)
            if made is not None:
                return made
    return None


def _first_fit(text: str) -> list[Step] | None:
    for pattern, made in _PATTERNS:
        hit = pattern.fullmatch(text)
        made_steps = made(hit) if hit is not None else []
        if made_steps:
            return made_steps
    return None
