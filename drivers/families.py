"""The register of device families: what each is called, where it stands, and the driver that speaks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

from drivers.driver import Driver
from firmware_bridge.extensions import Register
from firmware_bridge.messages import FAMILIES as OURS

Stand: TypeAlias = Literal["anywhere", "by-name", "area", "area-or-board"]
AT_AREAS: Final[tuple[Stand, ...]] = ("area", "area-or-board")
Reads: TypeAlias = Literal["", "drawn", "laid"]
D = TypeVar("D", bound=type[Driver])


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of device, as a table must know it."""

    name: str  # in table.toml and on the wire
    title: str  # for people
    called: str  # the first part of its name at the table, and of its fault codes
    stands: Stand
    reads: Reads  # cards that are drawn from it, or laid on it
    one: bool  # a table has one at most

    @property
    def at_areas(self) -> bool:
        """Whether it may belong to one betting area or seat."""
        return self.stands in AT_AREAS

    def name_at_table(self, area: int | None) -> str | None:
        """Returns the name by which the table knows such a device; None when any name will do.

        >>> FAMILIES.find("reader").about.name_at_table(None), FAMILIES.find("bet-sensor").about.name_at_table(3)
        ('reader.board', 'sensor.3')
        """
        match self.stands:
            case "area":
                return f"{self.called}.{area}"
            case "area-or-board":
                return f"{self.called}.{area or 'board'}"
            case "by-name":
                return self.called
        return None


def family(
    name: str, *, title: str = "", called: str = "", stands: Stand = "anywhere", reads: Reads = "", one: bool = False
) -> Callable[[D], D]:
    """Returns a decorator that declares a driver's family and adds it to the register."""

    def declare(driver: D) -> D:
        driver.about = Family(name, title or name, called or name, stands, reads, one)
        FAMILIES.add(name, driver, driver)
        return driver

    return declare


FAMILIES: Final[Register[type[Driver]]] = Register("feltd.families", "family", "drivers", OURS)
