"""Looking without the daemon at devices that have keys, or that cannot be asked without changing them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config.key_file import KeyFile
from hw_sim.models.console import Console
from hw_sim.table import SimDevice, SimTable

KEY = bytes(range(32))


@asynccontextmanager
async def table(directory: Path) -> AsyncIterator[tuple[SimTable, Path]]:
    """A sealed shoe, a sign of a vendor, lamps on pins."""
    wires = {"display": "pty"}
    sim = SimTable(
        seats=1, wire="pty", wires=wires, protocols={"display": "alpha"}, directory=directory, keys={"SIM-shoe": KEY}
    )
    sim.start()
    lines = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{directory / "state"}"']
    lines += ["[options]", "seats = 1", "[api]", f'socket = "{directory / "none.sock"}"']
    for name, family in (("shoe", "shoe"), ("console", "console"), ("display", "display"), ("sensor.1", "bet-sensor")):
        lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "{sim.device(name).address}"']
        lines += ["sealed = false"] * (name in ("console", "sensor.1"))
        lines += {"shoe": ['serial = "SIM-shoe"'], "display": ['protocol = "alpha"'], "sensor.1": ["area = 1"]}.get(
            name, []
        )
    lines += ["[device.lamps]", 'family = "lamps"', 'address = "gpio://mock"', "[device.lamps.gpio]"]
    lines += ["outputs = { bets = 17 }"]
    path = directory / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    KeyFile(directory / "state").store("SIM-shoe", KEY)
    try:
        yield sim, path
    finally:
        sim.stop()


async def felt(path: Path, *words: str) -> Result:
    arguments = [*words, "--config", str(path), "--socket", str(path.parent / "none.sock")]
    return await asyncio.to_thread(lambda: CliRunner().invoke(cli, arguments))


def states(said: Result) -> dict[str, tuple[str, str]]:
    rows = [line.split() for line in said.stdout.splitlines()[1:6]]
    return {row[0]: (row[2], row[3]) for row in rows}


async def test_sealed_links_and_what_is_left_alone(tmp_path: Path) -> None:
    async with table(tmp_path) as (sim, path):
        sim.device("shoe").do("draw", "Kh")
        said = await felt(path, "devices")
        assert states(said) == {
            "shoe": ("answers", "sealed"),
            "console": ("answers", "insecure"),
            "display": ("not-asked", "vendor"),
            "sensor.1": ("answers", "insecure"),
            "lamps": ("not-asked", "vendor"),
        }, said.output
        assert "device.not-asked: its pins belong to the daemon" in said.stdout
        assert sim.device("shoe").pending == 1
        for name in ("display", "lamps"):
            traced = await felt(path, "device", name, "trace")
            assert traced.exit_code == 1 and "device.not-asked" in traced.stderr


async def test_two_devices_with_one_serial_number_are_both_told(tmp_path: Path) -> None:
    async with table(tmp_path) as (sim, path):
        sim.device("console").stop()
        twin = SimDevice("sensor.1", Console(), sim.cabling.wire("pty", "console"), seed=1)
        twin.start()
        said = await felt(path, "devices")
        twin.stop()
        assert states(said)["console"][0] == "answers"  # it comes first in table.toml
        assert states(said)["sensor.1"][0] == "wrong-device"
        assert "device.same-serial: serial number SIM-sensor.1 belongs to console" in said.stdout


async def test_without_the_keys_only_sealed_devices_are_not_told(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, path):
        (tmp_path / "state" / "keys.toml").chmod(0o644)
        said = await felt(path, "devices")
        assert states(said)["shoe"] == ("not-asked", "unpaired") and states(said)["console"][0] == "answers"
        assert "its key cannot be read" in said.stdout and "keys.permissions" in said.stdout


async def test_a_device_that_nobody_has_paired_tells_its_serial_number(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, path):
        path.write_text(path.read_text().replace("sealed = false\n", ""))
        said = await felt(path, "devices")
        assert states(said)["console"] == ("unpaired", "unpaired")
        assert (
            'keys.unpaired: it has no key yet (serial number SIM-console); write serial = "SIM-console"' in said.stdout
        )
        assert states(said)["shoe"] == ("answers", "sealed")
