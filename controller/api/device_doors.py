"""Doors of devices in the API: two people allow one to be opened, for some minutes or until it is shut again."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from aiohttp import web

from controller.api import routes
from controller.api.answers import answer
from controller.api.people import SocketPowers
from controller.api.two_people import Json, Proposals
from controller.api.wishes import Confirm, OpenDoor
from controller.counts import many
from controller.errors import FeltError
from controller.service.mounting import Answered
from controller.service.table import TableService
from controller.table.door_access import LEAST, MOST
from controller.table.facts import DoorAllowed
from controller.table.state import round_runs

Wish = TypeVar("Wish", OpenDoor, Confirm)


class DeviceDoors:
    """The handlers of `POST /devices/NAME/open` and `POST /devices/NAME/confirm`."""

    def __init__(self, service: TableService, powers: SocketPowers) -> None:
        self._service, self._powers = service, powers
        self._proposals = Proposals(powers, _not_two, _none_waits)

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(routes.OPEN_DOOR, self._open), (routes.CONFIRM_DOOR, self._confirm)]

    async def _open(self, request: web.Request) -> web.Response:
        who = self._powers.admit_technician(request)
        device = self._device(request)
        wish = _read(await request.read(), OpenDoor)
        if not LEAST <= wish.minutes <= MOST:
            raise FeltError("door.request", f"a door is opened for {LEAST} to {MOST} minutes")

        async def allow(by: tuple[str, str]) -> Json:
            self._between_rounds()  # time has passed
            await self._service.engine.submit(DoorAllowed(device, wish.minutes, wish.reason.strip(), by))
            return {"device": device, "minutes": wish.minutes, "people": list(by)}

        self._between_rounds()
        text = f"let the door of {device} be opened for {many(wish.minutes, 'minute')}"
        return answer(self._proposals.propose(who, wish.by, wish.reason, text, allow))

    async def _confirm(self, request: web.Request) -> web.Response:
        who = self._powers.admit_technician(request)
        self._device(request)
        wish = _read(await request.read(), Confirm)
        return answer(await self._proposals.confirm(who, wish.code, wish.by))

    def _device(self, request: web.Request) -> str:
        name = request.match_info["name"]
        if name not in self._service.fleet.devices:
            known = ", ".join(self._service.fleet.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.")
        return name

    def _between_rounds(self) -> None:
        if round_runs(self._service.engine.table):
            raise FeltError("device.in-play", "a round is running")


def _not_two(cause: str, step: str) -> FeltError:
    return FeltError("door.people", cause, step)


def _none_waits(cause: str, step: str) -> FeltError:
    return FeltError("door.no-proposal", cause, step)


def _read(body: bytes, kind: type[Wish]) -> Wish:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise FeltError("door.request", f"this is no request to open a door: {error}") from None
