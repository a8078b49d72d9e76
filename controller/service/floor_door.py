"""Alerts of the floor over HTTP, at the socket and on the pages' port: whoever is signed in acknowledges them."""

from __future__ import annotations

from aiohttp import web

from controller.service.door import Door, answer, explained, read
from controller.service.floor_routes import ACKNOWLEDGE, AlertWish
from controller.service.floor_watch import FloorWatch
from controller.service.mounting import Answered


def acknowledging(floor: FloorWatch, door: Door) -> Answered:
    """Returns the path on which alerts are acknowledged at this door."""

    async def acknowledge(request: web.Request) -> web.Response:
        session = door.writer(request)
        wish = await read(request, AlertWish)
        return answer(await floor.acknowledge(session, wish.alert))

    return ACKNOWLEDGE, explained(acknowledge)
