"""A daemon that watches the floor: alerts on record until somebody acknowledges them, through restarts and a crash."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.group import cli
from controller.config.load import load_config
from controller.journal.errors import JournalError
from controller.service import floor_watch, neighbour, own_table
from controller.service.neighbour import Neighbour
from controller.sim.people import PIN, badge_of
from controller.table.facts import AlertAcknowledged, AlertOver, AlertRaised, DeviceCleared, DeviceFault
from controller.views.alerts import Alert
from controller.views.summary import TableSummary
from tests.daemon.house import table_toml
from tests.service.clocks import Table, table, until
from tests.service.neighbours import HELD, RICH, FakeTable, fake_tables


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour, "EVERY", 0.02)
    monkeypatch.setattr(neighbour, "AGAIN", 0.02)
    monkeypatch.setattr(neighbour, "SILENT", 0.2)
    monkeypatch.setattr(floor_watch, "LOOK", 0.02)
    monkeypatch.setattr(own_table, "FRESH", 0.0)


@asynccontextmanager
async def watching(directory: Path, *tables: FakeTable) -> AsyncIterator[Table]:
    """A daemon that watches these tables."""
    directory.mkdir(exist_ok=True)
    path = table_toml(directory)
    listed = "".join(f'{each.summary.table} = "{each.at}"\n' for each in tables)
    path.write_text(f"{path.read_text()}[floor.tables]\n{listed}")
    async with table(load_config(path)) as t:
        yield t


async def felt(t: Table, *words: str, typed: str = "") -> Result:
    socket = t.daemon.config.api.socket
    runner = CliRunner(env={"XDG_RUNTIME_DIR": str(socket.parent)})  # where the session is kept
    return await asyncio.to_thread(lambda: runner.invoke(cli, [*words, "--socket", str(socket)], input=typed))


async def sign_in(t: Table, role: str) -> None:
    said = await felt(t, "sign-in", "--badge", badge_of(role), typed=f"{PIN}\n")  # type: ignore[arg-type]
    assert said.exit_code == 0, said.output


async def test_an_alert_outlives_a_crash_and_its_cause_until_it_is_acknowledged(tmp_path: Path) -> None:
    async with fake_tables("T2") as tables:
        t2 = tables["T2"]
        async with watching(tmp_path / "a", t2) as t:
            t2.change(alerts=(HELD,), meter=RICH)
            await until(lambda: bool(t.engine.table.alerts))
            (number,) = t.engine.table.alerts
            shutil.copytree(tmp_path / "a" / "state", tmp_path / "b" / "state")  # as kill -9 would leave it
        async with watching(tmp_path / "b", t2) as t:
            assert list(t.engine.table.alerts) == [number]
            t2.change(alerts=())
            await until(lambda: bool(t.engine.table.alerts[number].over))
            said = await felt(t, "floor")
            assert said.exit_code == 1 and "1 to acknowledge" in said.output
            assert f"{number}  T2  Held: {HELD.text}" in said.output and "over" in said.output
            assert "well, 1 alert" in said.output and "100,002.86" in said.output
            await check_powers(t, number)
            (fact,) = t.facts(AlertAcknowledged)[-1:]
            assert (fact.alert, fact.table, fact.kind, fact.text) == (number, "T2", "held", HELD.text)
            assert (fact.person, fact.role, fact.place) == ("simulated supervisor", "supervisor", "socket")
            assert fact.account >= 0
        async with watching(tmp_path / "b", t2) as t:
            assert t.engine.table.alerts == {}
            said = await felt(t, "floor")
            assert said.exit_code == 0 and "nothing to acknowledge" in said.output
            assert [type(each) for each in t.facts((AlertRaised, AlertOver))] == [AlertRaised, AlertOver]


async def check_powers(t: Table, number: int) -> None:
    """Nobody, a dealer, then a supervisor."""
    words = ("floor", "--acknowledge", str(number), "--json")
    assert json.loads((await felt(t, *words)).output)["error"]["code"] == "sign-in.needed"
    await sign_in(t, "dealer")
    refused = json.loads((await felt(t, *words)).output)["error"]
    assert (refused["code"], refused["cause"]) == ("alert.refused", "this needs the supervisor")
    assert number in t.engine.table.alerts
    await sign_in(t, "supervisor")
    done = json.loads((await felt(t, *words)).output)
    assert (done["alert"], done["table"], done["person"]) == (number, "T2", "simulated supervisor")
    assert json.loads((await felt(t, *words)).output)["error"]["code"] == "alert.unknown"


async def test_its_own_table_is_on_the_floor_and_a_lost_one_is_never_well(tmp_path: Path) -> None:
    async with fake_tables("T2", "T3") as tables, watching(tmp_path, *tables.values()) as t:
        await t.engine.submit(DeviceFault("shoe", "shoe.jam"))
        await until(lambda: bool(t.engine.table.alerts))
        shown = json.loads((await felt(t, "floor", "--json")).output)
        assert [(each["name"], each["here"]) for each in shown["tables"]] == [
            ("T1", True),
            ("T2", False),
            ("T3", False),
        ]
        assert [(each["table"], each["kind"]) for each in shown["alerts"]] == [("T1", "fault")]
        tables["T3"].summary = tables["T2"].summary  # another table answers there
        await until(lambda: any(each.table == "T3" for each in t.engine.table.alerts.values()))
        said = (await felt(t, "floor")).output
        assert "T3  Cannot be reached: T3 is not heard: the table T2 answers there." in said
        assert "LOST since" in said and "TROUBLE" not in said
        await t.engine.submit(DeviceCleared("shoe", "shoe.jam"))
        await until(lambda: any(each.table == "T1" and each.over for each in t.engine.table.alerts.values()))


async def test_a_table_that_stays_lost_through_a_restart_is_one_alert(tmp_path: Path) -> None:
    async with fake_tables("T2") as tables:
        gone = tables["T2"]
    for _ in range(2):
        async with watching(tmp_path, gone) as t:
            await until(lambda: bool(t.engine.table.alerts))
            await asyncio.sleep(0.4)  # it is missed again
            assert [(each.kind, each.times, each.over) for each in t.engine.table.alerts.values()] == [
                ("unreachable", 1, 0)
            ]
    assert len(t.engine.table.alerts) == 1


async def test_a_table_that_babbles_does_not_fill_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor_watch, "BURST", 5)
    async with fake_tables("T2") as tables, watching(tmp_path, *tables.values()) as t:
        for n in range(40):
            tables["T2"].change(alerts=(Alert("held", f"a{n}", "The table is held.", "", n + 1),))
            await asyncio.sleep(0.02)
        assert len(t.facts((AlertRaised, AlertOver))) <= 6
        shown = json.loads((await felt(t, "floor", "--json")).output)
        assert shown["tables"][1]["state"] == "stands"


async def test_while_nothing_can_be_recorded_the_floor_says_so(tmp_path: Path) -> None:
    async with fake_tables("T2") as tables, watching(tmp_path, *tables.values()) as t:
        storage = t.daemon.service.storage
        storage.error = JournalError("journal.full", "the disk is full", "make room")
        tables["T2"].change(alerts=(HELD,))
        async with asyncio.timeout(20):
            while True:
                shown = json.loads((await felt(t, "floor", "--json")).output)
                if {each["kind"] for each in shown["alerts"]} == {"stopped", "held"}:
                    break
        assert shown["unrecorded"] and {each["alert"] for each in shown["alerts"]} == {None}
        assert not t.facts(AlertRaised)
        assert "nobody can acknowledge anything now" in (await felt(t, "floor")).output
        storage.error = None
        await until(lambda: bool(t.facts(AlertRaised)))


async def test_a_table_tells_its_pace_from_the_rounds_on_record_also_after_a_restart(tmp_path: Path) -> None:
    path, door = table_toml(tmp_path), tmp_path / "read.sock"
    path.write_text(f'{path.read_text()}read-socket = "{door}"\n')
    async with table(load_config(path)) as t:
        for _ in range(3):
            await t.do("sensor.1", "bet", {("war", 1): 1000})
            await t.press("no-more-bets")
            for card in ("Kh", "2d"):
                await t.do("shoe", "draw", card)
            await t.press("settle")
        summary = await summary_at(str(door), lambda each: each.pace is not None)
        assert summary.round == 3 and summary.ended is not None
    async with table(load_config(path)):
        again = await summary_at(str(door), lambda each: each.pace is not None)
        assert (again.pace, again.ended, again.round) == (summary.pace, summary.ended, 3)


async def summary_at(door: str, wanted: Callable[[TableSummary], bool]) -> TableSummary:
    """What a table tells at its door, as soon as it is that; read as another daemon reads it."""
    summaries: asyncio.Queue[TableSummary] = asyncio.Queue()
    one = Neighbour("T1", door, lambda: summaries.put_nowait(one.look.summary) if one.look.summary else None)
    reading = asyncio.create_task(one.run())
    try:
        async with asyncio.timeout(20):
            while not wanted(summary := await summaries.get()):
                pass
    finally:
        reading.cancel()
        await asyncio.wait([reading])
    return summary


async def test_a_table_that_watches_nobody_says_so(tmp_path: Path) -> None:
    async with table(load_config(table_toml(tmp_path))) as t:
        said = await felt(t, "floor")
        assert said.exit_code == 1 and "floor.none" in said.output
        said = await felt(t, "floor", "--acknowledge", "3")
        assert said.exit_code == 1 and "floor.none" in said.output
