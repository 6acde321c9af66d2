"""The façade of the memory system: the agent and the screen talk to it alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar, TypeVarTuple

from codeagent_tui.conversation.messages import Message
from codeagent_tui.llm.provider import ChatModel
from codeagent_tui.memory.adoption import Orphan
from codeagent_tui.memory.context_compressor import CompressionResult, ContextCompressor
from codeagent_tui.memory.conversation_memory import ConversationMemory
from codeagent_tui.memory.entry import MemoryEntry, Scope
from codeagent_tui.memory.import_consent import Answer, ImportConsents
from codeagent_tui.memory.long_term_memory import LongTermMemory, StoreResult
from codeagent_tui.memory.project_context import ProjectContext
from codeagent_tui.memory.project_facts import ProjectFacts
from codeagent_tui.memory.project_identity import ProjectIdentity
from codeagent_tui.memory.project_layers import Layer
from codeagent_tui.memory.project_memory import ProjectMemory, ProjectMemoryLoader
from codeagent_tui.memory.project_notes import NoteAdded, add_note, note_file
from codeagent_tui.memory.ranking.scored import best
from codeagent_tui.memory.recalled import recalled_block
from codeagent_tui.memory.recording import Recorder
from codeagent_tui.memory.retriever import LIMIT, Injection, MemoryRetriever, ScoredEntry, section
from codeagent_tui.memory.tokenizer import needs_dictionary
from codeagent_tui.memory.watching import FolderWatcher
from codeagent_tui.paths import Paths
from codeagent_tui.settings import RankerName

_PROJECT_SHARE_OF_WINDOW = 0.2
"""Of a small window, what project memory may take in tokens."""
_SMALLEST_TRIGGER_RATIO = 0.5
_GROWTH_BETWEEN_TRIES = 0.1
"""Of the short-term budget: so much more must have come before a compression that keeps failing is tried again."""
_Given = TypeVarTuple("_Given")
_Result = TypeVar("_Result")


class Budgets(Protocol):
    """The numbers that memory takes from the model's window (a `ContextProfile` is one)."""

    @property
    def window(self) -> int: ...
    @property
    def short_term_budget(self) -> int: ...
    @property
    def memory_context_tokens(self) -> int: ...
    @property
    def compression_trigger_ratio(self) -> float: ...


