"""While nothing can be recorded lamps are dark, gates are shut, and console, sign, pages and API say it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from controller.cli.client import Client
from controller.web.server import Pages
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
