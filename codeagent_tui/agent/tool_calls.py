"""Running the tool calls of one reply: validated, permitted, run, and each answered exactly once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from codeagent_tui.agent.prompts.interruptions import (
    CANCELLED,
    CUT_OFF,
    NOT_STARTED,
    malformed,
    not_permitted,
    refused,
)
from codeagent_tui.conversation.events import (
    AgentEvent,
    ApprovalAnswer,
    ApprovalAsked,
    ApprovalRequest,
    Decision,
    Notice,
    NoticeLevel,
    TodosChanged,
    ToolFinished,
    ToolKind,
    ToolProgress,
    ToolStarted,
)
from codeagent_tui.conversation.messages import Message, ToolCall, tool_result
from codeagent_tui.llm.provider import Reply
from codeagent_tui.permissions.gate import PermissionGate, Verdict
from codeagent_tui.text import clean_text, one_line
from codeagent_tui.tools.tool import (
    Access,
    Arguments,
    Registry,
    Tool,
    ToolContext,
    ToolError,
    ToolOutput,
    parse_arguments,
)

_log = logging.getLogger(__name__)
_TITLE_CHARACTERS = 200


@dataclass(slots=True)
class _Prepared:
    """A call that may be run, or why it may not."""

    call: ToolCall
    tool: Tool[Arguments] | None = None
    arguments: Arguments | None = None
    access: Access | None = None
    fault: str = ""
    answered: bool = False
    decision: str = ""
    """What the user said when asked, "" when nobody was."""


class ToolCallRunner:
    """Runs the calls of one reply. `record` stores a result; `emit` tells whoever watches."""

    def __init__(
        self,
        registry: Registry,
        context: ToolContext,
        gate: PermissionGate,
        *,
        emit: Callable[[AgentEvent], None],
        record: Callable[[Message], object],
        may_ask: bool,
    ) -> None:
        self._registry = registry
        self._context = context
        self._gate = gate
        self._emit = emit
        self._record = record
        self._may_ask = may_ask

    async def run(self, reply: Reply) -> None:
        """Run every call of `reply`; independent reads together, everything else in order.

        Cancelling leaves each call with one result: its own, or one that says it was cancelled or never started.
        """
        batch: list[_Prepared] = []
        pending = [_Prepared(call, fault=_fault(reply, call)) for call in reply.message.tool_calls]
        try:
            for prepared in pending:
                await self._prepare(prepared)
                if prepared.fault or not self._runs_freely(prepared):
                    await self._run_together(batch)
                    batch = []
                    await self._permit_and_run(prepared)
                else:
                    batch.append(prepared)
            await self._run_together(batch)
        finally:
            for prepared in pending:
                if not prepared.answered:
                    self._answer(prepared, ToolOutput(NOT_STARTED, ok=False, summary="not run"))

    async def _prepare(self, prepared: _Prepared) -> None:
        if prepared.fault:
            return
        call = prepared.call
        try:
            prepared.tool = self._registry.get(call.name)
            prepared.arguments = parse_arguments(prepared.tool, call.arguments)
            prepared.access = await prepared.tool.access(prepared.arguments, self._context)
        except ToolError as error:
            prepared.fault = str(error)
        except Exception as error:  # noqa: BLE001  the tool rim: a faulty tool must not end the turn
            prepared.fault = self._crash(call, error)

    def _runs_freely(self, prepared: _Prepared) -> bool:
        """Whether it is a read that nobody has to be asked about: such calls may run beside each other."""
        if prepared.access is None or prepared.access.kind is not ToolKind.READ:
            return False
        return self._gate.judge(prepared.call.name, prepared.access).outcome == "allow"

    async def _run_together(self, batch: Sequence[_Prepared]) -> None:
        if len(batch) == 1:
            await self._execute(batch[0])
        elif batch:
            async with asyncio.TaskGroup() as group:
                for prepared in batch:
                    group.create_task(self._execute(prepared), name=f"tool {prepared.call.name}")

    async def _permit_and_run(self, prepared: _Prepared) -> None:
        if prepared.fault or prepared.access is None:
            self._announce(prepared)
            self._answer(prepared, ToolOutput(prepared.fault, ok=False, summary=one_line(prepared.fault, 120)))
            return
        verdict = self._gate.judge(prepared.call.name, prepared.access)
        refusal = ""
        if verdict.outcome == "refuse":
            refusal = not_permitted(verdict.reason)
        elif verdict.outcome == "ask":
            refusal = await self._ask(prepared, prepared.access, verdict)
        if refusal:
            self._announce(prepared)
            self._answer(prepared, ToolOutput(refusal, ok=False, summary="refused"), refused=True)
        else:
            await self._execute(prepared)

    async def _ask(self, prepared: _Prepared, access: Access, verdict: Verdict) -> str:
        """Ask the user; return what the model is told when the answer is no, else nothing."""
        if not self._may_ask:
            return not_permitted(f"{verdict.reason} Nobody can be asked in this mode.".strip())
        request = ApprovalRequest(
            call_id=prepared.call.id,
            tool=prepared.call.name,
            kind=access.kind,
            title=one_line(access.title, _TITLE_CHARACTERS),
            body=access.body or access.command or access.url,
            body_kind=access.body_kind,
            reason=verdict.reason,
            warnings=(*access.warnings, *verdict.warnings),
            rule=verdict.rule,
        )
        reply: asyncio.Future[ApprovalAnswer] = asyncio.get_running_loop().create_future()
        self._emit(ApprovalAsked(request, reply))
        try:
            answer = await reply
        finally:
            reply.cancel()
        prepared.decision = answer.decision.value
        if answer.decision is Decision.NO:
            return refused(answer.reason)
        if answer.decision is not Decision.ONCE:
            told = self._gate.remember(prepared.call.name, access, answer.decision)
            if told:
                self._emit(Notice(NoticeLevel.WARNING, told))
        return ""

    def _announce(self, prepared: _Prepared) -> None:
        kind = prepared.tool.kind if prepared.tool else ToolKind.READ
        title = prepared.access.title if prepared.access else prepared.call.name
        self._emit(ToolStarted(prepared.call, kind, one_line(title, _TITLE_CHARACTERS)))

    async def _execute(self, prepared: _Prepared) -> None:
        tool, arguments, call = prepared.tool, prepared.arguments, prepared.call
        if tool is None or arguments is None:
            return
        self._announce(prepared)
        context = replace(self._context, progress=lambda text: self._emit(ToolProgress(call.id, text)))
        try:
            output = await tool.run(arguments, context)
        except ToolError as error:
            output = ToolOutput(str(error), ok=False, summary=one_line(str(error), 120))
        except asyncio.CancelledError:
            self._answer(prepared, ToolOutput(CANCELLED, ok=False, summary="cancelled"))
            raise
        except Exception as error:  # noqa: BLE001  the tool rim: a faulty tool must not end the turn
            output = ToolOutput(self._crash(call, error), ok=False, summary="failed unexpectedly")
        self._answer(prepared, output)
        if tool.kind is ToolKind.PLAN:
            self._emit(TodosChanged(tuple(self._context.todos)))

    def _crash(self, call: ToolCall, error: Exception) -> str:
        _log.exception("the tool %s failed", call.name)
        return (
            f"{call.name} failed in a way it should not ({type(error).__name__}: {one_line(str(error), 300)}). "
            "It may have had effects. Try another way."
        )

    def _answer(self, prepared: _Prepared, output: ToolOutput, *, refused: bool = False) -> None:
        prepared.answered = True
        text = clean_text(output.text) or "(no output)"
        result = tool_result(prepared.call.id, text, failed=not output.ok, decision=prepared.decision)
        self._record(result)
        self._emit(
            ToolFinished(
                prepared.call.id,
                prepared.call.name,
                result,
                output.ok,
                summary=one_line(output.summary),
                diff=output.diff,
                refused=refused,
            )
        )


def _fault(reply: Reply, call: ToolCall) -> str:
    if call.id in reply.cut_calls:
        return CUT_OFF
    fault = reply.faults.get(call.id)
    return malformed(fault) if fault is not None else ""