class MemoryManager:
    """Short-term, long-term and project memory of one session. `aclose` it.

    Methods that touch files may be called from any thread; `record` and what is async from the loop's.
    """

    def __init__(
        self,
        paths: Paths,
        project_root: Path,
        budgets: Budgets,
        model: ChatModel | None = None,
        *,
        read_foreign: bool = True,
        ranker: RankerName = RankerName.FORMULA,
    ) -> None:
        """`project_root` is where the agent works, `read_foreign` whether AGENTS.md and CLAUDE.md may stand in for a
        CODEAGENT.md, `ranker` how entries are matched to a question."""
        self._budgets = budgets
        self._model = model
        self._home = paths.home
        self._facts = ProjectFacts(paths.long_term_memory, project_root)
        self._facts_watch = FolderWatcher(self._facts.folders, self._look_at_facts)
        self._facts_told = self.long_term.entries()
        self.short_term = ConversationMemory(budgets.short_term_budget)
        self.retriever = MemoryRetriever(ranker=ranker)
        # One of its own: each keeps an index of what it was asked about last.
        self._short_term_retriever = MemoryRetriever(ranker=ranker)
        self._chosen: tuple[Injection, ...] = ()
        self._recalls: Counter[str] = Counter()
        self._recorder = Recorder()
        self._consents = ImportConsents(paths.import_consents, self.identity.name, self.identity.names)
        self.project = ProjectContext(
            ProjectMemoryLoader(
                self.identity.root,
                paths.home,
                working_directory=project_root,
                budget_tokens=_project_tokens(budgets),
                read_foreign=read_foreign,
                consents=self._consents,
            ),
            self.identity.root,
        )
        """The CODEAGENT.md files; `start` watches them."""
        self.project.on_news = lambda: self.on_change()
        self._compression: asyncio.Task[None] | None = None
        self._failures = 0
        self._quiet_below = 0.0
        self._closed = False
        self.compressing = False
        """Whether the short-term memory is being compressed now."""
        self.on_compressing: Callable[[bool], None] = lambda _: None
        """Told when a compression begins (True) and when it has ended, however that was; on the loop's thread."""
        self.on_compression: Callable[[CompressionResult], None] = lambda _: None
        """Told of each compression of the short-term memory, on the loop's thread."""
        self.on_change: Callable[[], None] = lambda: None
        """Told when facts were changed (here, by another process or by hand), short-term memory was compressed, or
        project memory has changed, on the loop's thread."""

    @property
    def identity(self) -> ProjectIdentity:
        """What the project is, under which its facts are found."""
        return self._facts.identity

    @property
    def long_term(self) -> LongTermMemory:
        """The facts of all projects."""
        return self._facts.long_term

    def use_model(self, model: ChatModel, budgets: Budgets) -> None:
        """Summarise with `model` and keep to its budgets from now on."""
        self._model, self._budgets = model, budgets
        self._failures, self._quiet_below = 0, 0.0
        self.project.resize(_project_tokens(budgets))
        self.short_term.resize(budgets.short_term_budget)

    def record(self, message: Message) -> None:
        """Take a message into short-term memory; compress in the background when that is due."""
        entry = self._recorder.entry_of(message)
        if entry is not None:
            self.short_term.store(entry)
            self.compress_if_needed()

    def restore(self, messages: Iterable[Message]) -> None:
        """Start short-term memory anew with the newest of `messages`, as far as they stay below the trigger.

        For a session that is resumed: nothing is compressed, because what is older was condensed, or can be read in
        the history; a long session would otherwise be summarised all over again, at the user's cost.
        """
        recorder = self._recorder = Recorder()
        entries = [entry for message in messages if (entry := recorder.entry_of(message)) is not None]
        room = ConversationMemory(int(self._budgets.short_term_budget * self.compression_trigger) - 1)
        for entry in entries:
            room.store(entry)
        self._failures, self._quiet_below = 0, 0.0
        self.short_term.replace_all(room.entries)

    @property
    def compression_trigger(self) -> float:
        """The share of its budget from which short-term memory is compressed."""
        return max(_SMALLEST_TRIGGER_RATIO, self._budgets.compression_trigger_ratio)

    def compress_if_needed(self) -> None:
        """Start a compression when the occupancy has reached the trigger ratio and none is running."""
        if self._closed or self._model is None:
            return
        if self.short_term.occupancy < max(self.compression_trigger, self._quiet_below):
            return
        if self._compression is not None and not self._compression.done():
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # No loop in this thread: the next message on the loop looks again.
            return
        self.compressing = True
        self.on_compressing(True)
        self._compression = loop.create_task(self._compress(self._model), name="compress short-term memory")
        self._compression.add_done_callback(self._compressed)

    def _compressed(self, _: asyncio.Task[None]) -> None:
        self.compressing = False
        self.on_compressing(False)

    async def _compress(self, model: ChatModel) -> None:
        result = await ContextCompressor(model).compress(self.short_term)
        self._failures = 0 if result.applied else self._failures + 1
        # The next message tries again. What failed twice, or did not help, waits until there is more of it.
        helped = result.applied and self.short_term.occupancy < self.compression_trigger
        again = helped or self._failures == 1
        self._quiet_below = 0.0 if again else self.short_term.occupancy + _GROWTH_BETWEEN_TRIES
        self.on_compression(result)
        self.on_change()

    def project_context(self) -> ProjectMemory:
        """Return project memory as the files are now. Touches files."""
        return self.project.current()

    def answer_import(self, path: Path, answer: Answer) -> None:
        """Keep what the user says about the real `path` outside the project; the next look at the files goes by it.

        Touches files.

        Raises:
            ConsentsDamaged: when the list of answers cannot be read; it is left as it is.
            OSError: when it cannot be written; nothing has changed then.
        """
        self.project.edit(lambda: self._consents.say(path, answer))

    def note_file(self, layer: Layer) -> Path:
        """Return the file that a note for `layer` goes to."""
        return note_file(layer, self.identity.root, self._home)

    def add_note(self, note: str, layer: Layer) -> NoteAdded:
        """Add `note` to the CODEAGENT.md of `layer`. Touches files.

        Raises:
            MemoryFileError: when it could not be added; the file is as it was.
        """
        return self.project.edit(lambda: add_note(note, layer, self.identity.root, self._home))

    def facts(self, query: str = "") -> list[MemoryEntry]:
        """Return the facts that are seen here: newest first, or best first for a `query`. Touches files."""
        entries = self._facts.visible()
        if query.strip():
            return [found.entry for found in self.retriever.retrieve(query, entries, limit=len(entries))]
        return sorted(entries, key=lambda entry: -entry.timestamp)

    def recalled(self, query: str) -> list[ScoredEntry]:
        """Return the facts that fit `query`, with their scores. Touches files."""
        return self.retriever.retrieve(query, self._facts.visible())

    def every_fact(self) -> list[MemoryEntry]:
        """Return the facts of all projects, newest first; which are seen here `identity` tells. Touches files."""
        self.long_term.reload_if_changed()
        return sorted(self.long_term.entries(), key=lambda entry: -entry.timestamp)

    def explain_injection(self, query: str) -> tuple[Injection, ...]:
        """Return the facts that fit `query`, best first, and which go into the prompt. Touches files."""
        return self.retriever.select(query, self._facts.visible(), self._budgets.memory_context_tokens)

    def long_term_section(self, query: str) -> str:
        """Return the section of the system prompt for `query`, or "". Touches files, may load a dictionary."""
        self._chosen = self.explain_injection(query)
        return section(self._chosen)

    @property
    def section_is_outdated(self) -> bool:
        """Whether a fact of the section that was made last has been forgotten or changed since."""
        return any(one.injected and self.long_term.get(one.scored.entry.id) != one.scored.entry for one in self._chosen)

    def count_recall(self) -> None:
        """Note that the section which was made last goes to the model with a message of the user's."""
        self._recalls.update(one.scored.entry.id for one in self._chosen if one.injected)

    @property
    def recalls(self) -> Mapping[str, int]:
        """How often each fact went to the model in this session, by its id: once a message of the user's."""
        return self._recalls

    def forget_recalls(self) -> None:
        """Count the recalls anew: another session begins."""
        self._recalls.clear()

    def recall(self, query: str) -> list[ScoredEntry]:
        """Return what short-term and long-term memory hold on `query`, best first. Touches files."""
        facts = self.retriever.retrieve(query, self._facts.visible())
        return best((*facts, *self._short_term_retriever.retrieve(query, self.short_term.everything)), LIMIT)

    def recalled_block(self, found: Iterable[ScoredEntry], query: str, already_sent: Collection[str] = ()) -> str:
        """Return what `recall` found as a quoted block for the model, within the budget of memory; "" for nothing.

        `already_sent` are the ids of messages that the model gets anyway.
        """
        return recalled_block(found, query, self._budgets.memory_context_tokens, already_sent)

    async def warm(self) -> None:
        """Do in a thread what the first question would have to wait for: index the facts, and load jieba's dictionary
        where they make it likely that it is needed."""
        facts = await asyncio.to_thread(self._facts.visible)
        await asyncio.to_thread(self.retriever.index, facts)
        if any(needs_dictionary(fact.content) for fact in facts):
            await self.retriever.warm()

    async def save_fact(self, content: str, *, scope: Scope, source: str) -> StoreResult:
        """Save a fact; it is on disk when the result says so. `source` is `command` or `tool`, and nothing else."""
        return await self._changed_facts(self._facts.save, content, scope, source)

    async def edit_fact(self, entry_id: str, content: str) -> StoreResult:
        """Let the fact with this id say `content`, by the rules for a new one; id, time and all else stay."""
        return await self._changed_facts(self._facts.edit, entry_id, content)

    async def move_fact(self, entry_id: str, scope: Scope) -> StoreResult:
        """Let the fact with this id be one of all projects, or of this one; id, time and all else stay."""
        return await self._changed_facts(self._facts.move, entry_id, scope)

    async def forget(self, wanted: str) -> list[MemoryEntry]:
        """Forget the fact that `wanted` means: its id, the beginning of its id, its text, or a part of its text.

        Returns what matched: one entry that is forgotten now, or several of which none is (say which), or none.

        Raises:
            OSError: when it could not be forgotten on disk; it is still there then.
        """
        return await self._changed_facts(self._facts.forget, wanted)

    async def forget_many(self, ids: Collection[str]) -> list[MemoryEntry]:
        """Forget the facts with these ids in one write; return those that were there, for `restore_facts`.

        Raises:
            OSError: when they could not be forgotten on disk; all are still there then.
        """
        return await self._changed_facts(self.long_term.delete_many, ids)

    async def restore_facts(self, entries: Collection[MemoryEntry]) -> int:
        """Put forgotten facts back as they were; return how many (what is there again already is not counted).

        Raises:
            OSError: when they could not be written; nothing has changed then.
        """
        return await self._changed_facts(self.long_term.restore, entries)

    def adoptable(self, *, likely: bool = False) -> list[Orphan]:
        """Return the projects that are not where they were, with their facts: perhaps this is one of them, moved.

        `likely` asks for those that may be offered unasked: of this place, name or neighbourhood, and only while this
        project has no facts of its own. Touches files.
        """
        return self._facts.to_offer() if likely else self._facts.adoptable()

    async def adopt(self, name: str) -> int:
        """Take over the facts of the project `name`; return how many there were.

        Raises:
            OSError: when that could not be written; nothing has changed then.
        """
        return await self._changed_facts(self._facts.adopt, name)

    async def _changed_facts(self, change: Callable[[*_Given], _Result], *given: *_Given) -> _Result:
        """Make a change of the facts in a thread and tell of it."""
        result = await asyncio.to_thread(change, *given)
        self._tell_of_facts()
        return result

    async def _look_at_facts(self, paths: frozenset[Path]) -> None:
        """Take up what other processes and hands did to the file of facts."""
        await asyncio.to_thread(self.long_term.reload_if_changed, wait=True)
        self._tell_of_facts()

    def _tell_of_facts(self) -> None:
        entries = self.long_term.entries()
        if entries is not self._facts_told or self.long_term.notices:
            self._facts_told = entries
            self.on_change()

    def watch(self) -> None:
        """Watch the files from now on, until `aclose`; `on_change` tells what came of it. Needs a running loop."""
        self.project.start()
        self._facts_watch.start()

    def take_changes(self) -> list[str]:
        """Return which project memory files have changed since this was asked last, a line for each time."""
        return self.project.take_changes()

    def take_notices(self) -> list[str]:
        """Return what the user should know of the stores' state, once."""
        return [*self.long_term.take_notices(), *self.project.take_notices()]

    async def aclose(self) -> None:
        """Stop a compression that is running; it changes nothing then, and none is started any more."""
        self._closed = True
        await self._facts_watch.aclose()
        await self.project.aclose()
        if self._compression is not None:
            self._compression.cancel()
            await asyncio.gather(self._compression, return_exceptions=True)


def _project_tokens(budgets: Budgets) -> int:
    return int(budgets.window * _PROJECT_SHARE_OF_WINDOW)
