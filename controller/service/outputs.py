"""What a running table shows on its devices: lamps, limit sign, console, bet sensors, displays of the prize meter.

Everything follows from the table as it stands; each device is sent what differs.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Final

from controller.games import find
from controller.places import shared_place
from controller.service import console, unwritable
from controller.service.displays import Displays
from controller.service.engine import Engine
from controller.service.fleet import Fleet
from controller.service.key_lights import KeyLights
from controller.service.refused_chips import RefusedChips
from controller.service.storage import Storage
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Chips, Key, ProtectionRaised, Tick, Turned
from controller.table.state import Table
from controller.table.view import lamps
from controller.views.keys_now import KeyNow, keys_now
from controller.views.meter_face import Frame, MeterStyle
from controller.views.sign_lines import sign_lines
from controller.views.words import TEST_MODE, TEST_WORDS
from drivers.bet_sensor import BetSensorDriver
from drivers.console import ConsoleDriver
from drivers.display import DisplayDriver
from drivers.lamps import OFF, ON, LampsDriver

MINUTE: Final = 60_000_000  # microseconds
SIGN: Final = "sign"  # the device that shows the limits
WORDS_WAIT: Final = 0.01  # seconds: lamps and the next card come first, and one writing serves several facts


def time_of_day(moment: int) -> str:
    """Returns the time of day at which a moment has come, in hours and minutes; "later" for one that no clock shows."""
    try:
        return datetime.fromtimestamp(-(-moment // MINUTE) * 60).strftime("%H:%M")
    except (OSError, OverflowError, ValueError):
        return "later"


class Outputs:
    """Shows one table on its devices.  `wanted_...` is what they shall show now."""

    def __init__(self, engine: Engine, storage: Storage, fleet: Fleet, style: MeterStyle) -> None:
        self._engine = engine
        self._storage = storage
        self.test = False  # in test mode, which sign and console say
        self._devices = devices = fleet.devices
        self._trunks = fleet.trunks
        drivers = {name: device.driver for name, device in devices.items()}
        self._lamps = [driver for driver in drivers.values() if isinstance(driver, LampsDriver)]
        self._consoles = [driver for driver in drivers.values() if isinstance(driver, ConsoleDriver)]
        displays = {name: driver for name, driver in drivers.items() if isinstance(driver, DisplayDriver)}
        self._sign = displays.get(SIGN)
        self.displays = Displays([devices[name] for name in displays if name != SIGN], style, engine.submit)
        self._lit: set[str] = set()  # lamps; a driver begins with all of them off
        self._prepared: tuple[Table, set[str]] | None = None  # the lamps of a table that is about to be
        self._refused_key: list[str] = []  # why the key that was pressed last did nothing
        self._refused_chips = RefusedChips()
        self._console_due = False  # the console is to be written anew
        self.lit_keys: list[str] = []  # of the console
        self._key_lights = KeyLights(engine, self._light_keys)
        engine.listeners.append(self._followed)
        engine.on_defect = self._show_meter
        engine.on_foreseen = self._prepare_lamps
        engine.on_come_true = self._show_prepared
        storage.listeners.append(self.show)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is about to be shown."""
        return self.displays.at_rest and not self._console_due

    def show(self) -> None:
        """Shows the table as it stands now."""
        if not self._engine.table.game:
            return
        self._show_lamps()  # first: players wait for them
        if self._sign is not None:
            self._sign.show_text(self.wanted_sign())
        self._show_meter()
        if not self._console_due:
            self._console_due = True
            asyncio.get_running_loop().call_later(WORDS_WAIT, self._show_console)

    def devices_stopped(self) -> None:
        """Notes that all lamps went off, their safe state."""
        self._lit = set()
        self._key_lights.stop()

    # ---- what shall be shown now

    def wanted_lamps(self) -> set[str]:
        """Returns the lamps that shall be lit, as their driver names them."""
        if self._storage.error is not None:
            return set()
        table = self._engine.table
        if self._prepared is not None and self._prepared[0] is table:
            return self._prepared[1]
        return _lamp_names(lamps(table, self._engine.game))

    def wanted_sign(self) -> list[str]:
        """Returns the lines of the limit sign."""
        if self._storage.error is not None:
            return list(unwritable.SIGN)
        lines = sign_lines(self._engine.table, self._engine.game, self._engine.table_time(), time_of_day)
        return [TEST_MODE, *lines] if self.test else lines

    def wanted_console(self) -> list[str]:
        """Returns the lines that the dealer reads."""
        if self._storage.error is not None:
            return [unwritable.LINE]
        table, game = self._engine.table, self._engine.game
        refused = [*self._refused_key, *self._refused_chips.lines(table, game)]
        lines = console.lines(table, game, refused, self._trunks, self._engine.table_time())
        return [TEST_WORDS, *lines] if self.test else lines

    def keys_now(self) -> list[KeyNow]:
        """Returns the keys that whoever is signed in may press now; none while nothing can be recorded."""
        if self._storage.error is not None:
            return []
        table = self._engine.table
        return keys_now(table, self._engine.game, table.role)

    def wanted_amount(self) -> Frame:
        """Returns the picture of a native display of the prize meter."""
        return self.displays.wanted(self._engine.table, self.meter_in_doubt)

    # ---- showing it

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if isinstance(fact, Chips):
            self._indicate(fact, accepted=not any(isinstance(effect, Refused) for effect in effects))
        self._refused_chips.follow(fact, table, effects)
        if not isinstance(fact, Tick | Turned | ProtectionRaised):  # until something else happens
            refused = effects if isinstance(fact, Key) else []
            self._refused_key = [console.line(e.rule, f"refused: {e.why}") for e in refused if isinstance(e, Refused)]
        self.show()

    def _indicate(self, fact: Chips, accepted: bool) -> None:
        """Shows at the sensor whether its chips are a wager."""
        sensor = self._devices.get(f"sensor.{fact.area}")
        if sensor is not None and isinstance(sensor.driver, BetSensorDriver):
            for spot in fact.spots:
                sensor.driver.indicate(spot.spot, accepted, spot.bettor)

    def _show_prepared(self, table: Table) -> None:
        """Shows the lamps of a table that has come to be before anything else is done about it: players wait."""
        if self._storage.error is None and self._prepared is not None and self._prepared[0] is table:
            self._light(self._prepared[1])

    def _show_lamps(self) -> None:
        self._light(self.wanted_lamps())

    def _light(self, lit: set[str]) -> None:
        changed = self._lit ^ lit
        for driver in self._lamps:
            names = sorted(changed.intersection(driver.names))
            driver.show({name: ON if name in lit else OFF for name in names})
        self._lit = lit  # at the end: what failed is shown with the next ones

    def _prepare_lamps(self, ahead: Table) -> None:
        """Finds out which lamps a table will have lit, while its fact is made durable: players wait for them."""
        self._prepared = None
        self._prepared = (ahead, _lamp_names(lamps(ahead, find(ahead.game))))

    def _show_console(self) -> None:
        self._console_due = False
        if not self._consoles:
            return
        lines = self.wanted_console()
        for driver in self._consoles:
            driver.show_prompts(lines)
        if self._storage.error is not None:
            self._key_lights.stop()
            self._light_keys([])
        else:
            self._key_lights.changed()

    def _light_keys(self, keys: list[KeyNow]) -> None:
        self.lit_keys = console.lit(keys)
        for driver in self._consoles:
            driver.light_keys(self.lit_keys)

    def _show_meter(self) -> None:
        self.displays.follow(self._engine.table, self.meter_in_doubt)

    @property
    def meter_in_doubt(self) -> bool:
        """Whether nothing can be recorded or followed: the amount may not be what it should be."""
        return self._storage.error is not None or self._engine.defect is not None


def _lamp_names(lit: dict[str, list[str]]) -> set[str]:
    """Returns the lamps as their driver names them; bettors of one area share its lamp."""
    return {name if place == "" else f"{name}:{shared_place(place)}" for name, at in lit.items() for place in at}
