"""Two people allow a door to be opened; without them, or for longer than they said, it is an alert."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.api import technician
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.daemon.compose import running
from controller.errors import FeltError
from controller.rules import Role
from controller.sim.addresses import schemes, simulated_table
from controller.table import facts
from controller.table.facts import DoorAllowed, DoorLocked
from tests.api.conftest import Floor
from tests.daemon.house import table_toml
from tests.service.clocks import Clocks
from tests.service.kept import until

OTHER = 65_533
WHY = {"by": "Ann", "reason": "a card is stuck"}
DOOR = 'door = "two-people"'


def config_of(directory: Path) -> Path:
    """A table whose shoe is opened by two people."""
    path = table_toml(directory)
    text = path.read_text()
    path.write_text(text.replace("[device.shoe]\n", f"[device.shoe]\n{DOOR}\n"))
    assert DOOR in path.read_text()
    return path


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with dealt_table(load_config(config_of(tmp_path))) as (daemon, sim, _):
        yield Floor(daemon, sim)


Becomes = Callable[[int, Role], None]


@pytest.fixture
def becomes(monkeypatch: pytest.MonkeyPatch, floor: Floor) -> Becomes:
    """From now on this account asks, with somebody signed in."""

    def change(account: int, role: Role) -> None:
        floor.as_person(role, account)
        monkeypatch.setattr(technician, "caller_of", lambda request: technician.Caller(account, frozenset({OTHER})))
        monkeypatch.setattr(technician, "group_id", lambda group: OTHER)

    return change


def alerts(floor: Floor) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in floor.engine.table.protection.waiting.values()]


def is_open(floor: Floor) -> bool:
    return "shoe.door" in floor.engine.table.faults.get("shoe", {})


async def opens(floor: Floor) -> None:
    floor.sim.device("shoe").fault("door")
    await until(lambda: is_open(floor))


async def shuts(floor: Floor) -> None:
    floor.sim.device("shoe").clear()
    await until(lambda: not is_open(floor))


async def allowed(floor: Floor, becomes: Becomes, minutes: int = 10) -> None:
    proposal = await floor.post("/devices/shoe/open", {**WHY, "minutes": minutes})
    becomes(OTHER, "technician")
    await floor.post("/devices/shoe/confirm", {"code": proposal["confirm"], "by": "Bob"})


async def door(floor: Floor) -> dict[str, object]:
    (shoe,) = (each for each in (await floor.get("/devices"))["devices"] if each["name"] == "shoe")
    return dict(shoe["door"])


async def test_two_people_open_a_door_once(floor: Floor, becomes: Becomes) -> None:
    assert await door(floor) == {"open": False, "two_people": True, "allowed": [], "seconds": 0}
    await allowed(floor, becomes)
    shown = await door(floor)
    assert len(shown["allowed"]) == 2 and 500 < int(str(shown["seconds"])) <= 600  # type: ignore[arg-type]
    await until(lambda: floor.sim.device("shoe").model.view()["locked"])  # it holds its cards back meanwhile
    await opens(floor)
    status = await floor.get("/status")
    assert status["doors"][0].startswith("shoe open, may be opened by ")
    await shuts(floor)
    assert floor.engine.table.doors == {} and alerts(floor) == []
    await until(lambda: not floor.sim.device("shoe").model.view()["locked"])
    await opens(floor)  # once more, and nobody has allowed that
    await until(lambda: alerts(floor) == [("forced", "The door of shoe was opened, and no two people had allowed it.")])
    await shuts(floor)
    assert len(alerts(floor)) == 1  # until a supervisor has cleared it


async def test_one_person_opens_no_door(floor: Floor, becomes: Becomes) -> None:
    async def refused(code: str, by: str) -> str:
        with pytest.raises(FeltError) as caught:
            await floor.post("/devices/shoe/confirm", {"code": code, "by": by})
        return caught.value.code

    proposal = await floor.post("/devices/shoe/open", WHY)
    assert await refused(proposal["confirm"], "Bob") == "door.people"  # the same account and person
    assert await refused("AAAA", "Bob") == "door.no-proposal"
    becomes(OTHER, "technician")
    assert await refused(proposal["confirm"], " ann ") == "door.people"
    becomes(OTHER, "casino-manager")
    assert await refused(proposal["confirm"], "Bob") == "door.people"  # one person under two accounts
    with pytest.raises(FeltError, match="name and a reason"):
        await floor.post("/devices/shoe/open", {"by": "Ann", "reason": " "})
    with pytest.raises(FeltError, match="1 to 60 minutes"):
        await floor.post("/devices/shoe/open", {**WHY, "minutes": 61})
    assert floor.engine.table.doors == {}


async def test_never_while_a_round_runs(floor: Floor, becomes: Becomes) -> None:
    proposal = await floor.post("/devices/shoe/open", WHY)
    await floor.bet(1, 1000)
    becomes(OTHER, "technician")
    with pytest.raises(FeltError, match="a round is running"):
        await floor.post("/devices/shoe/confirm", {"code": proposal["confirm"], "by": "Bob"})
    with pytest.raises(FeltError, match="a round is running"):
        await floor.post("/devices/shoe/open", WHY)
    await opens(floor)
    await until(lambda: [kind for kind, _ in alerts(floor)] == ["door"])


async def test_time_ends_it_through_a_restart_and_a_door_opened_meanwhile_is_found(tmp_path: Path) -> None:
    clocks, config = Clocks(), load_config(config_of(tmp_path))
    async with simulated_table(config) as (sim, _):
        async with running(config, schemes(sim), clocks.system()) as daemon:
            assert await daemon.service.all_ready(20)
            await daemon.service.engine.submit(DoorAllowed("shoe", 10, "a card is stuck", ("Ann", "Bob")))
        clocks.passes(9 * 60)
        clocks.set(-3600)  # which makes no difference
        async with running(config, schemes(sim), clocks.system()) as daemon:
            assert await daemon.service.all_ready(20)
            floor = Floor(daemon, sim)
            assert "shoe" in floor.engine.table.doors
            await opens(floor)
            assert alerts(floor) == []
            clocks.passes(61)
            late = ("forced", "The door of shoe is open for longer than two people have allowed.")
            await until(lambda: alerts(floor) == [late])
            assert floor.engine.table.doors == {}
            await shuts(floor)
        sim.device("shoe").fault("door")  # while no daemon runs
        sim.device("shoe").clear()
        async with running(config, schemes(sim), clocks.system()) as daemon:
            assert await daemon.service.all_ready(20)
            await until(lambda: len(alerts(Floor(daemon, sim))) == 2)
            told = [facts.decode(record.payload) for record in daemon.journal.iterate(1)]
            assert [fact.device for fact in told if isinstance(fact, DoorLocked)] == ["shoe"]
    await asyncio.sleep(0)
