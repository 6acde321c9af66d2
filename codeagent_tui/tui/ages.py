"""How long ago something was, in words."""


def age(seconds: float) -> str:
    """Return `3 days ago`; anything under a minute, or in the future, is `just now`."""
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // size)
        if count > 0:
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"
