"""Coding sessions made by a script, with everything in them that must not be forgotten written down beside them.

The same seed makes the same session. Each is a list of turns (what the user said, calls with results of the usual
sizes, answers) and the facts planted in it: what holds, from which turn on, and what ended it.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from enum import StrEnum

from codeagent_tui.conversation.messages import Message, ToolCall, assistant, tool_result, user
from tests.support import coding_words as words
from tests.support.coding_words import WORDS, Language, Work

_SIGNS = {"pending": "[ ]", "in_progress": "[>]", "done": "[x]"}


class FactKind(StrEnum):
    """What is planted."""

    GOAL = "goal"
    RULE = "rule"
    DECISION = "decision"
    CONCLUSION = "conclusion"
    REQUEST = "request"
    FILE = "file"
    COMMAND = "command"
    OPEN_ITEM = "open item"
    REFUSAL = "refusal"
    CANCELLATION = "cancelled plan"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to remember.

    `words` are what must be read to know it, one closely after the other. `mark` shows in a transcript that it
    happened, `told` is how a summary says it. It holds from `turn` on, until `ended_by` happened. `plan` is what a
    cancellation cancels.
    """

    kind: FactKind
    words: tuple[str, ...]
    mark: str
    told: str
    turn: int
    ended_by: str = ""
    plan: str = ""


@dataclass(frozen=True, slots=True)
class CodingSession:
    """A scripted session: its turns, oldest first, and what was planted in them."""

    work: Work
    language: Language
    turns: tuple[tuple[Message, ...], ...]
    facts: tuple[Fact, ...]

    def facts_before(self, turn: int) -> list[Fact]:
        """Return what was planted before `turn` and holds to the end."""
        return [fact for fact in self.facts if fact.turn < turn and not fact.ended_by]


def coding_session(seed: int, work: Work, language: Language, turns: int = 36) -> CodingSession:
    """Return a session of `turns` (at least 20) user turns."""
    return _Script(seed, work, language).played(turns)


