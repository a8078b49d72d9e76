"""What a usable configuration should better say: nothing that stops a table, everything that will surprise somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from controller.config import Problem, TableConfig
from controller.config.lines import line_numbers
from controller.daemon.begin import options_of

_BY_ORDER = re.compile(r"/dev/tty(USB|ACM)\d+")  # whoever is plugged in first is number 0


def hints(config: TableConfig, path: Path) -> list[Problem]:
    """In the order of the file."""
    lines = line_numbers(path.read_text())
    found = [
        *(
            Problem(lines.get(("device", name, "address"), 1), f"device.{name}.address", why)
            for name, why in _names(config)
        ),
        *(Problem(lines.get(("table", "game"), 1), "device", why) for why in _bare_areas(config)),
    ]
    return sorted(found)


def _names(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Ports whose name depends on the order in which adapters are found."""
    for name, device in config.devices.items():
        port = device.address.path
        if device.address.scheme == "serial" and _BY_ORDER.fullmatch(port):
            yield (
                name,
                f"{port} is whichever adapter was found first, after the next start perhaps another: write its name "
                "under /dev/serial/by-id (`felt devices --suggest` prints it)",
            )


def _bare_areas(config: TableConfig) -> Iterator[str]:
    """Places on the layout whose chips nobody reads."""
    seats = int(options_of(config)["seats"])
    read = {device.area for device in config.devices.values() if device.family == "bet-sensor"}
    bare = [area for area in range(1, seats + 1) if area not in read]
    if not bare:
        return
    one = len(bare) == 1
    places, has = f"area{'' if one else 's'} {', '.join(map(str, bare))}", "has" if one else "have"
    add = f'add [device."sensor.{bare[0]}"] with family = "bet-sensor" and area = {bare[0]}'
    fewer = f", or say with seats = {bare[0] - 1} that the table has no more places" if bare[-1] == seats else ""
    yield f"{places} of {seats} {has} no bet sensor, so nobody can bet there: {add}{fewer}"
