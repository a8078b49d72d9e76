"""The stream behind the technician's page: the devices as they are, once a second; the whole of it to technicians."""

from __future__ import annotations

from typing import Any, Final, Protocol

import msgspec
from aiohttp import web

from controller.people.sessions import SignedInSession
from controller.service.table import TableService
from controller.service.unwritable import out_of_service
from controller.views.device_page import device_page
from controller.web.people import PageDoor

Json = dict[str, Any]
TECHNICIAN: Final = "technician"
FRAMES: Final = 100  # of the device that is looked at


class DeviceSource(Protocol):
    """Whoever knows the devices; it tells no card."""

    def devices(self) -> Json:
        """Returns every device with its wire, and the buses."""

    def frames(self, name: str, most: int) -> list[Json]:
        """Returns the newest frames of a device; none of one that is not there."""


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
