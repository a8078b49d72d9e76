"""The port to a CAN bus, and the one that python-can opens: SocketCAN, or its virtual bus.

python-can's Notifier is not used: after an error it spins or dies silently.  The reader here lets go at the first error
and says why.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from firmware_bridge.can_frame import CanFrame
from firmware_bridge.can_health import Health
from firmware_bridge.transport import TransportError

if TYPE_CHECKING:
    import can

MOST_AT_ONCE: Final = 256  # frames in one turn of the loop: a babbling node must not starve the others
MOST_UNREAD: Final = 4096  # frames; beyond, the oldest are lost, as in any controller's buffer
SETTLE: Final = 0.2  # seconds: an adapter that is pulled takes its interface down before it takes it away
LISTEN: Final = 0.05  # seconds in one wait of a reader thread, and so at most until it notices its end

_CODES: Final = {
    errno.ENODEV: ("can.missing", "there is no such interface: is the adapter plugged in?"),
    errno.ENXIO: ("can.lost", "the adapter was unplugged"),
    errno.ENETDOWN: ("can.down", "the interface is down: set its bit rate and bring it up"),
    errno.EPERM: ("can.denied", "the service may not use CAN sockets"),
    errno.EACCES: ("can.denied", "the service may not use CAN sockets"),
    errno.EAFNOSUPPORT: ("can.unsupported", "this kernel has no SocketCAN: load the module can_raw"),
}
_NO_ROOM: Final = (errno.ENOBUFS, errno.EAGAIN, 0)
# Bits of an error frame's id, and of its second byte, as the kernel defines them.
_ERR_CONTROLLER, _ERR_BUS_OFF, _ERR_RESTARTED, _ERR_COUNTED = 0x004, 0x040, 0x100, 0x200
_CRTL_WARNING, _CRTL_PASSIVE = 0x0C, 0x30
_ERROR_BYTES: Final = 8  # of an error frame that has them all


class Listener(Protocol):
    """The one that a port reports to.  `lost` comes once, from the loop, and nothing comes after it."""

    def frames(self, frames: list[CanFrame]) -> None:
        """Takes frames in the order in which they came."""

    def health(self, health: Health) -> None:
        """Takes the state that our own CAN controller reports."""

    def counters(self, tx_errors: int, rx_errors: int) -> None:
        """Takes the error counters of our own CAN controller."""

    def lost(self, why: TransportError) -> None:
        """Learns that the port is lost, and why."""


class Port(Protocol):
    """A port to a bus; opened once, closed once."""

    async def open(self, listener: Listener) -> None:
        """Opens the port and reports to this listener; TransportError when it cannot."""

    def send(self, frame: CanFrame) -> bool:
        """Sends a frame without blocking; False when there is no room at present."""

    async def close(self) -> None:
        """Closes the port; nothing is reported after it.  Idempotent."""


class PythonCanPort:
    """The port to a bus that python-can opens.  One with a descriptor is read by the loop, any other by a thread.

    `exists` tells whether the interface is still there; only SocketCAN's come and go.
    """

    def __init__(self, interface: str, channel: str, exists: Callable[[str], bool] | None = None) -> None:
        self._exists = exists or (_exists if interface == "socketcan" else lambda _channel: True)
        self._interface = interface
        self._channel = channel
        self._bus: can.BusABC | None = None
        self._fd = -1
        self._listener: Listener | None = None
        self._thread: threading.Thread | None = None
        self._ended: asyncio.Future[None] | None = None  # the thread's last word
        self._unread: deque[can.Message] = deque(maxlen=MOST_UNREAD)
        self._scheduled = False  # the loop is on its way to the unread frames

    async def open(self, listener: Listener) -> None:
        import can  # 0.1 s: only whoever has a CAN bus pays for it

        logging.getLogger("can").setLevel(logging.CRITICAL)  # every error is reported here, once and with its cause
        try:
            bus = can.Bus(channel=self._channel, interface=self._interface, ignore_config=True)
        except (can.CanError, OSError, ValueError) as error:
            raise self._error(error, "can.settings") from error
        self._bus, self._listener = bus, listener
        loop = asyncio.get_running_loop()
        try:
            self._fd = bus.fileno()
        except NotImplementedError:
            self._ended = loop.create_future()
            self._thread = threading.Thread(target=self._listen, args=(bus, loop), name=f"can {self._channel}")
            self._thread.start()
        else:
            loop.add_reader(self._fd, self._readable)

    def send(self, frame: CanFrame) -> bool:
        import can

        if self._bus is None:
            return True  # its loss has been, or is being, reported
        message = can.Message(
            arbitration_id=frame.id, data=frame.data, is_extended_id=frame.extended, is_remote_frame=frame.remote
        )
        try:
            self._bus.send(message)
        except (can.CanError, OSError) as error:
            if _number(error) in _NO_ROOM:
                return False
            self._lose(self._error(error, "can.lost"))
        return True

    async def close(self) -> None:
        self._listener = None
        self._release()
        if self._thread is not None and self._ended is not None:
            await self._ended
            self._thread.join()
            self._thread = None

    # ---- reading

    def _readable(self) -> None:
        """Reads what the descriptor has, called by the loop; only so much that other devices get their turn."""
        import can

        messages: list[can.Message] = []
        try:
            while self._bus is not None and len(messages) < MOST_AT_ONCE and (message := self._bus.recv(0)) is not None:
                messages.append(message)
        except (can.CanError, OSError) as error:
            self._lose(self._error(error, "can.lost"))
        self._pass_on(messages)

    def _listen(self, bus: can.BusABC, loop: asyncio.AbstractEventLoop) -> None:
        """Reads frames in a thread until the bus is released; whatever ends it, the loop learns it."""
        why: Exception | None = None
        try:
            while self._bus is bus:
                message = bus.recv(LISTEN)
                if message is not None:
                    self._unread.append(message)
                    if not self._scheduled:
                        self._scheduled = True
                        loop.call_soon_threadsafe(self._read_queued)
        except Exception as error:  # a reader must not die silently, whatever it dies of
            why = error
        try:
            loop.call_soon_threadsafe(self._thread_ended, why)
        except RuntimeError:
            pass  # the loop is closed: nobody is left to tell

    def _read_queued(self) -> None:
        self._scheduled = False
        messages = [self._unread.popleft() for _ in range(min(len(self._unread), MOST_AT_ONCE))]
        if self._unread and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._read_queued)
        self._pass_on(messages)

    def _thread_ended(self, why: Exception | None) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        if why is not None and self._bus is not None:  # else it ended because the bus was released
            self._lose(self._error(why, "can.lost"))

    def _pass_on(self, messages: list[can.Message]) -> None:
        frames = []
        for message in messages:
            if not message.is_error_frame:
                extended, remote = message.is_extended_id, message.is_remote_frame
                frames.append(CanFrame(message.arbitration_id, bytes(message.data), extended, remote))
            elif self._listener is not None:
                if counted := _counters(message.arbitration_id, message.data):
                    self._listener.counters(*counted)
                if health := _health(message.arbitration_id, message.data):
                    self._listener.health(health)
        if frames and self._listener is not None:
            self._listener.frames(frames)

    # ---- the end

    def _lose(self, why: TransportError) -> None:
        self._release()
        loop = asyncio.get_running_loop()
        if why.code == "can.down":  # it may go altogether in the next moment
            loop.call_later(SETTLE, self._report_down_or_gone, why)
        else:
            loop.call_soon(self._report_lost, why)

    def _report_down_or_gone(self, why: TransportError) -> None:
        """Reports that the interface is down, or that it is gone: only one that is down can be brought up again."""
        exists = self._exists(self._channel)
        self._report_lost(why if exists else self._error(OSError(errno.ENODEV, "gone"), "can.lost"))

    def _report_lost(self, why: TransportError) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.lost(why)

    def _release(self) -> None:
        import can

        bus, self._bus = self._bus, None
        if bus is None:
            return
        if self._fd >= 0:
            asyncio.get_running_loop().remove_reader(self._fd)
            self._fd = -1
        try:
            bus.shutdown()
        except (can.CanError, OSError):
            pass  # gone already

    def _error(self, error: Exception, otherwise: str) -> TransportError:
        code, cause = _CODES.get(_number(error), (otherwise, str(error) or type(error).__name__))
        return TransportError(code, f"{self._interface} {self._channel}: {cause}")


def _exists(channel: str) -> bool:
    try:
        socket.if_nametoindex(channel)
    except OSError:
        return False
    return True


def _number(error: Exception) -> int:
    """Returns the system's error number, wherever python-can has put it; 0 when there is none."""
    return getattr(error, "error_code", None) or getattr(error, "errno", None) or 0


def _health(kind: int, data: bytes | bytearray) -> Health | None:
    """Returns what an error frame says about our controller; None: only that a frame was damaged."""
    if kind & _ERR_BUS_OFF:
        return "bus-off"
    if kind & _ERR_RESTARTED:
        return "active"
    if kind & _ERR_CONTROLLER and len(data) > 1:
        if data[1] & _CRTL_PASSIVE:
            return "passive"
        return "warning" if data[1] & _CRTL_WARNING else "active"
    return None


def _counters(kind: int, data: bytes | bytearray) -> tuple[int, int] | None:
    """Returns our controller's error counters, sent and received.  Older kernels give them without saying so."""
    if len(data) < _ERROR_BYTES or not kind & (_ERR_CONTROLLER | _ERR_COUNTED):
        return None
    return data[6], data[7]
