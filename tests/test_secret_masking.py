"""Masking: what looks like a key goes, what only stands behind such a name in a program stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.secret_masking import SecretMasker, mask_secrets

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nabcdefghijklmnopqrstuv\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("use sk-abcdefghijklmnopqrstu now", "use [masked: an API key] now"),
        ("DB_PASSWORD=hunter2x\nPORT=1", "DB_PASSWORD=[masked: a password or key]\nPORT=1"),
        ("postgres://bob:s3cret99@db/x", "postgres://bob:[masked: a password in an address]@db/x"),
        ("Authorization: Bearer abc.def123456", "Authorization: Bearer [masked: credentials of a request]"),
        ('{"api_key": "AbC123dEf456"}', '{"api_key": "[masked: a password or key]"}'),
        (f"before\n{KEY}\nafter", "before\n[masked: a private key]\nafter"),
        (KEY.partition("\n-----END")[0] + "\n\nafter", "[masked: a private key]\n\nafter"),
        ("\u5bc6\u7801\u662fabc12345\u3002", "\u5bc6\u7801\u662f[masked: a password or key]\u3002"),
    ],
)
def test_a_secret_gives_way_to_its_kind(text: str, masked: str) -> None:
    assert mask_secrets(text) == (masked, 1)


@pytest.mark.parametrize(
    "text",
    [
        "token = self.token2",
        "password = request.form['password']",
        "max_token: 128000",
        "api_key=os.environ['X1']",
        "the key is to read first",
        "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
        "sk-short",
    ],
)
def test_code_and_prose_stay(text: str) -> None:
    assert mask_secrets(text) == (text, 0)


def test_a_password_that_one_text_names_is_masked_in_all() -> None:
    texts = ["ssh -p hunter2xyz", "the password is hunter2xyz"]
    masker = SecretMasker()
    for text in texts:
        masker.learn(text)
    assert all("hunter2xyz" not in masker.mask(text) for text in texts)
    assert masker.count == 2


@given(st.text(), st.sampled_from(["ghp_" + "a1" * 12, "AKIA1234567890ABCDEF", "xoxb-1234567890-abc"]), st.text())
def test_no_text_around_hides_a_key(before: str, key: str, after: str) -> None:
    masked, count = mask_secrets(f"{before} {key} {after}")
    assert key not in masked and count


@given(st.text())
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once, _ = mask_secrets(text)
    assert mask_secrets(once) == (once, 0)
