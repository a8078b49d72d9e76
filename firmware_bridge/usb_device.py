"""One USB device by pyusb: found, claimed, read, written, let go.  Everything here may block; threads call it."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import usb.backend.libusb1
import usb.core
import usb.util

from firmware_bridge.access import refusal, refused
from firmware_bridge.transport import TransportError

WAIT: Final = 200  # milliseconds that one transfer waits; bounds how long `close` takes
_PACKETS: Final = 16  # of a read; whole packets, or a device that fills its last one would overflow the buffer
_TOO_SOON: Final = (errno.EINTR, errno.EAGAIN)
_UNCLEAR: Final = (errno.EIO, errno.EACCES)  # what libusb makes of any refusal
NODES: Final = "/dev/bus/usb"

_CODES: Final = {
    errno.ENODEV: ("usb.lost", "it was unplugged"),
    errno.ENOENT: ("usb.lost", "it was unplugged, or another program has taken its interface"),
    errno.EIO: ("usb.lost", "input/output error: the cable or the hub fails"),
    errno.EPIPE: ("usb.halted", "it has halted its endpoint twice in a row: its firmware has failed"),
    errno.EBUSY: ("usb.busy", "another program uses it"),
    errno.EACCES: ("usb.denied", "no permission: a udev rule must give its node to the daemon's group"),
    errno.EPERM: ("usb.forbidden", "the service may not use USB devices: its unit does not allow them"),
    errno.ETIMEDOUT: ("usb.silent", "it is plugged in, but does not answer"),
    errno.EOVERFLOW: ("usb.overflow", "it sends more than was asked for: its firmware has failed"),
}


@dataclass(frozen=True, slots=True)
class UsbPlace:
    """Which device, by serial number or by `port` (bus and ports, as in 1-1.3), and which of its interfaces."""

    vendor: int
    product: int
    serial: str = ""
    port: str = ""
    interface: int | None = None  # None: the first that has an endpoint each way

    def __str__(self) -> str:
        which = f"/{self.serial}" if self.serial else f"/@{self.port}" if self.port else ""
        return f"usb://{self.vendor:04x}:{self.product:04x}{which}"

    def error(self, code: str, cause: str) -> TransportError:
        """Returns an error that names this device."""
        return TransportError(code, f"{self}: {cause}")

    def explained(self, error: Exception) -> TransportError:
        """Returns what an error of the system means."""
        number = error.errno if isinstance(error, OSError) else None
        return self.error(*_CODES.get(number or 0, ("usb.failed", str(error) or type(error).__name__)))


class UsbPipe:
    """A claimed interface with one endpoint each way."""

    def __init__(
        self, place: UsbPlace, device: Any, interface: int, inward: Any, outward: Any, detached: bool, wait: int
    ) -> None:
        self._place = place
        self._device = device
        self._interface = interface
        self._in = inward
        self._out = outward
        self._detached = detached  # the kernel's driver, which gets it back
        self._wait = wait
        self._halted: set[Any] = set()
        self._size = _PACKETS * (inward.wMaxPacketSize & 0x7FF)

    def read(self) -> bytes:
        """Returns the bytes that have come; none when nothing came in time.  TransportError when the device is lost."""
        try:
            data: bytes = self._in.read(self._size, self._wait).tobytes()
        except usb.core.USBError as error:
            self._handle_error(self._in, error)
            return b""
        self._halted.discard(self._in)
        return data

    def write(self, data: bytes) -> int:
        """Returns how many bytes the device has taken in time.  TransportError when it is lost."""
        try:
            sent: int = self._out.write(data, self._wait)
        except usb.core.USBError as error:
            self._handle_error(self._out, error)
            return 0
        self._halted.discard(self._out)
        return sent

    def close(self) -> None:
        """Gives everything back; a device that is gone needs nothing."""
        _release(self._device, self._interface, self._detached)

    def _handle_error(self, endpoint: Any, error: usb.core.USBError) -> None:
        """Passes over a transfer that timed out, and clears a halted endpoint once; raises any other error."""
        if isinstance(error, usb.core.USBTimeoutError):
            self._halted.discard(endpoint)  # it is waited for, so it is not halted
        elif error.errno == errno.EPIPE and endpoint not in self._halted:
            self._halted.add(endpoint)
            try:
                endpoint.clear_halt()
            except usb.core.USBError as worse:
                raise self._place.explained(worse) from worse
        elif error.errno not in _TOO_SOON:
            raise self._place.explained(error) from error


def open_pipe(place: UsbPlace, backend: Any = None, wait: int = WAIT, nodes: str = "") -> UsbPipe:
    """Finds the device and takes one interface of it for ourselves; TransportError says why that is not possible.

    `wait` is for each transfer, in milliseconds; `nodes` is the folder of the devices' nodes, empty with a backend that
    has none.
    """
    if backend is None:
        nodes = nodes or NODES
    if backend is None and (backend := usb.backend.libusb1.get_backend()) is None:
        cause = "libusb is not installed: install it (on Debian and Raspberry Pi OS: apt install libusb-1.0-0)"
        raise place.error("usb.no-backend", cause)
    try:
        device = _find(place, backend)
        try:
            return _claim(place, device, wait)
        except BaseException:
            usb.util.dispose_resources(device)
            raise
    except (usb.core.USBError, NotImplementedError) as error:
        if getattr(error, "errno", None) in (errno.ENODEV, errno.ENOENT):
            raise place.error("usb.missing", "it was unplugged while it was being opened") from error
        unclear = bool(nodes) and getattr(error, "errno", None) in _UNCLEAR
        if unclear and (shut := _refused_node(place, backend, nodes)) is not None:
            kind, cause = refusal(*shut)
            raise place.error(f"usb.{kind}", cause) from error
        raise place.explained(error) from error


def _refused_node(place: UsbPlace, backend: Any, nodes: str) -> tuple[int, str] | None:
    """Returns error number and path of the first node of this kind that the kernel does not let us open.

    libusb does not hand the number on.
    """
    for device in usb.core.find(find_all=True, backend=backend, idVendor=place.vendor, idProduct=place.product):
        node = f"{nodes}/{device.bus:03d}/{device.address:03d}"
        if number := refused(node):
            return number, node
    return None


def _find(place: UsbPlace, backend: Any) -> Any:
    fitting: list[Any] = []
    others: list[str] = []
    failure: usb.core.USBError | None = None
    kind = {"idVendor": place.vendor, "idProduct": place.product}
    for device in usb.core.find(find_all=True, backend=backend, **kind):
        position = position_of(device)
        try:
            serial = serial_of(device)
        except usb.core.USBError as error:
            failure, serial = failure or error, ""
        if (serial == place.serial or not place.serial) and position == (place.port or position):
            fitting.append(device)
        else:
            others.append(f"{serial or 'one without a serial number'} at {position}")
            usb.util.dispose_resources(device)
    if len(fitting) == 1:
        return fitting[0]
    for device in fitting:
        usb.util.dispose_resources(device)
    if fitting:
        both = " and ".join(position_of(device) for device in fitting)
        example = UsbPlace(place.vendor, place.product, port=position_of(fitting[0]))
        raise place.error("usb.twice", f"devices at {both} answer to it: name one by its position, as in {example}")
    if failure is not None:
        raise failure
    instead = f"; of its kind there is: {', '.join(others)}" if others else ""
    raise place.error("usb.missing", f"it is not plugged in{instead}")


def position_of(device: Any) -> str:
    """Returns the position as the kernel names it: 1-1.3 is bus 1, port 1, and there port 3 of a hub."""
    ports = device.port_numbers or ("0",)
    return f"{device.bus}-{'.'.join(str(port) for port in ports)}"


def serial_of(device: Any) -> str:
    """Returns the serial number, empty when it has none; raises what pyusb's own property takes for an absent text."""
    languages = usb.util.get_langids(device) if device.iSerialNumber else ()
    if not languages:
        return ""
    try:
        return usb.util.get_string(device, device.iSerialNumber, languages[0]) or ""
    except ValueError:  # not Unicode
        return ""


