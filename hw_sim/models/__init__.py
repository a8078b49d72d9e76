"""What each device family does, as plain state machines: no wire, no protocol, no clock."""

from __future__ import annotations

from hw_sim.models.base import Model
from hw_sim.models.cards import Shoe, Shuffler
from hw_sim.models.outputs import Console, Display, Lamps
from hw_sim.models.reader import Reader
from hw_sim.models.sensor import BetSensor

__all__ = ["BetSensor", "Console", "Display", "Lamps", "Model", "Reader", "Shoe", "Shuffler"]
