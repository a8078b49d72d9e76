"""The one check of a table.toml: that of `felt config check`, and that of the daemon when it starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from controller.config import Device, TableConfig
from controller.config.lines import Finding
from controller.config.load import load_config
from controller.config.options import Sound
from controller.config.wiring import SIMULATED


def checked(path: Path) -> TableConfig:
    """Returns the configuration in this file, with which a table can start.  Raises ConfigError, and nothing else."""
    return load_config(path, _simulated)


def _simulated(table: Sound, devices: Mapping[str, Device]) -> Iterable[Finding]:
    """Returns what is wrong with simulated devices; the simulator is loaded only where there are some."""
    if all(device.address.scheme != SIMULATED for device in devices.values()):
        return ()
    from controller.sim.check import check_simulated

    return check_simulated(table, devices)
