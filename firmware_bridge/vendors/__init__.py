"""The bytes of hardware that others make: codecs only, used by our end of the wire and by the simulated devices."""

from __future__ import annotations

from typing import Final

# Whose link is in drivers.vendors, and whose simulated device in hw_sim.vendors, each in a module of this name.
PROTOCOLS: Final = ("angel-eye", "alpha", "cia401", "gpio")
