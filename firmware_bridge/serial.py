"""A serial port as a transport: opened by pyserial, then read and written through its descriptor by the event loop."""

from __future__ import annotations

import array
import asyncio
import errno
import fcntl
import os
import select
import termios
from typing import Final

import serial

from firmware_bridge.access import REFUSALS, refusal
from firmware_bridge.speed import FASTER
from firmware_bridge.transport import Receiver, TransportError

READ_SIZE: Final = 4096
MAX_UNSENT: Final = 64 * 1024
_OUTPUT_SPEED: Final = 5  # of what tcgetattr returns
_FLAGS: Final = 4  # of a serial_struct, in words
_LOW_LATENCY: Final = 0x2000  # ASYNC_LOW_LATENCY of linux/tty_flags.h

_CODES: Final = {
    errno.ENOENT: ("serial.missing", "there is no such device node: is it plugged in?"),
    errno.ENXIO: ("serial.missing", "the node exists, but no device is behind it"),
    errno.ENODEV: ("serial.missing", "the node exists, but no device is behind it"),
    errno.EBUSY: ("serial.busy", "another program uses the port"),
    errno.EAGAIN: ("serial.busy", "another program has locked the port"),
    errno.EIO: ("serial.lost", "input/output error: the adapter was unplugged"),
    errno.ENOTTY: ("serial.settings", "this is not a serial port"),
    errno.EINVAL: ("serial.settings", "the port does not accept these settings"),
}
_open_ports: Final[dict[str, str]] = {}  # ports that are open in this process: where each really is, and by which path


class SerialTransport:
    """One serial port.  `path` should name the adapter (/dev/serial/by-id/...), not the order of plugging."""

    def __init__(
        self,
        path: str,
        baud: int = 115200,
        *,
        parity: str = serial.PARITY_NONE,
        bits: int = serial.EIGHTBITS,
        rtscts: bool = False,
        fast: bool = True,  # a device that can may get a higher speed
        max_unsent: int = MAX_UNSENT,
    ) -> None:
        self.path = path
        self.baud = baud
        self._parity = parity
        self._bits = bits
        self._rtscts = rtscts
        self._fast = fast
        self.low_latency: bool | None = None
        self._max_unsent = max_unsent
        self._port: serial.Serial | None = None
        self._fd = -1
        self._place = ""  # where the path led when it was opened
        self._receiver: Receiver | None = None
        self._unsent = bytearray()

    async def open(self, receiver: Receiver) -> None:
        """Opens the port for ourselves alone and forgets what arrived before; TransportError when that fails."""
        if self._port is not None:
            raise TransportError("serial.busy", f"{self.path}: opened already")
        try:
            port = serial.Serial(
                self.path,
                self.baud,
                bytesize=self._bits,
                parity=self._parity,
                rtscts=self._rtscts,
                timeout=0,
                write_timeout=0,
                exclusive=True,
            )
        except (OSError, ValueError, termios.error) as error:  # SerialException is an OSError
            raise self._error(error, "serial.settings") from error
        self.low_latency = _set_low_latency(port)
        self._port = port  # pyserial has flushed its input
        self._place = os.path.realpath(self.path)  # of this moment: a link may lead elsewhere tomorrow
        _open_ports[self._place] = self.path
        self._fd = port.fileno()
        self._receiver = receiver
        self._unsent.clear()
        asyncio.get_running_loop().add_reader(self._fd, self._readable)

    def write(self, data: bytes) -> None:
        """Sends now what the port takes now, and the rest when it can; a peer that never reads is `serial.stalled`."""
        if self._port is None:
            return
        if self._unsent:
            self._unsent += data
        else:
            sent = self._try_write(data)
            if sent < 0:
                return
            if sent < len(data):
                self._unsent += data[sent:]
                asyncio.get_running_loop().add_writer(self._fd, self._writable)
        if len(self._unsent) > self._max_unsent:
            waiting = f"{len(self._unsent)} bytes wait to be sent"
            self._lose(TransportError("serial.stalled", f"{self.path}: the device does not take data, {waiting}"))

    @property
    def speed(self) -> int:
        """The speed of the port, in bits a second."""
        return self._port.baudrate if self._port is not None else self.baud

    def faster(self) -> tuple[int, ...]:
        """Returns the higher speeds that the port takes, the fastest first.  Nothing may be on its way meanwhile."""
        port = self._port
        if port is None or not self._fast:
            return ()
        takes = tuple(baud for baud in FASTER if baud > self.baud and _takes(port, baud))
        self.set_speed(self.baud)
        return takes

    def set_speed(self, baud: int) -> None:
        """Gives the port another speed; what is still to be sent goes at that speed."""
        if self._port is None:
            return
        try:
            self._port.baudrate = baud
        except (OSError, ValueError, termios.error) as error:
            self._lose(self._error(error, "serial.settings"))

    async def close(self) -> None:
        """Releases the port; unsent bytes are dropped."""
        self._receiver = None
        self._detach()

    # ---- from the loop

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lose(self._error(error, "serial.lost"))
            return
        if not data:
            # Ready, and yet nothing to read: that is how a hang-up looks.  But a port that another program has opened
            # and closed, as `stty` does, looks ready for once, too, and then nothing has hung up.
            if not _hung_up(self._fd):
                return
            self._lose(TransportError("serial.lost", f"{self.path}: the adapter was unplugged"))
        elif self._receiver is not None:
            self._receiver.received(data)

    def _writable(self) -> None:
        sent = self._try_write(self._unsent)
        if sent > 0:
            del self._unsent[:sent]
            if not self._unsent:
                asyncio.get_running_loop().remove_writer(self._fd)

    def _try_write(self, data: bytes | bytearray) -> int:
        """Writes bytes and returns how many the port took; -1 when it is gone."""
        try:
            return os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            self._lose(self._error(error, "serial.lost"))
            return -1

    # ---- the end

    def _lose(self, why: TransportError) -> None:
        """Releases the port at once, and tells the receiver from the loop: it may be in the middle of a `write`."""
        self._detach()
        if (receiver := self._receiver) is not None:
            asyncio.get_running_loop().call_soon(self._report_lost, receiver, why)

    def _report_lost(self, receiver: Receiver, why: TransportError) -> None:
        if self._receiver is receiver:  # not closed meanwhile
            self._receiver = None
            receiver.lost(why)

    def _detach(self) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        loop.remove_writer(self._fd)
        self._fd = -1
        self._unsent.clear()
        _open_ports.pop(self._place, None)
        _close_port(port)

    def _error(self, error: Exception, otherwise: str) -> TransportError:
        number = error.errno if isinstance(error, OSError) else None
        if number is None and isinstance(error, termios.error) and error.args:
            number = error.args[0]
        if number in REFUSALS:
            kind, cause = refusal(number, self.path)
            return TransportError(f"serial.{kind}", f"{self.path}: {cause}")
        code, cause = _CODES.get(number or 0, (otherwise, str(error)))
        place = os.path.realpath(self.path)
        if code == "serial.busy" and place in _open_ports:
            cause = f"{self.path}: it leads to {place}, which another device of this table has as {_open_ports[place]}"
            return TransportError("serial.twice", cause)
        return TransportError(code, f"{self.path}: {cause}")


