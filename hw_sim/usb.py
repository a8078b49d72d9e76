"""A USB bus without hardware: a pyusb backend, and the wires that plug simulated devices into it."""

from __future__ import annotations

import array
import asyncio
import errno
import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Final

import usb.backend
import usb.core
import usb.util

from hw_sim.wire import Deliver

VENDOR: Final = 0x1209
PRODUCT: Final = 0xF317
IN: Final = 0x81
OUT: Final = 0x01
PACKET: Final = 64  # bytes
MEMORY: Final = 64 * 1024  # of a device whose bytes nobody fetches; what comes then is lost
_BULK: Final = usb.util.ENDPOINT_TYPE_BULK
_STRINGS: Final = ("", "feltd", "simulated device")  # by their numbers; the serial number is the next

_ERRORS: Final = {  # as libusb numbers and words them
    errno.EIO: (-1, "Input/Output Error"),
    errno.EACCES: (-3, "Access denied (insufficient permissions)"),
    errno.ENODEV: (-4, "No such device (it may have been disconnected)"),
    errno.ENOENT: (-5, "Entity not found"),
    errno.EBUSY: (-6, "Resource busy"),
    errno.ETIMEDOUT: (-7, "Operation timed out"),
    errno.EOVERFLOW: (-8, "Overflow"),
    errno.EPIPE: (-9, "Pipe error"),
}


def usb_error(number: int) -> usb.core.USBError:
    """Returns the error that pyusb raises for the kernel's."""
    code, text = _ERRORS[number]
    kind = usb.core.USBTimeoutError if number == errno.ETIMEDOUT else usb.core.USBError
    return kind(text, code, number)


class UsbWire:
    """A device with one interface, one endpoint each way.  Each plug is a new device to the host, on the same port.

    `denied`: the host's user may not open it; `driver`: a driver of the kernel takes it when it is plugged in.
    """

    def __init__(
        self,
        bus: UsbBus,
        serial: str,
        *,
        vendor: int = VENDOR,
        product: int = PRODUCT,
        transfers: int = _BULK,
        driver: bool = False,
        denied: bool = False,
    ) -> None:
        self.serial = serial
        self.vendor = vendor
        self.product = product
        self.transfers = transfers
        self.driver = driver
        self.denied = denied
        self.port = bus.new_port()
        self._bus = bus
        self._received: Deliver | None = None
        self.gadget: Gadget | None = None

    @property
    def plugged(self) -> bool:
        return self.gadget is not None

    @property
    def address(self) -> str:
        return f"usb://{self.vendor:04x}:{self.product:04x}/{self.serial}"

    def attach(self, received: Deliver) -> None:
        self._received = received

    def send(self, data: bytes) -> None:
        if self.gadget is not None:
            self.gadget.offer(data)

    def plug(self) -> None:
        if self.gadget is None:
            loop = asyncio.get_running_loop()
            gadget = Gadget(self, lambda data: loop.call_soon_threadsafe(self._arrived, gadget, data))
            self.gadget = gadget
            self._bus.add(gadget)

    def unplug(self) -> None:
        """Unplugs the device, from any thread: a host may be in the middle of anything."""
        gadget, self.gadget = self.gadget, None
        if gadget is not None:
            self._bus.remove(gadget)

    def stall(self, endpoint: int, *, for_good: bool = False) -> None:
        """Halts an endpoint until the host clears it; `for_good`: that is in vain."""
        if self.gadget is not None:
            self.gadget.change(halt=endpoint, stuck=for_good)

    def hang(self, hung: bool = True) -> None:
        """Lets the device neither give nor take anything."""
        if self.gadget is not None:
            self.gadget.change(hung=hung)

    def _arrived(self, gadget: Gadget, data: bytes) -> None:
        if gadget is self.gadget and self._received is not None:
            self._received(data)


