"""Why some paragraphs of docs/protocol.md have no trial."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_CONTROLLER: Final = "It binds the controller; the tests of firmware_bridge try it."
_BUS: Final = "It binds the controller and the bus; every trial at a can:// address goes over it."
_IMAGE: Final = "It would change the firmware: `felt device NAME flash IMAGE` does it with an image that is signed."

UNTRIED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1.9": _BUS,
        "1.10": _BUS,
        "1.11": _BUS,
        "3.9": "It binds the controller; an event 41 is malformed (3.1).",
        "3.11": "It would need somebody who changes what the device senses while its power is off.",
        "4.4": _CONTROLLER,
        "5.7": "Nobody knows how many events fill the memory, and it would take long to let them happen.",
        "5.8": _CONTROLLER,
        "5.9": _CONTROLLER,
        "5.10": _CONTROLLER,
        "5.11": _CONTROLLER,
        "5.12": _CONTROLLER,
        "5.13": _CONTROLLER,
        "5.14": _CONTROLLER,
        "6.12": _CONTROLLER,
        "6.13": _CONTROLLER,
        "7.2": _CONTROLLER,
        "7.6": _CONTROLLER,
        "8.6": _CONTROLLER,
        "8.11": _CONTROLLER,
        "8.19": "It explains why pairing is as it is, and promises nothing more.",
        "9.1": _IMAGE,
        "9.2": _IMAGE,
        "9.4": _IMAGE,
        "9.5": _IMAGE,
        "9.6": _IMAGE,
        "9.7": _IMAGE,
        "9.8": _IMAGE,
        "11.2": "The vectors have keys and nonces of their own; a session of this suite has random ones.",
    }
)