def _takes(port: serial.Serial, baud: int) -> bool:
    """Tells whether the port has this speed when it is asked for it: the kernel writes down the one that came of it."""
    try:
        port.baudrate = baud
        got = termios.tcgetattr(port.fileno())[_OUTPUT_SPEED]
    except (OSError, ValueError, termios.error):
        return False
    return bool(got == port.BAUDRATE_CONSTANTS[baud])


def _set_low_latency(port: serial.Serial) -> bool | None:
    """Has the kernel hand on each byte at once; True: it does, False: we may not, None: it has no such setting."""
    settings = array.array("i", [0] * 32)  # a serial_struct, with room to grow
    try:
        fcntl.ioctl(port.fileno(), termios.TIOCGSERIAL, settings)
        settings[_FLAGS] |= _LOW_LATENCY
        fcntl.ioctl(port.fileno(), termios.TIOCSSERIAL, settings)
        fcntl.ioctl(port.fileno(), termios.TIOCGSERIAL, settings)  # some take the call and not the flag
    except PermissionError:
        return False
    except OSError:
        return None
    return True if settings[_FLAGS] & _LOW_LATENCY else None


def _close_port(port: serial.Serial) -> None:
    """Closes a port without waiting: the kernel would hold us for unsent bytes of a device that takes none."""
    try:
        port.reset_output_buffer()
    except (OSError, termios.error):
        pass  # gone already
    try:
        port.close()
    except (OSError, termios.error):
        pass  # gone already; the descriptor is released all the same


def _hung_up(fd: int) -> bool:
    """Returns whether nobody is at the other end of a port any more."""
    asked = select.poll()
    asked.register(fd, select.POLLIN)
    return any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in asked.poll(0))