class Gadget:
    """A device from plugging in to unplugging, as the host sees it.  Used by the loop and the host's threads."""

    def __init__(self, wire: UsbWire, deliver: Callable[[bytes], object]) -> None:
        self.wire = wire
        self.driver = wire.driver  # the kernel's has it
        self.owner: object = None  # the handle that has claimed the interface
        self.address = 0
        self._deliver = deliver
        self._turn = threading.Condition()
        self._present = True
        self._hung = False
        self._halted: set[int] = set()
        self._stuck = False
        self._offered: deque[bytes] = deque()

    # ---- from the device

    def offer(self, data: bytes) -> None:
        """Keeps bytes for the host to fetch; those that its memory cannot hold are lost."""
        with self._turn:
            if sum(map(len, self._offered)) + len(data) <= MEMORY:
                self._offered.append(data)
                self._turn.notify_all()

    def change(self, *, halt: int | None = None, stuck: bool = False, hung: bool = False) -> None:
        """Sets what is wrong with the device."""
        with self._turn:
            if halt is not None:
                self._halted.add(halt)
            self._stuck = stuck
            self._hung = hung
            self._turn.notify_all()

    def leave(self) -> None:
        """Takes the device away: whoever waits for it gets an error."""
        with self._turn:
            self._present = False
            self._turn.notify_all()

    # ---- from the host

    def check(self) -> None:
        """Raises the error of a device that is gone, if it is."""
        if not self._present:
            raise usb_error(errno.ENODEV)

    def fetch(self, buffer: array.array[int], timeout: int) -> int:
        """Copies bytes of the device into the buffer and returns how many; waits for them if need be."""
        with self._turn:
            self._wait(IN, lambda: bool(self._offered), timeout)
            data = self._offered.popleft()
            if len(data) > len(buffer):
                if len(buffer) % PACKET:
                    raise usb_error(errno.EOVERFLOW)
                self._offered.appendleft(data[len(buffer) :])
                data = data[: len(buffer)]
        buffer[: len(data)] = array.array("B", data)
        return len(data)

    def take(self, data: array.array[int], timeout: int) -> int:
        """Hands bytes of the host to the device and returns how many."""
        with self._turn:
            self._wait(OUT, lambda: True, timeout)
        try:
            self._deliver(data.tobytes())
        except RuntimeError:  # its loop has ended, and the device with it
            raise usb_error(errno.ENODEV) from None
        return len(data)

    def clear_halt(self, endpoint: int) -> None:
        """Lets a halted endpoint go on, unless that is in vain."""
        self.check()
        with self._turn:
            if not self._stuck:
                self._halted.discard(endpoint)

    def _wait(self, endpoint: int, ready: Callable[[], bool], timeout: int) -> None:
        """Waits until it can be done; pyusb's timeout is in milliseconds, and 0 is for ever."""

        def over() -> bool:
            return not self._present or endpoint in self._halted or (ready() and not self._hung)

        done = self._turn.wait_for(over, timeout / 1000 if timeout else None)
        self.check()
        if endpoint in self._halted:
            raise usb_error(errno.EPIPE)
        if not done:
            raise usb_error(errno.ETIMEDOUT)


class _Handle:
    """A device that a program has opened."""

    def __init__(self, gadget: Gadget) -> None:
        self.gadget = gadget


class UsbBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """The host's side, for `usb.core.find(backend=...)`: it answers and fails as libusb and the kernel do.

    `open_handles` counts what programs have open.  `before` is called with the name of each operation on a device
    before it is done, in the thread that does it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open_handles = 0
        self.before: Callable[[str], object] | None = None
        self._ports = itertools.count(1)
        self._addresses = itertools.count(2)  # 1 is the hub's
        self._gadgets: tuple[Gadget, ...] = ()  # replaced, never changed: any thread may be iterating
        self._lock = threading.Lock()

    def new_port(self) -> int:
        """Returns the number of a port that nothing is plugged into."""
        return next(self._ports)

    def add(self, gadget: Gadget) -> None:
        """Plugs a device in."""
        with self._lock:
            gadget.address = next(self._addresses)
            self._gadgets += (gadget,)

    def remove(self, gadget: Gadget) -> None:
        """Unplugs a device."""
        with self._lock:
            self._gadgets = tuple(other for other in self._gadgets if other is not gadget)
        gadget.leave()

    def _does(self, operation: str, gadget: Gadget) -> Gadget:
        if self.before is not None:
            self.before(operation)
        gadget.check()
        return gadget

    # ---- what is there

    def enumerate_devices(self) -> Iterator[Gadget]:
        return iter(self._gadgets)

    def get_parent(self, dev: Gadget) -> None:
        return None

    def get_device_descriptor(self, dev: Gadget) -> SimpleNamespace:
        wire = dev.wire
        names = """bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0
            idVendor idProduct bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"""
        serial = len(_STRINGS) if wire.serial else 0
        what = _descriptor(names, 18, 1, 0x200, 0, 0, 0, 64, wire.vendor, wire.product, 0x100, 1, 2, serial, 1)
        where = _descriptor("bus address port_number port_numbers speed", 1, dev.address, wire.port, (wire.port,), 2)
        return SimpleNamespace(**{**vars(what), **vars(where)})

    def get_configuration_descriptor(self, dev: Gadget, config: int) -> SimpleNamespace:
        if config:
            raise IndexError(config)
        names = """bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration
            bmAttributes bMaxPower"""
        return _descriptor(names, 9, 2, 32, 1, 1, 0, 0x80, 50)

    def get_interface_descriptor(self, dev: Gadget, intf: int, alt: int, config: int) -> SimpleNamespace:
        if intf or alt or config:
            raise IndexError(intf)
        names = """bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass
            bInterfaceSubClass bInterfaceProtocol iInterface"""
        return _descriptor(names, 9, 4, 0, 0, 2, 0xFF, 0, 0, 0)

    def get_endpoint_descriptor(self, dev: Gadget, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        names = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval bRefresh bSynchAddress"
        return _descriptor(names, 7, 5, (IN, OUT)[ep], dev.wire.transfers, PACKET, 1, 0, 0)

    # ---- opening

    def open_device(self, dev: Gadget) -> _Handle:
        self._does("open", dev)
        if dev.wire.denied:
            raise usb_error(errno.EACCES)
        with self._lock:
            self.open_handles += 1
        return _Handle(dev)

    def close_device(self, dev_handle: _Handle) -> None:
        with self._lock:
            self.open_handles -= 1
            if dev_handle.gadget.owner is dev_handle:
                dev_handle.gadget.owner = None

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        self._does("configure", dev_handle.gadget)

    def get_configuration(self, dev_handle: _Handle) -> int:
        self._does("configuration", dev_handle.gadget)
        return 1

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._does("claim", dev_handle.gadget)
        with self._lock:
            if gadget.driver or gadget.owner not in (None, dev_handle):
                raise usb_error(errno.EBUSY)
            gadget.owner = dev_handle

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._does("release", dev_handle.gadget)
        with self._lock:
            if gadget.owner is not dev_handle:
                raise usb_error(errno.ENOENT)
            gadget.owner = None

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        return self._does("driver", dev_handle.gadget).driver

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        self._does("detach", dev_handle.gadget).driver = False

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        gadget = self._does("attach", dev_handle.gadget)
        if gadget.owner is not None:
            raise usb_error(errno.EBUSY)
        gadget.driver = gadget.wire.driver

    # ---- transfers

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array.array[int], timeout: int) -> int:
        return self._does("read", dev_handle.gadget).fetch(buff, timeout)

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: array.array[int], timeout: int) -> int:
        return self._does("write", dev_handle.gadget).take(data, timeout)

    intr_read = bulk_read
    intr_write = bulk_write

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        self._does("clear", dev_handle.gadget).clear_halt(ep)

    def ctrl_transfer(
        self, dev_handle: _Handle, kind: int, request: int, value: int, index: int, data: Any, timeout: int
    ) -> int:
        """Returns texts; everything else is unknown to the device, which answers by a stall."""
        wire = self._does("control", dev_handle.gadget).wire
        texts = (*_STRINGS, wire.serial)
        if (kind, request, value >> 8) != (0x80, 6, usb.util.DESC_TYPE_STRING) or value & 0xFF >= len(texts):
            raise usb_error(errno.EPIPE)
        body = texts[value & 0xFF].encode("utf-16-le") if value & 0xFF else b"\x09\x04"  # languages: English
        text = (bytes([2 + len(body), usb.util.DESC_TYPE_STRING]) + body)[: len(data)]
        data[: len(text)] = array.array("B", text)
        return len(text)


def _descriptor(names: str, *values: object) -> SimpleNamespace:
    return SimpleNamespace(extra_descriptors=[], **dict(zip(names.split(), values, strict=True)))
