"""The stream behind the technician's page: the devices as they are, once a second; the whole of it to technicians."""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec
from aiohttp import web

from controller.errors import FeltError
from controller.people.sessions import SignedInSession
from controller.rules import at_least
from controller.service.device_reset import reset_device
from controller.service.door import answer, explained
from controller.service.mounting import Answered
from controller.service.table import TableService
from controller.service.unwritable import out_of_service
from controller.views.device_page import device_page
from controller.web import routes
from controller.web.people import PageDoor

Json = dict[str, Any]
TECHNICIAN: Final = "technician"
RESETS: Final = "supervisor"  # or somebody above; and technicians
FRAMES: Final = 100  # of the device that is looked at


class DeviceSource(Protocol):
    """Whoever knows the devices; it tells no card."""

    def devices(self) -> Json:
        """Returns every device with its wire, and the buses."""

    def frames(self, name: str, most: int) -> list[Json]:
        """Returns the newest frames of a device; none of one that is not there."""


def resetting(service: TableService, door: PageDoor) -> Answered:
    """Returns the path on which a device is led out of its error mode."""

    async def reset(request: web.Request) -> web.Response:
        session, name = door.writer(request), request.match_info["name"]
        if session.role != TECHNICIAN and not at_least(session.role, RESETS):
            raise FeltError("sign-in.role", f"this needs a technician or the {RESETS}", "One of them signs in.")
        codes = await reset_device(service, name, None, session.person)
        return answer({"device": name, "reset": codes})

    return routes.RESET, explained(reset)


class DeviceLook:
    """What one browser is shown of the devices."""

    def __init__(self, service: TableService, source: DeviceSource, door: PageDoor, request: web.Request) -> None:
        self._service, self._source = service, source
        self._stands = door.keeper.stands
        self._session: SignedInSession | None = door.session(request)
        self._device = request.query.get("device", "")

    def picture(self) -> bytes:
        """Returns the page as JSON; whoever is not signed in as a technician any more is shown what everybody is."""
        session, frames = self._session, []
        known = session is not None and session.role == TECHNICIAN and self._stands(session)
        if known and self._device:
            frames = self._source.frames(self._device, FRAMES)
        person = session.person if known and session is not None else ""
        engine = self._service.engine
        called = engine.game.called.place if engine.table.game else "area"
        stopped = out_of_service(self._service.storage.error, engine.defect)
        return msgspec.json.encode(device_page(self._source.devices(), called, person, frames, stopped))
