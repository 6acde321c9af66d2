"""Every kind of block and the Markdown parser, loaded in one go: beside the loop, once the first frame is drawn."""

from __future__ import annotations

from codeagent_tui.tui.blocks import answer, history, notice, reasoning, tool, user
from codeagent_tui.tui.markdown import render
from codeagent_tui.tui.markdown.parser import load_parser

__all__ = ["answer", "history", "load_parser", "notice", "reasoning", "render", "tool", "user"]
