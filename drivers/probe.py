"""Looks at a device that nobody supervises, and leaves it as it was.

It greets the device as one that knows nothing of its events, hears what it says, and acknowledges nothing: an event
that nobody writes down stays with its device.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from drivers.supervisor import (
    CLOSE_DEADLINE,
    LinkWord,
    LossCause,
    link_word,
    old_firmware,
    same_serial,
    unpaired,
    wrong_device,
)
from firmware_bridge.address import AddressError
from firmware_bridge.diagnostics import Stats, Trace, new_trace
from firmware_bridge.link import Link, LinkError, LinkListener, MakeLink, Timing, native
from firmware_bridge.messages import Identity
from firmware_bridge.transport import Transport, TransportError

Seen: TypeAlias = Literal["unseen", "answers", "lost", "wrong-device", "old-firmware", "unpaired", "not-asked"]
NOT_ASKED: Final = "device.not-asked"
WIRE_DEADLINE: Final = 2.0  # seconds to open a wire


class Probe:
    """Asks one device who it is.  `make_link` None: it speaks the native protocol; `key`: its link is encrypted.

    `needs_key`: without one it is not used; `tapped`: somebody could sit on its wire.
    """

    def __init__(
        self,
        name: str,
        family: str,
        make_transport: Callable[[], Transport],
        *,
        make_link: MakeLink | None = None,
        expect_serial: str | None = None,
        key: bytes | None = None,
        needs_key: bool = False,
        tapped: bool = True,
        min_firmware: str = "",
    ) -> None:
        self.name = name
        self.family = family
        self.stats = Stats()
        self.trace: Trace = new_trace()
        self.seen: Seen = "unseen"
        self.cause: LossCause | None = None
        self.identity: Identity | None = None
        self.encrypted = key is not None
        self._make_transport = make_transport
        self._native = make_link is None
        self.link: LinkWord = link_word(self.encrypted, self._native, needs_key, tapped)
        self._make_link = make_link or native(Timing(), lambda: secrets.randbits(32), lambda: key)
        self._expect_serial = expect_serial
        self._min_firmware = min_firmware
        self._link: Link | None = None

    @property
    def kept(self) -> int:
        """How many events the device keeps for whoever will write them down."""
        identity = self.identity
        return max(0, identity.last - identity.first + 1) if identity is not None and identity.first else 0

    async def greet(self) -> None:
        """Asks the device who it is and keeps the result in `seen` and `cause`.

        While it answers its frames go into `trace`.
        """
        self.seen, self.cause, self.identity = "unseen", None, None
        listener = LinkListener(
            on_event=lambda counter, event: None,  # and no word to the device
            on_lost=self._lost,
            on_opened=lambda: None,
            stats=self.stats,
            trace=self.trace,
        )
        try:
            self._link = self._make_link(self._make_transport(), listener)
            self.identity = await self._link.open()
        except (AddressError, TransportError, LinkError) as error:
            self._fail("lost", LossCause(error.code, error.cause))
            return
        if wrong := wrong_device(self.identity, self.family, self._expect_serial):
            self._fail("wrong-device", wrong)
        elif self._native and (old := old_firmware(self.identity, self._min_firmware)):
            self._fail("old-firmware", old)
        elif self.link == "unpaired":
            self._fail("unpaired", unpaired(self.identity, self._expect_serial))
        elif self.cause is None:
            self.seen = "answers"

    async def check_wire(self, why: str) -> None:
        """Checks whether the wire can be opened, for a device that cannot be asked without being changed."""
        try:
            transport = self._make_transport()
            async with asyncio.timeout(WIRE_DEADLINE):
                await transport.open(_IgnoringReceiver())
            await transport.close()
        except (AddressError, TransportError) as error:
            self._fail("lost", LossCause(error.code, error.cause))
        except TimeoutError:
            self._fail("lost", LossCause("link.open-timeout", f"the wire did not open within {WIRE_DEADLINE:g} s"))
        else:
            self.mark_not_asked(why)

    def mark_not_asked(self, why: str) -> None:
        """Records why this device is not looked at."""
        self._fail("not-asked", LossCause(NOT_ASKED, why))

    def mark_same_serial(self, first: str) -> None:
        """Records that another device has the serial number that this one told."""
        if self.identity is not None:
            self._fail("wrong-device", same_serial(self.identity.serial, first))

    async def close(self) -> None:
        """Closes the link.  Idempotent."""
        link, self._link = self._link, None
        if link is None:
            return
        try:
            async with asyncio.timeout(CLOSE_DEADLINE):
                await link.close()
        except TimeoutError:
            self.stats.errors["link.close"] += 1  # the wire hangs

    def _lost(self, why: LinkError) -> None:
        self._fail("lost", LossCause(why.code, why.cause))

    def _fail(self, seen: Seen, cause: LossCause) -> None:
        self.seen, self.cause = seen, cause


class _IgnoringReceiver:
    """A receiver that ignores everything."""

    def received(self, data: bytes) -> None:
        pass

    def lost(self, why: TransportError) -> None:
        pass
