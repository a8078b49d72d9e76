"""The way out of a device's error mode: somebody has put right what was wrong, and says so."""

from __future__ import annotations

import structlog
from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.answers import answer
from controller.errors import FeltError
from controller.service.mounting import Answered
from controller.service.table import TableService
from controller.service.tampering import TAMPERED
from controller.table.faults import LOST
from firmware_bridge.link import LinkError

log = structlog.get_logger()


class Faults:
    """The handler of `POST /devices/NAME/reset`, with `code` in the query for one fault only."""

    def __init__(self, service: TableService, accounts: Accounts) -> None:
        self._service, self._accounts = service, accounts

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(routes.RESET, self._reset)]

    async def _reset(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_either(request)
        name = request.match_info["name"]
        if (device := self._service.fleet.devices.get(name)) is None:
            known = ", ".join(self._service.fleet.devices)
            raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.")
        wanted = request.query.get("code")
        reported = [code for code in self._service.engine.table.faults.get(name, {}) if code not in (LOST, TAMPERED)]
        if not (codes := [code for code in reported if wanted in (None, code)]):
            cause = f"{name} reports no fault {wanted}" if wanted else f"{name} reports no fault"
            raise FeltError("device.no-fault", cause)
        for code in codes:
            try:
                reply = await device.driver.clear_fault(code)
            except LinkError as error:
                raise FeltError(error.code, f"{name}: {error.cause}", "Look: `felt devices`.") from None
            if not reply.ok:
                cause = f"{name} does not leave {code}: {reply.detail or 'it gives no reason'}"
                raise FeltError("device.fault-lasts", cause)
            log.info("device.reset", device=name, code=code, account=account.uid)
            self._service.fleet.note(name, f"reset from {code} (account {account})", account.uid)
        body = {"device": name, "reset": codes}
        return answer(body)
