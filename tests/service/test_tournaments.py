"""A table and the record of its tournament: every report once, whatever happens to the store, the table or the line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from controller.errors import FeltError
from controller.jackpot.stores.postgres import PostgresStore
from controller.jackpot.stores.store import Appended, StoreError
from controller.service import tournaments
from controller.service.cup_record import CupRecord
from controller.service.tournaments import LOST, CupRefused
from controller.table.play import Play
from controller.tournament import standing
from controller.tournament.deeds import DeskKey, PeopleEntered, TableReported, TournamentAsked
from controller.tournament.draw import TableSeat, by_lot
from controller.tournament.news import FREED
from controller.tournament.record import Tournament
from controller.tournament.wishes import Wish, Wishes, waiting
from tests.jackpot.stores.conftest import Make, dsn, make, server
from tests.jackpot.stores.relay import Relay
from tests.service.cup_table import ANN_LOSES, ANN_WINS, CUP, CupAtTable, head
from tests.service.kept import until
from tools.postgres import OwnServer

__all__ = ["dsn", "make", "server"]


def banks(cup: Tournament) -> dict[str, int]:
    return {one.name: one.bank for one in standing.everybody(cup)}


# ---- everyday


async def test_a_round_changes_banks_and_the_winner_is_paid(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", hands="1", buy_in="100")
        await t.desk("start")
        seats = {one.name: one.seat for one in (await t.cup()).people.values()}
        ann = seats["Ann"]
        assert ann is not None
        await t.round(ANN_WINS if ann.place == 1 else "9d Kh Qs")
        await t.recorded()
        cup = await t.cup()
        assert banks(cup) == {"Ann": 1100_00, "Bob": 900_00}
        assert cup.stage == "over"
        assert standing.prizes(cup) == {"Ann": 200_00, "Bob": 0}
        await t.desk("award")
        assert t.shut


async def test_places_are_drawn_by_lot_and_the_seed_is_on_record(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make(), seats=5) as t:
        await t.begun("Ann", "Bob", "Cem", "Dee", "Eve")
        await t.desk("start")
        cup = await t.cup()
        assert cup.seed == "seed0"
        drawn = by_lot(cup.people, "seed0")
        assert [cup.people[name].seat for name in drawn] == [TableSeat("T1", nth) for nth in range(1, 6)]
        lines = (await t.cups.record(CUP)).lines
        assert [line.deed.seed for line in lines if isinstance(line.deed, DeskKey)] == ["seed0"]
        assert [line.by for line in lines if isinstance(line.deed, DeskKey)] == ["the director"]


async def test_what_the_rules_refuse_is_not_on_record(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann")
        before = (await t.cups.record(CUP)).last
        with pytest.raises(CupRefused) as refused:
            await t.desk("start")
        assert (refused.value.code, refused.value.rule) == ("tournament.refused", "10.4.1(a)(iii)")
        assert (await t.cups.record(CUP)).last == before


async def test_one_name_is_one_tournament(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head())
        with pytest.raises(FeltError) as exists:
            await t.cups.open(head())
        assert exists.value.code == "tournament.exists"
        with pytest.raises(FeltError) as unknown:
            await t.cups.record("LEAGUE")
        assert unknown.value.code == "tournament.unknown"
        assert [each.head.name for each in await t.cups.all()] == [CUP]


async def test_a_table_of_cash_players_is_not_designated(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head())
        assert await t.bet(1) == []
        with pytest.raises(CupRefused):
            await t.cups.designate(CUP)


async def test_a_table_is_freed_when_all_is_over(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", hands="1")
        await t.desk("start")
        with pytest.raises(CupRefused):
            await t.cups.free()
        await t.round()
        await t.recorded()
        await t.cups.free()
        await until(lambda: t.cups.own_play() is None)
        assert await t.bet(1) == []
        with pytest.raises(CupRefused):
            await t.cups.free()


async def test_keys_of_the_desk_work_at_the_table(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", levels="10-500/20-500")
        await t.desk("start")
        await t.role("tournament-director")
        assert await t.key("level 2") == []
        await until(lambda: (own := t.cups.own_play()) is not None and own.latest.level == 2)
        assert await t.key("rebuy Ann") == []
        await until(lambda: any("Ann may not buy back" in prompt.text for prompt in t.table.prompts))
        assert [prompt.rule for prompt in t.table.prompts if "buy back" in prompt.text] == ["10.4.3(a)(iv)"]
        await until(lambda: (own := t.cups.own_play()) is not None and not own.latest.refused)


async def test_the_key_of_a_manager_puts_the_table_into_a_tournament_and_another_one(
    make: Make, tmp_path: Path
) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head(hands="1"))
        await t.cups.open(head("Spring Cup"))
        assert (await t.key("set tournament=CUP"))[0][0] == "10.2.4"  # a dealer
        await t.role("area-manager")
        assert await t.key("set tournament=none") == []
        assert (await t.key("set tournament=CUP min=5"))[0][0] == ""
        assert await t.key("set tournament=LEAGUE") == []
        await until(lambda: any("there is no tournament 'LEAGUE'" in prompt.text for prompt in t.table.prompts))
        assert await t.key("set tournament=CUP") == []
        await until(lambda: in_tournament(t) == CUP)
        await t.cups.do(CUP, PeopleEntered(("Ann", "Bob")))
        await t.desk("start")
        assert await t.key("set tournament=Spring-Cup") == []
        await until(lambda: "10.2.5" in [prompt.rule for prompt in t.table.prompts])
        assert in_tournament(t) == CUP
        await t.role("dealer")
        await t.round()
        await t.recorded()
        await t.role("area-manager")
        assert await t.key("set tournament=Spring-Cup") == []
        await until(lambda: in_tournament(t) == "Spring Cup")
        assert list((await t.cup()).tables) == []
        assert list((await t.cups.record("Spring Cup")).cup.tables) == ["T1"]


def in_tournament(t: CupAtTable) -> str:
    own = t.cups.own_play()
    return own.latest.tournament if own is not None else ""


async def test_people_who_play_for_cash_keep_their_table(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head())
        assert await t.bet(1) == []
        await t.role("area-manager")
        assert (await t.key("set tournament=CUP"))[0][0] == "10.2.5"


async def test_a_wish_that_the_store_does_not_hear_is_told_so(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head())
        await t.role("area-manager")

        async def lost(*_: object) -> None:
            raise StoreError("jackpot.unreachable", "the store does not answer")

        monkeypatch.setattr(t.store, "logbooks", lost)
        assert await t.key("set tournament=CUP") == []
        await until(lambda: any("does not answer" in prompt.text for prompt in t.table.prompts))
        assert in_tournament(t) == ""


async def test_a_table_in_a_tournament_keeps_its_configuration(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob")
    other = CupAtTable(tmp_path, make(), seats=3)
    other.engine.recover()
    with pytest.raises(FeltError) as unfinished:
        await other.engine.start(other.begin)
    assert (unfinished.value.code, "tournament" in unfinished.value.cause) == ("table.unfinished", True)
    other.journal.close()


async def test_a_table_that_comes_back_goes_on_with_its_numbers(make: Make, tmp_path: Path) -> None:
    """A table that has lost what it knew is told how many reports are on record, and numbers on from there."""
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", hands="3")
        await t.desk("start")
        await t.round()
        await t.recorded()
        own = t.cups.own_play()
        assert own is not None and own.latest.recorded == 2
        await t.engine.submit(FREED)
        await t.engine.submit(own.latest)
        await t.round()
        await t.recorded()
        assert (await t.cup()).tables["T1"].played == 2


async def test_pages_ask_the_store_once_however_many_they_are(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head())
        asked = 0

        async def unreachable(_name: str) -> CupRecord:
            nonlocal asked
            asked += 1
            raise StoreError("jackpot.unreachable", "the server does not answer")

        monkeypatch.setattr(tournaments, "FRESH", 3600.0)
        with monkeypatch.context() as patch:
            patch.setattr(t.cups, "record", unreachable)
            seen = await asyncio.gather(*(t.cups.look(CUP) for _ in range(20)), return_exceptions=True)
        assert [type(each) for each in seen] == [StoreError] * 20
        assert asked == 1
        monkeypatch.setattr(tournaments, "FRESH", -1.0)
        assert (await t.cups.look(CUP)).head.name == CUP


async def test_a_mistake_of_ours_is_named_and_the_table_goes_on_later(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "LATER", 0.01)
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob")
        await t.desk("start")
        with monkeypatch.context() as patch, capture_logs() as lines:
            patch.setattr(t.cups, "_serve", lambda: 1 / 0)
            await until(lambda: any(line["event"] == "tournament.defect" for line in lines))
        await t.round()
        await t.recorded()


# ---- time


async def test_time_ends_a_session_without_a_deed(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", hands="10m")
        await t.desk("start")
        await until(lambda: not t.shut)
        t.time += 600_000
        await until(lambda: t.shut)
        assert (await t.cups.record(CUP)).at(t.time).stage == "over"


# ---- two tables


async def test_two_daemons_on_one_store(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as one, CupAtTable(tmp_path, make(), "T2") as two:
        await one.cups.open(head(hands="2", players="2-8"))
        await one.cups.designate(CUP)
        await two.cups.designate(CUP)
        await one.cups.do(CUP, PeopleEntered(("Ann", "Bob", "Cem", "Dee")))
        await two.desk("start")
        await asyncio.gather(one.round(), two.round(ANN_LOSES))
        await asyncio.gather(one.round(), two.round(ANN_LOSES))
        await asyncio.gather(one.recorded(), two.recorded())
        first, second = await one.cup(), await two.cup()
        assert banks(first) == banks(second)
        assert sum(banks(first).values()) == 4 * 1000_00 - 2 * 100_00 * 2 + 0
        assert first.stage == second.stage == "over"
        reports = [line.deed for line in (await one.cups.record(CUP)).lines if isinstance(line.deed, TableReported)]
        numbers = [(deed.table, deed.report.number) for deed in reports]
        assert sorted(numbers) == [(table, number) for table in ("T1", "T2") for number in (1, 2, 3, 4)]


async def test_another_table_of_the_same_name_is_named(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as one:
        await one.cups.open(head())
        await one.cups.designate(CUP)
        (tmp_path / "other").mkdir()
        elsewhere = CupAtTable(tmp_path / "other", make())
        elsewhere.now += 1  # no two journals begin at the same moment
        async with elsewhere as two:
            with pytest.raises(FeltError) as conflict:
                await two.cups.designate(CUP)
            assert conflict.value.code == "tournament.conflict"


# ---- restarts


async def test_a_restart_in_mid_round_goes_on(make: Make, tmp_path: Path) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", hands="2")
        await t.desk("start")
        await t.placed(1, 2)
    async with CupAtTable(tmp_path, make()) as t:
        await t.dealt(ANN_WINS)
        await t.recorded()
        await t.round()
        await t.recorded()
        cup = await t.cup()
        assert sorted(banks(cup).values()) == [800_00, 1200_00]
        assert cup.tables["T1"].played == 2


async def test_a_report_whose_answer_was_lost_is_told_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill -9 between the commit and the journal: the number of the report is known."""
    async with CupAtTable(tmp_path, make()) as t:
        heard = t.store.append

        async def deaf(logbook: str, after: int, name: str, line: str) -> Appended:
            await heard(logbook, after, name, line)
            raise StoreError("jackpot.unreachable", "the answer was lost")

        await t.begun("Ann", "Bob", hands="2")
        await t.desk("start")
        monkeypatch.setattr(t.store, "append", deaf)
        await t.placed(1, 2)
        await until(lambda: t.cups.lost is not None)
        await t.dealt(ANN_WINS)
        assert (await t.bet(1))[0][1] == LOST
    async with CupAtTable(tmp_path, make()) as t:
        await t.recorded()
        assert t.cups.lost is None
        cup = await t.cup()
        assert (cup.tables["T1"].played, sorted(banks(cup).values())) == (1, [900_00, 1100_00])
        assert len([line for line in (await t.cups.record(CUP)).lines if isinstance(line.deed, TableReported)]) == 2


