"""What a technician does to a device while it is out of play: give it a new key, give it new firmware."""

from __future__ import annotations

import asyncio
import secrets

from drivers.supervisor import Supervisor
from firmware_bridge.flash import FlashRefused, Progress, confirm, switch, transfer
from firmware_bridge.image import Image
from firmware_bridge.link import Link, LinkError
from firmware_bridge.messages import Identity, Pair
from firmware_bridge.sealing import KEY_BYTES, agreed_key, half

TRIES = 8  # cuts in a row without one more byte
RETURN = 15.0  # seconds for the device to come back with other firmware
PAUSE = 0.25  # seconds between attempts


class WorkshopError(Exception):
    """It could not be done.  `code` is stable, `cause` is for people."""

    def __init__(self, code: str, cause: str) -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause


async def pair(supervisor: Supervisor, serial: str) -> bytes:
    """The key that the device with this serial number has from now on: store it, and give it to the supervisor.

    The key itself never travels, so a tap that only listens does not learn it.  The device must be in pairing mode.
    """
    secret = secrets.token_bytes(KEY_BYTES)
    ours = half(secret)

    async def agree(link: Link, identity: Identity) -> bytes:
        if identity.serial != serial:
            raise _wrong_serial(serial, identity)
        reply = await link.request(Pair(ours))
        if not reply.ok:
            raise WorkshopError("pair.refused", f"the device refuses: {reply.detail or 'no reason given'}")
        try:
            theirs = bytes.fromhex(reply.detail)
            return agreed_key(secret, theirs, ours, theirs)
        except ValueError:
            raise WorkshopError("pair.answer", "the device's answer makes no sense") from None

    try:
        return await supervisor.visit(agree, sealed=False)
    except LinkError as error:
        raise WorkshopError(error.code, error.cause) from error


async def flash(
    supervisor: Supervisor, image: Image, progress: Progress, *, serial: str | None = None, downgrade: bool = False
) -> None:
    """Bring a checked image to the device, start it, and keep it when it comes up; a cut on the way is resumed.

    WorkshopError flash.refused, flash.interrupted, flash.rolled-back, ...: the device runs what it ran before.
    """
    manifest, most, tries = image.manifest, -1, 0

    def moved(have: int, size: int) -> None:
        nonlocal most, tries
        if have > most:
            most, tries = have, 0
            progress(have, size)

    async def bring(link: Link, identity: Identity) -> None:
        if serial is not None and identity.serial != serial:
            raise _wrong_serial(serial, identity)
        if (identity.family, identity.model) != (manifest.family, manifest.model):
            cause = f"the image is for {manifest.family} {manifest.model}; this is {identity.family} {identity.model}"
            raise WorkshopError("flash.wrong-device", cause)
        if identity.firmware == manifest.version:
            if most < 0:
                raise WorkshopError("flash.same", f"it runs {manifest.version} already")
            return  # it has switched, but its word was lost
        await transfer(link, image, moved, downgrade=downgrade)
        await switch(link)

    while True:
        try:
            await supervisor.visit(bring)
            break
        except FlashRefused as error:
            raise WorkshopError("flash.refused", str(error)) from error
        except LinkError as error:
            tries += 1
            if tries >= TRIES:
                cause = f"cut {TRIES} times in a row ({error.code}); {max(most, 0)} bytes are there"
                raise WorkshopError("flash.interrupted", cause) from error
            await asyncio.sleep(PAUSE)
    await _keep(supervisor, manifest.version)


async def _keep(supervisor: Supervisor, wanted: str) -> None:
    """Wait until the device is back, and confirm what it runs."""

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
            raise WorkshopError("flash.refused", str(error)) from error
        if runs == wanted:
            return
    if runs:
        raise WorkshopError("flash.rolled-back", f"{wanted} did not come up; the device went back to {runs}")
    raise WorkshopError("flash.silent", f"the device did not come back within {RETURN:g} s")


def _wrong_serial(wanted: str, identity: Identity) -> WorkshopError:
    return WorkshopError("device.wrong-serial", f"serial number {wanted} was expected, but this is {identity.serial}")
