"""Where the chips of a table are: in racks, in the tray, on the layout, in pockets.  Nothing here reads the journal."""

from __future__ import annotations

import random
from collections import Counter

from hw_sim.models.bet_sensor import BetSensor
from hw_sim.table import SimTable

BANK = 200_000_00  # cents in the tray when a shift begins


class Chips:
    """All chips of one table; what lies on the layout is what lies on the simulated sensors."""

    def __init__(self, sim: SimTable, chance: random.Random) -> None:
        self._sim = sim
        self._chance = chance
        self.racks: Counter[str] = Counter()  # by place: of who sits there
        self.cashed = 0  # what people took to the cage
        self.bought = 0  # for cash that went into the drop box
        self.tray = BANK
        self.box = 0
        self.pockets = 0
        self.filled = 0  # from the cage, less what went back
        self.meter = 0  # of the Jackpot, after its last prize; ten-thousandths of a dollar
        self.slots = 0  # what was taken out of the Jackpot's slots since then, cents

    def lying(self, place: str, spot: str) -> int:
        """Returns what really lies on a spot, in cents."""
        area, _, bettor = place.partition(".")
        spots = self._sensor(area).lying
        found = spots.get((spot, int(bettor or 1)))
        return sum(value * count for value, count in found.chips) if found is not None else 0

    def on_layout(self) -> int:
        """Returns all that lies on the layout."""
        sensors = [device.model for device in self._sim.devices.values() if isinstance(device.model, BetSensor)]
        return sum(value * count for sensor in sensors for spot in sensor.lying.values() for value, count in spot.chips)

    def short_of(self, place: str, cents: int) -> int:
        """Returns for how much somebody buys chips who wants to wager this; 0 when they have enough."""
        missing = cents - self.racks[place]
        return 0 if missing <= 0 else (missing // 100_00 + 1) * 100_00 + self._chance.choice((0, 200_00, 500_00))

    def buy(self, place: str, cents: int) -> None:
        """Sells chips for cash."""
        self.racks[place] += cents
        self.bought += cents
        self.tray -= cents
        self.box += cents

    def leave(self, place: str) -> None:
        """Lets whoever sits there go with their chips."""
        self.cashed += self.racks.pop(place, 0)

    def fill(self, cents: int) -> None:
        """Brings chips from the cage, or takes some back (negative)."""
        self.tray += cents
        self.filled += cents

    @property
    def players(self) -> int:
        """What players have, wherever it is."""
        return sum(self.racks.values()) + self.cashed + self.on_layout()

    @property
    def won_by_racks(self) -> int:
        """What players have lost, by their cash and their chips."""
        return self.bought - self.players

    @property
    def won_by_tray(self) -> int:
        """What the house has won, by its tray and its box."""
        return self.tray + self.box - self.filled - BANK

    def _sensor(self, area: str) -> BetSensor:
        model = self._sim.device(f"sensor.{area}").model
        assert isinstance(model, BetSensor)
        return model
