"""The clock of a simulated table: that of this computer, confirmed by the simulator and by no time server."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.service.clock import SYSTEM_CLOCKS
from controller.service.clock_trust import ClockTrust
from controller.table.facts import SYNCHRONISED

TRUST: Final = ClockTrust(SYNCHRONISED, battery=True, source="simulated")
SIMULATED_CLOCKS: Final = replace(SYSTEM_CLOCKS, trust=lambda: TRUST)
