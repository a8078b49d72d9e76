"""What a technician does to a device while it is out of play: give it a new key, give it new firmware."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable

from drivers.supervisor import Supervisor
from firmware_bridge.encryption import KEY_BYTES, NONCE_BYTES, Exchange, agreed_key, half, keep_proof
from firmware_bridge.errors import Coded
from firmware_bridge.flash import FlashRefused, Progress, confirm, switch, transfer
from firmware_bridge.image import Image
from firmware_bridge.link import Link, LinkError
from firmware_bridge.messages import Command, Identity, Pair, PairKeep, PairReveal

TRIES = 8  # cuts in a row without one more byte
RETURN = 15.0  # seconds for the device to come back with other firmware
PAUSE = 0.25  # seconds between attempts
TYPING = 120.0  # seconds in which the technician reads the code from the device
AskCode = Callable[[], Awaitable[str]]  # what the device shows, as a person has read it there


class WorkshopError(Coded):
    """The failure to pair a device, or to bring it its firmware."""


async def pair(supervisor: Supervisor, serial: str, ask_code: AskCode) -> bytes:
    """Agrees on a key with the device and returns it: store it, and give it to the supervisor.

    The key itself never travels, so a tap that only listens does not learn it; and somebody who sits in the cable and
    speaks with both ends cannot make the device show the code that is expected here.  The device must be in pairing
    mode.  WorkshopError pair.code when the code was another one: no key was agreed on.
    """

    async def agree(link: Link, identity: Identity) -> bytes:
        if identity.serial != serial:
            raise _wrong_serial(serial, identity)
        key, code = await _agree(link, serial)
        try:
            async with asyncio.timeout(TYPING):
                read = await ask_code()
        except TimeoutError:
            raise WorkshopError("pair.no-code", f"nobody gave the code within {TYPING:g} s") from None
        if not hmac.compare_digest("".join(read.split()).encode(), code.encode()):
            raise WorkshopError("pair.code", "the device does not show the code that belongs to this key")
        await _reply_bytes(link, PairKeep(keep_proof(key)))
        return key

    try:
        return await supervisor.visit(agree, encrypted=False)
    except LinkError as error:
        raise WorkshopError(error.code, error.cause) from error


async def _agree(link: Link, serial: str) -> tuple[bytes, str]:
    """Returns a key, and the code that the device shows if it has the same one.

    The device binds itself to its nonce before it hears ours, and we give ours before we hear the device's: nobody can
    choose what the code will be.
    """
    secret, nonce = secrets.token_bytes(KEY_BYTES), secrets.token_bytes(NONCE_BYTES)
    ours = half(secret)
    answer = await _reply_bytes(link, Pair(ours))
    theirs, commitment = answer[:KEY_BYTES], answer[KEY_BYTES:]
    try:
        key = agreed_key(secret, theirs, ours, theirs)
    except ValueError:
        raise _nonsense() from None
    exchange = Exchange(serial, ours, theirs)
    revealed = await _reply_bytes(link, PairReveal(nonce))
    if not exchange.commits(commitment, revealed):
        raise WorkshopError("pair.commitment", "the device did not keep to what it had bound itself to")
    return key, exchange.code(nonce, revealed)


async def _reply_bytes(link: Link, command: Command) -> bytes:
    """Sends a command and returns the bytes that the device replies."""
    reply = await link.request(command)
    if not reply.ok:
        raise WorkshopError("pair.refused", f"the device refuses: {reply.detail or 'no reason given'}")
    try:
        return bytes.fromhex(reply.detail)
    except ValueError:
        raise _nonsense() from None


def _nonsense() -> WorkshopError:
    return WorkshopError("pair.answer", "the device's answer makes no sense")


async def flash(
    supervisor: Supervisor, image: Image, progress: Progress, *, serial: str | None = None, downgrade: bool = False
) -> None:
    """Brings a checked image to the device, starts it, and keeps it when it comes up; a cut on the way is resumed.

    WorkshopError flash.refused, flash.interrupted, flash.rolled-back, ...: the device runs what it ran before.
    """
    sending = _Transfer(image, progress, serial, downgrade)
    cuts = 0
    while True:
        before = sending.most
        try:
            await supervisor.visit(sending.send_missing)
            break
        except FlashRefused as error:
            raise WorkshopError(error.code, error.cause) from error
        except LinkError as error:
            cuts = 1 if sending.most > before else cuts + 1
            if cuts >= TRIES:
                cause = f"cut {TRIES} times in a row ({error.code}); {max(sending.most, 0)} bytes are there"
                raise WorkshopError("flash.interrupted", cause) from error
            await asyncio.sleep(PAUSE)
    await _keep(supervisor, image.manifest.version)


class _Transfer:
    """One image on its way to one device, through as many cuts as it takes."""

    def __init__(self, image: Image, progress: Progress, serial: str | None, downgrade: bool) -> None:
        self.most = -1  # bytes that the device has had; -1: it was never asked
        self._image = image
        self._progress = progress
        self._serial = serial
        self._downgrade = downgrade

    async def send_missing(self, link: Link, identity: Identity) -> None:
        """Sends what is missing of the image, and starts it; WorkshopError when this is not the device for it."""
        manifest = self._image.manifest
        if self._serial is not None and identity.serial != self._serial:
            raise _wrong_serial(self._serial, identity)
        if (identity.family, identity.model) != (manifest.family, manifest.model):
            cause = f"the image is for {manifest.family} {manifest.model}; this is {identity.family} {identity.model}"
            raise WorkshopError("flash.wrong-device", cause)
        if identity.firmware == manifest.version:
            if self.most < 0:
                raise WorkshopError("flash.same", f"it runs {manifest.version} already")
            return  # it has switched, but its word was lost
        await transfer(link, self._image, self._moved, downgrade=self._downgrade)
        await switch(link)

    def _moved(self, have: int, size: int) -> None:
        if have > self.most:
            self.most = have
            self._progress(have, size)


async def _keep(supervisor: Supervisor, wanted: str) -> None:
    """Waits until the device is back, and confirms what it runs."""

    async def look(link: Link, identity: Identity) -> str:
        if identity.firmware == wanted:
            try:
                await confirm(link)
            except FlashRefused as error:
                if error.reason != "not-on-trial":  # then it is confirmed, and its word was lost
                    raise
        return identity.firmware

    loop = asyncio.get_running_loop()
    deadline, runs = loop.time() + RETURN, ""
    while loop.time() < deadline:
        await asyncio.sleep(PAUSE)
        try:
            runs = await supervisor.visit(look)
        except LinkError:
            continue  # it is still starting
        except FlashRefused as error:
            raise WorkshopError(error.code, error.cause) from error
        if runs == wanted:
            return
    if runs:
        raise WorkshopError("flash.rolled-back", f"{wanted} did not come up; the device went back to {runs}")
    raise WorkshopError("flash.silent", f"the device did not come back within {RETURN:g} s")


def _wrong_serial(wanted: str, identity: Identity) -> WorkshopError:
    return WorkshopError("device.wrong-serial", f"serial number {wanted} was expected, but this is {identity.serial}")
