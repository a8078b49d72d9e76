"""A simulated device on trial, in time that jumps."""

from __future__ import annotations

from controller.sim.operator import SimOperator
from firmware_bridge.conform import suite
from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import Deed, Operator, Sight, TrialResult
from firmware_bridge.messages import Identity
from hw_sim.device import DeviceEnd
from hw_sim.line_wire import LineWire
from hw_sim.models.register import MODELS
from hw_sim.table import SimDevice

KEY = bytes(range(32))
IDENTITY = Identity("", "sim", "S-1", "1.0.0", 0xFE17_D001, 0)


class Nobody:
    """The operator of a suite that runs unattended."""

    async def do(self, deed: Deed, family: str) -> bool:
        return False

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        return None


def device_of(family: str, firmware: type[DeviceEnd] | None = None, key: bytes | None = None) -> SimDevice:
    """Returns a simulated device of this family on a memory wire; with other firmware, if some is given."""
    model = MODELS.find(family)()
    device = SimDevice("device", model, LineWire(), key=key)
    if firmware is not None:
        board = device.board
        board.end = firmware(
            board._identity, board._execute, device._faults.send, model.safe, key, board.end.line._line
        )
    return device


async def conform(
    device: SimDevice, key: bytes | None = None, operator: Operator | None = None, **options: bool | float
) -> list[TrialResult]:
    """Returns the results of the suite; the device is stopped after it."""
    device.start()
    keys = {} if key is None else {device.serial: key}
    bench = Bench(device.transport, operator or SimOperator(device), keys=keys)
    try:
        return await suite.run(bench, begin=lambda _: None, tell=lambda _: None, **options)  # type: ignore[arg-type]
    finally:
        device.stop()


def broken(results: list[TrialResult]) -> dict[str, list[str]]:
    """Returns what was broken: the trials, by paragraph."""
    found: dict[str, list[str]] = {}
    for result in results:
        if result.outcome == "broken":
            found.setdefault(result.paragraph, []).append(f"{result.trial.name}: {result.came}")
    return found
