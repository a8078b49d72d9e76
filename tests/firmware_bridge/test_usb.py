"""The USB transport on a simulated bus: data, stalls, and unplugging in the middle of every operation."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
import usb.backend.libusb1
import usb.core
import usb.util

from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardsLow, Event, SelfTest
from firmware_bridge.transport import TransportError
from firmware_bridge.usb import UsbTransport
from hw_sim.usb import IN, OUT, PRODUCT, VENDOR, UsbBus, UsbWire, usb_error
from tests.firmware_bridge.fakes import FakeDevice
from tests.firmware_bridge.listener import Listener, nothing_leaks

OPENING = ("open", "control", "configuration", "driver", "detach", "claim")


class Plug:
    """A device on a bus, and what it heard."""

    def __init__(self, **options: Any) -> None:
        self.bus = UsbBus()
        self.wire = self.another("A-1", **options)
        self.heard = b""
        self.wire.attach(self._hear)

    def another(self, serial: str, **options: Any) -> UsbWire:
        wire = UsbWire(self.bus, serial, **options)
        wire.plug()
        return wire

    def transport(self, serial: str = "A-1", **options: Any) -> UsbTransport:
        return UsbTransport(VENDOR, PRODUCT, serial, backend=self.bus, **{"wait": 20, **options})

    def unplug_at(self, operation: str) -> None:
        def before(name: str) -> None:
            if name == operation:
                self.wire.unplug()

        self.bus.before = before

    def fail_at(self, operation: str, error: Exception) -> None:
        def before(name: str) -> None:
            if name == operation:
                raise error

        self.bus.before = before

    def _hear(self, data: bytes) -> None:
        self.heard += data


@pytest_asyncio.fixture
async def plug() -> AsyncIterator[Plug]:
    with nothing_leaks():
        plug = Plug(driver=True)
        yield plug
        assert plug.bus.open_handles == 0


async def refusal(transport: UsbTransport) -> TransportError:
    with pytest.raises(TransportError) as failure:
        await transport.open(Listener())
    await transport.close()
    return failure.value


async def until_heard(plug: Plug, data: bytes) -> None:
    async with asyncio.timeout(5):
        while plug.heard != data:  # noqa: ASYNC110 - the device has no event of its own
            await asyncio.sleep(0.001)


# ---- data


@pytest.mark.parametrize("transfers", [usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_TYPE_INTR])
async def test_bytes_go_both_ways_untouched(transfers: int) -> None:
    with nothing_leaks():
        plug = Plug(transfers=transfers)
        transport, listener = plug.transport(), Listener()
        await transport.open(listener)
        everything = bytes(range(256)) * 20  # more than one read
        plug.wire.send(everything)
        await listener.until(lambda: len(listener.data) == len(everything))
        assert listener.data == everything
        transport.write(everything)
        transport.write(b"more")
        await until_heard(plug, everything + b"more")
        await transport.close()
        await transport.close()
        transport.write(b"nobody is there")
        assert listener.losses == []
        assert plug.bus.open_handles == 0


async def test_the_kernel_s_driver_gets_the_device_back(plug: Plug) -> None:
    gadget = plug.wire.gadget
    assert gadget is not None and gadget.driver
    transport = plug.transport()
    await transport.open(Listener())
    assert not gadget.driver
    await transport.close()
    assert gadget.driver


async def test_it_can_be_opened_again_after_a_loss_and_after_a_close(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    for _ in range(2):
        await transport.open(listener)
        plug.wire.unplug()
        await listener.until(lambda: bool(listener.losses))
        assert listener.codes == ["usb.lost"]
        assert "unplugged" in listener.losses.pop().cause
        assert (await refusal(transport)).code == "usb.missing"
        plug.wire.plug()
        await transport.open(listener)
        await transport.close()
    await asyncio.sleep(0)
    assert listener.losses == []


async def test_a_flood_waits_in_the_device(plug: Plug) -> None:
    """A loop that is behind gets every byte all the same."""
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    pieces = [i.to_bytes(2, "big") for i in range(1000)]
    for piece in pieces:
        plug.wire.send(piece)
    await listener.until(lambda: len(listener.data) == 2000)
    assert listener.data == b"".join(pieces)
    await transport.close()


# ---- finding the device


async def test_the_serial_number_decides(plug: Plug) -> None:
    plug.another("A-2")
    plug.another("A-1", product=1)
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    transport.write(b"to the first")
    await until_heard(plug, b"to the first")
    await transport.close()
    missing = await refusal(plug.transport("A-9"))
    assert missing.code == "usb.missing"
    assert "A-1 at 1-1, A-2 at 1-2" in missing.cause


async def test_two_of_the_same_name_are_refused_unless_the_position_is_given(plug: Plug) -> None:
    twin = plug.another("A-1")
    twice = await refusal(plug.transport())
    assert twice.code == "usb.twice"
    assert "1-1 and 1-2" in twice.cause
    transport = plug.transport("", port="1-1")
    await transport.open(Listener())
    transport.write(b"x")
    await until_heard(plug, b"x")
    await transport.close()
    twin.unplug()
    await transport.open(Listener())
    await transport.close()


async def test_a_device_without_a_serial_number_is_found_by_its_position(plug: Plug) -> None:
    plug.another("")
    assert "without a serial number at 1-2" in (await refusal(plug.transport("A-9"))).cause
    transport = plug.transport("", port="1-2")
    await transport.open(Listener())
    await transport.close()


async def test_one_that_may_not_be_read_does_not_hide_the_other(plug: Plug) -> None:
    other = plug.another("A-2", denied=True)
    transport = plug.transport()
    await transport.open(Listener())
    await transport.close()
    assert (await refusal(plug.transport("A-2"))).code == "usb.denied"
    other.denied = False
    assert (await refusal(plug.transport("A-2", interface=3))).code == "usb.endpoints"


async def test_one_device_has_one_user(plug: Plug) -> None:
    first, second = plug.transport(), plug.transport()
    await first.open(Listener())
    assert (await refusal(second)).code == "usb.busy"
    with pytest.raises(TransportError) as failure:
        await first.open(Listener())
    assert failure.value.code == "usb.busy"
    await first.close()
    await second.open(Listener())
    await second.close()


async def test_without_libusb_the_next_step_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    missing = await refusal(UsbTransport(VENDOR, PRODUCT, "A-1"))
    assert missing.code == "usb.no-backend"
    assert "install libusb" in missing.cause


# ---- failures while it is opened


@pytest.mark.parametrize("operation", OPENING)
async def test_unplugged_while_it_is_opened(plug: Plug, operation: str) -> None:
    plug.unplug_at(operation)
    assert (await refusal(plug.transport())).code == "usb.missing"


@pytest.mark.parametrize("operation", OPENING)
@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EBUSY, "usb.busy"), (errno.EACCES, "usb.denied"), (errno.ETIMEDOUT, "usb.silent")],
)
async def test_refused_while_it_is_opened(plug: Plug, operation: str, number: int, code: str) -> None:
    plug.fail_at(operation, usb_error(number))
    assert (await refusal(plug.transport())).code == code
    plug.bus.before = None
    transport = plug.transport()
    await transport.open(Listener())
    await transport.close()
    assert plug.wire.gadget is not None
    assert plug.wire.gadget.driver


async def test_an_error_that_nobody_foresaw_is_told_too(plug: Plug) -> None:
    plug.fail_at("claim", ZeroDivisionError("a backend's bug"))
    assert (await refusal(plug.transport())).code == "usb.failed"
    plug.bus.before = None
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.fail_at("write", usb.core.USBError("something new"))
    transport.write(b"x")
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["usb.failed"]
    assert "something new" in listener.losses[0].cause
    await transport.close()


async def test_a_system_without_kernel_drivers_needs_none_detached(plug: Plug) -> None:
    plug.fail_at("driver", NotImplementedError())
    assert plug.wire.gadget is not None
    plug.wire.gadget.driver = False
    transport = plug.transport()
    await transport.open(Listener())
    await transport.close()


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_given_up_while_it_is_opened(plug: Plug, how: str) -> None:
    waits = threading.Event()
    plug.bus.before = lambda name: name != "claim" or waits.wait(5)
    transport = plug.transport()
    opening = asyncio.ensure_future(transport.open(Listener()))
    await asyncio.sleep(0.01)
    closing = asyncio.ensure_future(transport.close())
    if how == "cancel":
        opening.cancel()
    await asyncio.sleep(0)
    waits.set()
    await closing
    ended = (await asyncio.gather(opening, return_exceptions=True))[0]
    assert isinstance(ended, asyncio.CancelledError | TransportError)
    assert plug.bus.open_handles == 0


# ---- failures while it is used


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENODEV, "usb.lost"),
        (errno.ENOENT, "usb.lost"),
        (errno.EPIPE, "usb.halted"),
        (errno.EOVERFLOW, "usb.overflow"),
    ],
)
async def test_losses_are_told_once(plug: Plug, operation: str, number: int, code: str) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.fail_at(operation, usb_error(number))
    plug.wire.send(b"x")  # ends the read that is under way
    transport.write(b"y")
    transport.write(b"z")
    assert listener.losses == []  # never from inside write
    await listener.until(lambda: bool(listener.losses))
    transport.write(b"too late")
    await transport.close()
    await asyncio.sleep(0)
    assert listener.codes == [code]


async def test_a_halted_endpoint_is_cleared_once(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.wire.stall(IN)
    plug.wire.stall(OUT)
    transport.write(b"down")
    plug.wire.send(b"up")
    await listener.until(lambda: listener.data == b"up")
    await until_heard(plug, b"down")
    plug.wire.stall(IN, for_good=True)
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["usb.halted"]
    await transport.close()


async def test_unplugged_while_a_halt_is_cleared(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.unplug_at("clear")
    plug.wire.stall(IN)
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["usb.lost"]
    await transport.close()


async def test_a_device_that_takes_nothing_is_a_stall(plug: Plug) -> None:
    transport, listener = plug.transport(max_unsent=1000), Listener()
    await transport.open(listener)
    plug.wire.hang()
    for _ in range(4):
        transport.write(bytes(300))
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["usb.stalled"]
    assert "1200 bytes" in listener.losses[0].cause
    await transport.close()


async def test_a_device_that_takes_nothing_for_too_long_is_a_stall(plug: Plug) -> None:
    transport, listener = plug.transport(wait=1), Listener()
    await transport.open(listener)
    plug.wire.hang()
    transport.write(b"x")
    await listener.until(lambda: bool(listener.losses))
    assert listener.codes == ["usb.stalled"]
    await transport.close()


async def test_a_device_that_hangs_for_a_moment_gets_everything(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.wire.hang()
    transport.write(b"a")
    plug.wire.send(b"1")
    await asyncio.sleep(0.03)
    transport.write(b"b")
    plug.wire.hang(False)
    await until_heard(plug, b"ab")
    await listener.until(lambda: listener.data == b"1")
    await transport.close()


# ---- the end


@pytest.mark.parametrize("operation", ["release", "attach"])
async def test_unplugged_while_it_is_closed(plug: Plug, operation: str) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.unplug_at(operation)
    await transport.close()
    await asyncio.sleep(0)
    assert listener.losses == []


async def test_closed_while_both_ways_are_under_way(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.wire.hang()
    transport.write(b"never taken")
    await transport.close()
    assert (listener.data, listener.losses, plug.heard) == (b"", [], b"")


async def test_after_close_nothing_is_heard(plug: Plug) -> None:
    transport, listener = plug.transport(), Listener()
    await transport.open(listener)
    plug.wire.send(b"too late")
    plug.wire.unplug()
    await transport.close()
    await asyncio.sleep(0.01)
    assert (listener.data, listener.losses) == (b"", [])


def test_a_loop_that_ends_without_closing_ends_the_threads_too() -> None:
    before = set(threading.enumerate())

    async def careless() -> Plug:
        plug = Plug()
        await plug.transport().open(Listener())
        return plug

    plug = asyncio.run(careless())
    plug.wire.send(b"anybody?")
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before
    assert plug.bus.open_handles == 0


async def test_a_link_over_usb_until_it_is_unplugged(plug: Plug) -> None:
    device = FakeDevice()
    device.send = plug.wire.send
    plug.wire.attach(device.received)
    events: list[Event] = []
    lost: asyncio.Future[LinkError] = asyncio.get_running_loop().create_future()

    def on_event(counter: int, event: Event) -> None:
        events.append(event)
        link.ack(counter)

    link = HostLink(plug.transport(), on_event=on_event, on_lost=lost.set_result)
    device.happen(CardsLow())
    assert (await link.open()).serial == "S-1"
    assert (await link.request(SelfTest())).ok
    assert events == [CardsLow()]
    plug.wire.unplug()
    async with asyncio.timeout(5):
        assert (await lost).code == "usb.lost"
    await link.close()
    device.restart()
