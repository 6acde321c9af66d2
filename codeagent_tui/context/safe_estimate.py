"""The safe estimate: what a text costs at most, per class of character, for whatever must not overflow.

The plain estimate takes four characters for a token. That holds for prose; logs, JSON, hex, digits, kana, Hangul,
Cyrillic and Arabic cost up to four times as much. This estimate is a weighted count of classes of characters and of
places where a class ends, since there tokenizers cut as well. The weights were fitted to the largest of three real
counts (the vocabularies o200k_base, cl100k_base and Qwen3's) over some 1,300 pieces of code, documents, data, program
output and translated messages in 25 languages, so that few of them come out below.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from codeagent_tui.tokens import estimate_tokens

_LETTERS = string.ascii_letters.encode()
_DIGITS = string.digits.encode()
_PUNCTUATION = string.punctuation.encode()
_VOWELS = b"aeiouyAEIOUY"
_SCALE = 100


def _view(*classes: tuple[Iterable[int], str], rest: str = "-") -> bytes:
    """Return a table for `bytes.translate` that writes for every byte the letter of its class."""
    table = bytearray(rest.encode() * 256)
    for members, code in classes:
        for byte in members:
            table[byte] = ord(code)
    return bytes(table)


_CLASSES = _view(
    (string.ascii_lowercase.encode(), "a"),
    (string.ascii_uppercase.encode(), "A"),
    (_DIGITS, "0"),
    (b" ", "s"),
    (_PUNCTUATION, "p"),
)
_WORDS = _view((_LETTERS, "w"))
_CONSONANTS = _view((set(_LETTERS) - set(_VOWELS), "k"))
_SPACES = _view((b" ", "s"))

# How much each occurrence costs, in hundredths of a token. None is negative, so more text never costs less.
_MEMBERS: tuple[tuple[bytes, int], ...] = (
    (_LETTERS, 20),
    (_DIGITS, 115),  # Qwen3 gives every digit a token of its own
    (_PUNCTUATION, 16),
    (b"\r\n", 13),
    (b"\t", 137),
    (bytes(set(range(32)) - set(b"\t\r\n")) + b"\x7f", 100),
)
_CLASS_PAIRS: tuple[tuple[bytes, int], ...] = (
    (b"aA", 21),  # camelCase, base64
    (b"AA", 8),
    (b"0a", 104),  # hex, ids: where a digit ends, so does a token
    (b"0A", 104),
    (b"s0", 105),
    (b"ap", 38),
    (b"Ap", 38),
    (b"0p", 38),
    (b"sp", 85),
)
_WORD_BEGINS = 35
_FOUR_CONSONANTS = 238
"""Words seldom have four in a row; random letters do."""
_INDENT = 156
"""A run of two spaces or more is a token and breaks the one after it."""

# By the first byte of a character's UTF-8 form.
_LEADS: tuple[tuple[Iterable[int], int], ...] = (
    (range(0xE4, 0xEA), 139),  # Han
    ((0xE3,), 113),  # kana, Chinese punctuation
    (range(0xEA, 0xEE), 137),  # Hangul
    (range(0xD0, 0xD4), 64),  # Cyrillic
    (range(0xD8, 0xDC), 97),  # Arabic
    ((0xE2,), 78),  # typographic signs, arrows, lines of boxes
    (range(0xC2, 0xCD), 215),  # Latin with accents: what the accent adds to a word
    (range(0xCD, 0xD0), 118),  # Greek
    (range(0xD4, 0xD6), 258),  # Armenian
    (range(0xD6, 0xD8), 133),  # Hebrew
    (range(0xDC, 0xE0), 200),  # Syriac, Thaana, N'Ko
    ((0xE0,), 145),  # the scripts of India, Thai
    ((0xE1,), 215),  # Georgian, Ethiopic, Khmer, Vietnamese
    ((0xEE, 0xEF), 100),  # full-width forms, private signs
    (range(0xF0, 0xF5), 384),  # emoji, rare Han
)
_LEAD_BYTES = tuple((bytes(bytes_), weight) for bytes_, weight in _LEADS)
_ASCII = bytes(range(0x80))
_CONTINUATIONS = bytes(range(0x80, 0xC0))


def safe_estimate(text: str) -> int:
    """Return about the most tokens that `text` costs with any of the usual tokenizers.

    Never below `estimate_tokens`, and never less for a longer text. Linear in its length: some 30 MB a second.
    """
    if not text:
        return 0
    # The line end in front makes what stands first a beginning too; lone surrogates are no reason to fail.
    data = b"\n" + text.encode("utf-8", "surrogatepass")
    hundredths = 0
    if not text.isascii():
        # One byte a character is enough from here on: the first tells the script.
        data = data.translate(None, _CONTINUATIONS)
        hundredths = _cost_of_members(data.translate(None, _ASCII), _LEAD_BYTES)
    hundredths += _ascii_cost(data)
    return max(estimate_tokens(text), -(-hundredths // _SCALE))


def _ascii_cost(data: bytes) -> int:
    cost = _cost_of_members(data, _MEMBERS)
    classes = data.translate(_CLASSES)
    cost += sum(weight * classes.count(pair) for pair, weight in _CLASS_PAIRS)
    cost += _WORD_BEGINS * data.translate(_WORDS).count(b"-w")
    cost += _FOUR_CONSONANTS * data.translate(_CONSONANTS).count(b"kkkk")
    return cost + _INDENT * data.translate(_SPACES).count(b"-ss")


def _cost_of_members(data: bytes, weights: tuple[tuple[bytes, int], ...]) -> int:
    """Return what the bytes cost one by one. Taking each class out leaves less to look through for the next."""
    cost = 0
    for members, weight in weights:
        if not data:
            break
        rest = data.translate(None, members)
        cost += weight * (len(data) - len(rest))
        data = rest
    return cost
