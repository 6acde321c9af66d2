"""What the offline engine says, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.llm.offline_requests import OFFLINE_REQUESTS

NOTE = "offline: no language model connected"


@dataclass(frozen=True, slots=True)
class Words:
    """The engine's sentences in one language."""

    introduction: str
    connecting: str
    cannot: str
    stopped: str
    more_lines: str
    no_tool: str
    recalled: str
    nothing_recalled: str
    done: str
    forms: tuple[str, ...]

    def help(self) -> str:
        """Return what the engine is, what it can do, and how to connect a model."""
        forms = "\n".join(f"- `{form}`" for form in self.forms)
        return f"{self.introduction}\n\n{forms}\n\n{self.connecting}"

    def refusal(self) -> str:
        """Return the answer to what is no plain request."""
        return f"{self.cannot}\n\n{self.help()}"


ENGLISH = Words(
    introduction=f"I am no language model ({NOTE}). Without one I follow these plain requests, nothing else:",
    connecting="To connect a model: `/model`, or set `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `CODEAGENT_MODEL`.",
    cannot="That needs a language model to answer.",
    stopped="Stopped here: that step did not succeed.",
    more_lines="{count} more lines",
    no_tool="Stopped here: there is no tool `{tool}` in this session.",
    recalled="Long-term memory holds:",
    nothing_recalled="Long-term memory holds nothing on that.",
    done=f"Done: all {{count}} steps. ({NOTE})",
    forms=tuple(english for english, _ in OFFLINE_REQUESTS),
)
CHINESE = Words(
    introduction=f"我不是语言模型({NOTE}):离线时只照做下面这些简单的请求:",
    connecting="连接模型:输入 `/model`,或设置 `OPENAI_API_KEY`、`OPENAI_BASE_URL` 和 `CODEAGENT_MODEL`。",
    cannot="这个请求需要语言模型才能回答。",
    stopped="到此为止:这一步没有成功。",
    more_lines="还有 {count} 行",
    no_tool="到此为止:这次会话里没有工具 `{tool}`。",
    recalled="长期记忆里有:",
    nothing_recalled="长期记忆里没有相关的内容。",
    done=f"完成:共 {{count}} 步。({NOTE})",
    forms=tuple(chinese for _, chinese in OFFLINE_REQUESTS),
)
