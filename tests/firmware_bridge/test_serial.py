"""The serial transport on real pseudo-terminals: data, unplugging, stalls, and every reason not to open."""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardsLow, Event, SelfTest
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import TransportError
from tests.firmware_bridge.fakes import FakeDevice


class Listener:
    def __init__(self) -> None:
        self.data = b""
        self.losses: list[TransportError] = []
        self.news = asyncio.Event()

    def received(self, data: bytes) -> None:
        self.data += data
        self.news.set()

    def lost(self, why: TransportError) -> None:
        self.losses.append(why)
        self.news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not true():
                self.news.clear()
                await self.news.wait()


class Port:
    """Both ends of a pseudo-terminal; the near end is only held until the transport has opened it by its name."""

    def __init__(self) -> None:
        self.far, self.near = pty.openpty()
        self.path = os.ttyname(self.near)
        os.set_blocking(self.far, False)

    def unplug(self) -> None:
        if self.far >= 0:
            os.close(self.far)
            self.far = -1

    def close(self) -> None:
        self.unplug()
        os.close(self.near)


@pytest.fixture
def port() -> Iterator[Port]:
    port = Port()
    yield port
    port.close()


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_bytes_go_both_ways_untouched(port: Port) -> None:
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    everything = bytes(range(256))
    os.write(port.far, everything)
    await listener.until(lambda: len(listener.data) == 256)
    assert listener.data == everything
    transport.write(everything)
    await asyncio.sleep(0)
    assert os.read(port.far, 1000) == everything
    await transport.close()
    await transport.close()
    transport.write(b"nobody is there")
    assert listener.losses == []


async def test_what_arrived_before_opening_is_forgotten(port: Port) -> None:
    os.write(port.far, b"stale\n")
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    os.write(port.far, b"fresh")
    await listener.until(lambda: bool(listener.data))
    assert listener.data == b"fresh"
    await transport.close()


async def test_unplugging_is_reported_once_and_leaks_nothing(port: Port) -> None:
    before = open_descriptors()
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    port.unplug()
    await listener.until(lambda: bool(listener.losses))
    await asyncio.sleep(0)
    assert [loss.code for loss in listener.losses] == ["serial.lost"]
    await transport.close()
    assert open_descriptors() == before - 1  # the far end


async def test_a_port_that_looks_ready_and_has_nothing_is_not_unplugged(port: Port) -> None:
    """As one of a USB adapter does when `stty` has opened and closed it; a pseudo-terminal never does by itself."""
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    transport._readable()
    os.write(port.far, b"still here")
    await listener.until(lambda: bool(listener.data))
    assert (listener.data, listener.losses) == (b"still here", [])
    await transport.close()


async def test_writing_into_an_unplugged_port_is_reported_not_raised(port: Port) -> None:
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    port.unplug()
    transport.write(b"hello")
    assert listener.losses == []  # never from inside write
    await listener.until(lambda: bool(listener.losses))
    assert [loss.code for loss in listener.losses] == ["serial.lost"]
    await transport.close()


async def test_after_close_a_loss_is_not_reported(port: Port) -> None:
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    port.unplug()
    transport.write(b"hello")
    await transport.close()
    await asyncio.sleep(0.01)
    assert listener.losses == []


async def test_a_peer_that_never_reads_is_a_stall(port: Port) -> None:
    transport, listener = SerialTransport(port.path, max_unsent=8192), Listener()
    await transport.open(listener)
    for _ in range(100):
        transport.write(bytes(1024))
    await listener.until(lambda: bool(listener.losses))
    assert [loss.code for loss in listener.losses] == ["serial.stalled"]
    await transport.close()


async def test_a_slow_peer_gets_every_byte_in_order(port: Port) -> None:
    transport, listener = SerialTransport(port.path), Listener()
    await transport.open(listener)
    sent = b"".join(i.to_bytes(4, "big") for i in range(12_000))
    for start in range(0, len(sent), 1000):
        transport.write(sent[start : start + 1000])
    got = b""
    async with asyncio.timeout(5):
        while len(got) < len(sent):
            try:
                got += os.read(port.far, 700)
            except BlockingIOError:
                await asyncio.sleep(0)
    assert got == sent
    assert listener.losses == []
    await transport.close()


