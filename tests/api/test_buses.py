"""A CAN bus in trouble, as `/devices`, `felt devices` and Prometheus tell it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.api.wires import bus, explained
from controller.cli.demo import dealt_table
from controller.cli.devices import command
from controller.config.load import load_config
from firmware_bridge.can_health import BusHealth
from firmware_bridge.transport import TransportError
from hw_sim.can import SimBus
from tests.api.conftest import Floor
from tests.api.test_metrics import numbers
from tests.daemon.house import table_toml


@pytest.fixture
async def on_a_bus(tmp_path: Path) -> AsyncIterator[Floor]:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://lamps", "sim://lamps?wire=can"))
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def felt(floor: Floor, *words: str) -> Result:
    arguments = [*words, "--socket", str(floor.daemon.config.api.socket)]
    return await asyncio.to_thread(lambda: CliRunner().invoke(command, arguments))


async def state(floor: Floor, wanted: str) -> None:
    async with asyncio.timeout(20):
        while (await floor.get("/devices"))["buses"][0]["state"] != wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_bus_is_told_when_it_is_not_well(on_a_bus: Floor) -> None:
    adapter: SimBus = on_a_bus.sim.cabling.buses["can"]
    said = await felt(on_a_bus)
    assert said.exit_code == 0 and not any(line.startswith("bus ") for line in said.stdout.splitlines())
    (found,) = json.loads((await felt(on_a_bus, "--json")).stdout)["buses"]
    assert (found["state"], found["cause"], found["bus_offs"], found["last_recovery"]) == ("active", None, 0, None)
    name = found["bus"]

    adapter.fault("warning")
    await state(on_a_bus, "warning")
    said = await felt(on_a_bus)
    assert f"bus {name}: many errors; error counters 96 out, 3 in" in said.stdout
    assert "can.warning: " in said.stdout and "  -> Frames are damaged" in said.stdout

    adapter.fault("bus-off")
    await state(on_a_bus, "bus-off")
    async with asyncio.timeout(20):
        while on_a_bus.daemon.service.fleet.devices["lamps"].state.phase == "ready":  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    said = await felt(on_a_bus)
    assert said.exit_code == 1 and "; once bus-off" in said.stdout and "lamps at sim://lamps" in said.stdout
    told = await numbers(on_a_bus)
    assert told["felt_can_state", name, "bus-off"] == 1 and told["felt_can_state", name, "active"] == 0
    assert told["felt_can_error_counter", name, "out"] == 248
    assert told["felt_can_troubles_total", name, "bus-off"] == 1 == told["felt_can_losses_total", name, "can.bus-off"]

    adapter.clear()
    await state(on_a_bus, "active")
    async with asyncio.timeout(20):
        while not (await on_a_bus.get("/devices"))["buses"][0]["last_recovery"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert (await numbers(on_a_bus))["felt_can_last_recovery_timestamp_seconds", name] > 1e9
    assert not any(line.startswith("bus ") for line in (await felt(on_a_bus)).stdout.splitlines())


async def test_a_table_without_a_bus_has_none(floor: Floor) -> None:
    assert (await floor.get("/devices"))["buses"] == []
    assert not any(name[0].startswith("felt_can") for name in await numbers(floor))


def test_the_devices_of_a_bus_are_those_with_its_address() -> None:
    health = BusHealth("socketcan", "can0")
    health.failed(TransportError("can.missing", "no adapter"), 1.0)
    addresses = {"a": "can://can0/1", "b": "can://can1/1", "c": "serial:///dev/x", "d": "nonsense", "e": "can://can0/2"}
    told = bus(health, addresses, 0.0)
    assert (told["devices"], told["state"], told["since"]) == (["a", "e"], "lost", "1970-01-01T00:00:01.000+00:00")
    assert told["cause"]["next_step"].startswith("Plug the CAN adapter in; compare the name can0")


@pytest.mark.parametrize("code", ["can.down", "can.missing"])
def test_advice_names_the_interface_that_it_is_about(code: str) -> None:
    """As a device on it says it, and as the bus does."""
    health = BusHealth("socketcan", "can7")
    health.failed(TransportError(code, "as it is"), 1.0)
    for step in (bus(health, {}, 0.0)["cause"]["next_step"], explained(code, "", "can://can7/0x21")["next_step"]):
        assert "can7" in step and "can0" not in step and "{" not in step
