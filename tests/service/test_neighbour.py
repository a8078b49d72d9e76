"""Reading another table over real sockets: one that is slow, huge, junk or gone is lost, with what was known of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from aiohttp import ClientTimeout
from msgspec.structs import replace

from controller.service import neighbour
from controller.service.neighbour import LARGEST, Neighbour
from tests.service.neighbours import CALM, HELD, fake_tables

GOOD = msgspec.json.encode(CALM)
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for seconds here."""
    monkeypatch.setattr(neighbour, "EVERY", 0.01)
    monkeypatch.setattr(neighbour, "AGAIN", 0.01)
    monkeypatch.setattr(neighbour, "SILENT", 0.0)
    monkeypatch.setattr(neighbour, "TIMES", ClientTimeout(total=0.3))


def answer(body: bytes, head: str = "HTTP/1.1 200 OK", *, more: str = "") -> bytes:
    return f"{head}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body


@asynccontextmanager
async def listening(serve: Serve, path: Path | None = None) -> AsyncIterator[str]:
    """A socket behind which anything may happen."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await reader.readuntil(b"\r\n\r\n")
            await serve(reader, writer)
        except (OSError, asyncio.CancelledError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    if path is not None:
        server = await asyncio.start_unix_server(connected, path)
    else:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield str(path) if path is not None else f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()


def saying(data: bytes) -> Serve:
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return serve


async def slow(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n")
    for byte in GOOD:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


async def silent(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def endless(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1000\r\n" + b" " * 4096 + b"\r\n")
        await writer.drain()


async def endless_header(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-More: ")
    while True:
        writer.write(b"x" * 4096)
        await writer.drain()


async def read(address: str, patience: float = 5.0) -> Neighbour:
    """What is known after the first answer, or after it was missed."""
    changed = asyncio.Event()
    one = Neighbour("T2", address, changed.set)
    task = asyncio.create_task(one.run())
    try:
        async with asyncio.timeout(patience):
            await changed.wait()
    finally:
        task.cancel()
        await asyncio.wait([task])
    return one


async def test_a_good_table_is_heard_and_asked_only_for_what_is_new() -> None:
    async with fake_tables("T2") as tables:
        table = tables["T2"]
        one = Neighbour("T2", table.at)
        task = asyncio.create_task(one.run())
        try:
            async with asyncio.timeout(5):
                while table.unchanged < 3:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                assert one.look.summary == CALM and one.look.loss is None
                table.change(alerts=(HELD,))
                while not one.look.alerts:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        finally:
            task.cancel()
            await asyncio.wait([task])
        assert one.look.alerts == (HELD,)


async def test_a_table_of_this_computer_by_its_socket(tmp_path: Path) -> None:
    async with listening(saying(answer(GOOD)), tmp_path / "read.sock") as path:
        heard = (await read(path)).look
    assert heard.summary == CALM and heard.page == ""


@pytest.mark.parametrize(
    ("serve", "cause"),
    [
        (slow, "no answer in time"),
        (silent, "no answer in time"),
        (endless, f"its answer has more than {LARGEST} bytes"),
        (endless_header, "the connection broke"),
        (saying(b""), "the connection broke"),
        (saying(b"\x00\xff" * 100), "the connection broke"),
        (saying(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), "the connection broke"),
        (saying(answer(b"{}")), "its answer is not that of a table, or of another version"),
        (saying(answer(b"[" * 30_000)), "its answer is not that of a table, or of another version"),
        (saying(answer(b"\xff\xfe")), "its answer is not that of a table, or of another version"),
        (
            saying(answer(msgspec.json.encode(replace(CALM, title="x" * 65)))),
            "its answer is not that of a table, or of another version",
        ),
        (saying(answer(GOOD, more="Content-Encoding: gzip\r\n")), ""),
        (
            saying(answer(b"", "HTTP/1.1 302 Found", more="Location: http://127.0.0.1:9/\r\n")),
            "it answers with status 302",
        ),
        (saying(answer(b"", "HTTP/1.1 304 Not Modified")), "it answers with status 304"),
        (saying(answer(b"", "HTTP/1.1 500 Oh")), "it answers with status 500"),
        (saying(answer(msgspec.json.encode(replace(CALM, table="T9")))), "the table T9 answers there"),
    ],
)
async def test_a_bad_table_is_lost_and_harms_nobody(serve: Serve, cause: str) -> None:
    async with listening(serve) as address:
        heard = (await read(address)).look
    if not cause:  # what it calls packed is read as it is
        assert heard.summary == CALM
        return
    assert heard.loss is not None and heard.summary is None
    assert heard.loss.cause == f"T2 is not heard: {cause}." and heard.loss.step


async def test_nobody_there() -> None:
    async with listening(silent) as address:
        pass
    heard = (await read(address)).look
    assert heard.loss is not None and heard.loss.cause == "T2 is not heard: connection refused."
    nowhere = (await read("/nowhere/feltd.sock")).look
    assert nowhere.loss is not None and "no such file" in nowhere.loss.cause


async def test_what_was_known_stays_and_it_comes_back_by_itself() -> None:
    async with fake_tables("T2") as tables:
        one = await read(tables["T2"].at)
    task = asyncio.create_task(one.run())
    try:
        async with asyncio.timeout(5):
            while one.look.loss is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            since = one.look.loss.since
            await asyncio.sleep(0.05)
            assert one.look.loss.since == since  # however often it is tried
            assert one.look.summary == CALM and one.look.at <= since + 1_000_000
    finally:
        task.cancel()
        await asyncio.wait([task])
    async with fake_tables("T2") as tables:
        back = Neighbour("T2", tables["T2"].at)
        back.look = one.look._replace(page=tables["T2"].at)
        task = asyncio.create_task(back.run())
        async with asyncio.timeout(5):
            while back.look.loss is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])


async def test_a_short_silence_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour, "SILENT", 60.0)
    async with listening(saying(b"")) as address:
        one = Neighbour("T2", address)
        task = asyncio.create_task(one.run())
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait([task])
    assert one.look.loss is None


@pytest.mark.parametrize(
    ("date", "ahead"),
    [("Sun, 06 Nov 2044 08:49:37 GMT", True), ("yesterday", False), ("Sun, 99 Nov 2044 08:49:37 GMT", False)],
)
async def test_the_clock_of_another_table(date: str, ahead: bool) -> None:
    async with listening(saying(answer(GOOD, more=f"Date: {date}\r\n"))) as address:
        heard = (await read(address)).look
    assert (heard.ahead > 0) is ahead
