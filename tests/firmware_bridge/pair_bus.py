"""A python-can bus with a descriptor, like SocketCAN, for kernels without one: frames are packets of a socket pair."""

from __future__ import annotations

import errno
import select
import socket
from typing import Any

import can
from can.interfaces import BACKENDS

INTERFACE = "test-pair"
FAR: dict[str, socket.socket] = {}  # by channel; whoever made one is the rest of the bus


class PairBus(can.BusABC):
    def __init__(self, channel: str, **options: Any) -> None:
        if channel not in FAR:
            raise OSError(errno.ENODEV, "No such device")
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        near.setblocking(False)
        FAR[channel].close()
        FAR[channel] = far
        self.near = near
        self.down = 0  # the error number that everything fails with
        self.channel_info = channel
        super().__init__(channel, **options)

    def fileno(self) -> int:
        return self.near.fileno()

    def _recv_internal(self, timeout: float | None) -> tuple[can.Message | None, bool]:
        if not select.select([self.near], [], [], timeout)[0]:
            return None, False
        data = self.near.recv(64)
        if not data:
            raise can.CanOperationError("Error receiving: Network is down", errno.ENETDOWN)
        number = int.from_bytes(data[:4], "little")
        flags = {"is_extended_id": False, "is_error_frame": bool(number & 0x2000_0000)}
        return can.Message(arbitration_id=number & 0x1FFF_FFFF, data=data[4:], **flags), False

    def send(self, msg: can.Message, timeout: float | None = None) -> None:
        try:
            self.near.send(msg.arbitration_id.to_bytes(4, "little") + bytes(msg.data))
        except BlockingIOError as error:
            raise can.CanOperationError("Failed to transmit: No buffer space available", errno.ENOBUFS) from error
        except OSError as error:
            raise can.CanOperationError("Failed to transmit: No such device or address", errno.ENXIO) from error

    def shutdown(self) -> None:
        super().shutdown()
        self.near.close()


BACKENDS[INTERFACE] = (__name__, PairBus.__name__)
