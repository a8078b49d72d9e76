"""On a wire that somebody could tap, a device is used with its key, or when table.toml says that it may be plain."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, cast

import pytest
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config.hints import hints
from controller.config.key_file import KeyFile
from controller.config.load import load_config
from controller.daemon.compose import Daemon, running
from controller.daemon.main import MISCONFIGURED
from controller.errors import FeltError
from firmware_bridge.address import can_be_tapped, parse
from hw_sim.table import SimTable
from tests.api.test_workshop import ANSWERS, Eyes
from tests.forking import run

FAMILIES = {"shoe": "shoe", "console": "console", "lamps": "lamps", "sensor.1": "bet-sensor"}
PATIENCE = 20.0
PLAIN = "sealed = false"
SERIAL = 'serial = "SIM-{}"'


class Wired:
    """A table's directory: devices behind pseudo-terminals, and a table.toml with their real addresses."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / "table.toml"
        (directory / "dev").mkdir()
        self.sim = SimTable(seats=1, wire="pty", directory=directory / "dev")

    def write(self, *lines: str, **others: tuple[str, ...]) -> None:
        """Writes table.toml: each device with these lines, those of `others` with their own."""
        text = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{self.directory / "state"}"']
        text += ["[options]", "seats = 1", "[api]", f'socket = "{self.directory / "feltd.sock"}"']
        for name, family in FAMILIES.items():
            text += [f'[device."{name}"]', f'family = "{family}"', f'address = "{self.sim.device(name).address}"']
            text += [line.format(name) for line in others.get(name, lines)]
            text += ["area = 1"] * (name == "sensor.1")
        self.path.write_text("\n".join(text) + "\n")

    @asynccontextmanager
    async def started(self) -> AsyncIterator[Daemon]:
        async with running(load_config(self.path)) as daemon:
            yield daemon

    async def felt(self, *words: str, eyes: Eyes | None = None) -> Result:
        arguments = [*words, "--socket", str(self.directory / "feltd.sock")]
        typed = cast(IO[bytes] | None, eyes)
        return await asyncio.to_thread(lambda: CliRunner().invoke(cli, arguments, input=typed))

    async def json(self, *words: str) -> Any:
        """Returns what the command answers: its last line, as the daemon in this process may log before it."""
        return json.loads((await self.felt(*words, "--json")).stdout.splitlines()[-1])

    def hints(self) -> list[str]:
        return [hint.message for hint in hints(load_config(self.path), self.path)]


@pytest.fixture
async def wired(tmp_path: Path) -> AsyncIterator[Wired]:
    wired = Wired(tmp_path)
    wired.sim.start()
    yield wired
    wired.sim.stop()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def phase(daemon: Daemon, name: str) -> str:
    return daemon.service.fleet.devices[name].state.phase


def heard(daemon: Daemon, name: str) -> bool:
    """Tells whether an event of this device is on record."""
    return daemon.journal.epoch_of(name) != 0


async def test_a_new_device_is_not_used_until_it_is_paired(wired: Wired) -> None:
    wired.write(PLAIN, shoe=(SERIAL,))
    shoe = wired.sim.device("shoe")
    assert any("shoe: not used before `felt device NAME pair`" in hint for hint in wired.hints())
    async with wired.started() as daemon:
        await until(lambda: phase(daemon, "shoe") == "unpaired" and phase(daemon, "console") == "ready")
        shoe.do("draw", "Kh")
        (row,) = [each for each in (await wired.json("devices"))["devices"] if each["name"] == "shoe"]
        assert (row["phase"], row["link"], row["sealed"]) == ("unpaired", "unpaired", False)
        assert row["cause"]["code"] == "keys.unpaired" and row["identity"]["serial"] == "SIM-shoe"
        (trouble,) = [each for each in (await wired.json("status"))["trouble"] if each["code"] == "keys.unpaired"]
        assert "felt device NAME pair" in trouble["next_step"]
        assert not heard(daemon, "shoe") and shoe.pending == 1  # neither heard nor acknowledged
        shoe.do("pairing", "on")
        said = await wired.felt("device", "shoe", "pair", *ANSWERS, eyes=Eyes(shoe))
        assert said.exit_code == 0, said.output
        shoe.do("pairing", "off")
        await until(lambda: phase(daemon, "shoe") == "ready")
        assert daemon.service.fleet.devices["shoe"].link == "sealed"
        await until(lambda: heard(daemon, "shoe"))  # what it kept meanwhile is told now
        said = await wired.felt("device", "shoe", "unpair", *ANSWERS)
        assert said.exit_code == 1 and "pair.required" in said.stderr
    async with wired.started() as daemon:
        await until(lambda: phase(daemon, "shoe") == "ready")
    assert not [hint for hint in wired.hints() if "shoe" in hint]


