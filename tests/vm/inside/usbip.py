"""A simulated device on a USB port of this kernel: `vhci_hcd` gets one end of a socket pair, and speaks USB/IP."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import struct
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from hw_sim.wire import Deliver

ATTACH: Final = Path("/sys/devices/platform/vhci_hcd.0/attach")
VENDOR: Final = 0x1209
PRODUCT: Final = 0xF317
FULL_SPEED: Final = 2
IN: Final = 0x81
OUT: Final = 0x01
PACKET: Final = 64
AGAIN: Final = 0.1  # seconds; a port that was just emptied is not free at once
HEADER: Final = struct.Struct(">IIIII")
SUBMIT: Final = struct.Struct(">IiIII")  # flags, length, frame, packets, interval; the setup packet follows
WHOLE: Final = 48  # bytes of any header
CMD_SUBMIT: Final = 1
CMD_UNLINK: Final = 2
RET_SUBMIT: Final = 3
RET_UNLINK: Final = 4
STALLED: Final = -32
CANCELLED: Final = -104
TO_HOST: Final = 1
# Requests of the standard that a device grants without doing anything.
GRANTED: Final = {1: "clear feature", 3: "set feature", 9: "set configuration", 11: "set interface"}


class Transfer(NamedTuple):
    """A read that waits for bytes of the device."""

    number: int
    length: int


class UsbIpWire:
    """The device's end of a USB cable: one interface, one bulk endpoint each way."""

    _ports = itertools.count()

    def __init__(self, name: str) -> None:
        self._port = next(self._ports)
        self._texts = ("", "feltd", f"simulated {name}", f"SIM-{name}")
        self._received: Deliver | None = None
        self._line: socket.socket | None = None
        self._wanted = False
        self._input = b""
        self._output = bytearray()
        self._up: deque[bytes] = deque()  # from the device, not fetched yet
        self._reads: deque[Transfer] = deque()

    @property
    def plugged(self) -> bool:
        return self._wanted

    @property
    def address(self) -> str:
        return f"usb://{VENDOR:04x}:{PRODUCT:04x}/{self._texts[3]}"

    def attach(self, received: Deliver) -> None:
        self._received = received

    def plug(self) -> None:
        if not self._wanted:
            self._wanted = True
            self._connect()

    def unplug(self) -> None:
        self._wanted = False
        self._disconnect()

    def send(self, data: bytes) -> None:
        if self._line is not None:
            self._up.append(data)
            self._serve_reads()

    def _connect(self) -> None:
        if not self._wanted or self._line is not None:
            return
        ours, kernels = socket.socketpair()
        with kernels:
            try:
                descriptor = os.open(ATTACH, os.O_WRONLY)
                try:
                    os.write(
                        descriptor, f"{self._port} {kernels.fileno()} {0x10001 + self._port} {FULL_SPEED}".encode()
                    )
                finally:
                    os.close(descriptor)
            except OSError:
                ours.close()
                asyncio.get_running_loop().call_later(AGAIN, self._connect)
                return
        ours.setblocking(False)
        self._line = ours
        asyncio.get_running_loop().add_reader(ours, self._readable)

    def _disconnect(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(line)
            loop.remove_writer(line)
            line.close()
        self._input = b""
        self._output.clear()
        self._up.clear()
        self._reads.clear()

    # ---- the kernel's requests

    def _readable(self) -> None:
        assert self._line is not None
        try:
            data = self._line.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._disconnect()
            return
        self._input += data
        while size := self._size():
            request, self._input = self._input[:size], self._input[size:]
            self._take(request)

    def _size(self) -> int:
        """Returns how many bytes the first request has; 0 when they are not all there."""
        if len(self._input) < WHOLE:
            return 0
        command, _, _, direction, _ = HEADER.unpack_from(self._input)
        size = WHOLE
        if command == CMD_SUBMIT and direction != TO_HOST:
            size += SUBMIT.unpack_from(self._input, HEADER.size)[1]
        return size if len(self._input) >= size else 0

    def _take(self, request: bytes) -> None:
        command, number, _, direction, endpoint = HEADER.unpack_from(request)
        if command == CMD_UNLINK:
            self._cancel(number, *struct.unpack_from(">I", request, HEADER.size))
            return
        length = SUBMIT.unpack_from(request, HEADER.size)[1]
        if endpoint == 0:
            self._control(number, direction, request[40:WHOLE], length)
        elif direction == TO_HOST:
            self._reads.append(Transfer(number, length))
            self._serve_reads()
        else:
            self._done(number, direction, 0, b"", length)
            if self._received is not None:
                self._received(request[WHOLE:])

    def _control(self, number: int, direction: int, setup: bytes, length: int) -> None:
        _, request, value, _, wanted = struct.unpack("<BBHHH", setup)
        answer: bytes | None = None
        if request == 6:
            answer = self._descriptor(value >> 8, value & 0xFF)
        elif request == 0:
            answer = b"\0\0"  # status: powered by the bus
        elif request in GRANTED:
            answer = b""
        if answer is None:
            self._done(number, direction, STALLED, b"", 0)
        elif direction == TO_HOST:
            self._done(number, direction, 0, answer[: min(wanted, length)])
        else:
            self._done(number, direction, 0, b"", length)

    def _descriptor(self, kind: int, index: int) -> bytes | None:
        if kind == 1:
            return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x200, 0xFF, 0, 0, PACKET, VENDOR, PRODUCT, 0x100, 1, 2, 3, 1)
        if kind == 2:
            ends = b"".join(struct.pack("<BBBBHB", 7, 5, end, 2, PACKET, 0) for end in (IN, OUT))
            interface = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 2, 0xFF, 0, 0, 0) + ends
            return struct.pack("<BBHBBBBB", 9, 2, 9 + len(interface), 1, 1, 0, 0x80, 50) + interface
        if kind == 3 and index < len(self._texts):
            text = self._texts[index].encode("utf-16-le") if index else b"\x09\x04"
            return bytes([2 + len(text), 3]) + text
        return None

    def _cancel(self, number: int, victim: int) -> None:
        waiting = [read for read in self._reads if read.number == victim]
        for read in waiting:
            self._reads.remove(read)
        self._write(HEADER.pack(RET_UNLINK, number, 0, 0, 0) + struct.pack(">i24x", CANCELLED if waiting else 0))

    def _serve_reads(self) -> None:
        while self._up and self._reads:
            read, data = self._reads.popleft(), self._up.popleft()
            if len(data) > read.length:
                self._up.appendleft(data[read.length :])
            self._done(read.number, TO_HOST, 0, data[: read.length])

    def _done(self, number: int, direction: int, status: int, data: bytes, length: int | None = None) -> None:
        told = struct.pack(">iiiii8x", status, len(data) if length is None else length, 0, 0, 0)
        self._write(HEADER.pack(RET_SUBMIT, number, 0, direction, 0) + told + data)

    # ---- the socket

    def _write(self, data: bytes) -> None:
        self._output += data
        self._flush()

    def _flush(self) -> None:
        if self._line is None:
            return
        loop = asyncio.get_running_loop()
        try:
            while self._output:
                del self._output[: self._line.send(self._output)]
        except BlockingIOError:
            loop.add_writer(self._line, self._flush)
        except OSError:
            self._disconnect()
        else:
            loop.remove_writer(self._line)
