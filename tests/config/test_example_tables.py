"""The whole files in examples/tables: every game and every wire; each can be used, and a table opens with it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from controller.cli.config_init import devices_of
from controller.config import cards_key
from controller.config.begin import options_of
from controller.config.hints import hints
from controller.config.key_file import KeyFile
from controller.daemon.check import checked
from controller.daemon.compose import running
from controller.games import INSTALLED, find
from controller.sim.addresses import schemes, simulated_table

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples/tables").glob("*.toml"))
CONFIGS = {file.stem: checked(file) for file in FILES}

each = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_every_game_has_one() -> None:
    assert {name: config.table.game for name, config in CONFIGS.items()} == {
        rules.name: rules.name for rules in INSTALLED.usable()
    }


def test_every_wire_is_in_one_of_them() -> None:
    used = {device.address.scheme for config in CONFIGS.values() for device in config.devices.values()}
    assert used == {"serial", "usb", "can", "socket", "gpio", "sim"}
    text = "".join(file.read_text() for file in FILES)
    for word in (
        "interface=slcan",
        "angel-eye",
        "alpha",
        "cia401",
        'store = "sqlite"',
        'store = "postgres"',
    ):
        assert word in text, word


@each
def test_nothing_in_it_surprises_when_its_devices_are_paired(file: Path, tmp_path: Path) -> None:
    config = CONFIGS[file.stem]
    keys = KeyFile(tmp_path)
    for number, device in enumerate(config.devices.values(), 1):
        if device.must_encrypt:
            keys.store(device.serial or "", bytes([number]) * 32)
    paired = config.model_copy(update={"table": config.table.model_copy(update={"state": tmp_path})})
    assert list(hints(paired, file)) == []
    assert "[people]" in file.read_text()


@each
def test_it_has_what_felt_config_init_would_have(file: Path) -> None:
    config = CONFIGS[file.stem]
    needed = {device.name for device in devices_of(find(config.table.game), options_of(config).seats)}
    named = set(config.devices)
    machine = {"shoe", "shuffler"}
    assert needed - machine <= named
    assert len(machine & named) == len(machine & needed)


@each
def test_a_table_opens_with_it(file: Path, tmp_path: Path) -> None:
    """With simulated devices: their addresses are all that changes, and what only real hardware has."""
    simulated = tmp_path / "table.toml"
    simulated.write_text(with_simulated_devices(file.read_text(), tmp_path))
    config = checked(simulated)
    if config.journal.cards_key is not None:
        cards_key.make(config.journal.cards_key)

    async def opened() -> bool:
        async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
            return await daemon.service.all_ready(30.0)

    assert asyncio.run(opened())


def with_simulated_devices(text: str, folder: Path) -> str:
    text = re.sub(
        r'^(\[device\.)"?([\w.]+)"?(\]\n(?:\w+ = .*\n)*?address = )"[^"]*"', r'\1"\2"\3"sim://\2"', text, flags=re.M
    )
    text = re.sub(
        r'^protocol = "cia401"\n|^\[device\.lamps\.(gpio|cia401)\].*\n(?:.+\n)*', "", text, flags=re.M
    )  # have no simulated end
    text = re.sub(r"^(sealed|serial|dsn-file|store|file|listen) = .*\n", "", text, flags=re.M)  # keys, a server, people
    text = text.replace("/var/lib/feltd", str(folder / "state"))
    return re.sub("/(run|etc)/feltd", str(folder), text)
