"""Server-sent events, decoded piece by piece (WHATWG HTML, section 9.2.6): only what chat servers use of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name ("" when it has none) and its data."""

    name: str
    data: str


class EventDecoder:
    """Turns bytes, cut anywhere, into events. Comments and events without data are dropped."""

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Return the events that `data` completes."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        events: list[ServerEvent] = []
        for line in lines:
            line = line.rstrip(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].decode("utf-8", "replace").removeprefix(" "))
            elif line.startswith(b"event:"):
                self._name = line[6:].decode("utf-8", "replace").strip()
            elif not line:
                events += self._dispatch()
        return events

    def end(self) -> list[ServerEvent]:
        """Return what the end of the stream completes: servers forget the last empty line."""
        return [*self.feed(b"\n"), *self._dispatch()]

    def _dispatch(self) -> list[ServerEvent]:
        name, data = self._name, "\n".join(self._data)
        self._name = ""
        self._data.clear()
        return [ServerEvent(name, data)] if data.strip() else []
