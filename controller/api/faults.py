"""`POST /devices/NAME/reset`: leads a device out of its error mode."""

from __future__ import annotations

from aiohttp import web

from controller.api import routes
from controller.api.accounts import Accounts
from controller.api.answers import answer
from controller.service.device_reset import reset_device
from controller.service.mounting import Answered
from controller.service.table import TableService


class Faults:
    """The handler of `POST /devices/NAME/reset`, with `code` in the query for one fault only."""

    def __init__(self, service: TableService, accounts: Accounts) -> None:
        self._service, self._accounts = service, accounts

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [(routes.RESET, self._reset)]

    async def _reset(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_either(request)
        name, wanted = request.match_info["name"], request.query.get("code")
        codes = await reset_device(self._service, name, wanted, f"account {account}", account.uid)
        return answer({"device": name, "reset": codes})
