"""The latest frames of a device through the API: decoded, as bytes where they hold no card, and live."""

from __future__ import annotations

import asyncio
import time

import msgspec
from aiohttp import web

from controller.api import routes
from controller.api.answers import answer
from controller.api.frames import frame_json
from controller.api.query import is_number, switch
from controller.api.shapes import FrameShown
from controller.errors import FeltError
from controller.service.listening import send
from controller.service.mounting import Answered
from controller.service.table import TableService
from drivers.supervisor import Supervisor

LOOK = 0.1  # seconds between looks at the ring; nothing is done on the way of a frame
KEEPALIVE = 15.0


class Traces:
    """The traces of the devices, from the rings that the links fill.

    `whole`: with their cards; nothing is secret on this table.
    """

    def __init__(self, service: TableService, *, whole: bool = False) -> None:
        self._service = service
        self._whole = whole
        self._closing = asyncio.Event()

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(routes.TRACE, self._trace)]

    def close(self) -> None:
        """Ends every stream."""
        self._closing.set()

    def newest(self, name: str, most: int) -> list[FrameShown]:
        """Returns the newest frames of a device, oldest first and without their cards; none of an unknown one."""
        device = self._service.fleet.devices.get(name)
        if device is None:
            return []
        offset, entries = time.time() - asyncio.get_running_loop().time(), device.trace.after(device.trace.last - most)
        return [frame_json(number, entry, offset) for number, entry in entries]

    async def _trace(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        device = self._service.fleet.devices.get(name)
        if device is None:
            known = ", ".join(self._service.fleet.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.")
        if switch(request, "follow"):
            return await self._follow(request, device)
        body = {"device": name, "frames": self._frames(device, 0)}
        return answer(body)

    async def _follow(self, request: web.Request, device: Supervisor) -> web.StreamResponse:
        last = request.headers.get("Last-Event-ID", "")
        at = int(last) if is_number(last) else 0
        if at > device.trace.last:
            at = 0  # of another life of the daemon
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await response.prepare(request)
        sent_at = time.monotonic()
        try:
            while not self._closing.is_set():
                for frame in self._frames(device, at):
                    at, sent_at = frame["n"], time.monotonic()
                    line = b"id: %d\nevent: frame\ndata: %s\n\n" % (at, msgspec.json.encode(frame))
                    await send(request, response, line)
                if time.monotonic() - sent_at > KEEPALIVE:
                    sent_at = time.monotonic()
                    await send(request, response, b": still here\n\n")
                await self._pause()
        except ConnectionResetError:
            pass  # the client went away
        return response

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(LOOK):
                await self._closing.wait()
        except TimeoutError:
            pass

    def _frames(self, device: Supervisor, after: int) -> list[FrameShown]:
        offset = time.time() - asyncio.get_running_loop().time()  # entries have the loop's time
        return [frame_json(number, entry, offset, whole=self._whole) for number, entry in device.trace.after(after)]
