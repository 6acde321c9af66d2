"""What may become a fact, and when two facts are the same."""

from __future__ import annotations

import re
import unicodedata

from codeagent_tui.memory.secrets import secret_in
from codeagent_tui.text import clean_text

LONGEST_FACT = 2_000
"""Characters. Longer texts are documents: they belong into a file, and their path into a fact."""
_BLANKS = re.compile(r"[ \t]+")
_UNEVEN = re.compile(r"\t| {2}|\s\n|\n\s")


def as_fact(content: str) -> str:
    """Return `content` as it is stored: cleaned, NFC, without white space around it."""
    return unicodedata.normalize("NFC", clean_text(content)).strip()


def normal_form(content: str) -> str:
    """Return the form in which facts are compared; two facts are the same when their forms are equal.

    Cleaned text, NFC, line ends as LF, blanks and tabs run together to one blank, lines and the whole trimmed. Letter
    case, width and punctuation are kept: `use C` and `use C++` are two facts, and so are `8080` and `８０８０`.

    Facts are compared within a scope: the same words may be a fact of this project, of another, and of all.
    """
    fact = as_fact(content)
    if not _UNEVEN.search(fact):
        return fact
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in fact.split("\n"))


def refusal(fact: str) -> str:
    """Return why `fact` may not be stored, as a sentence that begins with "Not saved", or "" when it may."""
    if not fact:
        return "Not saved: there is no text."
    if len(fact) > LONGEST_FACT:
        return f"Not saved: a fact has {LONGEST_FACT:,} characters at most, this has {len(fact):,}. Shorten it."
    secret = secret_in(fact)
    if secret:
        return (
            f"Not saved: it seems to hold {secret}. Facts lie in clear text and go into prompts; "
            "say where the secret is kept instead."
        )
    return ""
