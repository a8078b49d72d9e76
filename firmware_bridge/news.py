"""What a session tells the one that owns it: who the device is, what happened, and how requests and sessions end."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from firmware_bridge.errors import Coded
from firmware_bridge.frame import Kind
from firmware_bridge.messages import Event, Identity, Reply


class LinkError(Coded):
    """The failure of a link, or of a request on it."""


class Identified(msgspec.Struct, frozen=True):
    """The device said who it is: the session is open."""

    identity: Identity


class Happened(msgspec.Struct, frozen=True):
    """An event of the device, in its order."""

    counter: int
    event: Event


class Answered(msgspec.Struct, frozen=True):
    """The end of a request: the device's reply, or why there is none."""

    request: int
    result: Reply | LinkError


class Tampered(msgspec.Struct, frozen=True):
    """A frame came that the device did not send, or not now.  It was dropped; the session goes on."""

    frame: Kind


class Unattended(msgspec.Struct, frozen=True):
    """The device heard nothing of us for so long that it may have taken its outputs to their safe state."""


class SpeedChanged(msgspec.Struct, frozen=True):
    """Our end of the line has another speed from now on, in bits a second."""

    baud: int


class Lost(msgspec.Struct, frozen=True):
    """The end of the session, and why."""

    why: LinkError


News: TypeAlias = Identified | Happened | Answered | Tampered | Unattended | SpeedChanged | Lost
