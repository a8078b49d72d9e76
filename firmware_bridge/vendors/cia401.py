"""The frames of a CiA 401 input/output module on CANopen: the few that lamps, buttons and door switches need."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from firmware_bridge.can_frame import MAX_DATA, CanFrame

POINTS: Final = 64  # inputs, and outputs, that one process data frame carries

# Identifiers: the function of a frame, plus the node.
NMT: Final = 0x000
EMERGENCY: Final = 0x080
INPUTS: Final = 0x180  # TPDO1
OUTPUTS: Final = 0x200  # RPDO1
SDO_ANSWER: Final = 0x580
SDO_REQUEST: Final = 0x600
HEARTBEAT: Final = 0x700
FROM_NODE: Final = (EMERGENCY, INPUTS, SDO_ANSWER, HEARTBEAT)

# NMT commands, and the states that a heartbeat tells.
START: Final = 0x01
BOOTED: Final = 0x00
OPERATIONAL: Final = 0x05
PREOPERATIONAL: Final = 0x7F

# Objects: index and sub-index.
DEVICE_TYPE: Final = (0x1000, 0)
ERROR_REGISTER: Final = (0x1001, 0)
HEARTBEAT_TIME: Final = (0x1017, 0)
IDENTITY: Final = 0x1018  # 1 vendor, 2 product, 3 revision, 4 serial number
INPUT_BYTES: Final = 0x6000
OUTPUT_BYTES: Final = 0x6200
PROFILE: Final = 401

_SDO: Final = struct.Struct("<BHB4s")


def function_of(frame: CanFrame) -> int:
    """Returns what a frame is for: its identifier without the node."""
    return frame.id & 0x780


def pack(frame: CanFrame) -> bytes:
    """Returns a frame as one piece of bytes: its identifier, then its data."""
    return frame.id.to_bytes(2, "big") + frame.data


def unpack(data: bytes) -> CanFrame | None:
    """Returns the frame in one piece of bytes; None when it is no whole frame."""
    if not 2 <= len(data) <= 2 + MAX_DATA:
        return None
    return CanFrame(int.from_bytes(data[:2], "big"), data[2:])


def nmt(command: int, node: int) -> CanFrame:
    """Returns the frame that changes the state of a node; 0 is every node."""
    return CanFrame(NMT, bytes([command, node]))


@dataclass(frozen=True, slots=True)
class Object:
    """One value in the dictionary of a node, as it travels by SDO; `value` None: to be read."""

    index: int
    sub: int
    value: int | None = None
    size: int = 4

    def request(self, node: int) -> CanFrame:
        """Returns the frame that asks a node to give this object, or to write it.

        >>> Object(*HEARTBEAT_TIME, 250, 2).request(5).data.hex(" ")
        '2b 17 10 00 fa 00 00 00'
        """
        if self.value is None:
            return CanFrame(SDO_REQUEST + node, _SDO.pack(0x40, self.index, self.sub, b""))
        return CanFrame(SDO_REQUEST + node, self._carrying(0x23))

    def answer(self, node: int) -> CanFrame:
        """Returns the frame that a node answers with: the value that was read, or that it was written."""
        if self.value is None:
            return CanFrame(SDO_ANSWER + node, _SDO.pack(0x60, self.index, self.sub, b""))
        return CanFrame(SDO_ANSWER + node, self._carrying(0x43))

    def _carrying(self, command: int) -> bytes:
        value = (self.value or 0).to_bytes(4, "little")
        return _SDO.pack(command | 4 - self.size << 2, self.index, self.sub, value)


@dataclass(frozen=True, slots=True)
class Aborted:
    """A node refuses an SDO."""

    index: int
    sub: int
    code: int

    def answer(self, node: int) -> CanFrame:
        """Returns the frame by which a node refuses."""
        return CanFrame(SDO_ANSWER + node, _SDO.pack(0x80, self.index, self.sub, self.code.to_bytes(4, "little")))


def read_sdo(data: bytes) -> Object | Aborted | None:
    """Returns an expedited SDO, request or answer; None when the data is no such thing."""
    if len(data) != _SDO.size:
        return None
    command, index, sub, value = _SDO.unpack(data)
    if command == 0x80:
        return Aborted(index, sub, int.from_bytes(value, "little"))
    if command in (0x40, 0x60):
        return Object(index, sub)
    if command & 0xE3 in (0x23, 0x43):  # expedited, size told
        size = 4 - (command >> 2 & 3)
        return Object(index, sub, int.from_bytes(value[:size], "little"), size)
    return None


@dataclass(frozen=True, slots=True)
class Emergency:
    """Something is wrong in the node; code 0: no longer."""

    code: int
    register: int = 0

    def frame(self, node: int) -> CanFrame:
        """Returns the frame by which a node reports it."""
        return CanFrame(EMERGENCY + node, struct.pack("<HB5x", self.code, self.register))


def read_emergency(data: bytes) -> Emergency | None:
    """Returns the emergency in a frame's data; None when it is no such thing."""
    return Emergency(int.from_bytes(data[:2], "little"), data[2]) if len(data) == 8 else None