@dataclass(slots=True)
class _Script:
    seed: int
    work: Work
    language: Language
    facts: list[Fact] = field(default_factory=list)
    items: dict[str, str] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    turn: int = 0
    serial: int = 0
    plan: tuple[str, dict[str, object]] = ("", {})

    @property
    def _words(self) -> words.Words:
        return WORDS[self.language]

    def played(self, turns: int) -> CodingSession:
        chance = random.Random(f"{self.seed} {self.work} {self.language}")
        told: list[tuple[Message, ...]] = []
        for self.turn in range(turns):
            self.messages = []
            self._one_turn(chance)
            told.append(tuple(self.messages))
        return CodingSession(self.work, self.language, tuple(told), tuple(self.facts))

    def _one_turn(self, chance: random.Random) -> None:
        path = words.path(chance, self.work)
        self._say(chance, path)
        for _ in range(chance.choice((1, 1, 2, 3))):
            self._look(chance, path)
        if chance.random() < 0.6:
            self._change(chance, path)
        if chance.random() < 0.7:
            self._run(chance)
        if self.turn % 11 == 6:
            self._refused(chance)
        if self.turn % 3 == 1:
            self._work_list(chance)
        answer = self._words.answer.format(path=path, n=chance.randrange(99))
        if self.turn % 4 == 3:
            concluded = self._filled(chance, chance.choice(self._words.conclusions))
            self._plant(FactKind.CONCLUSION, concluded)
            answer = f"{concluded} {answer}"
        self.messages.append(assistant(answer))

    def _filled(self, chance: random.Random, sentence: str, **known: object) -> str:
        self.serial += 1
        given = {"n": 1_000 + self.serial, "name": words.name(chance), "path": words.path(chance, self.work)}
        return sentence.format(**(given | known))

    def _plant(self, kind: FactKind, text: str, *, told: str = "", plan: str = "") -> None:
        self.facts.append(Fact(kind, (text,), text, told or text, self.turn, plan=plan))

    def _say(self, chance: random.Random, path: str) -> None:
        """Say what the turn is about: mostly a request, at certain turns something that stands."""
        said = self._words
        if self.turn == 0:
            goal = self._filled(chance, said.goals[self.work])
            rule = self._filled(chance, said.rules[0])
            self._plant(FactKind.GOAL, goal)
            self._plant(FactKind.RULE, rule)
            self.messages.append(user(f"{goal}\n{rule}"))
            return
        if self.turn == 9:
            known: dict[str, object] = {"n": 8_000 + self.seed % 1_000, "name": words.name(chance)}
            text = self._filled(chance, said.plan, **known)
            self.plan = (text, known)
            self._plant(FactKind.REQUEST, text)
            self.items[text] = "pending"
        elif self.turn == 15:
            text = self._filled(chance, said.cancelled, **self.plan[1])
            self._plant(FactKind.CANCELLATION, text, plan=self.plan[0])
            if self.seed % 2:
                # Every other agent forgets to take it from its list.
                del self.items[self.plan[0]]
        else:
            text = self._filled(chance, chance.choice(said.requests[self.work]), path=path)
            self._plant(FactKind.REQUEST, text)
        self.messages.append(user(self._with_more(chance, text)))

    def _with_more(self, chance: random.Random, asked: str) -> str:
        """Return what was asked with what people add to it: a rule, a decision, pages of a log."""
        said = self._words
        if self.turn % 7 == 4:
            decided = self._filled(chance, chance.choice(said.decisions))
            self._plant(FactKind.DECISION, decided)
            asked = f"{asked}\n{decided}"
        if self.turn % 8 == 5:
            rule = self._filled(chance, chance.choice(said.rules[1:]))
            self._plant(FactKind.RULE, rule)
            log = words.log(chance, chance.randrange(1_500, 3_000))
            middle = log.index("\n", len(log) // 2)
            return f"{asked}\n{said.paste}\n{log[:middle]}\n{rule}{log[middle:]}"
        if chance.random() < 0.15:
            log = words.log(chance, chance.randrange(800, 3_000))
            return f"{asked}\n{said.paste}\n{log}" if chance.random() < 0.5 else f"{said.paste}\n{log}\n{asked}"
        return asked

    def _call(self, name: str, arguments: dict[str, object], result: str, *, failed: bool, decision: str = "") -> None:
        self.serial += 1
        call_id = f"call_{self.serial}"
        call = ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False))
        self.messages.append(assistant("", call))
        self.messages.append(tool_result(call_id, result, failed=failed, decision=decision))

    def _look(self, chance: random.Random, path: str) -> None:
        if chance.random() < 0.6:
            self._call("read_file", {"path": path}, words.code(chance, chance.randrange(800, 7_000)), failed=False)
        else:
            found = words.log(chance, chance.randrange(300, 2_500))
            self._call("search_code", {"pattern": words.name(chance)}, found, failed=False)

    def _change(self, chance: random.Random, path: str) -> None:
        body = words.code(chance, chance.randrange(200, 900))
        if chance.random() < 0.15:
            # Tried in vain: nothing that was changed.
            self._call("edit_file", {"path": path, "old_text": body, "new_text": ""}, "[No match.]", failed=True)
            return
        if chance.random() < 0.5:
            edit: dict[str, object] = {"path": path, "old_text": body[:200], "new_text": body}
            self._call("edit_file", edit, f"Edited {path}.", failed=False)
        else:
            self._call("write_file", {"path": path, "content": body}, f"Wrote {path}.", failed=False)
        if not any(fact.kind is FactKind.FILE and fact.words == (path,) for fact in self.facts):
            self.facts.append(Fact(FactKind.FILE, (path,), f'"path": "{path}"', f"Changed {path}.", self.turn))

    def _run(self, chance: random.Random) -> None:
        """Run a command, or an earlier one again: what counts is how it ended last."""
        earlier = [fact for fact in self.facts if fact.kind is FactKind.COMMAND and not fact.ended_by]
        again = chance.random() < 0.35 and bool(earlier)
        command = chance.choice(earlier).words[0] if again else words.command(chance, self.work, self.serial)
        code = chance.choice((0, 0, 0, 1, 1, 2, 137))
        mark = f"[exit code {code}, {self.serial}.{chance.randrange(99):02} s]"
        output = words.tests(chance, 2 if code else 0, chance.randrange(600, 4_000))
        self._call("run_command", {"command": command}, f"{mark}\n{output}", failed=code != 0)
        self._end(command, mark)
        told = f"Ran {command} (exit {code})."
        self.facts.append(Fact(FactKind.COMMAND, (command, f"exit {code}"), mark, told, self.turn))

    def _refused(self, chance: random.Random) -> None:
        reason = self._filled(chance, self._words.reason)
        result = f"[Refused by the user; it did not run. The user says: {reason}]"
        self._call("run_command", {"command": f"rm -rf build_{self.serial}"}, result, failed=True, decision="no")
        self._plant(FactKind.REFUSAL, reason, told=f"The user refused a command: {reason}.")

    def _work_list(self, chance: random.Random) -> None:
        """Tick something off, add something, and show the whole list."""
        still_open = [text for text, status in self.items.items() if status != "done"]
        if len(still_open) > 2:
            done = next(text for text in still_open if text != self.plan[0])
            self.items[done] = "done"
            self._end(done, f"[x] {done}")
        added = self._filled(chance, chance.choice(self._words.items))
        self.items[added] = "pending"
        self.facts.append(Fact(FactKind.OPEN_ITEM, (added,), f"[ ] {added}", f"Still to do: {added}.", self.turn))
        listed = [{"text": text, "status": status} for text, status in list(self.items.items())[-12:]]
        shown = "\n".join(f"{_SIGNS[item['status']]} {item['text']}" for item in listed)
        self._call("todo", {"items": listed}, shown, failed=False)

    def _end(self, first_word: str, mark: str) -> None:
        """Let what began with `first_word` hold no longer."""
        self.facts = [
            replace(fact, ended_by=mark) if not fact.ended_by and fact.words[0] == first_word else fact
            for fact in self.facts
        ]
