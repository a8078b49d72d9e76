"""What a usable configuration should better say: nothing that stops a table, everything that will surprise somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path

from controller.config.begin import options_of
from controller.config.errors import Problem
from controller.config.key_file import KeyFile
from controller.config.lines import Finding, dotted, line_numbers
from controller.config.model import TableConfig
from controller.config.wiring import SIMULATED
from controller.errors import FeltError
from controller.games import find
from controller.table.lamps import EVERY_TABLE, JACKPOT
from firmware_bridge.schemes.can import can_wiring

_FOR_GROUP = Path("/run/feltd")  # the unit's runtime directory
_FOR_ALL = Path("/run/feltd-read")
_BY_ORDER = re.compile(r"/dev/tty(USB|ACM)\d+")  # whoever is plugged in first is number 0


def hints(config: TableConfig, path: Path) -> list[Problem]:
    """Returns what should better be written, in the order of the file."""
    lines = line_numbers(path.read_text())
    problems = [
        *(
            Problem(lines.get(("device", name, "address"), 1), f"device.{name}.address", why)
            for name, why in _names(config)
        ),
        *(
            Problem(lines.get(("table", "game"), 1), "device", why)
            for why in (*_bare_areas(config), *_half_simulated(config))
        ),
        *(Problem(lines.get(path, 1), dotted(path), why) for path, why in _unlit(config)),
        *(
            Problem(lines.get(("device", name, "sealed"), 1), f"device.{name}.sealed", why)
            for name, why in _plain_links(config)
        ),
        *(Problem(lines.get(("device",), 1), "device", why) for why in _unpaired(config)),
        *(Problem(lines.get(("api", "read-socket"), 1), "api.read-socket", why) for why in _read_door(config)),
        *(Problem(lines.get(("web", "listen"), 1), "web.listen", why) for why in _open_pages(config)),
    ]
    return sorted(problems)


def _names(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Yields ports whose name depends on the order in which adapters are found."""
    for name, device in config.devices.items():
        port = device.address.path
        if device.address.scheme == "can":
            wiring, _ = can_wiring(device.address)
            port = wiring.channel
        if device.address.scheme in ("serial", "can") and _BY_ORDER.fullmatch(port):
            yield (
                name,
                f"{port} is whichever adapter was found first, after the next start perhaps another: write its name "
                "under /dev/serial/by-id (`felt devices --suggest` prints it)",
            )


def _bare_areas(config: TableConfig) -> Iterator[str]:
    """Yields places on the layout whose chips nobody reads."""
    seats = options_of(config).seats
    read = {device.area or 0 for device in config.devices.values() if device.family == "bet-sensor"}
    bare = [area for area in range(1, seats + 1) if area not in read]
    if not bare:
        return
    one, read_up_to = len(bare) == 1, max(read)
    places, has = f"area{'' if one else 's'} {', '.join(map(str, bare))}", "has" if one else "have"
    add = f'add [device."sensor.{bare[0]}"] with family = "bet-sensor" and area = {bare[0]}'
    fewer = (
        f", or say with seats = {bare[0] - 1} that the table has no more places" if bare[0] == read_up_to + 1 else ""
    )
    yield f"{places} of {seats} {has} no bet sensor, so nobody can bet there: {add}{fewer}"


def _unlit(config: TableConfig) -> Iterator[Finding]:
    """Yields lamps that are connected, and that this game never lights."""
    options, game = options_of(config), find(config.table.game)
    lamps = [lamp.name for lamp in (*EVERY_TABLE, *game.lights) if lamp is not JACKPOT or options.terms is not None]
    lit = {*lamps, *(f"{lamp}:{seat}" for lamp in lamps for seat in range(1, options.seats + 1))}
    for name, device in config.devices.items():
        outputs = getattr(device.settings, "outputs", {}) if device.family == "lamps" else {}
        for lamp in outputs:
            if lamp not in lit:
                why = f"{config.table.game} never lights it here: remove it, or connect another lamp"
                yield ("device", name, device.protocol, "outputs", lamp), why


def _keys(config: TableConfig) -> Mapping[str, bytes] | None:
    """Returns the keys that are kept; None when they cannot be read by whoever asks."""
    try:
        return KeyFile(config.table.state).all()
    except FeltError:
        return None


def _plain_links(config: TableConfig) -> Iterator[tuple[str, str]]:
    """Yields devices whose link may be plain because the file says so."""
    keys = _keys(config) or {}
    for name, device in config.devices.items():
        if device.insecure and device.serial in keys:
            yield name, "a key is kept for it, so its link is encrypted: remove sealed = false"
        elif device.insecure:
            yield (
                name,
                "insecure: who reaches the cable can read and forge what passes; "
                f"pair it (`felt device {name} pair`), then remove sealed = false",
            )


def _unpaired(config: TableConfig) -> Iterator[str]:
    """Yields that devices are not used before they are paired."""
    keys, file = _keys(config), KeyFile(config.table.state).path
    needed = {name: device.serial for name, device in config.devices.items() if device.must_encrypt}
    if keys is None and needed:
        yield f"{file} cannot be read here, so nobody can tell which devices are not paired: ask as root"
    elif keys is not None and (waiting := [name for name, serial in needed.items() if serial not in keys]):
        yield (
            f"{', '.join(waiting)}: not used before `felt device NAME pair`, for no key is kept in {file}; a table "
            "that has played with them over plain links does not start, unless sealed = false is written to each"
        )


def _half_simulated(config: TableConfig) -> Iterator[str]:
    """Yields devices that do not exist, at a table where others do."""
    simulated = [name for name, device in config.devices.items() if device.address.scheme == SIMULATED]
    if simulated and len(simulated) < len(config.devices):
        one = "is a simulated device" if len(simulated) == 1 else "are simulated devices"
        yield f"{', '.join(simulated)} {one} among real ones: nothing on the felt is read there"


def _open_pages(config: TableConfig) -> Iterator[str]:
    """Yields that pages on a network are not encrypted."""
    if config.web.place is not None and not ip_address(config.web.place[0]).is_loopback:
        yield (
            "insecure: pages are not encrypted, so who can listen on their network reads PINs and sessions of people "
            "who sign in there: let only the house's own screens and tables be on it, or write 127.0.0.1"
        )


def _read_door(config: TableConfig) -> Iterator[str]:
    """Yields a read socket for everybody that stands in a directory for few."""
    door = config.api.read_socket
    if door is not None and door.parent == _FOR_GROUP:
        yield f"only root and the group feltd may enter {_FOR_GROUP}: write {_FOR_ALL / door.name} for other accounts"
