"""Every event of the core has its place on the screen."""

from typing import get_args

from codeagent_tui.conversation.events import AgentEvent
from codeagent_tui.tui.turn_view import TurnView


def test_each_event_has_a_function_of_its_own() -> None:
    registered = set(vars(TurnView)["_show"].dispatcher.registry) - {object}
    assert registered == set(get_args(AgentEvent))