async def test_reasons_not_to_open(port: Port, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    before = open_descriptors()

    async def code(transport: SerialTransport) -> str:
        with pytest.raises(TransportError) as failure:
            await transport.open(Listener())
        assert transport.path in failure.value.cause
        return failure.value.code

    assert await code(SerialTransport(str(tmp_path / "none"))) == "serial.missing"
    assert await code(SerialTransport(str(plain))) == "serial.settings"
    assert await code(SerialTransport(port.path, baud=-5)) == "serial.settings"
    assert await code(SerialTransport(port.path, parity="?")) == "serial.settings"
    assert open_descriptors() == before
    first = SerialTransport(port.path)
    await first.open(Listener())
    assert await code(SerialTransport(port.path)) == "serial.twice"
    assert await code(first) == "serial.busy"
    await first.close()
    await first.open(Listener())
    await first.close()


async def test_two_links_to_one_port_are_told_also_when_one_moved_there_later(tmp_path: Path) -> None:
    """By where they lead at that moment: /dev/serial/by-id of two adapters with one serial number is such a link."""
    ports, link = [Port(), Port()], tmp_path / "by-id"
    link.symlink_to(ports[0].path)
    named, plain = SerialTransport(str(link)), SerialTransport(ports[1].path)
    await named.open(Listener())
    await plain.open(Listener())
    await named.close()
    link.unlink()
    link.symlink_to(ports[1].path)
    with pytest.raises(TransportError) as failure:
        await named.open(Listener())
    assert failure.value.code == "serial.twice"
    assert f"{link}: it leads to {ports[1].path}, which another device of this table has" in failure.value.cause
    await plain.close()
    await named.open(Listener())
    await named.close()
    for port in ports:
        port.close()


async def test_a_port_of_another_program_is_busy_and_nobody_s_twin(port: Port) -> None:
    with serial.Serial(port.path, exclusive=True), pytest.raises(TransportError) as failure:
        await SerialTransport(port.path).open(Listener())
    assert failure.value.code == "serial.busy"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (serial.SerialException(errno.EACCES, "x"), "serial.denied"),
        (serial.SerialException(errno.EBUSY, "x"), "serial.busy"),
        (serial.SerialException(errno.ENXIO, "x"), "serial.missing"),
        (termios.error(errno.EINVAL, "x"), "serial.settings"),
        (termios.error(errno.EIO, "x"), "serial.lost"),
        (serial.SerialException("something new"), "serial.settings"),
    ],
)
async def test_errors_that_need_special_hardware(error: Exception, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(TransportError) as failure:
        await SerialTransport("/dev/shoe").open(Listener())
    assert failure.value.code == code


async def test_a_link_over_a_real_port_until_it_is_unplugged(port: Port) -> None:
    loop = asyncio.get_running_loop()
    device = FakeDevice()

    def send(data: bytes) -> None:
        os.write(port.far, data)

    device.send = send
    loop.add_reader(port.far, lambda: device.received(os.read(port.far, 4096)))
    events: list[Event] = []
    lost: asyncio.Future[LinkError] = loop.create_future()

    def on_event(counter: int, event: Event) -> None:
        events.append(event)
        link.ack(counter)

    link = HostLink(SerialTransport(port.path), on_event=on_event, on_lost=lost.set_result)
    device.happen(CardsLow())
    assert (await link.open()).serial == "S-1"
    assert (await link.request(SelfTest())).ok
    assert events == [CardsLow()]
    loop.remove_reader(port.far)
    port.unplug()
    async with asyncio.timeout(5):
        assert (await lost).code == "serial.lost"
    await link.close()
    device.restart()


# ---- low latency


@pytest.mark.parametrize(
    ("refusal", "keeps", "told"),
    [(None, True, True), (None, False, None), (errno.EPERM, True, False), (errno.ENOTTY, True, None)],
)
async def test_the_kernel_is_asked_to_hand_on_every_byte_at_once(
    port: Port, monkeypatch: pytest.MonkeyPatch, refusal: int | None, keeps: bool, told: bool | None
) -> None:
    flags = [0x10]

    def ioctl(_fd: int, request: int, settings: Any) -> int:
        if request == termios.TIOCSSERIAL:
            if refusal is not None:
                raise OSError(refusal, os.strerror(refusal))
            flags[0] = settings[4] if keeps else flags[0]
        settings[4] = flags[0]
        return 0

    monkeypatch.setattr("firmware_bridge.serial.fcntl", SimpleNamespace(ioctl=ioctl))
    transport = SerialTransport(port.path)
    await transport.open(Listener())
    assert transport.low_latency is told
    assert flags[0] == (0x2010 if told else 0x10)
    await transport.close()


async def test_a_port_without_such_a_setting_opens_all_the_same(port: Port) -> None:
    transport = SerialTransport(port.path)
    await transport.open(Listener())
    assert transport.low_latency is None
    await transport.close()


async def test_a_speed_that_the_kernel_does_not_write_down_is_none_of_the_port(
    port: Port, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = SerialTransport(port.path)
    await transport.open(Listener())
    assert transport.faster() == (1_000_000, 460_800, 230_400)
    assert transport.speed == 115_200
    real = termios.tcgetattr

    def slower(fd: int) -> list[Any]:
        got = real(fd)
        return [*got[:5], min(got[5], termios.B460800), *got[6:]]

    monkeypatch.setattr("firmware_bridge.serial.termios.tcgetattr", slower)
    assert transport.faster() == (460_800, 230_400)
    await transport.close()
