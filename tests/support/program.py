"""The program as its users start it: a process of its own, in a scratch folder, with a scratch home."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
_PATIENCE = 60.0


@dataclass(frozen=True)
class Ran:
    """How a run ended, and what it wrote."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """Starts `codeagent` in `folder` with its data in `home`."""

    folder: Path
    home: Path

    @classmethod
    def in_scratch(cls, tmp_path: Path) -> Program:
        """Return a program that works in `tmp_path/work`."""
        (tmp_path / "work").mkdir(exist_ok=True)
        return cls(tmp_path / "work", tmp_path / "home")

    async def start(
        self, *words: str, env: Mapping[str, str] | None = None, stdin: int = DEVNULL, stdout: int = PIPE
    ) -> Process:
        """Start it and return its process."""
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "codeagent_tui",
            *words,
            cwd=self.folder,
            env=self.environment() | dict(env or {}),
            stdin=stdin,
            stdout=stdout,
            stderr=PIPE,
        )

    async def run(self, *words: str, env: Mapping[str, str] | None = None, stdin: bytes | None = None) -> Ran:
        """Run it to its end; `stdin` is piped in, without it there is none."""
        process = await self.start(*words, env=env, stdin=DEVNULL if stdin is None else PIPE)
        return await ended(process, stdin)

    def environment(self) -> dict[str, str]:
        """Return the environment: nothing of the developer's own models and keys."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "CODEAGENT_", "PYTHONIOENCODING"))}
        path = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH", ""))))
        return kept | {"CODEAGENT_HOME": str(self.home), "PYTHONPATH": path, "LANG": "C.UTF-8"}


async def ended(process: Process, stdin: bytes | None = None) -> Ran:
    """Wait for the end of `process` and return what it wrote; kill it when it does not end."""
    try:
        async with asyncio.timeout(_PATIENCE):
            out, err = await process.communicate(stdin)
    except TimeoutError:
        process.kill()
        raise AssertionError("the program did not end") from None
    assert process.returncode is not None
    return Ran(process.returncode, (out or b"").decode(), err.decode())
