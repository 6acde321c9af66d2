"""How the program ends, for scripts."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit status of `codeagent`."""

    OK = 0
    """The turn ended with an answer."""
    FAILED = 1
    """The model could not be reached or refused, or gave no answer; or the answer could not be written."""
    USAGE = 2
    """The command line or the settings are wrong; nothing was done."""
    REFUSED = 3
    """The turn ended with an answer, but a tool was refused because nobody could be asked."""
    STEP_LIMIT = 4
    """The turn stopped at its step limit."""
    INTERNAL = 70
    """An internal error (EX_SOFTWARE of sysexits.h); a log says more."""
    INTERRUPTED = 130
    """Ended by ctrl+c or a signal; the session is kept."""
