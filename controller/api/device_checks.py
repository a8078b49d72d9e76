"""What a technician asks of a device without taking it out of play: check yourself, show which one you are."""

from __future__ import annotations

import structlog
from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.answers import answer
from controller.errors import FeltError
from controller.service.mounting import Answered
from controller.service.table import TableService
from drivers.supervisor import Supervisor
from firmware_bridge.link import LinkError

log = structlog.get_logger()


class DeviceChecks:
    """The handlers of `POST /devices/NAME/test` and `POST /devices/NAME/identify`."""

    def __init__(self, service: TableService, accounts: Accounts) -> None:
        self._service, self._accounts = service, accounts

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [
            (routes.TEST, self._test),
            (routes.IDENTIFY, self._identify),
        ]

    async def _test(self, request: web.Request) -> web.Response:
        """Lets the device check itself; what it finds is an answer, not an error."""
        device = self._asked(request, "test")
        try:
            reply = await device.driver.self_test()
        except LinkError as error:
            raise _unreachable(device, error) from None
        return answer({"device": device.name, "ok": reply.ok, "detail": reply.detail, **_who(device)})

    async def _identify(self, request: web.Request) -> web.Response:
        """Lets the device show itself; `shows` is empty when it has nothing to show it with."""
        device = self._asked(request, "identify")
        try:
            shows = await device.driver.identify(device.name)
        except LinkError as error:
            raise _unreachable(device, error) from None
        address = self._service.fleet.address(device.name)
        return answer({"device": device.name, "shows": shows, "address": address, **_who(device)})

    def _asked(self, request: web.Request, deed: str) -> Supervisor:
        """Returns the device; raises FeltError unless a technician asks, no cards are dealt, and it is there."""
        account = self._accounts.admit_technician(request)
        name = request.match_info["name"]
        device = self._service.fleet.devices.get(name)
        if device is None:
            known = ", ".join(self._service.fleet.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.")
        round_ = self._service.engine.table.round
        if round_ is not None and round_.closed and not round_.outcome:
            raise FeltError("device.in-play", "a round is being dealt")
        log.info("device.checked", device=name, deed=deed, account=account.uid)
        return device


def _who(device: Supervisor) -> dict[str, str]:
    identity = device.state.identity
    return {} if identity is None else {"serial": identity.serial, "firmware": identity.firmware}


def _unreachable(device: Supervisor, error: LinkError) -> FeltError:
    return FeltError(error.code, f"{device.name}: {error.cause}", "Look: `felt devices`.")
