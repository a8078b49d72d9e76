"""An Alpha sign, byte by byte: files in its memory, a TEXT that calls a STRING, and silence about bad packets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import Final

from firmware_bridge.messages import Event, ShowText
from firmware_bridge.vendors.alpha import CALL, Framer, Packet, lines_of
from hw_sim.models.base import Model
from hw_sim.vendors.register import speaks

AT_LEAST: Final = 0.05  # seconds between packets; it misses one that comes sooner
_FILE: Final = re.compile(rb"([ -~])([AB])[LU]([0-9A-F]{4})[0-9A-F]{4}")
_MODE: Final = re.compile(rb"\x1b..", re.DOTALL)


@speaks("alpha", "display")
class AlphaEnd:
    """The sign's side of the protocol."""

    def __init__(self, model: Model, send: Callable[[bytes], None]) -> None:
        self._model = model
        self._send = send
        self._framer = Framer()
        self._sizes: dict[tuple[bytes, bytes], int] = {}  # by type (A: TEXT, B: STRING) and label
        self._files: dict[tuple[bytes, bytes], bytes] = {}
        self._free = 0.0

    pending = 0  # it never speaks unasked

    def report(self, events: Iterable[Event]) -> None:
        """Does nothing: a sign tells nobody what happens to it."""

    def received(self, data: bytes) -> None:
        now = asyncio.get_running_loop().time()
        for packet in self._framer.feed(data):
            if isinstance(packet, Packet) and now >= self._free:
                self._handle(packet)
            self._free = now + AT_LEAST

    def restart(self) -> None:
        """Forgets everything: power was cut for so long that its memory is gone."""
        self._framer = Framer()
        self._sizes.clear()
        self._files.clear()

    def _handle(self, packet: Packet) -> None:
        label, content = packet.data[:1], packet.data[1:]
        match packet.command:
            case "E" if label == b"$":
                self._sizes = {(kind, name): int(size, 16) for name, kind, size in _FILE.findall(content)}
                self._files.clear()
                self._show()
            case "A":
                self._store((b"A", label), content)
            case "G":
                self._store((b"B", label), content)
            case "H" if (b"B", label) in self._sizes:
                held = self._files.get((b"B", label), b"")
                self._send(Packet("G", label + held, packet.sign).to_wire())

    def _store(self, file: tuple[bytes, bytes], content: bytes) -> None:
        if len(content) <= self._sizes.get(file, -1):
            self._files[file] = content
            self._show()

    def _show(self) -> None:
        """Shows the first TEXT file, with the STRINGs that it calls in their places."""
        text = next((content for (kind, _), content in self._files.items() if kind == b"A"), b"")
        shown = re.sub(
            re.escape(CALL) + b"(.)", lambda call: self._files.get((b"B", call[1]), b""), _MODE.sub(b"", text)
        )
        self._model.execute(ShowText(lines_of(shown)))
