"""What technicians may do to a device through the API: pair it, flash it, and say that its cable was looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import msgspec
import structlog
from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.advice import next_step
from controller.api.answers import answer
from controller.api.query import switch
from controller.api.technician import admit, service_record
from controller.api.wishes import CodeGiven
from controller.config.key_file import KeyFile
from controller.errors import FeltError
from controller.service.mounting import Answered
from controller.service.table import TableService
from controller.table.facts import Serviced
from drivers.supervisor import Supervisor

LARGEST_IMAGE = 17 * 1024 * 1024  # bytes; the firmware and what is around it
LOOK = 0.5  # seconds after which a client that hung up is noticed

log = structlog.get_logger()
Say: TypeAlias = Callable[[object], None]


class Workshop:
    """The technicians' requests for devices.

    `signers`: the public keys whose firmware may be sent; `accounts`: whose technicians may do all this.
    """

    def __init__(self, service: TableService, keys: KeyFile, signers: Sequence[bytes], accounts: Accounts) -> None:
        self._service = service
        self._keys = keys
        self._signers = signers
        self.accounts = accounts
        self._busy: set[str] = set()
        self._codes: dict[str, asyncio.Future[str]] = {}  # by device: who pairs it waits for the code

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [
            (routes.PAIR, self._pair),
            (routes.PAIR_CODE, self._code),
            (routes.FLASH, self._flash),
            (routes.CLEAR_CABLE, self._clear),
            (routes.UNPAIR, self._unpair),
        ]

    async def _clear(self, request: web.Request) -> web.Response:
        device, record = self._asked(request, "clear")
        if device.name not in self._service.fleet.tampering:
            raise FeltError("device.not-tampered", f"{device.name}: nothing is to be cleared")
        await self._service.engine.submit(record)
        self._service.fleet.tampering.clear(device.name)
        return answer({"device": device.name, "cleared": True})

    # ---- pairing

    async def _pair(self, request: web.Request) -> web.StreamResponse:
        """Pairs a device; answers with one JSON object a line.

        First that the code is wanted, by another request; then what became of it.
        """
        from drivers import workshop  # ciphers take long to load

        device, record = self._asked(request, "pair")
        serial = device.expect_serial
        if not device.native:
            raise FeltError("pair.not-native", f"{device.name} speaks a protocol without keys", "It stays insecure.")
        if serial is None:
            raise FeltError("pair.no-serial", f"{device.name} has no serial number in table.toml")

        async def work(say: Say) -> None:
            async def ask_code() -> str:
                say({"device": device.name, "compare": True})
                code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
                self._codes[device.name] = code
                try:
                    return await code
                finally:
                    del self._codes[device.name]

            try:
                key = await workshop.pair(device, serial, ask_code)
            except workshop.WorkshopError as error:
                self._service.fleet.note(device.name, f"not paired ({error.code})")
                raise _failed(device, error.code, error.cause) from None
            await asyncio.to_thread(self._keys.store, serial, key)
            device.key = key
            self._service.fleet.links.encrypted(device)
            log.info("device.paired", device=device.name, serial=serial)
            self._service.fleet.note(device.name, f"paired anew ({serial})")
            say({"device": device.name, "serial": serial, "paired": True})

        async with self._hands_on(device, record):
            return await _stream_lines(request, work)

    async def _code(self, request: web.Request) -> web.Response:
        admit(request, self.accounts.technicians)
        device = self._device(request)
        try:
            given = msgspec.json.decode(await request.read(), type=CodeGiven)
        except msgspec.DecodeError:
            raise FeltError("pair.unread", "no code was given") from None
        waiting = self._codes.get(device.name)
        if waiting is None or waiting.done():
            raise FeltError("pair.not-begun", f"nobody pairs {device.name} now")
        waiting.set_result(given.code)
        return answer({"device": device.name, "given": True})

    async def _unpair(self, request: web.Request) -> web.Response:
        """Removes the key of a device, on record: the one way back to plain frames."""
        device, record = self._asked(request, "unpair")
        links = self._service.fleet.links
        if device.name in links.required:
            raise FeltError("pair.required", f"table.toml does not say that {device.name} may be plain")
        if device.key is None and not links.must_encrypt(device.name):
            raise FeltError("pair.none", f"{device.name} is not paired")
        async with self._hands_on(device, record):
            await links.in_plain(device, record.account)
            if device.expect_serial is not None:
                await asyncio.to_thread(self._keys.remove, device.expect_serial)
        log.warning("device.unpaired", device=device.name)
        return answer({"device": device.name, "unpaired": True})

    # ---- firmware

    async def _flash(self, request: web.Request) -> web.StreamResponse:
        """Sends firmware to a device; answers with one JSON object a line: how far it is, then what became of it."""
        from drivers import workshop
        from firmware_bridge.image import ImageError, check_firmware, check_signature, read_image

        device, record = self._asked(request, "flash")
        downgrade = switch(request, "downgrade")
        try:
            image = read_image(await request.read())
            check_signature(image.signed, image.signature, self._signers)
            check_firmware(image.manifest, image.firmware)
        except ImageError as error:
            raise _failed(device, error.code, error.cause) from None
        manifest = image.manifest

        async def work(say: Say) -> None:
            try:
                await workshop.flash(
                    device,
                    image,
                    lambda have, size: say({"have": have, "size": size}),
                    serial=device.expect_serial,
                    downgrade=downgrade,
                )
            except workshop.WorkshopError as error:
                self._service.fleet.note(device.name, f"not flashed ({error.code})")
                raise _failed(device, error.code, error.cause) from None
            log.info("device.flashed", device=device.name, firmware=manifest.version)
            self._service.fleet.note(device.name, f"firmware {manifest.version} ({manifest.sha256.hex()})")
            say({"device": device.name, "firmware": manifest.version, "flashed": True})

        async with self._hands_on(device, record):
            return await _stream_lines(request, work)

    # ---- who, and on what

    def _asked(self, request: web.Request, deed: str) -> tuple[Supervisor, Serviced]:
        """Returns the device and the entry for the service log; raises FeltError unless a technician answers for it."""
        caller = admit(request, self.accounts.technicians)
        device = self._device(request)
        return device, service_record(device.name, deed, request.query, caller)

    @asynccontextmanager
    async def _hands_on(self, device: Supervisor, record: Serviced) -> AsyncIterator[None]:
        """Takes the device out of play for one technician at a time, on record, never while cards are on the felt."""
        round_ = self._service.engine.table.round
        if round_ is not None and round_.closed and not round_.outcome:
            raise FeltError("device.in-play", "a round is being dealt")
        if device.name in self._busy:
            raise FeltError("device.busy", f"somebody works on {device.name} already")
        self._busy.add(device.name)
        try:
            await self._service.engine.submit(record)
            async with device.out_of_play():
                yield
        finally:
            self._busy.discard(device.name)

    def _device(self, request: web.Request) -> Supervisor:
        name = request.match_info["name"]
        try:
            return self._service.fleet.devices[name]
        except KeyError:
            known = ", ".join(self._service.fleet.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.") from None


async def _stream_lines(request: web.Request, work: Callable[[Say], Awaitable[None]]) -> web.StreamResponse:
    """Answers with what the work reports, one JSON object a line, its failure last.  Who hangs up stops it."""
    lines: asyncio.Queue[object | None] = asyncio.Queue()
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
    await response.prepare(request)

    async def run() -> None:
        try:
            await work(lines.put_nowait)
        except FeltError as error:
            what = {"code": error.code, "cause": error.cause, "next_step": error.next_step}
            lines.put_nowait({"error": what})
        finally:
            lines.put_nowait(None)

    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(run(), name=request.path)
        while True:
            try:
                line = await asyncio.wait_for(lines.get(), LOOK)
                if line is None:
                    break
                await response.write(msgspec.json.encode(line) + b"\n")
            except TimeoutError:
                if request.transport is None or request.transport.is_closing():
                    working.cancel()
            except ConnectionResetError:
                working.cancel()
    return response


def _failed(device: Supervisor, code: str, cause: str) -> FeltError:
    return FeltError(code, f"{device.name}: {cause}", next_step(code))
