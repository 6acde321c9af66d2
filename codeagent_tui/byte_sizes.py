"""Sizes on disk, in words."""


def shown_size(size: int) -> str:
    """Return a number of bytes in at most seven characters: `812 B`, `34 KB`, `1.2 MB`; a KB is 1,000 bytes."""
    if size < 1_000:
        return f"{size} B"
    for unit in ("KB", "MB", "GB"):
        size_in_unit = size / 1_000
        if size_in_unit < 9.95:
            return f"{size_in_unit:.1f} {unit}"
        if size_in_unit < 999.5 or unit == "GB":
            return f"{size_in_unit:,.0f} {unit}"
        size = round(size_in_unit)
    return f"{size} GB"
