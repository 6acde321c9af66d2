"""What the model is told in the place of a result when a call did not run to its end."""

CANCELLED = "[Cancelled by the user while it ran. It may have had effects: check before you repeat it.]"
NOT_STARTED = "[Not run: the user interrupted the turn before this call started.]"
CUT_OFF = (
    "[Not run: the output limit cut this call off before its arguments were complete. Nothing was changed. "
    "Send it again in smaller pieces, for example write the file in several edits.]"
)


def refused(reason: str) -> str:
    """Return what the model is told when the user said no; `reason` is the user's own words or empty."""
    said = f" The user says: {reason}" if reason else ""
    return f"[Refused by the user; it did not run.{said}]"


def not_permitted(reason: str) -> str:
    """Return what the model is told when the rules forbid a call, and nobody was asked."""
    return f"[Not permitted; it did not run. {reason}]"


def malformed(fault: str) -> str:
    """Return what the model is told when a call's arguments were no JSON object."""
    return f"[Not run: {fault} Send the call again with its arguments as one JSON object.]"