async def test_without_a_serial_number_it_says_which_one_to_write(wired: Wired) -> None:
    wired.write(PLAIN, shoe=())
    async with wired.started() as daemon:
        await until(lambda: phase(daemon, "shoe") == "unpaired")
        said = await wired.felt("devices")
        assert 'write serial = "SIM-shoe" to table.toml first' in said.stdout


async def test_another_device_is_named_before_its_key_is_missed(wired: Wired) -> None:
    wired.write(PLAIN, shoe=('serial = "SH-9"',))
    async with wired.started() as daemon:
        await until(lambda: phase(daemon, "shoe") == "wrong-device")


async def test_a_plain_link_by_word_is_shown_as_insecure_everywhere(wired: Wired) -> None:
    wired.write(PLAIN)
    for name in FAMILIES:
        assert any(hint.startswith("insecure") and f"`felt device {name} pair`" in hint for hint in wired.hints())
    async with wired.started() as daemon:
        assert await daemon.service.all_ready(PATIENCE)
        assert (await wired.json("status"))["insecure"] == list(FAMILIES)
        assert "insecure    the plain links of shoe, console, lamps, sensor.1" in (await wired.felt("status")).stdout
        table = (await wired.felt("devices")).stdout
        assert [line.split()[3] for line in table.splitlines()[1:5]] == ["insecure"] * 4
        assert "insecure: shoe, console, lamps, sensor.1:" in table
        found = await asyncio.to_thread(
            lambda: CliRunner().invoke(cli, ["doctor", "--json", "--config", str(wired.path)])
        )
        assert "link.insecure" in {finding["code"] for finding in json.loads(found.stdout)["findings"]}


async def test_a_table_that_played_over_plain_links_does_not_start_without_the_word(wired: Wired) -> None:
    wired.write(PLAIN)
    async with wired.started() as daemon:
        assert await daemon.service.all_ready(PATIENCE)
        wired.sim.device("sensor.1").do("bet", {"war": 1000})
        await until(lambda: heard(daemon, "sensor.1"))
    wired.write()  # as a table.toml of an earlier version
    with pytest.raises(FeltError, match=r"shoe, console, lamps, sensor\.1: plain links until now") as refused:
        async with wired.started():
            pass
    assert refused.value.code == "keys.undecided"
    assert 'Write sealed = false below [device.shoe], [device.console], [device.lamps], [device."sensor.1"]' in str(
        refused.value.next_step
    )
    ended = await asyncio.to_thread(
        lambda: run("feltd", "--config", str(wired.path), env=dict(os.environ), timeout=PATIENCE)
    )
    assert ended.returncode == MISCONFIGURED  # the unit waits for a person
    assert "keys.undecided" in ended.stderr
    wired.write(PLAIN)
    async with wired.started() as daemon:
        assert await daemon.service.all_ready(PATIENCE)


async def test_a_key_is_used_whatever_the_word_says(wired: Wired) -> None:
    wired.write(PLAIN, shoe=(SERIAL, PLAIN))
    KeyFile(wired.directory / "state").store("SIM-shoe", bytes([7]) * 32)
    assert "a key is kept for it, so its link is encrypted: remove sealed = false" in wired.hints()
    async with wired.started() as daemon:
        await until(lambda: phase(daemon, "console") == "ready")
        assert daemon.service.fleet.devices["shoe"].link == "sealed"


async def test_without_the_right_to_read_the_keys_nothing_is_guessed(wired: Wired) -> None:
    wired.write(SERIAL)
    KeyFile(wired.directory / "state").store("SIM-shoe", bytes([7]) * 32)
    (wired.directory / "state" / "keys.toml").chmod(0o644)
    (hint,) = wired.hints()
    assert "cannot be read here" in hint


@pytest.mark.parametrize(
    ("address", "tapped"),
    [
        ("serial:///dev/a", True),
        ("usb://1209:f317/A", True),
        ("can://can0/1", True),
        ("socket://192.0.2.7:1", True),
        ("sim://shoe", False),
    ],
)
def test_which_wires_can_be_tapped(address: str, tapped: bool) -> None:
    assert can_be_tapped(parse(address)) is tapped
