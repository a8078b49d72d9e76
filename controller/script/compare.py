"""Compares what each simulated device shows with what the table wants shown there.

Every script proves by it that lamps, sign, displays, console and bet sensors follow the table, whatever it expects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.games import begun_with
from controller.service.outputs import SIGN
from controller.sim.floor import SimulatedTable
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Chips
from controller.table.state import Table
from drivers.display import agrees, in_words
from drivers.lamps import lamp_channels
from firmware_bridge.messages import ShowAmount, ShowText
from hw_sim.models.bet_sensor import BetSensor
from hw_sim.models.console import Console
from hw_sim.models.display import Display
from hw_sim.models.lamps import Lamps
from hw_sim.table import SimDevice

DIFFERS = "output.differs"  # the name of the failure
CUT_OFF = frozenset({"unplug", "hang"})  # faults of a wire: nothing reaches the device
UNSEEN = frozenset({"dark", "stuck"})  # faults of a display: what it is told does not appear


class Comparison:
    """Looks at the devices of one table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        devices = table.sim.devices.items()
        self._outputs = [name for name, device in devices if isinstance(device.model, Lamps | Display | Console)]
        self._channels = lamp_channels(begun_with(table.begin).seats)
        self._accepted: dict[str, dict[tuple[str, int], bool]] = {}  # by sensor: whether the chips on a spot count
        self._known: set[str] = set()  # differences that were told already
        table.service.engine.listeners.append(self._remember_chips)

    def new_differences(self) -> list[str]:
        """Returns the differences that there were not after the line before, in words."""
        if not self._table.state.game:
            return []  # the table did not start: it wants nothing
        now = [f"{DIFFERS}: {name}: {what}" for name, what in self._differences()]
        new = [each for each in now if each not in self._known]
        self._known = set(now)
        return new

    def _remember_chips(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, Chips):
            accepted = not any(isinstance(effect, Refused) for effect in effects)
            spots = self._accepted.setdefault(f"sensor.{fact.area}", {})
            spots |= {(spot.spot, spot.bettor): accepted for spot in fact.spots}

    def _differences(self) -> Iterator[tuple[str, str]]:
        for name in (*self._outputs, *self._accepted):
            device = self._table.sim.device(name)
            if self._reachable(device):
                yield from ((name, what) for what in self._look(device))

    def _look(self, device: SimDevice) -> Iterator[str]:
        match device.model:
            case Lamps() as lamps:
                return self._lamps(lamps)
            case Display() as display:
                return self._display(device.name, display)
            case Console() as console:
                return self._console(console)
            case BetSensor() as sensor:
                return self._sensor(device.name, sensor)
        raise TypeError(f"{device.name} shows nothing")

    def _reachable(self, device: SimDevice) -> bool:
        """Tells whether a device can be compared now.

        One that a fault of the script cuts off or darkens is compared again when it is back.
        """
        supervisor = self._table.service.fleet.devices[device.name]
        faults = device.faults
        if supervisor.state.phase != "ready" or CUT_OFF.intersection(faults):
            return False
        if faults and not supervisor.driver.settled:
            return False  # a command is still under way on a wire with a fault
        return not (isinstance(device.model, Display) and UNSEEN.intersection(faults))

    # ---- each kind of device

    def _lamps(self, device: Lamps) -> Iterator[str]:
        wanted = self._table.service.outputs.wanted_lamps()
        if {self._channels.get(name) for name in wanted} == device.states.keys():
            return
        yield from (f"there is no lamp {name}" for name in sorted(wanted - self._channels.keys()))
        lit = {name for name, channel in self._channels.items() if channel in device.states}
        for name in sorted(lit ^ wanted & self._channels.keys()):
            if self._channels[name] not in device.open_channels:
                yield f"{name} should be {_on(name in wanted)} and is {_on(name in lit)}"

    def _display(self, name: str, device: Display) -> Iterator[str]:
        outputs = self._table.service.outputs
        picture = tuple(outputs.wanted_sign()) if name == SIGN else outputs.wanted_amount()
        wanted = ShowAmount(picture) if isinstance(picture, int) else ShowText(picture)
        if not agrees(wanted, device.shown):
            yield _other(in_words(wanted), device.shown.split("\n"))

    def _console(self, device: Console) -> Iterator[str]:
        wanted = self._table.service.outputs.wanted_console()
        if list(device.prompts) != wanted:
            yield _other(" / ".join(wanted), device.prompts)
        keys = self._table.service.outputs.lit_keys
        if list(device.lit) != keys:
            lights = [f"light {key}" for key in device.lit]
            yield _other(" / ".join(f"light {key}" for key in keys), lights)

    def _sensor(self, name: str, device: BetSensor) -> Iterator[str]:
        for (spot, bettor), accepted in self._accepted.get(name, {}).items():
            if device.indicated.get((spot, bettor)) != accepted:
                where = spot if bettor == 1 else f"{spot} of bettor {bettor}"
                yield f"{where} should be shown as {'accepted' if accepted else 'refused'}"


def _on(lit: bool) -> str:
    return "on" if lit else "off"


def _other(wanted: str, shown: Sequence[str]) -> str:
    return f"it should show {wanted or 'nothing'} and shows {' / '.join(shown) or 'nothing'}"
