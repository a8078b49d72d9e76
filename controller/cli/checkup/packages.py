"""What installed packages bring: can it be used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from controller.cli.checkup.finding import Finding, ok, warn
from controller.games import INSTALLED
from drivers.families import FAMILIES
from drivers.vendors.register import VENDORS
from firmware_bridge.address import SCHEMES
from firmware_bridge.extensions import Register

PACKAGES: Final = "packages"
_REGISTERS: Final[tuple[Register[Any], ...]] = (INSTALLED, FAMILIES, VENDORS, SCHEMES)


def packages() -> Iterator[Finding]:
    """Yields one line for each thing of a package that cannot be used; one line when there is none."""
    unusable = [error for register in _REGISTERS for error in register.unusable()]
    for error in unusable:
        yield warn(PACKAGES, error.code, error.cause, error.next_step)
    if not unusable:
        yield ok(PACKAGES, "all that packages bring can be used")
