"""Commands that destroy more than they were meant to: what is dangerous about one, with its real targets.

A command that is warned about is never covered by a rule; it asks each time, and never runs unattended. This guards
against accidents and careless models; it is no wall against someone who means harm.
"""

from __future__ import annotations

from collections.abc import Iterator

from codeagent_tui.permissions.script import Act, Invocation, Redirection, Script
from codeagent_tui.permissions.shell_words import Place, Word
from codeagent_tui.permissions.targets import Targets
from codeagent_tui.text import one_line

_TOO_MUCH = "It is too long or nested too deeply to be looked through."
_DELETERS = frozenset({"rm", "rmdir", "shred", "unlink"})
_WRITERS = frozenset({"tee", "cp", "mv", "ln", "install", "truncate", "rsync", "sed", "dd"})
_NARROWING = ("-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-newer", "-mtime", "-mmin", "-size", "-empty")
_STARTS_FROM = ("-H", "-L", "-P")
_HARMFUL_IN_FIND = _DELETERS | {"mv", "chmod", "chown", "chgrp", "sh", "bash", "truncate", "tee"}


def dangers(script: Script, place: Place) -> tuple[str, ...]:
    """Return what is dangerous about a script, one sentence each; empty for the usual."""
    judge = _Judge(place)
    found = dict.fromkeys(sentence for act in script.acts for sentence in judge.of(act))
    if not script.complete:
        found[_TOO_MUCH] = None
    return tuple(found)


