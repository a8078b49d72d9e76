"""What takes two people takes two people: every way around it that we thought of, tried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.api import technician
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.errors import FeltError
from controller.rules import Role
from controller.table.facts import SignedOut
from controller.table.state import meter_works
from tests.api.conftest import Floor
from tests.daemon.house import table_toml
from tests.service.kept import until

WHY = {"by": "manager 1", "reason": "the end of the season"}
OTHER = 65_533
Becomes = Callable[[int, Role], None]


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    config = load_config(table_toml(tmp_path, options='jackpot = "nsw"\n', game="caribbean-stud"))
    async with dealt_table(config) as (daemon, sim, _):
        table = Floor(daemon, sim)
        await until(lambda: meter_works(table.engine.table))
        yield table


@pytest.fixture
def becomes(monkeypatch: pytest.MonkeyPatch, floor: Floor) -> Becomes:
    """From now on this account asks, with somebody signed in."""

    def change(account: int, role: Role) -> None:
        floor.as_person(role, account)
        monkeypatch.setattr(technician, "caller_of", lambda request: technician.Caller(account, frozenset({OTHER})))
        monkeypatch.setattr(technician, "group_id", lambda group: OTHER)

    return change


async def proposed(floor: Floor) -> dict[str, str]:
    answer = await floor.post("/jackpot/adjust", {"amount": "1.5", **WHY})
    return {"code": answer["confirm"], "by": "manager 2"}


async def refused(floor: Floor, confirmation: dict[str, str]) -> tuple[str, str]:
    with pytest.raises(FeltError) as caught:
        await floor.post("/jackpot/confirm", confirmation)
    return caught.value.code, caught.value.cause


async def adjustments(floor: Floor) -> str:
    return str((await floor.get("/jackpot"))["meter"]["adjustments"])


async def test_one_person_under_two_accounts(floor: Floor, becomes: Becomes) -> None:
    confirmation = await proposed(floor)
    becomes(OTHER, "casino-manager")
    code, cause = await refused(floor, confirmation)
    assert code == "jackpot.people" and "simulated casino manager proposed it" in cause
    assert await adjustments(floor) == "0.0000"


async def test_two_people_under_one_account(floor: Floor, becomes: Becomes) -> None:
    becomes(OTHER, "casino-manager")
    confirmation = await proposed(floor)
    becomes(OTHER, "technician")
    assert (await refused(floor, confirmation))[0] == "jackpot.people"
    assert await adjustments(floor) == "0.0000"


async def test_a_session_on_a_page_is_no_second_signature(floor: Floor) -> None:
    """The token of a page is of no use over the socket, and pages have no such deed."""
    confirmation = await proposed(floor)
    sessions = floor.daemon.service.doorkeeper.sessions
    floor.client.token, _ = sessions.open("simulated technician", "technician", "page 127.0.0.1", -1)
    assert (await refused(floor, confirmation))[0] == "sign-in.needed"
    assert await adjustments(floor) == "0.0000"


@pytest.mark.parametrize("end", ["idle", "sign-out", "removed"])
async def test_who_proposed_it_is_still_signed_in(floor: Floor, becomes: Becomes, end: str) -> None:
    confirmation = await proposed(floor)
    keeper = floor.daemon.service.doorkeeper
    first = next(iter(keeper.sessions._open.values()))
    if end == "sign-out":
        keeper.sign_out(first)
    elif end == "removed":
        first.person = "somebody else"
    else:
        first.used -= 10_000
    becomes(OTHER, "technician")
    code, cause = await refused(floor, confirmation)
    assert code == "jackpot.people" and "no longer signed in" in cause
    assert (await refused(floor, confirmation))[0] == "jackpot.no-proposal"  # it is gone for good
    assert await adjustments(floor) == "0.0000"
    why = {"idle": "idle", "sign-out": "", "removed": "removed"}[end]
    await until(lambda: not floor.engine.pending)
    assert not keeper.sessions.holds(first) and why in _reasons(floor)


async def test_the_second_signature_counts_once(floor: Floor, becomes: Becomes) -> None:
    confirmation = await proposed(floor)
    again = await proposed(floor)
    becomes(OTHER, "technician")
    answers = await asyncio.gather(
        *(floor.post("/jackpot/confirm", confirmation) for _ in range(3)), return_exceptions=True
    )
    assert sorted(a.code if isinstance(a, FeltError) else "done" for a in answers) == [
        "done",
        "jackpot.no-proposal",
        "jackpot.no-proposal",
    ]
    assert await adjustments(floor) == "1.5000"
    assert again["code"] != confirmation["code"]  # the same request sent twice is two proposals, each confirmed alone


def _reasons(floor: Floor) -> list[str]:
    from controller.table import facts

    read = (facts.decode(record.payload) for record in floor.daemon.journal.iterate(1))
    return [fact.why for fact in read if isinstance(fact, SignedOut)]
