"""The alerts of game protection over HTTP: whoever is signed in clears them."""

from __future__ import annotations

from aiohttp import web

from controller.people import errors
from controller.rules import at_least, spoken_role
from controller.service.door import Door, answer, explained, read
from controller.service.engine import Engine
from controller.service.mounting import Answered
from controller.service.protection import ProtectionWatch
from controller.service.protection_routes import ALERTS, CLEAR, ClearWish, ProtectionAlerts, reason_kept, unfit
from controller.table.protection import CLEARS
from controller.views.protection import waiting


def protecting(protection: ProtectionWatch, engine: Engine, door: Door, *, private: bool = False) -> list[Answered]:
    """Returns the paths at this door; `private`: only who could clear an alert sees one, for it may be the dealer's."""

    async def alerts(request: web.Request) -> web.Response:
        if private:
            session = door.session(request)
            if session is None or not at_least(session.role, CLEARS):
                raise errors.needed(f"only the {spoken_role(CLEARS)} sees these")
        return answer(ProtectionAlerts(waiting(engine.table)))

    async def clear(request: web.Request) -> web.Response:
        session = door.writer(request)
        wish = await read(request, ClearWish, unfit=unfit)
        return answer(await protection.clear(session, wish.alert, reason_kept(wish.alert, wish.reason)))

    return [(ALERTS, explained(alerts)), (CLEAR, explained(clear))]
