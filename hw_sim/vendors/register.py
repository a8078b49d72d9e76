"""The register of simulated devices that speak a vendor's protocol instead of the native one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from firmware_bridge.extensions import UNKNOWN, ExtensionError, Register
from firmware_bridge.vendors import PROTOCOLS
from hw_sim.device import End
from hw_sim.errors import SimError, unknown
from hw_sim.models.base import Model

NATIVE: Final = "native"
MakeEnd: TypeAlias = Callable[[Model, Callable[[bytes], None]], End]
E = TypeVar("E", bound=MakeEnd)


@dataclass(frozen=True, slots=True)
class Speaker:
    """How a simulated device speaks a protocol, and of which families it may be."""

    families: tuple[str, ...]
    make_end: MakeEnd


def speaks(protocol: str, *families: str) -> Callable[[E], E]:
    """Returns a decorator that declares what a device end speaks, for which families, and adds it to the register."""

    def declare(end: E) -> E:
        SIMULATORS.add(protocol, Speaker(families, end), end)
        return end

    return declare


def vendor_end(protocol: str, family: str) -> MakeEnd:
    """Returns how a device of this family speaks this protocol; SimError when none does."""
    try:
        speaker = SIMULATORS.find(protocol)
    except ExtensionError as error:
        if error.code == UNKNOWN:
            raise unknown("protocol", protocol, (NATIVE, *SIMULATORS.names())) from None
        raise SimError(error.cause) from error
    if family not in speaker.families:
        raise SimError(f"{protocol} is spoken by a {' or a '.join(speaker.families)}, not by a {family}")
    return speaker.make_end


def whole(data: bytes) -> tuple[list[bytes], bytes]:
    """Returns the data as one frame, for faults that count frames: a vendor's device sends and gets one at a time."""
    return [data], b""


SIMULATORS: Final[Register[Speaker]] = Register("feltd.simulators", "simulated protocol", "hw_sim.vendors", PROTOCOLS)
