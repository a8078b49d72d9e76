"""The simulated USB bus as any pyusb program sees it: descriptors, texts, transfers, and errors like the kernel's."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import usb.core
import usb.util

from hw_sim.usb import IN, MEMORY, OUT, PRODUCT, VENDOR, UsbBus, UsbWire


class Host:
    """A bus with one device, and pyusb's view of it."""

    def __init__(self, **options: Any) -> None:
        self.bus = UsbBus()
        self.wire = UsbWire(self.bus, "A-1", **options)
        self.heard: list[bytes] = []
        self.wire.attach(self.heard.append)
        self.wire.plug()
        self.wire.plug()
        self.device = self.find()

    def find(self) -> Any:
        return usb.core.find(idVendor=VENDOR, idProduct=PRODUCT, backend=self.bus)

    def close(self) -> None:
        usb.util.dispose_resources(self.device)
        assert self.bus.open_handles == 0


@contextmanager
def fails(number: int) -> Iterator[None]:
    with pytest.raises(usb.core.USBError) as failure:
        yield
    assert failure.value.errno == number
    assert isinstance(failure.value, usb.core.USBTimeoutError) == (number == errno.ETIMEDOUT)


async def test_it_says_what_it_is() -> None:
    host = Host()
    assert host.wire.address == "usb://1209:f317/A-1"
    assert (host.device.manufacturer, host.device.product) == ("feltd", "simulated device")
    assert host.device.serial_number == "A-1"
    assert "ENDPOINT 0x81: Bulk IN" in str(host.device)
    assert host.device.port_numbers == (1,)
    with fails(errno.EPIPE):
        host.device.ctrl_transfer(0xC0, 1, 0, 0, 8)
    host.close()


async def test_transfers() -> None:
    host = Host()
    host.device.set_configuration()
    host.wire.send(b"up")
    assert bytes(host.device.read(IN, 64, 100)) == b"up"
    assert host.device.write(OUT, b"down", 100) == 4
    assert host.heard == []  # it hears in its own time, not in the host's
    await asyncio.sleep(0.01)
    assert host.heard == [b"down"]
    with fails(errno.ETIMEDOUT):
        host.device.read(IN, 64, 1)
    host.wire.send(bytes(100))
    assert [len(host.device.read(IN, 64, 100)) for _ in range(2)] == [64, 36]
    host.wire.send(bytes(100))
    with fails(errno.EOVERFLOW):
        host.device.read(IN, 65, 100)
    host.close()


async def test_a_device_whose_bytes_nobody_fetches_loses_the_newest() -> None:
    host = Host()
    host.wire.send(b"x" * MEMORY)
    host.wire.send(b"lost")
    assert len(host.device.read(IN, 2 * MEMORY, 100)) == MEMORY
    with fails(errno.ETIMEDOUT):
        host.device.read(IN, 64, 1)
    host.close()


async def test_a_halted_endpoint_until_it_is_cleared() -> None:
    host = Host()
    transfers: tuple[tuple[int, Callable[[], object]], ...] = (
        (IN, lambda: host.device.read(IN, 64, 1)),
        (OUT, lambda: host.device.write(OUT, b"x")),
    )
    for endpoint, transfer in transfers:
        host.wire.send(b"x")
        host.wire.stall(endpoint)
        with fails(errno.EPIPE):
            transfer()
        host.device.clear_halt(endpoint)
        transfer()
    host.wire.stall(IN, for_good=True)
    host.device.clear_halt(IN)
    with fails(errno.EPIPE):
        host.device.read(IN, 64, 1)
    host.close()


async def test_a_device_that_hangs() -> None:
    host = Host()
    host.wire.send(b"x")
    host.wire.hang()
    with fails(errno.ETIMEDOUT):
        host.device.read(IN, 64, 1)
    with fails(errno.ETIMEDOUT):
        host.device.write(OUT, b"x", 1)
    host.wire.hang(False)
    assert bytes(host.device.read(IN, 64, 100)) == b"x"
    host.close()


async def test_unplugged_under_way_and_plugged_in_again() -> None:
    host = Host()
    pulling = threading.Timer(0.01, host.wire.unplug)
    pulling.start()
    with fails(errno.ENODEV):
        host.device.read(IN, 64, 5000)
    pulling.join()
    deeds: tuple[Callable[[], object], ...] = (
        lambda: host.device.write(OUT, b"x"),
        lambda: host.device.clear_halt(IN),
        lambda: host.device.is_kernel_driver_active(0),
    )
    for lost in deeds:
        with fails(errno.ENODEV):
            lost()
    for nothing in (host.wire.unplug, host.wire.hang, lambda: host.wire.stall(IN), lambda: host.wire.send(b"x")):
        nothing()
    assert host.find() is None
    host.close()
    host.wire.plug()
    with fails(errno.ENODEV):
        host.device.write(OUT, b"x")  # it is another device to the host
    host.device = host.find()
    assert host.device.write(OUT, b"x") == 1
    host.close()


async def test_one_owner_and_the_kernel_s_driver_first() -> None:
    host = Host(driver=True)
    with fails(errno.EBUSY):
        usb.util.claim_interface(host.device, 0)
    host.device.detach_kernel_driver(0)
    usb.util.claim_interface(host.device, 0)
    with fails(errno.EBUSY):
        host.device.attach_kernel_driver(0)
    other = host.find()
    with fails(errno.EBUSY):
        usb.util.claim_interface(other, 0)
    usb.util.dispose_resources(other)
    usb.util.release_interface(host.device, 0)
    host.device.attach_kernel_driver(0)
    assert host.device.is_kernel_driver_active(0)
    host.close()


async def test_one_that_may_not_be_opened() -> None:
    host = Host(denied=True)
    with fails(errno.EACCES):
        host.device.set_configuration()
    host.close()


def test_a_device_whose_loop_has_ended_is_gone() -> None:
    async def plug() -> Host:
        return Host()

    host = asyncio.run(plug())
    with fails(errno.ENODEV):
        host.device.write(OUT, b"x")
    host.close()
