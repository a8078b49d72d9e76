"""The prize meter through the API: two people, the table's rules, and a meter that did not add up."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.api import technician, two_people
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.errors import FeltError
from controller.jackpot.rules import Terms
from controller.jackpot.stores.sqlite import SqliteStore
from controller.service.meter_store import FILE
from controller.table.state import meter_works
from tests.api.conftest import Floor
from tests.daemon.house import table_toml
from tests.service.kept import NOTHING, until

TERMS = Terms("nsw", 1, 20000, 500)
TWENTY_MINUTES = 20 * 60 * 1_000_000
WHY = {"by": "manager 1", "reason": "the end of the season"}


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    """A table with a meter of its own; another system is kept in the same store."""
    (tmp_path / "state").mkdir()
    store = SqliteStore(tmp_path / "state" / FILE)
    await store.open()
    await store.join("G2", "T9", TERMS, "nsw 1 20000 5 A caribbean-stud")
    await store.close()
    config = load_config(table_toml(tmp_path, options='jackpot = "nsw"\n', game="caribbean-stud"))
    async with dealt_table(config) as (daemon, sim, _):
        table = Floor(daemon, sim)
        await until(lambda: meter_works(table.engine.table))
        yield table


@pytest.fixture
def somebody_else(monkeypatch: pytest.MonkeyPatch, floor: Floor) -> Callable[[], None]:
    """From now on another technician asks."""

    def change() -> None:
        floor.as_person("area-manager", 65_533)
        monkeypatch.setattr(technician, "caller_of", lambda request: technician.Caller(65_533, frozenset({65_533})))
        monkeypatch.setattr(technician, "group_id", lambda group: 65_533)

    return change


async def code_of(work: object) -> str:
    with pytest.raises(FeltError) as caught:
        await work  # type: ignore[misc]
    return caught.value.code


async def test_a_system_is_closed_by_the_rules_and_by_two_people(
    floor: Floor, somebody_else: Callable[[], None]
) -> None:
    await floor.do("sensor.1", "bet", {("ante", 1): 1000, ("jackpot", 1): 500})
    await floor.press("no-more-bets")
    await until(lambda: floor.engine.table.jackpot.recorded == 1)
    await floor.draw(*NOTHING.split())
    await floor.press("fold", "1")
    await floor.press("settle")
    close = {"to": ["G2"], **WHY}
    floor.as_person("supervisor")
    with pytest.raises(FeltError) as caught:
        await floor.post("/jackpot/close", close)
    assert "this needs the area manager (rule 11.2.1(g))" in caught.value.cause
    floor.as_person("casino-manager")
    with pytest.raises(FeltError) as caught:
        await floor.post("/jackpot/close", close)
    assert "a sign at every table for twenty minutes" in caught.value.cause
    await floor.post("/jackpot/press", {"notice": "close-jackpot", "by": "manager 1"})
    clock = floor.engine._clock
    floor.engine._clock = lambda: clock() + TWENTY_MINUTES
    assert await code_of(floor.post("/jackpot/close", {"to": ["G3"], **WHY})) == "jackpot.refused"
    proposed = await floor.post("/jackpot/close", close)
    assert proposed["text"] == "close the prize meter system T1 and hand on 2.8610 to G2"
    assert not floor.engine.table.jackpot.closed
    somebody_else()
    done = await floor.post("/jackpot/confirm", {"code": proposed["confirm"].lower(), "by": "manager 2"})
    assert (done["handed_on"], done["meter"]["closed"]) == ({"G2": "2.8610"}, True)
    await until(lambda: floor.engine.table.jackpot.closed)
    meters = {m["group"]: m["value"] for m in (await floor.get("/jackpot/meters"))["meters"]}
    assert meters == {"G2": "100002.8610", "T1": "100000.0000"}


async def test_a_table_goes_to_another_system(floor: Floor) -> None:
    await floor.sign_in("area-manager")
    await floor.post("/jackpot/press", {"notice": "jackpot-group=G2", "by": "manager 1"})
    assert await code_of(floor.post("/jackpot/press", {"group": "G2", "by": "manager 1"})) == "jackpot.refused"
    clock = floor.engine._clock
    floor.engine._clock = lambda: clock() + TWENTY_MINUTES
    await floor.post("/jackpot/press", {"group": "G2", "by": "manager 1"})
    await until(lambda: floor.engine.table.jackpot.joined)
    assert (await floor.get("/jackpot"))["group"] == "G2"
    for wrong in ({"by": "x"}, {"by": "", "group": "G2"}, {"by": "x", "group": "G2", "notice": "close-jackpot"}):
        assert await code_of(floor.post("/jackpot/press", wrong)) == "jackpot.unfit"


async def test_a_proposal_waits_some_minutes_only(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_people, "MINUTES", 0.0)
    proposed = await floor.post("/jackpot/adjust", {"amount": "1", **WHY})
    late = {"code": proposed["confirm"], "by": "manager 2"}
    assert await code_of(floor.post("/jackpot/confirm", late)) == "jackpot.no-proposal"


async def test_a_failed_audit_is_cleared_by_a_person_when_it_adds_up(floor: Floor, tmp_path: Path) -> None:
    async def forge(by: int) -> None:
        with sqlite3.connect(tmp_path / "state" / FILE) as db:
            db.execute("UPDATE jackpot_movements SET ticks = ticks + ? WHERE number = 1", (by,))
        db.close()

    await floor.do("sensor.1", "bet", {("ante", 1): 1000, ("jackpot", 1): 500})
    await floor.press("no-more-bets")
    await until(lambda: floor.engine.table.jackpot.recorded == 1)
    meter_sync = floor.daemon.service.meter_sync
    assert meter_sync is not None
    await forge(1)
    assert not (await floor.get("/jackpot/verify"))["ok"]
    assert await meter_sync.audit()
    assert [t["code"] for t in (await floor.get("/status"))["trouble"]] == ["jackpot.audit"]
    assert await code_of(floor.post("/jackpot/clear", {"by": "technician 3"})) == "jackpot.audit"
    await forge(-1)
    assert await floor.post("/jackpot/clear", {"by": "technician 3"}) == {"group": "T1", "cleared": True}
    assert (await floor.get("/status"))["trouble"] == []


async def test_no_adjustment_under_a_jackpot_game(floor: Floor, somebody_else: Callable[[], None]) -> None:
    await floor.do("sensor.1", "bet", {("ante", 1): 1000, ("jackpot", 1): 500})
    await floor.press("no-more-bets")
    proposed = await floor.post("/jackpot/adjust", {"amount": "1", **WHY})
    somebody_else()
    confirmed = floor.post("/jackpot/confirm", {"code": proposed["confirm"], "by": "manager 2"})
    assert await code_of(confirmed) == "jackpot.refused"


@pytest.mark.parametrize("other", ["manager 1", "  Manager   1 ", "", "manager 2"])  # the last: of the same account
async def test_nobody_is_two_people(floor: Floor, other: str) -> None:
    proposed = await floor.post("/jackpot/adjust", {"amount": "+1.5", **WHY})
    assert "by +1.5000" in proposed["text"]
    assert await code_of(floor.post("/jackpot/confirm", {"code": proposed["confirm"], "by": other})) == "jackpot.people"
    assert (await floor.get("/jackpot"))["meter"]["adjustments"] == "0.0000"


async def test_who_may_only_look_changes_no_meter(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(technician, "caller_of", lambda request: technician.Caller(65_533, frozenset({65_533})))
    asked = {
        "/jackpot/adjust": {"amount": "1", **WHY},
        "/jackpot/confirm": {"code": "AAAA", "by": "manager 2"},
        "/jackpot/clear": {"by": "manager 2"},
    }
    for what, said in asked.items():
        assert await code_of(floor.post(what, said)) == "person.not-technician"
    assert (await floor.get("/jackpot"))["meter"]["value"] == "100000.0000"


async def test_the_minutes_of_a_notice_go_on_while_nothing_happens(floor: Floor) -> None:
    await floor.sign_in("area-manager")
    await floor.post("/jackpot/press", {"notice": "close-jackpot", "by": "manager 1"})
    later = floor.engine.time() + TWENTY_MINUTES
    floor.engine._clock = lambda: later
    assert [n["minutes"] for n in (await floor.get("/jackpot/notices"))["notices"]] == [20]


async def test_the_last_known_value_when_the_store_is_away(floor: Floor) -> None:
    meter_sync = floor.daemon.service.meter_sync
    assert meter_sync is not None
    await meter_sync.store.close()
    answer = await floor.get("/jackpot")
    assert (answer["stale"], answer["meter"]["value"]) == ("jackpot.unreachable", "100000.0000")
    assert await code_of(floor.get("/jackpot/history")) == "jackpot.unreachable"


async def test_requests_that_make_no_sense(floor: Floor) -> None:
    assert await code_of(floor.post("/jackpot/adjust", {"amount": "1"})) == "api.request"
    for count in ("many", "0", "1001", "-1"):
        with pytest.raises(FeltError, match="n must be") as caught:
            await floor.get("/jackpot/history", n=count)
        assert caught.value.code == "api.request"
