"""A simulated serial server as any socket sees it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from hw_sim.errors import SimError
from hw_sim.tcp import HOST, PORTS, TcpWire
from tests.hw_sim.peer import until


class Server:
    def __init__(self) -> None:
        self.wire = TcpWire()
        self.heard: list[bytes] = []
        self.wire.attach(self.heard.append)
        self.wire.plug()
        self.wire.plug()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HOST, self.wire.port)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    yield server
    server.wire.unplug()
    server.wire.unplug()


async def test_bytes_go_both_ways(server: Server) -> None:
    assert server.wire.port in PORTS
    assert server.wire.address == f"socket://127.0.0.1:{server.wire.port}"
    server.wire.send(b"lost: nobody is connected")
    reader, writer = await server.connect()
    writer.write(b"down")
    await until(lambda: server.heard == [b"down"])
    server.wire.send(b"up")
    assert await reader.read(100) == b"up"
    writer.close()
    await writer.wait_closed()


async def test_unplugging_resets_and_the_port_stays(server: Server) -> None:
    for _ in range(2):
        port = server.wire.port
        reader, writer = await server.connect()
        writer.write(b"x")
        await until(lambda: bool(server.heard))
        server.wire.unplug()
        assert not server.wire.plugged
        with pytest.raises(ConnectionResetError):
            await reader.read(100)
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await server.connect()
        server.wire.send(b"lost")
        server.wire.plug()
        assert server.wire.port == port
        server.heard.clear()


async def test_one_user_at_a_time_and_the_next_as_soon_as_it_is_free(server: Server) -> None:
    for _ in range(3):
        _, writer = await server.connect()
        writer.write(b"x")
        await until(lambda: bool(server.heard))
        with pytest.raises(ConnectionResetError):  # at once, or with the first word
            await (await server.connect())[0].read(100)
        writer.close()  # and the next one comes before the server has heard of it
        server.heard.clear()


async def test_who_does_not_read_loses_bytes_and_never_blocks(server: Server) -> None:
    _, writer = await server.connect()
    writer.write(b"x")
    await until(lambda: bool(server.heard))
    for _ in range(200):
        server.wire.send(bytes(65_536))
    assert server.wire.plugged
    writer.transport.abort()


async def test_a_port_that_somebody_took_is_an_error(server: Server) -> None:
    server.wire.unplug()
    with socket.create_server((HOST, server.wire.port)), pytest.raises(SimError, match="cannot be used"):
        server.wire.plug()
