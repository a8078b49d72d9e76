"""What the table shows of its Jackpot: the meter on its display, the method on the sign."""

from __future__ import annotations

from controller.sim.floor import SimFloor
from controller.table.facts import MeterIs
from controller.table.view import meter_shown, sign_text
from hw_sim.loop import run
from tests.table.telling import Telling


def said(t: Telling) -> str:
    return " ".join(line.strip() for line in sign_text(t.table, t.game))


def test_the_display_shows_whole_cents_and_never_more_than_there_is() -> None:
    t = Telling("caribbean-stud", jackpot="nsw")
    t.tell(MeterIs(1_000_028_699))
    assert meter_shown(t.table) == 1_000_028_600
    assert t.table.jackpot.meter == 1_000_028_699  # settled from what is stored


def test_without_a_jackpot_nothing_is_shown() -> None:
    assert meter_shown(Telling("caribbean-stud").table) is None
    assert meter_shown(Telling("casino-war").table) is None


def test_the_sign_says_what_a_fold_means() -> None:
    """002 11.2.1(i)."""
    assert "Jackpot, method A: a folded hand loses it" in said(Telling("caribbean-stud", jackpot="nsw"))
    linked = Telling("caribbean-stud", jackpot="nsw", method="B")
    assert "Jackpot, method B: a folded hand stays eligible" in said(linked)
    assert "folded" not in said(Telling("caribbean-stud")) + said(Telling("wsop-bonus-holdem", jackpot="vic"))


def test_every_display_of_a_group_shows_the_meter() -> None:
    """11.2.1(i): by bytes, also at the table where nothing happened."""

    async def two_tables() -> list[str]:
        floor = SimFloor(lambda *_: None)
        for name in ("T1", "T2"):
            await floor.open(name, "caribbean-stud", {"jackpot": "nsw", "jackpot-group": "G1"})
        first = floor.tables["T1"]
        first.sim.device("sensor.1").do("bet", {("ante", 1): 1000, ("jackpot", 1): 500}, [])
        await floor.rest()
        first.sim.device("console").do("press", "no-more-bets")
        await floor.rest()
        shown = [str(table.sim.device("display").model.view()["shown"]) for table in floor.tables.values()]
        await floor.close()
        return shown

    assert run(two_tables()) == ["100002.8600", "100002.8600"]