class _Judge:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._targets = Targets(place)

    def of(self, act: Act) -> Iterator[str]:
        if isinstance(act, Redirection):
            yield from self._own([act.target], act)
            if act.writes:
                yield from self._writing([act.target], act)
            return
        yield from self._own(act.words, act)
        options = [word.text for word in act.words if word.text.startswith("-") and word.text != "--"]
        targets = [word for word in act.words if not word.text.startswith("-")]
        if act.name in _DELETERS:
            yield from self._deleting(act, targets, options)
        elif act.name == "find":
            yield from self._finding(act)
        elif act.name == "git":
            yield from self._cleaning(act)
        elif act.name in ("chmod", "chown", "chgrp") and _has(options, "R", "--recursive"):
            yield from self._losing("changes everything under", targets[1:], act, workspace=False)
        elif act.name.startswith("mkfs") or (
            act.name in ("wipefs", "fdisk", "parted") and not _has(options, "l", "--list")
        ):
            yield f"{act.name} changes a disk itself."
        if act.name == "mv":
            moved, _ = _sources_and_target(act)
            yield from self._losing("moves", moved, act, contents=False)
        if act.name == "rsync" and any(option.startswith("--del") for option in options):
            yield from self._losing("deletes what is not in its source from", targets[-1:], act)
        if act.name in _WRITERS:
            yield from self._writing(_written(act, targets, options), act)

    def _own(self, words: tuple[Word, ...] | list[Word], act: Act) -> Iterator[str]:
        if isinstance(act, Invocation) and act.name in ("echo", "printf", ":"):
            return
        for word in words:
            if any(self._targets.is_ours_alone(word, folder) for folder in act.folders):
                yield f"It touches what decides what CodeAgent may do: {one_line(word.text, 80)}"

    def _losing(
        self, does: str, words: list[Word], act: Act, *, workspace: bool = True, contents: bool = True
    ) -> Iterator[str]:
        """Yield a sentence for each word that holds more than a project's work."""
        for word in words:
            for folder in act.folders:
                path, why = self._targets.loss(word, folder, workspace=workspace, contents=contents)
                if why:
                    yield f"It {does} {path}, which is {why}."

    def _deleting(self, act: Invocation, targets: list[Word], options: list[str]) -> Iterator[str]:
        recursive = act.name == "rm" and (_has(options, "r", "--recursive") or _has(options, "R", "--recursive"))
        for word in targets:
            for variable in word.unset:
                yield f"The variable {variable} is not set here, so {act.name} would get {word.text!r}."
            if recursive and word.unknown and not word.text.strip("/."):
                yield f"What it deletes is known only when it runs: {word.unknown}"
        sources = [step for step in act.upstream if step.name == "find"]
        if any(step.name in ("xargs", "parallel") for step in act.upstream):
            for step in sources:
                yield from self._finding(step, deletes=True)
            if recursive and not sources:
                yield "What it deletes is known only when it runs: it comes from another command."
        # Without -r only what a pattern or a name hits goes; a folder does not.
        wanted = targets if recursive or act.name != "rm" else [word for word in targets if word.glob]
        yield from self._losing("deletes everything in", wanted, act, workspace=recursive)
        named = targets if act.name == "shred" else [word for word in targets if word not in wanted]
        yield from self._writing(named, act, does="destroys" if act.name == "shred" else "deletes")

    def _finding(self, act: Invocation, *, deletes: bool = False) -> Iterator[str]:
        texts = [word.text for word in act.words]
        run = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in ("-exec", "-execdir", "-ok", "-okdir")]
        if not (deletes or "-delete" in texts or any(name.rsplit("/", 1)[-1] in _HARMFUL_IN_FIND for name in run)):
            return
        roots = []
        for word in act.words:
            if word.text in _STARTS_FROM:
                continue
            if word.text.startswith(("-", "(", "!")):
                break
            roots.append(word)
        narrowed = any(text.startswith(_NARROWING) for text in texts)
        does = "deletes or changes what it finds under"
        yield from self._losing(does, roots or [Word(".")], act, workspace=not narrowed)

    def _cleaning(self, act: Invocation) -> Iterator[str]:
        """`git clean` of more than the workspace."""
        words = list(act.words)
        folder: list[Word] = []
        while words and words[0].text.startswith("-"):
            taken = 2 if words[0].text in ("-C", "-c", "--git-dir", "--work-tree") else 1
            folder = words[1:2] if words[0].text in ("-C", "--work-tree") else folder
            words = words[taken:]
        if not words or words[0].text != "clean" or _has([word.text for word in words[1:]], "n", "--dry-run"):
            return
        targets = [word for word in words[1:] if not word.text.startswith("-")]
        yield from self._losing(
            "deletes all untracked files under", targets or folder or [Word(".")], act, workspace=False
        )

    def _writing(self, words: list[Word], act: Act, does: str = "writes to") -> Iterator[str]:
        for word in words:
            for folder in act.folders:
                why = self._targets.overwritten(word, folder)
                if why:
                    yield f"It {does} {word.text}, {why}."


def _has(options: list[str], letter: str, word: str) -> bool:
    return any(
        (option.startswith("--") and len(option) > 3 and word.startswith(option))
        or (option.startswith("-") and not option.startswith("--") and letter in option)
        for option in options
    )


def _sources_and_target(act: Invocation) -> tuple[list[Word], list[Word]]:
    """Return what `mv`, `cp` and their like take, and where they put it (`-t FOLDER` names that first)."""
    words: list[Word] = []
    target: list[Word] = []
    waiting = list(act.words)
    while waiting:
        word = waiting.pop(0)
        if word.text in ("-t", "--target-directory") and waiting:
            target = [waiting.pop(0)]
        elif word.text.startswith("--target-directory="):
            target = [Word(word.text.partition("=")[2])]
        elif not word.text.startswith("-"):
            words.append(word)
    return (words, target) if target else (words[:-1], words[-1:])


def _written(act: Invocation, targets: list[Word], options: list[str]) -> list[Word]:
    if act.name == "dd":
        return [Word(word.text[3:]) for word in act.words if word.text.startswith("of=")]
    if act.name == "sed":
        return targets[1:] if _has(options, "i", "--in-place") else []
    if act.name in ("tee", "truncate"):
        return targets
    return _sources_and_target(act)[1]
