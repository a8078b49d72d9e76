"""Which simulated devices can speak a vendor's protocol instead of the native one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hw_sim.device import End
from hw_sim.errors import SimError, unknown
from hw_sim.models.base import Model
from hw_sim.vendors.alpha import AlphaEnd
from hw_sim.vendors.angel_eye import AngelEyeEnd

NATIVE: Final = "native"
MakeEnd = Callable[[Model, Callable[[bytes], None]], End]

_ENDS: Final[Mapping[str, tuple[str, MakeEnd]]] = MappingProxyType(
    {"angel-eye": ("shoe", AngelEyeEnd), "alpha": ("display", AlphaEnd)}
)


def vendor_end(protocol: str, family: str) -> MakeEnd:
    """How a device of this family speaks this protocol; SimError when none does."""
    if protocol not in _ENDS:
        raise unknown("protocol", protocol, (NATIVE, *_ENDS))
    spoken_by, make = _ENDS[protocol]
    if family != spoken_by:
        raise SimError(f"{protocol} is spoken by a {spoken_by}, not by a {family}")
    return make


def whole(data: bytes) -> tuple[list[bytes], bytes]:
    """For faults that count frames: a vendor's device sends and gets one frame at a time."""
    return [data], b""
