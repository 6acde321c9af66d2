"""Which model a session asks, and how large its window is taken to be."""

import pytest

from codeagent_tui.agent.model_choice import choose_model, window_for
from codeagent_tui.llm.offline import OfflineModel
from codeagent_tui.llm.openai_chat import OpenAIChatModel
from codeagent_tui.settings import Settings
from tests.support.models import ScriptedModel


def test_without_a_model_it_is_the_offline_engine() -> None:
    choice = choose_model(Settings())
    assert isinstance(choice.model, OfflineModel)
    assert (choice.window, choice.notices) == (32_768, ())


def test_the_offline_engine_can_be_asked_for_by_name() -> None:
    choice = choose_model(Settings(model="offline", base_url="http://127.0.0.1:1/v1", api_key="k"))
    assert isinstance(choice.model, OfflineModel) and choice.notices == ()


@pytest.mark.parametrize("settings", [Settings(api_key="k"), Settings(base_url="http://127.0.0.1:1/v1")])
def test_a_key_without_a_model_sends_nothing_and_says_so(settings: Settings) -> None:
    choice = choose_model(settings)
    assert isinstance(choice.model, OfflineModel)
    assert "CODEAGENT_MODEL" in choice.notices[0] and "/model" in choice.notices[0]


def test_a_known_models_window_comes_from_the_table() -> None:
    choice = choose_model(Settings(model="openai/gpt-4o", base_url="http://127.0.0.1:1/v1"))
    assert isinstance(choice.model, OpenAIChatModel)
    assert (choice.model.name, choice.window, choice.notices) == ("openai/gpt-4o", 128_000, ())


def test_an_unknown_models_window_is_assumed_and_said() -> None:
    choice = choose_model(Settings(model="my-own", base_url="http://127.0.0.1:1/v1"))
    assert choice.window == 128_000
    assert "my-own" in choice.notices[0] and "CODEAGENT_WINDOW" in choice.notices[0]


def test_the_settings_window_wins() -> None:
    choice = choose_model(Settings(model="gpt-4o", window=16_000))
    assert (choice.window, choice.notices) == (16_000, ())
    assert window_for(ScriptedModel(window=5), Settings(window=7)).window == 7
    assert window_for(ScriptedModel(window=5), Settings()).window == 5
