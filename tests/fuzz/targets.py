"""All targets by name."""

from __future__ import annotations

from typing import Final

from tests.fuzz import commands, devices, doors, engine, stored, text, wire
from tests.fuzz.target import Target

ALL: Final[dict[str, type[Target]]] = {
    kind.name: kind for room in (engine, wire, devices, text, stored, doors, commands) for kind in room.TARGETS
}
