"""One request without a screen: what is printed where, and how it ends."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from codeagent_tui.conversation.messages import Usage
from codeagent_tui.exit_codes import ExitCode
from codeagent_tui.headless.interruptions import Interruptions
from codeagent_tui.headless.run import run_headless
from codeagent_tui.llm.provider import (
    AuthFailed,
    ChatModel,
    FinishPiece,
    NetworkFailed,
    ReasoningPiece,
    ServerFailed,
    TextPiece,
    UsagePiece,
)
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionStore
from codeagent_tui.settings import PermissionMode, Settings
from codeagent_tui.standard_streams import OutputStream
from tests.support.models import ScriptedModel, calls, says


@dataclass
class Told:
    """What a run printed, and how it ended."""

    code: ExitCode
    out: str
    err: str

    @property
    def result(self) -> dict[str, object]:
        """The last record."""
        found: dict[str, object] = json.loads(self.out.splitlines()[-1])
        return found


async def headless(
    tmp_path: Path,
    model: ChatModel,
    prompt: str = "do it",
    *,
    output: str = "text",
    settings: Settings | None = None,
    resume: str | None = None,
    interruptions: Interruptions | None = None,
) -> Told:
    (tmp_path / "work").mkdir(exist_ok=True)
    out, err = io.StringIO(), io.StringIO()
    code = await run_headless(
        prompt,
        settings or Settings(discover=False),
        Paths(tmp_path / "home"),
        tmp_path / "work",
        out=OutputStream(out),
        err=OutputStream(err),
        output=output,
        resume=resume,
        model=model,
        interruptions=interruptions,
    )
    return Told(code, out.getvalue(), err.getvalue())


WRITE = ("write_file", {"path": "new.txt", "content": "hello\n"})


async def test_the_answer_alone_is_on_standard_output(tmp_path: Path) -> None:
    told = await headless(tmp_path, ScriptedModel(says("\nThe answer \x1b[31mis\x1b[0m 42.\n\n")))
    assert (told.code, told.out, told.err) == (ExitCode.OK, "The answer is 42.\n", "")


async def test_what_goes_on_is_on_standard_error(tmp_path: Path) -> None:
    model = ScriptedModel(calls(WRITE, text="I write it."), says("done"))
    told = await headless(tmp_path, model, settings=Settings(mode=PermissionMode.ACCEPT_EDITS))
    assert told.out == "done\n"
    assert "I write it." in told.err and "· write_file new.txt" in told.err and "+hello" in told.err


async def test_it_never_asks_and_says_what_was_refused(tmp_path: Path) -> None:
    told = await headless(tmp_path, ScriptedModel(calls(WRITE), says("I could not.")))
    assert told.code is ExitCode.REFUSED
    assert told.out == "I could not.\n"
    assert "refused: write_file new.txt" in told.err and "--mode accept-edits" in told.err
    assert not (tmp_path / "work" / "new.txt").exists()


@pytest.mark.parametrize(
    ("mode", "advice"),
    [(PermissionMode.PLAN, "choose another with --mode"), (PermissionMode.ACCEPT_EDITS, "--mode unattended")],
)
async def test_the_advice_after_a_refusal_fits_the_mode(tmp_path: Path, mode: PermissionMode, advice: str) -> None:
    wanted = ("run_command", {"command": "touch x"})
    told = await headless(tmp_path, ScriptedModel(calls(wanted), says("no")), settings=Settings(mode=mode))
    assert advice in told.err and told.code is ExitCode.REFUSED


async def test_json_holds_everything_a_program_needs(tmp_path: Path) -> None:
    used = [*says("你好"), UsagePiece(Usage(100, 7))]
    model = ScriptedModel(calls(WRITE, ("list_directory", {"path": "."})), used, name="m")
    told = await headless(tmp_path, model, output="json")
    assert len(told.out.splitlines()) == 1
    result = told.result
    assert (result["type"], result["reason"], result["exit_code"], result["answer"]) == ("result", "done", 3, "你好")
    assert (result["model"], result["mode"], result["steps"]) == ("m", "ask", 2)
    assert [tool["ok"] for tool in result["tools"]] == [False, True]  # type: ignore[attr-defined]
    [refused] = result["refused"]  # type: ignore[misc]
    assert (refused["name"], refused["title"]) == ("write_file", "write_file new.txt")
    assert "Nobody can be asked" in refused["reason"]
    assert result["usage"] == {"prompt_tokens": 100, "completion_tokens": 7}
    store = SessionStore(tmp_path / "home" / "history", tmp_path / "work")
    assert store.find("").session_id == result["session_id"]


async def test_a_change_is_shown_in_json(tmp_path: Path) -> None:
    settings = Settings(mode=PermissionMode.ACCEPT_EDITS)
    told = await headless(tmp_path, ScriptedModel(calls(WRITE), says("ok")), output="json", settings=settings)
    [tool] = told.result["tools"]  # type: ignore[misc]
    assert "+hello" in tool["diff"]


async def test_a_stream_is_the_session_then_events_then_the_result(tmp_path: Path) -> None:
    told = await headless(tmp_path, ScriptedModel(says("hi")), output="stream-json")
    kinds = [json.loads(line)["type"] for line in told.out.splitlines()]
    assert kinds[0] == "session" and kinds[1] == "turn_started" and kinds[-1] == "result"
    assert "text_delta" in kinds and kinds[-2] == "turn_ended"


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ([AuthFailed("The key is wrong.")], ExitCode.FAILED, "The key is wrong."),
        ([ReasoningPiece("hm"), FinishPiece("stop")], ExitCode.FAILED, "no answer"),
    ],
)
async def test_a_failure_has_its_exit_code_and_its_reason(
    tmp_path: Path, answer: list[object], code: ExitCode, said: str
) -> None:
    told = await headless(tmp_path, ScriptedModel(answer))  # type: ignore[arg-type]
    assert told.code is code and told.out == "" and said in told.err
    assert "--continue" in told.err


async def test_p_09_a_broken_answer_is_shown_as_far_as_it_came_and_marked(tmp_path: Path) -> None:
    model = ScriptedModel([TextPiece("half an ans"), ServerFailed("backend busy")])
    told = await headless(tmp_path, model, output="json", settings=Settings(max_attempts=1))
    assert told.code is ExitCode.FAILED
    assert (told.result["answer"], told.result["partial"], told.result["reason"]) == ("", "half an ans", "failed")
    assert "backend busy" in told.err


async def test_a_discarded_attempt_leaves_nothing_in_the_answer(tmp_path: Path) -> None:
    model = ScriptedModel([TextPiece("wrong "), NetworkFailed("reset")], says("right"))
    told = await headless(tmp_path, model)
    assert told.out == "right\n" and "trying again" in told.err


async def test_the_step_limit_has_its_own_exit_code(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("list_directory", {"path": "."}), text="looking on"))
    told = await headless(tmp_path, model, settings=Settings(max_steps=2))
    assert told.code is ExitCode.STEP_LIMIT
    assert told.out == "looking on\n" and "2 steps" in told.err


async def test_a_signal_ends_the_turn_and_keeps_the_session(tmp_path: Path) -> None:
    never = asyncio.Event()
    interruptions = Interruptions()
    interruptions.wanted = True
    told = await headless(tmp_path, ScriptedModel([TextPiece("x"), never]), "first", interruptions=interruptions)
    assert told.code is ExitCode.INTERRUPTED
    told = await headless(tmp_path, model := ScriptedModel(says("two")), "second", resume="")
    assert told.code is ExitCode.OK
    assert [m.content for m in model.requests[0].messages if m.starts_turn] == ["first", "second"]


async def test_what_was_said_beside_a_call_is_no_partial_answer(tmp_path: Path) -> None:
    model = ScriptedModel(calls(("list_directory", {"path": "."}), text="I look."), [ServerFailed("busy")])
    told = await headless(tmp_path, model, settings=Settings(max_attempts=1))
    assert told.code is ExitCode.FAILED and told.out == "" and "I look." in told.err


async def test_a_session_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    told = await headless(tmp_path, ScriptedModel(), resume="abc")
    assert told.code is ExitCode.USAGE and told.out == "" and "abc" in told.err


async def test_what_the_stores_have_to_say_is_told(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "CODEAGENT.md").write_text("@./missing.md\n")
    (tmp_path / "home" / "memory").mkdir(parents=True)
    (tmp_path / "home" / "memory" / "long_term_memory.json").write_text("{broken")
    told = await headless(tmp_path, ScriptedModel(says("ok"), window=None), output="json")
    assert told.code is ExitCode.OK
    for said in ("missing.md", "long_term_memory.json", "128,000 tokens are assumed"):
        assert said in told.err
        assert any(said in notice for notice in told.result["notices"])  # type: ignore[attr-defined]


async def test_s_08_a_session_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "history").write_text("a file where the folder should be")
    told = await headless(tmp_path, ScriptedModel(says("ok")))
    assert told.out == "ok\n" and "was not saved" in told.err