async def test_without_the_record_a_round_is_finished_and_then_the_gate_is_shut(
    server: OwnServer, dsn: str, tmp_path: Path
) -> None:
    async with Relay(server.directory) as relay:
        wire = dsn.replace(str(server.directory), relay.host)
        async with CupAtTable(tmp_path, PostgresStore(wire, deadline=1.0)) as t:
            await t.begun("Ann", "Bob", hands="5")
            await t.desk("start")
            await t.placed(1, 2)
            await t.recorded()
            relay.silence()
            await t.dealt(ANN_WINS)
            await until(lambda: t.cups.lost is not None)
            assert (await t.bet(1))[0][1] == LOST
            relay.resume()
            relay.cut()
            await until(lambda: t.cups.lost is None)
            await t.recorded()
            await t.round()
            await t.recorded()
            assert (await t.cup()).tables["T1"].played == 2


async def test_wishes_of_the_table_wait_for_the_store_through_a_restart(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", levels="10-500/20-500")
        await t.desk("start")
        await t.role("tournament-director")

        async def lost(*_: object) -> None:
            raise StoreError("jackpot.unreachable", "the store does not answer")

        monkeypatch.setattr(t.store, "append", lost)
        assert await t.key("rebuy Ann") == []
        assert await t.key("level 2") == []
        await until(lambda: t.cups.lost is not None)
    async with CupAtTable(tmp_path, make()) as t:
        await until(lambda: not waiting(t.table))
        assert (await t.cup()).level == 2
        assert [prompt.rule for prompt in t.table.prompts if "buy back" in prompt.text] == ["10.4.3(a)(iv)"]
        lines = [line.deed.key for line in (await t.cups.record(CUP)).lines if isinstance(line.deed, DeskKey)]
        assert lines == ["start", "level"]


async def test_a_wish_whose_answer_was_lost_is_granted_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill -9 between the commit and the journal: what was done is not refused when it is asked again."""
    async with CupAtTable(tmp_path, make()) as t:
        await t.cups.open(head(hands="1"))
        await t.cups.open(head("Spring Cup"))
        await t.cups.designate(CUP)
        await t.cups.do(CUP, PeopleEntered(("Ann", "Bob")))
        await t.desk("start")
        await t.round()
        await t.recorded()
        await t.role("area-manager")
        heard = t.store.append

        async def deaf(logbook: str, after: int, name: str, line: str) -> Appended:
            await heard(logbook, after, name, line)
            raise StoreError("jackpot.unreachable", "the answer was lost")

        monkeypatch.setattr(t.store, "append", deaf)
        assert await t.key("set tournament=Spring-Cup") == []
        await until(lambda: t.cups.lost is not None)
        assert in_tournament(t) == CUP and waiting(t.table)
    async with CupAtTable(tmp_path, make()) as t:
        await until(lambda: in_tournament(t) == "Spring Cup" and not waiting(t.table))
        assert list((await t.cup()).tables) == []
        assert not [prompt for prompt in t.table.prompts if "designated" in prompt.text]


async def test_a_wish_of_a_tournament_that_is_over_is_not_asked_of_the_next(make: Make, tmp_path: Path) -> None:
    """As after a journal of an earlier version, which did not say what it had answered."""
    async with CupAtTable(tmp_path, make()) as t:
        await t.begun("Ann", "Bob", levels="10-500/20-500")
        await t.desk("start")
        t.table.wishes = Play(Wishes((Wish(1, (TournamentAsked(DeskKey("level", ("2",))),), "AUTUMN"),)))
        t.cups._wake.set()
        await until(lambda: not waiting(t.table))
        assert (await t.cup()).level == 1
