"""The stream behind the floor page: all tables and their alerts, whenever something about them is different.

It is the whole floor each time, so that a page that was cut off has missed nothing: what nobody has acknowledged is
still there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec
from aiohttp import web
from msgspec.structs import replace

from controller.service.floor_watch import FloorWatch
from controller.service.listening import send
from controller.views.floor import FloorShown

PAUSE: Final = 0.2  # seconds between two pictures: many tables may change in one moment


async def feed_floor(
    floor: FloorWatch, request: web.Request, response: web.StreamResponse, closing: Callable[[], bool], beat: float
) -> None:
    """Sends the floor until the page goes away or `closing`; something at least every `beat` seconds."""
    last = b""
    while not closing():
        news = floor.news  # taken before looking
        data = public(floor.shown())
        event = b"beat\ndata: ." if data == last else b'picture\ndata: {"now":%d,"floor":%s}' % (_now(), data)
        last = data
        await send(request, response, b"event: %s\n\n" % event)
        try:
            async with asyncio.timeout(beat):
                await news.wait()
        except TimeoutError:
            continue
        await asyncio.sleep(PAUSE)


def public(shown: FloorShown) -> bytes:
    """Returns the floor as JSON for everybody who sees the page: without names of people."""
    unnamed = [replace(each, by="") for each in shown.acknowledged]
    return msgspec.json.encode(replace(shown, acknowledged=unnamed))


def _now() -> int:
    return time.time_ns() // 1_000_000
