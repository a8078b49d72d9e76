"""For tests in Python: simulated tables that do what scripts do, and the pytest plugin that brings them."""

from __future__ import annotations

from controller.script import ScriptError
from controller.testing.results import (
    LineAnswer,
    PlayedJackpot,
    PlayedPot,
    PlayedRound,
    PlayedWager,
    ShownTable,
    ToldPrompt,
    ToldRefusal,
    WonPrize,
)
from controller.testing.table import ScriptedDevice, ScriptedDevices, ScriptedFloor, ScriptedTable, token

__all__ = [
    "LineAnswer",
    "PlayedJackpot",
    "PlayedPot",
    "PlayedRound",
    "PlayedWager",
    "ScriptError",
    "ScriptedDevice",
    "ScriptedDevices",
    "ScriptedFloor",
    "ScriptedTable",
    "ShownTable",
    "ToldPrompt",
    "ToldRefusal",
    "WonPrize",
    "token",
]
