"""Which model a session asks, and how large its window is."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.context.profile import DEFAULT_WINDOW
from codeagent_tui.llm.catalog import window_of
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.settings import Settings

OFFLINE = "offline"
"""The model's id that stands for the engine which needs no model."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model, its window in tokens, and what the user should know about the choice."""

    model: ChatModel
    window: int
    notices: tuple[str, ...] = ()


def choose_model(settings: Settings) -> ModelChoice:
    """Return the model that the settings name, or the offline engine when they name that or none."""
    if settings.model in ("", OFFLINE):
        # Only here: who has a model need not wait for the engine's grammar at each start.
        from codeagent_tui.llm.offline import OfflineModel

        offline = OfflineModel()
        notices: tuple[str, ...] = ()
        if not settings.model and (settings.api_key or settings.base_url):
            notices = (
                "A key or an endpoint is set, but no model is chosen, so nothing is sent to it: set CODEAGENT_MODEL "
                "or choose one with /model.",
            )
        return window_for(offline, settings, notices)
    model = OpenAIChatModel(
        settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        window=settings.window or window_of(settings.model),
        timeout=settings.request_timeout,
        max_output_tokens=settings.max_output_tokens or None,
    )
    return window_for(model, settings)


def choose_summariser(settings: Settings) -> ChatModel | None:
    """Return the model that summarises the history, None when that is the one that is talked to."""
    if settings.summary_model in ("", settings.model) or settings.model in ("", OFFLINE):
        return None
    return OpenAIChatModel(
        settings.summary_model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        window=window_of(settings.summary_model),
        timeout=settings.request_timeout,
    )


def window_for(model: ChatModel, settings: Settings, notices: tuple[str, ...] = ()) -> ModelChoice:
    """Return `model` with its window: from the settings, else what is known of it, else 128k with a notice."""
    window = settings.window or model.window
    if window:
        return ModelChoice(model, window, notices)
    told = (
        f"The window of {model.name} is not known; {DEFAULT_WINDOW:,} tokens are assumed. "
        "Set “window” in the settings (or CODEAGENT_WINDOW) to what the server really has."
    )
    return ModelChoice(model, DEFAULT_WINDOW, (*notices, told))
