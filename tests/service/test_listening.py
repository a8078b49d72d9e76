"""Listeners with bounds: time for a header, connections in all and of one peer, slow readers, answers in our words."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.api import serving as api
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.service import listening
from controller.service.listening import Limits
from controller.table.facts import Noted
from controller.web.server import HEADERS, Pages
from tests.api.conftest import Floor
from tests.daemon.house import table_toml

HALF = b"GET /display/limits HTTP/1.1\r\nHost: felt\r\n"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def floor(tmp_path: Path):  # type: ignore[no-untyped-def]
    path = table_toml(tmp_path)
    path.write_text(path.read_text() + '[web]\nlisten = "127.0.0.1:0"\n')
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def page(floor: Floor) -> Ends:
    return await asyncio.open_connection("127.0.0.1", int(floor.daemon.pages.rpartition(":")[2]))


async def socket(floor: Floor) -> Ends:
    return await asyncio.open_unix_connection(str(floor.daemon.config.api.socket))


async def said(ends: Ends, request: bytes) -> tuple[bytes, dict[str, str], bytes]:
    """First line, headers and body of an answer, whatever was asked."""
    reader, writer = ends
    writer.write(request)
    async with asyncio.timeout(20):
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")[:-2]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    writer.close()
    return first.encode(), headers, body


async def ended(ends: Ends) -> None:
    """The other side hangs up."""
    async with asyncio.timeout(20):
        try:
            while await ends[0].read(65_536):
                pass
        except ConnectionError:
            pass
    ends[1].close()


@pytest.mark.parametrize("where", [page, socket])
async def test_a_header_has_its_time(floor: Floor, where: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "HEADER", 0.2)
    half, nothing, drops = [await where(floor) for _ in range(3)]  # type: ignore[operator]
    half[1].write(HALF)

    async def drip() -> None:
        while not drops[1].is_closing():
            drops[1].write(b"X")
            await asyncio.sleep(0.01)

    dripping = asyncio.create_task(drip())
    await asyncio.gather(*map(ended, (half, nothing, drops)))
    dripping.cancel()
    assert (await floor.get("/status"))["table"] == "T1"


ASKED = [
    (b"\x16\x03\x01 rubbish\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n", b"400"),
    (b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", b"404"),
    (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"400"),
]


@pytest.mark.parametrize(("request_", "status"), ASKED)
async def test_every_answer_of_the_pages_has_our_headers(floor: Floor, request_: bytes, status: bytes) -> None:
    first, headers, body = await said(await page(floor), request_)
    assert status in first
    assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS
    assert headers["content-type"].startswith("application/json") and b"aiohttp" not in body


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        *ASKED,
        (b"DELETE /status HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
        (b"POST /correct HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n", b"413"),
    ],
)
async def test_every_answer_of_the_api_is_json_with_our_headers(floor: Floor, request_: bytes, status: bytes) -> None:
    first, headers, body = await said(await socket(floor), request_)
    assert status in first
    assert {name: headers.get(name.lower()) for name in api.HEADERS} == api.HEADERS
    error = json.loads(body)["error"]
    assert error["code"] and error["cause"] and error["next_step"]


async def test_there_is_an_end_to_the_connections_of_one_peer(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits("here", 8, 2, HEADERS, lambda status, reason: ("text/plain", reason))
    monkeypatch.setattr("controller.web.server._limits", lambda: limits)
    pages = Pages(floor.daemon.service)
    at = int((await pages.start("127.0.0.1", 0)).rpartition(":")[2])
    kept = [await asyncio.open_connection("127.0.0.1", at) for _ in range(2)]
    first, headers, body = await said(await asyncio.open_connection("127.0.0.1", at), b"")
    assert (first, body) == (b"HTTP/1.1 503 Service Unavailable", b"too many connections")
    assert headers["retry-after"] == "10" and headers["server"] == "feltd"
    kept[0][1].close()
    async with asyncio.timeout(20):
        while limits.open.total() > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    answer = await said(
        await asyncio.open_connection("127.0.0.1", at), b"GET /display/limits HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    assert b"200" in answer[0]
    kept[1][1].close()
    await pages.stop()


def test_the_whole_is_bounded_too() -> None:
    limits = Limits("here", 3, 2, {}, lambda status, reason: ("", ""))
    assert [limits.enter(peer) for peer in ("a", "a", "a", "b", "c")] == [True, True, False, True, False]
    limits.leave("a")
    assert limits.enter("c") and limits.open == {"a": 1, "b": 1, "c": 1}


async def test_a_body_has_its_time(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "BODY", 0.2)
    ends = await socket(floor)
    ends[1].write(b"POST /correct HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    await ended(ends)


@pytest.mark.parametrize("path", [b"/events?after=0"])
async def test_who_does_not_read_is_let_go(floor: Floor, path: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "STUCK", 0.2)
    for n in range(3000):
        floor.engine.submit(Noted("shoe", f"{n} " + "x" * 300))
    await floor.rest()
    reader, writer = await socket(floor)
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    async with asyncio.timeout(20):
        while not (counted := peers(floor)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while peers(floor) >= counted:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    writer.close()
    await floor.press("no-more-bets")  # the table was not held up


def peers(floor: Floor) -> int:
    """Connections whose requests are being answered."""
    return sum("RequestHandler.start" in str(task.get_coro()) for task in asyncio.all_tasks())
