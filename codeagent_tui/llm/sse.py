"""Server-sent events, decoded piece by piece (WHATWG HTML, section 9.2.6): only what chat servers use of it."""

from __future__ import annotations

from dataclasses import dataclass

from codeagent_tui.llm.provider import BadReply

# No honest frame comes near: the largest are whole tool calls, of a few megabytes.
_LONGEST_LINE = 16_000_000


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name ("" when it has none) and its data."""

    name: str
    data: str


class EventDecoder:
    """Turns bytes, cut anywhere, into events. Comments and events without data are dropped."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._rest_size = 0
        self._name = ""
        self._data: list[str] = []
        self.recognised = False
        """Whether any line so far was one of an event stream (comments count)."""

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Return the events that `data` completes.

        Raises:
            BadReply: when a line never ends.
        """
        if b"\n" not in data:
            self._rest.append(data)
            self._rest_size += len(data)
            if self._rest_size > _LONGEST_LINE:
                raise BadReply(f"The server sent a line of more than {_LONGEST_LINE:,} bytes.")
            return []
        lines = b"".join((*self._rest, data)).split(b"\n")
        self._rest = [lines.pop()]
        self._rest_size = len(self._rest[0])
        events: list[ServerEvent] = []
        for line in lines:
            self._take(line.rstrip(b"\r"), events)
        return events

    def end(self) -> list[ServerEvent]:
        """Return what the end of the stream completes: servers forget the last empty line."""
        return self.feed(b"\n\n")

    def _take(self, line: bytes, events: list[ServerEvent]) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].decode("utf-8", "replace").removeprefix(" "))
        elif not line:
            if self._data or self._name:
                data = "\n".join(self._data)
                if data.strip():
                    events.append(ServerEvent(self._name, data))
                self._name = ""
                self._data.clear()
            return
        elif line.startswith(b"event:"):
            self._name = line[6:].decode("utf-8", "replace").strip()
        elif not line.startswith((b":", b"id:", b"retry:")):
            return
        self.recognised = True
