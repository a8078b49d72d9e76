"""The technician's commands through the API and `felt device`: pair, flash, clear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.cli.device import command
from controller.cli.devices import command as list_devices
from controller.daemon.begin import load_config
from controller.daemon.keys import KeyFile
from controller.errors import FeltError
from controller.simulated.demo import dealt_table
from firmware_bridge.image import make_image
from tests.api.conftest import Floor
from tests.daemon.house import table_toml

SIGNER, STRANGER = bytes([3]) * 32, bytes([4]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw()


def image(directory: Path, signer: bytes = SIGNER) -> str:
    path = directory / "shoe.img"
    path.write_bytes(make_image(signer, "shoe", "sim-shoe", "1.3.0", b"new" * 2000).to_bytes())
    return str(path)


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    path = table_toml(tmp_path)
    serial = 'family = "shoe"\nserial = "SIM-shoe"'
    text = path.read_text().replace('family = "shoe"', serial)
    path.write_text(f'{text}[family.shoe]\nmin-firmware = "1.0.0"\n[firmware]\nkeys = ["{PUBLIC.hex()}"]\n')
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def felt(floor: Floor, *words: str) -> Result:
    arguments = [*words, "--socket", str(floor.daemon.config.api.socket)]
    return await asyncio.to_thread(lambda: CliRunner().invoke(command, arguments))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def ready(floor: Floor) -> bool:
    return floor.daemon.service.devices["shoe"].state.phase == "ready"


async def test_a_device_is_paired_and_the_key_is_kept_but_never_shown(floor: Floor) -> None:
    shoe = floor.sim.device("shoe")
    said = await felt(floor, "shoe", "pair")
    assert said.exit_code == 1 and "pair.refused" in said.stderr and "pairing switch" in said.stderr
    await until(lambda: ready(floor))
    shoe.do("pairing", "on")
    said = await felt(floor, "shoe", "pair", "--json")
    assert said.exit_code == 0, said.output
    shoe.do("pairing", "off")
    supervisor = floor.daemon.service.devices["shoe"]
    keys = KeyFile(floor.daemon.config.table.state).read(["SIM-shoe"])
    assert keys == {"SIM-shoe": supervisor.key}
    assert keys["SIM-shoe"].hex() not in said.output
    await until(lambda: not ready(floor))
    await until(lambda: ready(floor))
    table = await asyncio.to_thread(
        lambda: CliRunner().invoke(list_devices, ["--socket", str(floor.daemon.config.api.socket)])
    )
    rows = {line.split()[0]: line.split()[3] for line in table.output.splitlines()[1:6]}
    assert rows["shoe"] == "sealed" and rows["console"] == "insecure"


async def test_what_was_paired_is_sealed_from_the_start(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('family = "shoe"', 'family = "shoe"\nserial = "SIM-shoe"'))
    config = load_config(path)
    keys = KeyFile(config.table.state)
    keys.store("SIM-shoe", bytes(range(32)))
    async with dealt_table(config) as (daemon, sim, _):
        assert daemon.service.devices["shoe"].sealed and sim.device("shoe").board.end.keyed
        assert not daemon.service.devices["console"].sealed
    keys.path.chmod(0o644)
    with pytest.raises(FeltError) as error:
        async with dealt_table(config):
            pass
    assert error.value.code == "keys.permissions"


async def test_a_device_without_a_serial_number_is_not_paired(floor: Floor) -> None:
    said = await felt(floor, "console", "pair")
    assert said.exit_code == 1 and "pair.no-serial" in said.stderr


async def test_firmware_is_flashed(floor: Floor, tmp_path: Path) -> None:
    said = await felt(floor, "shoe", "flash", image(tmp_path), "--json")
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout.splitlines()[-1]) == {"device": "shoe", "firmware": "1.3.0", "flashed": True}
    assert floor.sim.device("shoe").board.firmware == "1.3.0"
    await floor.rest()
    told = [fact["text"] for fact in (await floor.get("/journal/tail"))["facts"]]
    assert any("firmware 1.3.0" in text for text in told)
    await until(lambda: ready(floor))
    said = await felt(floor, "shoe", "flash", image(tmp_path))
    assert said.exit_code == 1 and "flash.same" in said.stderr


async def test_firmware_by_a_stranger_is_not_even_sent(floor: Floor, tmp_path: Path) -> None:
    said = await felt(floor, "shoe", "flash", image(tmp_path, STRANGER))
    assert said.exit_code == 1 and "image.signature" in said.stderr
    assert ready(floor)  # nobody touched it
    said = await felt(floor, "shoe", "flash", str(tmp_path / "none"))
    assert said.exit_code == 1 and "image.missing" in said.stderr


async def test_nothing_is_done_while_a_round_is_dealt(floor: Floor, tmp_path: Path) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    for words in (["pair"], ["flash", image(tmp_path)]):
        said = await felt(floor, "shoe", *words)
        assert said.exit_code == 1 and "device.in-play" in said.stderr
    assert ready(floor)


async def test_tampering_stays_until_it_is_cleared(floor: Floor) -> None:
    said = await felt(floor, "shoe", "clear")
    assert said.exit_code == 1 and "device.not-tampered" in said.stderr
    floor.daemon.service._tampered("shoe")
    floor.daemon.service._tampered("shoe")
    await floor.rest()
    status = await floor.get("/status")
    assert [trouble["code"] for trouble in status["trouble"]] == ["link.tampered"]
    assert "cable" in status["trouble"][0]["next_step"]
    said = await felt(floor, "shoe", "clear")
    assert said.exit_code == 0
    await floor.rest()
    assert not (await floor.get("/status"))["trouble"]


async def test_there_is_no_such_device(floor: Floor) -> None:
    said = await felt(floor, "shoo", "pair")
    assert said.exit_code == 1 and "device.unknown" in said.stderr
