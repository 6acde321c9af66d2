"""What the user is told when a server seems to cut prompts without saying so."""

from __future__ import annotations


def cut_prompt_warning(sent: int, counted: int, window: int) -> str:
    """Return the warning for a request of about `sent` tokens of which the server counted `counted`.

    `window` is the window that we assume.
    """
    return (
        f"The server counted {counted:,} tokens where about {sent:,} were sent: it seems to have cut the beginning of "
        "the conversation, with rules and tools, without saying so. Nothing is lost here. Raise the server's context "
        f"length to {window:,} (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH), or set “window” in the settings to what "
        "the server really has."
    )
