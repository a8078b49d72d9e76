"""Alpha and BetaBrite signs as displays: the running amount in a STRING file, which changes without a flicker.

A sign drops a packet with a wrong checksum and says nothing, so every write is read back, and written again if need be.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import SettingsError, vendor
from firmware_bridge import messages as m
from firmware_bridge.diagnostics import Note
from firmware_bridge.frame import FrameError
from firmware_bridge.link import LinkError, LinkListener
from firmware_bridge.transport import Transport
from firmware_bridge.vendors import alpha as wire

PAUSE: Final = 0.1  # seconds that a sign needs between packets
ANSWER_WAIT: Final = 0.4
TRIES: Final = 3
TEXT: Final = "A"
STRING: Final = "1"
SCALE: Final = 4  # an amount comes in ten-thousandths of a dollar


@dataclass(frozen=True, slots=True)
class Alpha:
    """The settings of a sign."""

    sign: str = "Z00"  # type and address; Z00 is every sign on the line
    decimals: int = 2  # of a dollar; the rest is cut off, never rounded up
    look: int = 5  # seconds between looks whether it still shows what it should

    def __post_init__(self) -> None:
        mistakes: list[tuple[tuple[str, ...], str]] = []
        if not (len(self.sign) == 3 and self.sign.isascii() and self.sign.isalnum()):
            mistakes.append((("sign",), 'must be a type and an address of two digits, as in "Z00"'))
        if not 0 <= self.decimals <= SCALE:
            mistakes.append((("decimals",), f"must be 0 to {SCALE}"))
        if not 1 <= self.look <= 60:
            mistakes.append((("look",), "must be 1 to 60 seconds"))
        if mistakes:
            raise SettingsError(*mistakes)


def dollars(amount: int, decimals: int) -> str:
    """Returns an amount as people read it; what the sign cannot show is cut off.

    >>> dollars(123_456_789, 2)
    '$12,345.67'
    >>> dollars(99_999, 0)
    '$9'
    """
    whole, rest = divmod(amount, 10**SCALE)
    return f"${whole:,}" + (f".{rest:0{SCALE}}"[: decimals + 1] if decimals else "")


@vendor(
    "alpha",
    families=("display",),
    settings=Alpha,
    line={"baud": "9600", "bits": "7", "parity": "even"},
    changed_by_asking="its wire is there; asking it might change what it shows",
)
class AlphaLink(VendorLink[Alpha]):
    """The link to a sign, as a display."""

    def __init__(self, transport: Transport, listener: LinkListener, memory: Memory, settings: Alpha) -> None:
        super().__init__(transport, listener, memory, settings)
        self.look_every = settings.look
        self._framer = wire.Framer()
        self._wanted: bytes | None = None  # None: nothing was shown in this session

    async def greet(self) -> tuple[str, str, str]:
        """Identifies the sign, and sets it up when it does not have our STRING file.

        A sign that has the file keeps it, and what it shows.
        """
        self._framer = wire.Framer()
        self._wanted = None
        if await self._read(tries=2) is None:
            await self._set_up()
            if await self._read() is None:
                raise LinkError("link.silent", "the sign does not answer: is it on, are speed and parity right (7E1)?")
        return "alpha", "", ""

    async def look(self) -> None:
        content = await self._read()
        if content is None:
            raise LinkError("link.silent", "the sign does not answer")
        if self._wanted is not None and content != self._wanted:
            raise LinkError("device.restarted", "the sign has forgotten what it should show")

    async def carry_out(self, command: m.Command) -> m.Reply:
        match command:
            case m.ShowAmount(amount):
                return await self._show((dollars(amount, self._settings.decimals),))
            case m.ShowText(lines):
                return await self._show(lines)
            case m.ReadBack():
                content = await self._read()
                if content is None:
                    raise LinkError("link.timeout", "the sign does not answer")
                return m.Reply(True, "\n".join(wire.lines_of(content)))
            case m.SelfTest():
                return m.Reply(await self._read() is not None)
        return NOTHING

    async def _show(self, lines: tuple[str, ...]) -> m.Reply:
        try:
            content = wire.string_of(wire.fitting(lines) or lines)
        except ValueError as error:
            return m.Reply(False, str(error).replace(":", "", 1))
        seen: bytes | None = None
        for attempt in range(TRIES):
            if attempt:
                self._listener.stats.retries += 1
            if attempt == TRIES - 1 and seen is not None:  # it answers, but does not take it: its memory is not ours
                await self._set_up()
            await self._send_packet(wire.write_string(STRING, content, self._settings.sign), "write string")
            seen = await self._read()
            if seen == content:
                self._wanted = content
                return m.Reply(True)
        if seen is None:
            raise LinkError("link.timeout", "the sign does not answer")
        return m.Reply(False, "not-shown the sign does not take what it should show")

    async def _set_up(self) -> None:
        await self._send_packet(wire.allocate(TEXT, STRING, self._settings.sign), "allocate memory")
        await self._send_packet(wire.write_text(TEXT, STRING, self._settings.sign), "write text")

    async def _read(self, tries: int = TRIES) -> bytes | None:
        """Returns what is in the STRING file; None when no attempt got an answer."""
        for _ in range(tries):
            packet = wire.read_string(STRING, self._settings.sign)
            answer = await self.exchange(packet.to_wire(), "read string", ANSWER_WAIT)
            await asyncio.sleep(PAUSE)
            if isinstance(answer, wire.Packet):
                return answer.data[len(STRING) :]
        return None

    async def _send_packet(self, packet: wire.Packet, words: str) -> None:
        self.send(packet.to_wire(), words)
        await asyncio.sleep(PAUSE)

    def received(self, data: bytes) -> None:
        for item in self._framer.feed(data):
            if isinstance(item, FrameError):
                self.record(item)
                continue
            self.record(Note(f"packet {item.command} of {len(item.data)} bytes"))
            if item.command == "G" and item.data.startswith(STRING.encode("ascii")):
                self.answer(item)
