"""The arguments of a tool call, as a model wrote them, made into the text of one JSON object or found faulty."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from codeagent_tui.conversation.pairing import healed_arguments, is_object_text
from codeagent_tui.llm.surrogates import whole_characters

_HALF_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
# What may stand at the end of a text that was cut inside a literal or an escape.
_CUT_WORD = re.compile(r"t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|\\?(?:u[0-9a-fA-F]{0,3})?")


@dataclass(frozen=True, slots=True)
class ArgumentText:
    """`text` is always the text of a JSON object. `fault` says what was wrong with what came, "" for nothing; `cut`
    whether it simply stopped too early. With either the call must not run."""

    text: str
    fault: str = ""
    cut: bool = False


def argument_text(written: str) -> ArgumentText:
    """Return what the arguments `written` by a model come to. Nothing at all means no arguments.

    Accepted beyond JSON are only raw line ends in strings, which have one meaning; nothing is completed or guessed.
    """
    text = whole_characters(written).strip()
    if not text:
        return ArgumentText("{}")
    try:
        value = json.loads(text, strict=False, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        fault = f"the arguments are no valid JSON ({error.msg} at character {error.pos})."
        return ArgumentText(healed_arguments(text), fault, cut=text.startswith("{") and _stops_early(text, error))
    except (ValueError, RecursionError) as error:
        return ArgumentText(healed_arguments(text), f"the arguments are no usable JSON ({str(error)[:100]}).")
    if not isinstance(value, dict):
        fault = f"the arguments are a JSON {type(value).__name__}, not a JSON object."
        return ArgumentText(healed_arguments(text), fault)
    if _HALF_ESCAPE.search(text) or not text.isprintable():
        # Written anew only where it must be: what was sent stays byte for byte what came.
        plain = json.dumps(value, ensure_ascii=False)
        mended = whole_characters(plain)
        if mended != plain or not is_object_text(text):
            text = mended
    return ArgumentText(text)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _stops_early(text: str, error: json.JSONDecodeError) -> bool:
    if error.msg.startswith("Unterminated string"):
        # A closing brace at the end is no cut: a quotation mark is missing, or one too many is escaped.
        return not text.endswith("}")
    return error.pos >= len(text) or _CUT_WORD.fullmatch(text, error.pos) is not None
