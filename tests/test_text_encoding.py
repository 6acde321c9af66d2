"""Bytes to text and back: what is likely is chosen, and every byte comes back."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.text_encoding import Encoding, decode, sniff


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("plain\n", "utf-8"),
        ("规范 ünï\n", "utf-8"),
        ("中文", "gb18030"),
        ("# 注释\n", "gb18030"),
        ("姓名,年龄\n张三,20\n", "gb18030"),
        ("x = 1  # 计数器\r\n", "gb18030"),
        ("café\n", "cp1252"),
        ("cafés naïve façade\n", "cp1252"),
        ("// Größe “quoted”\n", "cp1252"),
        ("これは日本語のテキストです。コメントを書きます。\n", "cp932"),
        ("這是繁體中文的註解，請注意編碼。\n", "big5"),
        ("규칙은 한국어로 작성합니다. 테스트를 먼저 실행하세요.\n", "cp949"),
        ("規則は日本語で書きます。テストを先に実行してください。\n", "euc_jp"),
        ("规范规范规范规范规范规范\n", "gb18030"),
    ],
)
def test_the_likely_encoding_is_chosen(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, Encoding(encoding))


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_mark_decides_and_stays(mark: bytes, name: str) -> None:
    decoded = decode(mark + "规范\r\n".encode(name))
    assert decoded == ("规范\r\n", Encoding(name, mark))
    assert Encoding(name, mark).encode("a") == mark + "a".encode(name)


def test_utf_8_with_a_stray_byte_stays_utf_8() -> None:
    data = "这是注释".encode() + b"\xff\n"
    decoded = decode(data)
    assert decoded == ("这是注释\udcff\n", Encoding("utf-8"))
    assert Encoding("utf-8").encode("这是注释\udcff\n") == data


@pytest.mark.parametrize("data", [b"a\0b", bytes(range(1, 9)) * 50, b"\x7fELF\x02\x01\x01\0\0"])
def test_binary_is_no_text(data: bytes) -> None:
    assert decode(data) is None


def test_the_head_of_a_large_file_may_end_inside_a_character() -> None:
    head = ("规" * 100).encode()[:-1]
    assert sniff(head, complete=False) == Encoding("utf-8")
    assert sniff("规范".encode("gb18030")[:-1], complete=False) == Encoding("gb18030")


def test_a_character_that_the_encoding_lacks_is_an_error() -> None:
    with pytest.raises(UnicodeEncodeError):
        Encoding("cp1252").encode("thé 茶")


@given(st.binary(max_size=200))
def test_every_byte_comes_back(data: bytes) -> None:
    decoded = decode(data)
    if decoded is not None:
        text, encoding = decoded
        assert encoding.encode(text) == data
