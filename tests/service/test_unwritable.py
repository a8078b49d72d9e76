"""While nothing can be recorded lamps are dark, gates are shut, and console, sign, pages and API say it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from controller.journal.errors import JournalError
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service import unwritable
from controller.service.engine import Engine
from controller.service.storage import Storage
from controller.sim.people import PIN, badge_of
from controller.web.devices import DeviceLook
from controller.web.felt import FeltFeed
from controller.web.people import PageDoor
from controller.web.server import Pages
from hw_sim.loop import run
from tests.asking import Client
from tests.cli.conftest import felt
from tests.daemon.house import table_toml
from tests.people.everybody import sign_in
from tests.service.failing import Table, config_text, table, until

SIGN = '[device.sign]\nfamily = "display"\naddress = "sim://sign"\n'


def view(t: Table, device: str) -> Any:
    return t.sim.device(device).state()["view"]


async def status(t: Table) -> Any:
    return await asyncio.to_thread(Client(str(t.daemon.config.api.socket)).get, "/status")


async def test_everybody_sees_that_nothing_can_be_recorded_until_something_can(tmp_path: Path) -> None:
    path = config_text(tmp_path)
    path.write_text(path.read_text() + SIGN)
    async with table(path) as t:
        await until(t.ready)
        await t.rest()
        page = Pages(t.daemon.service)
        sign, lamps = view(t, "sign"), view(t, "lamps")["lamps"]
        assert lamps and page._picture("limits")["open"]
        t.disk.failing = True
        sign_in(t.sim.device("console").do, "supervisor")
        await until(lambda: t.daemon.service.storage.error is not None)
        await until(lambda: not view(t, "lamps")["lamps"])
        await until(lambda: "out of service" in str(view(t, "sign")))
        await until(lambda: "nothing can be recorded" in str(view(t, "console")))
        told = await status(t)
        assert told["lamps"] == {}
        for gate in told["gates"].values():
            assert gate["open"] is False and "nothing can be recorded: storing records" in gate["why"]
        assert "call the technician" in told["waiting"][0]["text"]
        assert not page._picture("limits")["open"]
        assert page._picture("limits")["notices"][0]["text"] == "Out of service"
        t.disk.failing = False
        await until(lambda: t.daemon.service.storage.error is None)
        await until(lambda: t.daemon.service.engine.table.role == "supervisor")
        await t.rest()
        assert view(t, "lamps")["lamps"] == lamps and view(t, "sign") == sign
        assert "nothing can be recorded" not in str(view(t, "console"))
        assert "why" not in (await status(t))["gates"]["bets"]


class _Devices:
    """No device, and a browser that asks about them."""

    def devices(self) -> dict[str, Any]:
        return {"devices": [], "buses": []}

    def frames(self, name: str, most: int) -> list[dict[str, Any]]:
        return []

    def request(self) -> web.Request:
        return make_mocked_request("GET", "/devices/events", headers={"Host": "127.0.0.1"})


METER = '[device.display]\nfamily = "display"\naddress = "sim://display"\n'
READ = 'read-socket = "{}"\n'


async def test_every_output_says_that_nothing_can_be_recorded(tmp_path: Path) -> None:
    """One test over all of them: whoever adds an output adds a line here."""
    path = table_toml(tmp_path, game="caribbean-stud", options='jackpot = "nsw"\n')
    reader = tmp_path / "read.sock"
    path.write_text(path.read_text() + READ.format(reader) + SIGN + METER)
    async with table(path) as t:
        await until(t.ready)
        await t.rest()
        t.sim.device("sensor.1").do("bet", {"ante": 1000})
        await until(lambda: bool(view(t, "console")["lit"]))
        service, page = t.daemon.service, Pages(t.daemon.service)
        before = {
            "key lamps": view(t, "console")["lit"],
            "lamps": view(t, "lamps")["lamps"],
            "limit page": page._picture("limits")["large"],
            "jackpot page": not page._picture("jackpot")["fault"],
        }
        assert all(before.values()), before
        t.disk.failing = True
        service.fleet.note("shoe", "somebody looked at it")
        await until(lambda: service.storage.error is not None)
        await until(lambda: service.fleet.settled and service.outputs.at_rest)

        # on the table
        assert not view(t, "lamps")["lamps"]
        assert "nothing can be recorded" in str(view(t, "console")["prompts"])
        assert "journal.io" not in str(view(t, "console"))  # a code is for technicians
        assert view(t, "console")["lit"] == []
        assert "out of service" in str(view(t, "sign"))
        await until(lambda: not str(view(t, "display")["shown"]).startswith("$"))
        # in a browser
        assert page._picture("jackpot")["fault"]
        assert (page._picture("limits")["open"], page._picture("limits")["large"]) == (False, [])
        picture = json.loads(FeltFeed(service).picture())
        assert (picture["phase"], picture["lamps"]) == ("out of service", [])
        assert picture["troubles"][0]["text"] == "Out of service: nothing can be recorded."
        console = json.loads(FeltFeed(service).console())
        assert (console["stopped"], console["keys"], console["matters"][0]["title"]) == (True, [], "Out of service")
        devices = _Devices()
        looked = json.loads(DeviceLook(service, devices, PageDoor(service.doorkeeper), devices.request()).picture())
        assert "nothing can be recorded" in looked["stopped"]
        # for programs and technicians
        told = await status(t)
        assert (told["lamps"], told["storage"]["code"]) == ({}, "journal.io")
        assert not any(gate["open"] for gate in told["gates"].values())
        keys = await asyncio.to_thread(Client(str(t.daemon.config.api.socket)).get, "/keys")
        assert keys["now"] == []
        with pytest.raises(JournalError):
            await service.doorkeeper.sign_in(badge_of("supervisor"), PIN, "", "socket", 1000)
        assert len(service.doorkeeper.sessions) == 0
        shown = await asyncio.to_thread(Client(str(reader)).get, "/displays")
        assert shown == {"sign": list(unwritable.SIGN), "meter": None}
        assert t.daemon.status().startswith("journal.io: ")
        socket = str(t.daemon.config.api.socket)
        for command in ("status", "doctor"):
            said = await asyncio.to_thread(felt, command, "--socket", socket)
            assert said.returncode == 1 and "journal.io" in said.stdout
            assert "all is well" not in said.stdout and "nothing is wrong" not in said.stdout


async def test_a_table_whose_devices_are_silent_comes_back_by_itself(tmp_path: Path) -> None:
    async with table(config_text(tmp_path)) as t:
        await until(t.ready)
        await t.rest()
        t.disk.failing = True
        t.daemon.service.fleet.note("shoe", "somebody looked at it")
        await until(lambda: t.daemon.service.storage.error is not None)
        t.disk.failing = False
        await until(lambda: t.daemon.service.storage.error is None)
        await until(lambda: bool(view(t, "lamps")["lamps"]))


async def test_a_device_that_is_lost_while_the_disk_fails_is_told_afterwards(tmp_path: Path) -> None:
    async with table(config_text(tmp_path)) as t:
        await until(t.ready)
        await t.rest()
        t.disk.failing = True
        t.sim.device("shoe").fault("unplug")
        await until(lambda: t.daemon.service.storage.error is not None)
        assert not t.daemon.service.engine.table.faults
        t.disk.failing = False
        await until(lambda: "lost" in t.daemon.service.engine.table.faults.get("shoe", {}))


def test_who_has_stopped_tries_the_disk_no_more() -> None:
    """What is submitted while the table ends may fail as well; a second later there is nobody who could store it."""

    async def story() -> None:
        bugs: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: bugs.append(context))
        journal = Journal.open(None, table="T1")
        engine = Engine(journal, InlineWriter(journal), clock=lambda: 0)
        storage = Storage(engine)
        storage.stop()
        storage.failed(JournalError("journal.io", "storing records: disk I/O error"))
        await engine.writer.close()
        await asyncio.sleep(10.0)
        assert bugs == []

    run(story())
