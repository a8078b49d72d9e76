"""The alerts of game protection in the console's stream: told to who could clear them, and to nobody else."""

from __future__ import annotations

from typing import Final

import msgspec
from aiohttp import web

from controller.people.sessions import SignedInSession
from controller.rules import at_least
from controller.service.engine import Engine
from controller.table.protection import CLEARS
from controller.views.protection import waiting
from controller.web.people import PageDoor

NONE: Final = b"[]"


class AlertLook:
    """What one browser is told of the alerts that wait; one may be about the dealer."""

    def __init__(self, engine: Engine, door: PageDoor, request: web.Request) -> None:
        self._engine, self._stands = engine, door.keeper.stands
        self._session: SignedInSession | None = door.onlooker(request)
        self._last = b""  # a page that was cut off may have old ones

    def news(self) -> bytes:
        """Returns an event with the alerts when they are others than before; "" when they are not."""
        alerts = msgspec.json.encode(waiting(self._engine.table)) if self._clears() else NONE
        before, self._last = self._last, alerts
        return b"" if alerts == before else b"event: alerts\ndata: %s\n\n" % alerts

    def _clears(self) -> bool:
        session = self._session
        return session is not None and at_least(session.role, CLEARS) and self._stands(session)
