"""What technicians may do to a device through the API: pair it, flash it, and say that its cable was looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
import structlog
from aiohttp import web

from controller.api.advice import next_step
from controller.daemon.keys import KeyFile
from controller.daemon.service import TableService
from controller.errors import FeltError
from drivers.supervisor import Supervisor

LARGEST_IMAGE = 17 * 1024 * 1024  # bytes; the firmware and what is around it

log = structlog.get_logger()


class Workshop:
    """`signers`: the public keys whose firmware may be sent."""

    def __init__(self, service: TableService, keys: KeyFile, signers: Sequence[bytes]) -> None:
        self._service = service
        self._keys = keys
        self._signers = signers
        self._busy: set[str] = set()

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/devices/{name}/pair", self._pair),
            web.post("/devices/{name}/flash", self._flash),
            web.post("/devices/{name}/clear", self._clear),
        ]

    async def _clear(self, request: web.Request) -> web.Response:
        device = self._device(request)
        if not self._service.clear_tampering(device.name):
            raise FeltError("device.not-tampered", f"{device.name}: nothing is to be cleared", "Look: `felt status`.")
        return _json({"device": device.name, "cleared": True})

    async def _pair(self, request: web.Request) -> web.Response:
        from drivers import workshop  # ciphers take long to load

        device = self._device(request)
        serial = device.expect_serial
        if not device.native:
            raise FeltError("pair.not-native", f"{device.name} speaks a protocol without keys", "It stays insecure.")
        if serial is None:
            step = 'Write its serial = "..." to table.toml (`felt devices` shows it), and restart the daemon.'
            raise FeltError("pair.no-serial", f"{device.name} has no serial number in table.toml", step)
        async with self._hands_on(device):
            try:
                key = await workshop.pair(device, serial)
            except workshop.WorkshopError as error:
                raise _failed(device, error.code, error.cause) from None
            await asyncio.to_thread(self._keys.store, serial, key)
            device.key = key
        log.info("device.paired", device=device.name, serial=serial)
        self._service.note(device.name, f"paired anew ({serial})")
        return _json({"device": device.name, "serial": serial, "paired": True})

    async def _flash(self, request: web.Request) -> web.StreamResponse:
        """One JSON object a line: how far it is; then what became of it."""
        from drivers import workshop
        from firmware_bridge.image import ImageError, check_firmware, check_signature, read_image

        device = self._device(request)
        downgrade = request.query.get("downgrade") == "1"
        try:
            image = read_image(await request.read())
            check_signature(image.signed, image.signature, self._signers)
            check_firmware(image.manifest, image.firmware)
        except ImageError as error:
            raise _failed(device, error.code, error.cause) from None
        async with self._hands_on(device):
            lines: asyncio.Queue[object | None] = asyncio.Queue()
            response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
            await response.prepare(request)

            async def work() -> None:
                try:
                    await workshop.flash(
                        device,
                        image,
                        lambda have, size: lines.put_nowait({"have": have, "size": size}),
                        serial=device.expect_serial,
                        downgrade=downgrade,
                    )
                except workshop.WorkshopError as error:
                    said = _failed(device, error.code, error.cause)
                    told = {"code": said.code, "cause": said.cause, "next_step": said.next_step}
                    lines.put_nowait({"error": told})
                else:
                    log.info("device.flashed", device=device.name, firmware=image.manifest.version)
                    self._service.note(
                        device.name, f"firmware {image.manifest.version} ({image.manifest.sha256.hex()})"
                    )
                    lines.put_nowait({"device": device.name, "firmware": image.manifest.version, "flashed": True})
                finally:
                    lines.put_nowait(None)

            # Who hangs up stops it; the device keeps what it has, and the next attempt goes on there.
            async with asyncio.TaskGroup() as tasks:
                working = tasks.create_task(work(), name=f"flash {device.name}")
                try:
                    while (line := await lines.get()) is not None:
                        await response.write(msgspec.json.encode(line) + b"\n")
                except ConnectionResetError:
                    working.cancel()
        return response

    @asynccontextmanager
    async def _hands_on(self, device: Supervisor) -> AsyncIterator[None]:
        """One technician at a time, and never while cards are on the felt."""
        round_ = self._service.desk.table.round
        if round_ is not None and round_.closed and not round_.outcome:
            raise FeltError("device.in-play", "a round is being dealt", "Wait until it is over.")
        if device.name in self._busy:
            step = "Wait until that is done; `felt devices` shows how the device is."
            raise FeltError("device.busy", f"somebody works on {device.name} already", step)
        self._busy.add(device.name)
        try:
            async with device.out_of_play():
                yield
        finally:
            self._busy.discard(device.name)

    def _device(self, request: web.Request) -> Supervisor:
        name = request.match_info["name"]
        try:
            return self._service.devices[name]
        except KeyError:
            known = ", ".join(self._service.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.") from None


def _failed(device: Supervisor, code: str, cause: str) -> FeltError:
    return FeltError(code, f"{device.name}: {cause}", next_step(code))


def _json(data: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(data), content_type="application/json")