def _claim(place: UsbPlace, device: Any, wait: int) -> UsbPipe:
    try:
        configuration = device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
        device.set_configuration()  # nobody has configured it yet; never otherwise, it would disturb other interfaces
        configuration = device.get_active_configuration()
    setting, inward, outward = _endpoints(place, configuration)
    number = setting.bInterfaceNumber
    detached = _detach(device, number)
    try:
        usb.util.claim_interface(device, number)
        if setting.bAlternateSetting:
            setting.set_altsetting()
    except usb.core.USBError:
        _release(device, number, detached)
        raise
    return UsbPipe(place, device, number, inward, outward, detached, wait)


def _endpoints(place: UsbPlace, configuration: Iterable[Any]) -> tuple[Any, Any, Any]:
    """Returns the first setting with an endpoint each way, and these two; bulk ones rather than interrupt ones."""
    for setting in configuration:
        if place.interface in (None, setting.bInterfaceNumber):
            inward = _endpoint(setting, usb.util.ENDPOINT_IN)
            outward = _endpoint(setting, usb.util.ENDPOINT_OUT)
            if inward is not None and outward is not None:
                return setting, inward, outward
    which = "none of its interfaces" if place.interface is None else f"its interface {place.interface}"
    raise place.error("usb.endpoints", f"{which} has no endpoint each way: this is another kind of device")


def _endpoint(setting: Any, direction: int) -> Any:
    for kind in (usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_TYPE_INTR):
        for endpoint in setting:
            if (
                usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction
                and usb.util.endpoint_type(endpoint.bmAttributes) == kind
            ):
                return endpoint
    return None


def _detach(device: Any, interface: int) -> bool:
    """Takes the interface from the kernel's driver; False when none has it."""
    try:
        if not device.is_kernel_driver_active(interface):
            return False
    except NotImplementedError:
        return False  # no such thing on this system
    device.detach_kernel_driver(interface)
    return True


def _release(device: Any, interface: int, detached: bool) -> None:
    try:
        usb.util.release_interface(device, interface)
        if detached:
            device.attach_kernel_driver(interface)
    except (usb.core.USBError, NotImplementedError):
        pass  # gone, or somebody else was quicker
    usb.util.dispose_resources(device)
