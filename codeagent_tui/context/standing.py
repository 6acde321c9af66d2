"""Tells what the user said to last from what was asked for once: rules, decisions, cancellations."""

from __future__ import annotations

import re

_STANDING = re.compile(
    r"(?i)\b(?:always|never|must(?:n't| not)?|do not|don't|only|remember|from now on|prefer\w*|instead|avoid|keep|"
    r"decid\w*|agreed?|require\w*|rule|convention|forbidden|constraint|important|stop|drop|cancel\w*|forget|no longer|"
    r"until|unless|at (?:most|least)|without)\b"
    r"|不要|不能|不得|不用|不再|必须|禁止|务必|一定|记住|记一下|以后|始终|永远|总是|只能|只用|别再|"
    r"取消|停止|算了|放弃|改用|改成|决定|统一|约定|规定|要求|保留|至少|最多|除非"
)


def is_standing(text: str) -> bool:
    """Whether `text` seems to hold a rule, a decision or a cancellation: what must not be forgotten.

    A guess by words in English and Chinese; it decides only what is kept longer, never what is dropped at once.
    """
    return bool(_STANDING.search(text))
