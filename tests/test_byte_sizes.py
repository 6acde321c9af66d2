"""Sizes in words."""

import pytest

from codeagent_tui.byte_sizes import shown_size


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 KB"),
        (9_960, "10 KB"),
        (34_400, "34 KB"),
        (999_600, "1.0 MB"),
        (1_234_567, "1.2 MB"),
        (200_000_000, "200 MB"),
        (3_400_000_000, "3.4 GB"),
        (5_000_000_000_000, "5,000 GB"),
    ],
)
def test_a_size_is_short(size: int, shown: str) -> None:
    assert shown_size(size) == shown
