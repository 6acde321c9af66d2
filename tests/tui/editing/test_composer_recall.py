"""Up and down through earlier prompts: nothing that was typed is lost on the way."""

from hypothesis import given
from hypothesis import strategies as st

from codeagent_tui.tui.editing.history_search import HistorySearch, Outcome
from codeagent_tui.tui.editing.recall import Recall

ENTRIES = ["first", "second", "third"]


def test_up_goes_to_older_entries_and_stops_at_the_oldest() -> None:
    recall = Recall(ENTRIES)
    shown = ["draft"]
    while (entry := recall.older(shown[-1])) is not None:
        shown.append(entry)
    assert shown == ["draft", "third", "second", "first"]


def test_down_comes_back_to_the_draft() -> None:
    recall = Recall(ENTRIES)
    recall.older("draft")
    recall.older("third")
    assert recall.newer("second") == "third"
    assert recall.newer("third") == "draft"
    assert recall.newer("draft") is None


def test_what_was_changed_on_the_way_is_there_again() -> None:
    recall = Recall(ENTRIES)
    recall.older("draft")
    assert recall.older("third, changed") == "second"
    assert recall.newer("second") == "third, changed"
    recall.restart()
    assert recall.older("") == "third"


def test_entries_that_are_loaded_later_are_older() -> None:
    entries = ["new"]
    recall = Recall(entries)
    assert recall.older("") == "new"
    entries[:0] = ["old"]
    assert recall.older("new") == "old"


@given(st.lists(st.tuples(st.sampled_from(["up", "down"]), st.text(max_size=3)), max_size=30))
def test_no_walk_loses_the_draft(steps: list[tuple[str, str]]) -> None:
    recall = Recall(ENTRIES)
    shown = draft = "my draft"
    place = 0
    for key, added in steps:
        shown += added
        if place == 0:
            draft = shown
        entry = recall.older(shown) if key == "up" else recall.newer(shown)
        if entry is not None:
            shown = entry
            place += 1 if key == "up" else -1
    while (entry := recall.newer(shown)) is not None:
        shown = entry
    assert shown == draft


def searched(*keys: str, entries: list[str] = ENTRIES) -> HistorySearch:
    """Return a search after `keys`; single letters are typed."""
    search = HistorySearch(entries)
    for key in keys:
        search.press(key, key if len(key) == 1 else "")
    return search


def test_a_search_finds_the_newest_first_in_any_case() -> None:
    search = searched("I", "R", entries=["first", "THIRD", "irrelevant", "first"])
    assert search.found == ["first", "irrelevant", "THIRD"]
    assert search.result == "first"


def test_ctrl_r_goes_on_to_older_ones_and_stops_at_the_oldest() -> None:
    assert searched("ctrl+r").result == "second"
    assert searched("ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r").result == "first"
    assert searched("ctrl+r", "ctrl+s").result == "third"


def test_backspace_takes_a_whole_character_of_the_query() -> None:
    search = HistorySearch(ENTRIES)
    search.press("x", "👨‍👩‍👧")
    search.press("backspace", "")
    assert search.query == ""


def test_nothing_found_takes_nothing() -> None:
    search = searched("z", "z")
    assert search.result is None
    assert "nothing found" in search.title
    assert search.press("enter", "") is Outcome.CANCEL
    assert searched("t").press("enter", "") is Outcome.TAKE
    assert searched("t").press("escape", "") is Outcome.CANCEL
    assert searched("t").press("f9", "") is Outcome.NOT_MINE
