"""A scripted session of 40 turns that is killed at some point: what the child process does.

Every step begins with a line in `steps.jsonl` (how the workspace looked), every request with one in `sent.jsonl`:
both are written past the counting below, so the parent can compare what a kill left with what had happened.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import FrameType
from typing import Any

from codeagent_tui.agent.session import Session, open_session
from codeagent_tui.conversation.events import ApprovalAsked
from codeagent_tui.conversation.messages import Message, Role
from codeagent_tui.export.session_export import ExportFormat, SessionLogFile, export
from codeagent_tui.llm.provider import CallPiece, ChatRequest, FinishPiece, StreamEvent, TextPiece
from codeagent_tui.paths import Paths
from codeagent_tui.sessions.store import SessionError
from codeagent_tui.settings import PermissionMode, Settings

STEPS = 40
SUMMARY = "The user asked for numbered steps; each wrote a file, and all of them were done as asked. Nothing is open."
_COUNTED = ("write", "replace", "rename", "fsync", "unlink", "link", "ftruncate", "open", "chmod", "fchmod", "rmdir")
_write = os.write


PHASES = {
    "checkpoint": "sessions/checkpoints.py",
    "compaction": "agent/compaction.py",
    "rewind": "sessions/rewinding.py",
    "export": "tests/support/killed_session.py:_export",
}
"""Where a kill may be aimed at: a file, or a function of one, that is at work."""


def run_until_killed(folder: str, seed: int, kill_at: int, phase: str) -> None:
    """Go on with the session in `folder`; the process kills itself at its `kill_at`th act on the file system, half of
    the times in the middle of a write. With a `phase` only acts in it count. Where it was is noted in `where.txt`."""
    _count_down(random.Random(seed), kill_at, phase, Path(folder) / "where.txt")
    asyncio.run(_work(Path(folder)))


def _phase() -> str:
    """Return what is going on in this thread."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        place = f"{frame.f_code.co_filename}:{frame.f_code.co_name}"
        for phase, wanted in PHASES.items():
            if wanted in place:
                return phase
        frame = frame.f_back
    return ""


def _count_down(chance: random.Random, left: int, phase: str, where: Path) -> None:
    torn = chance.random() < 0.5

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def act(*arguments: Any, **more: Any) -> Any:
            nonlocal left
            left -= not phase or _phase() == phase
            if left > 0:
                return real(*arguments, **more)
            with where.open("a") as file:
                file.write(f"{_phase() or 'elsewhere'}\n")
            if name == "write" and torn:
                _write(arguments[0], bytes(arguments[1])[: chance.randrange(1 + len(arguments[1]))])
            os.kill(os.getpid(), signal.SIGKILL)
            return None

        return act

    for name in _COUNTED:
        setattr(os, name, counted(name, getattr(os, name)))


def journal(path: Path, record: object) -> None:
    """Add a line to a journal of the test's own, past the counting."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def workspace_state(work: Path) -> dict[str, str]:
    """Return the digest of each file that the file tools may have made."""
    return {
        path.relative_to(work).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((work / "files").rglob("*"))
        if path.is_file() and not path.name.endswith(".tmp")
    }


def as_sent(message: Message) -> list[object]:
    """Return what a provider sees of a message, with its id."""
    calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    return [message.id, message.role.value, message.content, calls, message.tool_call_id]


class StepModel:
    """Does what a step of the script asks for; a request to summarise is answered with a summary."""

    name = "steps"
    window: int | None = 200_000

    def __init__(self, folder: Path) -> None:
        self._sent = folder / "sent.jsonl"

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamEvent]:
        """Answer with the step's next call, or its end."""
        said = [index for index, message in enumerate(request.messages) if message.role is Role.USER]
        step = re.match(r"step (\d+)", request.messages[said[-1]].content)
        if step is None:
            yield TextPiece(SUMMARY)
            yield FinishPiece("stop")
            return
        journal(self._sent, [as_sent(message) for message in request.messages])
        done = sum(message.role is Role.TOOL for message in request.messages[said[-1] :])
        wanted = calls_of(int(step[1]))
        await asyncio.sleep(0)
        if done < len(wanted):
            name, arguments = wanted[done]
            yield CallPiece(0, f"call_{done}", name, json.dumps(arguments))
            yield FinishPiece("tool_calls")
        else:
            yield TextPiece(f"Step {step[1]} is done. " + "x" * 200)
            yield FinishPiece("stop")


def calls_of(step: int) -> list[tuple[str, dict[str, object]]]:
    """Return the tool calls of a step: an old file replaced, a new one made, now and then a command."""
    name = f"files/f{step % 5}.txt"
    end = "\r\n" if step % 5 == 1 else "\n"
    content = end.join(f"step {step} line {line}" for line in range(20)) + end
    wanted: list[tuple[str, dict[str, object]]] = [
        ("read_file", {"path": name}),
        ("write_file", {"path": name, "content": content}),
        ("write_file", {"path": f"files/deep{step}/new.txt", "content": content}),
        ("edit_file", {"path": name, "old_text": f"step {step} line 3", "new_text": "edited"}),
    ]
    return [*wanted, ("run_command", {"command": f"echo {step} > out{step}.log"})] if step % 8 == 7 else wanted


async def _work(folder: Path) -> None:
    work, steps = folder / "work", folder / "steps.jsonl"
    settings = Settings(discover=False, mode=PermissionMode.UNATTENDED)
    session = await _opened(folder, settings)
    while (step := len(steps.read_text().splitlines()) if steps.exists() else 0) < STEPS:
        journal(steps, {"step": step, "files": workspace_state(work)})
        async for event in session.agent.run(f"step {step}"):
            if isinstance(event, ApprovalAsked):
                raise AssertionError("nothing asks in this mode")
        await _after(step, session, folder)
    await session.aclose()


def _export(session: Session, target: Path) -> None:
    log = SessionLogFile(session.log.path, session.log.session_id)
    export(log, target, ExportFormat.MARKDOWN, replace=True)


async def _opened(folder: Path, settings: Settings) -> Session:
    paths, work, model = Paths(folder / "home"), folder / "work", StepModel(folder)
    try:
        return await open_session(settings, paths, work, resume="", model=model)
    except SessionError:
        # Killed before the first record.
        return await open_session(settings, paths, work, model=model)


async def _after(step: int, session: Session, folder: Path) -> None:
    match step % 8:
        case 3:
            async for _ in session.agent.compact():
                pass
        case 4 if session.agent.compactions and not session.agent.compactions[-1].restored:
            await session.agent.uncompact()
        case 5:
            _export(session, folder / "work" / "export.md")
        case 6:
            turns = await session.turns()
            plan = await session.rewind_plan(max(0, len(turns) - 2))
            await session.rewind(plan, on_conflict="overwrite")
