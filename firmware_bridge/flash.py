"""New firmware over a link: begin, write from where the device is, finish, switch, confirm; each may be repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.errors import Coded
from firmware_bridge.image import Image
from firmware_bridge.link import Link
from firmware_bridge.messages import (
    Command,
    FlashBegin,
    FlashConfirm,
    FlashFinish,
    FlashSwitch,
    FlashWrite,
    Reply,
)

CHUNK: Final = 896  # bytes; with what is around them they fit into one encrypted frame
Progress = Callable[[int, int], None]  # bytes that the device has, bytes in all


class FlashRefused(Coded):
    """The device's refusal of new firmware, with its reason; what runs on it was not touched."""

    def __init__(self, reason: str) -> None:
        super().__init__("flash.refused", f"the device refuses the firmware: {reason or 'no reason given'}")
        self.reason = reason


async def transfer(link: Link, image: Image, progress: Progress, *, downgrade: bool = False) -> None:
    """Brings the image to the device and has it checked there.  LinkError when the wire is cut: call it again then.

    FlashRefused when the device does not want it.
    """
    size = len(image.firmware)
    have = _count(await _ask(link, FlashBegin(image.signed, image.signature, downgrade)), size)
    progress(have, size)
    while have < size:
        reply = await _ask(link, FlashWrite(have, image.firmware[have : have + CHUNK]))
        now = _count(reply, size)
        if now <= have:
            raise FlashRefused("it takes no more bytes")
        have = now
        progress(have, size)
    await _ask(link, FlashFinish())


async def switch(link: Link) -> None:
    """Restarts the device with the firmware that it was given; the link will be lost."""
    await _ask(link, FlashSwitch())


async def confirm(link: Link) -> None:
    """Tells the device to keep the new firmware, which came up."""
    await _ask(link, FlashConfirm())


async def _ask(link: Link, command: Command) -> Reply:
    reply = await link.request(command)
    if not reply.ok:
        raise FlashRefused(reply.detail)
    return reply


def _count(reply: Reply, size: int) -> int:
    text = reply.detail
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= size):
        raise FlashRefused("its answer makes no sense")
    return int(text)
