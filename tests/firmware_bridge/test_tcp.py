"""The TCP transport against sockets of the loopback: data, all ways a connection ends, all reasons not to open."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from firmware_bridge.address import open_transport, parse
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardsLow, Event, SelfTest
from firmware_bridge.tcp import TcpTransport
from firmware_bridge.transport import TransportError
from tests.firmware_bridge.fakes import FakeDevice
from tests.firmware_bridge.listener import Listener, nothing_leaks

RESET = struct.pack("ii", 1, 0)


class Server:
    """A listening socket and the connection that came."""

    def __init__(self, family: socket.AddressFamily = socket.AF_INET, host: str = "127.0.0.1") -> None:
        self.host = host
        self.listener = socket.create_server((host, 0), family=family)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.line: socket.socket | None = None

    def transport(self, **options: int) -> TcpTransport:
        return TcpTransport(self.host, self.port, **options)

    async def accept(self) -> socket.socket:
        async with asyncio.timeout(5):
            self.line, _ = await asyncio.get_running_loop().sock_accept(self.listener)
        self.line.setblocking(False)
        return self.line

    async def read(self, count: int) -> bytes:
        assert self.line is not None
        data = b""
        async with asyncio.timeout(5):
            while len(data) < count and (more := await asyncio.get_running_loop().sock_recv(self.line, count)):
                data += more
        return data

    def hang_up(self, *, reset: bool = False) -> None:
        if self.line is not None:
            if reset:
                self.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self.line.close()
            self.line = None

    def close(self) -> None:
        self.hang_up()
        self.listener.close()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    with nothing_leaks():
        server = Server()
        yield server
        server.close()
        await asyncio.sleep(0)


async def refusal(transport: TcpTransport) -> TransportError:
    with pytest.raises(TransportError) as failure:
        await transport.open(Listener())
    await transport.close()
    return failure.value


async def test_bytes_go_both_ways_untouched(server: Server) -> None:
    transport, listener = server.transport(), Listener()
    await transport.open(listener)
    line = await server.accept()
    everything = bytes(range(256))
    line.send(everything)
    await listener.until(lambda: len(listener.data) == 256)
    assert listener.data == everything
    transport.write(everything)
    transport.write(b"more")
    assert await server.read(260) == everything + b"more"
    await transport.close()
    await transport.close()
    transport.write(b"nobody is there")
    assert await server.read(1) == b""
    assert listener.losses == []


async def test_an_ipv6_address_stands_in_brackets() -> None:
    with nothing_leaks():
        try:
            server = Server(socket.AF_INET6, "::1")
        except OSError:
            pytest.skip("this machine has no IPv6")
        transport = open_transport(parse(f"socket://[::1]:{server.port}"))
        await transport.open(Listener())
        await server.accept()
        await transport.close()
        server.close()
        refused = await refusal(server.transport())
        assert refused.code == "tcp.refused"
        assert f"[::1]:{server.port}" in refused.cause


@pytest.mark.parametrize("reset", [False, True])
async def test_the_end_of_a_connection_is_told_once(server: Server, reset: bool) -> None:
    transport, listener = server.transport(), Listener()
    for _ in range(2):
        await transport.open(listener)
        await server.accept()
        server.hang_up(reset=reset)
        await listener.until(lambda: bool(listener.losses))
        transport.write(b"too late")
        await asyncio.sleep(0)
        assert listener.codes == ["tcp.lost"]
        listener.losses.clear()
    await transport.close()


async def test_writing_to_who_has_gone_is_told_not_raised(server: Server) -> None:
    transport, listener = server.transport(), Listener()
    await transport.open(listener)
    await server.accept()
    server.hang_up(reset=True)
    transport.write(b"a")
    transport.write(b"b")
    assert listener.losses == []  # never from inside write
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["tcp.lost"]
    await transport.close()


async def test_after_close_nothing_is_heard(server: Server) -> None:
    transport, listener = server.transport(), Listener()
    await transport.open(listener)
    line = await server.accept()
    line.send(b"too late")
    server.hang_up()
    await transport.close()
    await asyncio.sleep(0.01)
    assert (listener.data, listener.losses) == (b"", [])


async def test_a_server_that_never_reads_is_a_stall(server: Server) -> None:
    server.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    transport, listener = server.transport(max_unsent=8192), Listener()
    await transport.open(listener)
    await server.accept()
    for _ in range(2000):
        transport.write(bytes(1024))
    assert listener.losses == []
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["tcp.stalled"]
    await transport.close()


async def test_closed_with_bytes_unsent(server: Server) -> None:
    server.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    transport, listener = server.transport(max_unsent=1 << 20), Listener()
    await transport.open(listener)
    await server.accept()
    for _ in range(500):
        transport.write(bytes(1024))
    await transport.close()
    assert listener.losses == []


async def test_reasons_not_to_open(server: Server) -> None:
    open_already = server.transport()
    await open_already.open(Listener())
    with pytest.raises(TransportError) as failure:
        await open_already.open(Listener())
    assert failure.value.code == "tcp.busy"
    await open_already.close()
    server.listener.close()
    refused = await refusal(server.transport())
    assert refused.code == "tcp.refused"
    assert f"127.0.0.1:{server.port}" in refused.cause


async def test_a_full_server_is_not_waited_for_for_ever(server: Server) -> None:
    server.listener.listen(0)
    queued = []
    for _ in range(4):  # more than wait in its queue: the rest get no answer
        waiting = socket.socket()
        waiting.setblocking(False)
        waiting.connect_ex((server.host, server.port))
        queued.append(waiting)
    unreachable = await refusal(TcpTransport(server.host, server.port, connect=0.05))
    assert unreachable.code == "tcp.unreachable"
    assert "0.05 s" in unreachable.cause
    given_up = asyncio.ensure_future(server.transport().open(Listener()))
    await asyncio.sleep(0.01)
    given_up.cancel()
    assert isinstance((await asyncio.gather(given_up, return_exceptions=True))[0], asyncio.CancelledError)
    for waiting in queued:
        waiting.close()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.EHOSTUNREACH, "x"), "tcp.unreachable"),
        (OSError(errno.ENETUNREACH, "x"), "tcp.unreachable"),
        (PermissionError(errno.EPERM, "x"), "tcp.denied"),
        (OSError("something new"), "tcp.unreachable"),
        (TimeoutError(errno.ETIMEDOUT, "x"), "tcp.unreachable"),
    ],
)
async def test_errors_that_need_a_real_network(
    server: Server, error: OSError, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def connect(*_: object) -> None:
        raise error

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", connect)
    assert (await refusal(server.transport())).code == code


async def test_names_are_looked_up_and_every_address_is_tried(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lookup(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        if host != "shoe.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, ("127.0.0.1", 1)), (*kind, ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lookup)
    transport = TcpTransport("shoe.example", server.port)
    await transport.open(Listener())
    await transport.close()
    assert (await refusal(TcpTransport("nowhere.example", server.port))).code == "tcp.unknown-host"


async def test_the_socket_is_set_up_for_a_table(server: Server) -> None:
    transport = server.transport()
    await transport.open(Listener())
    assert transport._line is not None
    line = transport._line._transport.get_extra_info("socket")
    assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    await transport.close()


async def test_a_link_over_tcp_until_it_is_unplugged(server: Server) -> None:
    loop = asyncio.get_running_loop()
    device = FakeDevice()
    events: list[Event] = []
    lost: asyncio.Future[LinkError] = loop.create_future()

    def on_event(counter: int, event: Event) -> None:
        events.append(event)
        link.ack(counter)

    async def serve() -> None:
        line = await server.accept()
        device.send = line.sendall
        loop.add_reader(line, lambda: device.received(line.recv(4096)))

    link = HostLink(server.transport(), on_event=on_event, on_lost=lost.set_result)
    device.happen(CardsLow())
    serving = asyncio.ensure_future(serve())
    assert (await link.open()).serial == "S-1"
    assert (await link.request(SelfTest())).ok
    assert events == [CardsLow()]
    await serving
    assert server.line is not None
    loop.remove_reader(server.line)
    server.hang_up(reset=True)
    async with asyncio.timeout(5):
        assert (await lost).code == "tcp.lost"
    await link.close()
    device.restart()
