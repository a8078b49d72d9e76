"""How one device of a table is reached, and which one it must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.driver import Driver
from firmware_bridge.link import MakeLink, Timing
from firmware_bridge.transport import Transport


@dataclass(frozen=True)
class DeviceSpec:
    """What a device of the table is, how to reach it, and which one it must be."""

    family: str
    make_transport: Callable[[], Transport]
    area: int = 0
    serial: str | None = None
    make_link: MakeLink | None = None  # None: the native protocol
    make_driver: Callable[[], Driver] | None = None  # None: that of its family
    key: bytes | None = field(default=None, repr=False)  # with one its link is encrypted
    min_firmware: str = ""  # any
    encrypted: bool = False  # its link must be encrypted: without a key it is not used
    tapped: bool = True  # somebody could sit on its wire
    two_people: bool = False  # its door is opened only while two people have allowed it
    address: str = ""  # as table.toml has it; for people
    timing: Timing = Timing()  # noqa: RUF009 - frozen; of the native protocol
