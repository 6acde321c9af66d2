"""Words of a text as jieba cuts them, without its dictionary where the dictionary cannot matter.

The dictionary costs 0.4 s and 80 MB. It decides only how runs of Han characters are cut; for everything else jieba
(0.42.1) follows two regular expressions, which are restated here, but for the five words in its dictionary that have
no Han character (AT&T, c#, C#, c++, C++). A test holds the two against each other.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache

_HAN = re.compile("[\u4e00-\u9fd5]")
_BLOCK = re.compile(r"([\u4E00-\u9FD5a-zA-Z0-9+#&\._%\-]+)")
_WORD = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_DICTIONARY_WORDS = re.compile(r"AT&T|[cC](?:#|\+\+)")
_loading = threading.Lock()


def needs_dictionary(text: str) -> bool:
    """Whether the words of `text` depend on jieba's dictionary."""
    return bool(_HAN.search(text) or _DICTIONARY_WORDS.search(text))


def load_dictionary() -> None:
    """Load jieba's dictionary, once. Takes about half a second: call it in a thread."""
    import jieba

    with _loading:
        jieba.setLogLevel(60)
        jieba.initialize()


def cut(text: str) -> list[str]:
    """Return the words of `text` in order, lower-cased; what has no letter or digit is no word."""
    found = _cut_with_dictionary(text) if needs_dictionary(text) else _cut_plain(text)
    return [word.lower() for word in found if any(char.isalnum() for char in word)]


@lru_cache(maxsize=256)
def words(text: str) -> frozenset[str]:
    """Return the distinct words of `text` (see `cut`)."""
    return frozenset(cut(text))


def _cut_with_dictionary(text: str) -> list[str]:
    load_dictionary()
    import jieba

    return [str(word) for word in jieba.lcut(text)]


def _cut_plain(text: str) -> list[str]:
    found: list[str] = []
    for number, block in enumerate(_BLOCK.split(text)):
        # `split` puts the blocks themselves at the odd places; between them each character is a word of its own.
        found += [piece for piece in _WORD.split(block) if piece] if number % 2 else list(block)
    return found
