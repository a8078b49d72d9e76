"""Makes a first table.toml: from what is plugged in, and from what somebody answers."""

from __future__ import annotations

import grp
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from controller.cli.suggest import guess, look
from controller.config.errors import ConfigError
from controller.errors import FeltError
from controller.games import INSTALLED, laid_on_readers
from controller.table.rules import Rules
from drivers.families import FAMILIES
from firmware_bridge.plugged import Plugged, Roots

SIMULATED: Final = "s"
DEFAULT_GAME, DEFAULT_NAME, DEFAULT_SEATS = "casino-war", "T1", 3
CARDS_KEY: Final = Path("/etc/feltd/cards.key")
GROUP: Final = "feltd"  # of the daemon, which reads the file
MODE: Final = 0o640


class NeededDevice(NamedTuple):
    """A device that the table needs."""

    family: str
    area: int | None = None

    @property
    def name(self) -> str:
        """The name by which the table knows it."""
        return FAMILIES.find(self.family).about.name_at_table(self.area) or self.family


class Answers(NamedTuple):
    """What somebody decided."""

    game: str
    name: str
    seats: int
    addresses: Mapping[str, str]  # by the names of devices


def plugged_in() -> list[Plugged]:
    """Returns what is plugged into this computer."""
    import usb.backend.libusb1
    from serial.tools import list_ports

    return look(Roots(), list(list_ports.comports()), usb.backend.libusb1.get_backend())


def asked(plugged: list[Plugged], given: Mapping[str, Any], *, ask: bool) -> Answers:
    """Returns what the table shall be: as given, else as answered; with `ask` off, defaults.

    Raises FeltError when something given makes no table.
    """
    games = {rules.name: rules for rules in INSTALLED.usable()}
    game = given["game"]
    if game is None and ask:
        click.echo("games: " + ", ".join(sorted(games)), err=True)
        game = click.prompt(
            "Game", default=DEFAULT_GAME, type=click.Choice(sorted(games)), show_choices=False, err=True
        )
    rules = games.get(game or DEFAULT_GAME)
    if rules is None:
        raise FeltError("config.init", f"no game is called {game}", f"Choose one of {', '.join(sorted(games))}.")
    name = given["name"] or _prompt("Name of the table on the floor", DEFAULT_NAME, ask)
    seats = given["seats"] or int(_prompt(f"How many {rules.called.place}s", _seats(rules), ask))
    return Answers(rules.name, name, seats, _addresses(list(devices_of(rules, seats)), plugged, ask=ask))


def _seats(rules: Rules) -> int:
    return min(DEFAULT_SEATS, rules.options().seats)


def _prompt(question: str, default: Any, ask: bool) -> Any:
    return click.prompt(question, default=default, err=True) if ask else default


def devices_of(rules: Rules, seats: int) -> Iterator[NeededDevice]:
    """Yields the devices that a table of this game needs."""
    areas = range(1, seats + 1)
    readers = laid_on_readers(rules)
    if not readers:
        yield NeededDevice("shuffler" if rules.options().machine else "shoe")
    yield NeededDevice("console")
    yield NeededDevice("lamps")
    yield from (NeededDevice("bet-sensor", area) for area in areas)
    if readers:
        yield from (NeededDevice("reader", area) for area in areas)
        yield NeededDevice("reader")


def _addresses(devices: list[NeededDevice], plugged: list[Plugged], *, ask: bool) -> dict[str, str]:
    """Returns where each device is: by its name on the wire, as somebody says, else simulated."""
    free = list(plugged)
    if ask and free:
        click.echo("plugged in:", err=True)
        for number, device in enumerate(plugged, 1):
            click.echo(f"  {number}  {device.what}\n     {device.address}", err=True)
    chosen: dict[str, str] = {}
    for wanted in devices:
        fits = next((device for device in free if guess(device) == wanted.family), None)
        if ask and free:
            fits = _chosen(wanted, plugged, fits)
        if fits is not None and fits in free:
            free.remove(fits)
        chosen[wanted.name] = f"sim://{wanted.name}" if fits is None else fits.address
    return chosen


def _chosen(wanted: NeededDevice, plugged: list[Plugged], fits: Plugged | None) -> Plugged | None:
    """Returns the one that somebody names by its number; None: it is simulated for now."""
    words = [SIMULATED, *map(str, range(1, len(plugged) + 1))]
    default = SIMULATED if fits is None else str(plugged.index(fits) + 1)
    question = f"{wanted.name}: its number, or {SIMULATED} for simulated"
    answer = click.prompt(question, default=default, type=click.Choice(words), show_choices=False, err=True)
    return None if answer == SIMULATED else plugged[int(answer) - 1]


# ---- the file


def text(
    answers: Answers, rules: Rules, plugged: list[Plugged], state: Path, socket: str, key: Path | None
) -> Iterator[str]:
    """Yields the lines of the file; `key`: where the key of the cards shall be, None: the table has no secrets."""
    yield "# Made by `felt config init`.  After a change: felt config check FILE"
    yield "# What else can be written: docs/configuration.md and docs/options.md"
    yield ""
    yield from ("[table]", f"name = {_quoted(answers.name)}", f"game = {_quoted(answers.game)}")
    yield f"state = {_quoted(str(state))}"
    yield from ("", "[options]", f"seats = {answers.seats}")
    for wanted in devices_of(rules, answers.seats):
        yield ""
        yield f"[device.{_quoted(wanted.name) if '.' in wanted.name else wanted.name}]"
        yield f"family = {_quoted(wanted.family)}"
        if wanted.area is not None:
            yield f"area = {wanted.area}"
        yield f"address = {_quoted(answers.addresses[wanted.name])}"
    for device in plugged:
        if device.address not in answers.addresses.values():
            words = "".join(character if character.isprintable() else "?" for character in device.what)
            yield from ("", f"# plugged in and not used: {words}", f"# address = {_quoted(device.address)}")
    if key is not None:
        yield from ("", "[journal]", f"cards-key = {_quoted(str(key))}  # made by `felt table init`; keep a copy apart")
    yield from ("", "[api]", f"socket = {_quoted(socket)}")


def checked(lines: list[str]) -> None:
    """Checks a file before it is written; raises FeltError when no table could start with it."""
    from controller.daemon.check import checked as check

    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "table.toml"
        file.write_text("\n".join(lines) + "\n")
        try:
            check(file)
        except ConfigError as error:
            cause = "; ".join(f"{problem.key}: {problem.message}" for problem in error.problems)
            raise FeltError("config.init", cause) from None


def write(file: Path, lines: list[str]) -> None:
    """Writes a new file, for its owner and the daemon's group; raises FeltError rather than touch one that is there."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            if os.geteuid() == 0:
                with suppress(KeyError):  # no such group: the daemon is root's own
                    os.fchown(descriptor, 0, grp.getgrnam(GROUP).gr_gid)
            out.write("\n".join(lines) + "\n")
            out.flush()
            os.fsync(descriptor)
    except FileExistsError:
        raise exists(file) from None
    except OSError as error:
        raise FeltError("config.unwritable", f"{file}: {error.strerror}") from None


def exists(file: Path) -> FeltError:
    """Returns the error of a file that is there already, with what a new table may still lack."""
    step = f"Name another file.  To go on with this one: `felt table init {file}`."
    return FeltError("config.exists", f"{file} is there already: it is not touched", step)


def _quoted(words: str) -> str:
    return json.dumps(words)
