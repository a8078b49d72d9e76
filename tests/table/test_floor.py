"""What the words of facts say of the floor."""

from __future__ import annotations

import pytest

from controller.jackpot.linking import System
from controller.jackpot.rules import Terms
from controller.table import state
from controller.table.effects import Prompted
from controller.table.facts import HouseChanged
from controller.table.floor import (
    NOTHING_TOLD,
    ClosingIs,
    DealtIs,
    Floor,
    News,
    OptionIs,
    SystemIs,
    Unknown,
    floor_of,
    read,
)
from tests.table.telling import Telling

G2 = System(Terms("nsw", 1, 20_000, 500), ("A", "B"), ("caribbean-stud",))
WORDS = "nsw 1 20000 5 A,B caribbean-stud"


@pytest.mark.parametrize(
    ("option", "value", "news"),
    [
        ("jackpot:G2", WORDS, SystemIs("G2", G2)),
        ("jackpot:G2", "nsw 1 20000 5.00 B,A,B caribbean-stud", SystemIs("G2", G2)),
        ("jackpot:G2", "closed", SystemIs("G2", "closed")),
        ("jackpot:", "", SystemIs("", "")),
        ("jackpot:G2", "Closed", None),
        ("jackpot-closing:G2", "-17", ClosingIs("G2", -17)),
        ("jackpot-closing:G2", "", ClosingIs("G2", None)),
        ("jackpot-closing:G2", "1" * 19, None),
        ("dealt:T2", "yes", DealtIs("T2", True)),
        ("dealt:T2", "", DealtIs("T2", False)),
        ("method", "B", OptionIs("method", "B")),
        ("jackpot-option", "2", OptionIs("jackpot-option", "2")),
        ("meter:North", "5", Unknown()),
    ],
)
def test_words_are_read_once(option: str, value: str, news: News | None) -> None:
    assert read(option, value) == news
    after = floor_of({option: value})
    known = news is not None and news != Unknown()
    assert after.knows(option, value) is known
    assert (after != NOTHING_TOLD) is known


def test_what_was_never_told_is_as_somebody_says() -> None:
    assert not NOTHING_TOLD.knows("dealt:T2", "")
    assert NOTHING_TOLD.knows("dealt:T2", "", unsaid="")
    assert not NOTHING_TOLD.knows("dealt:T2", "yes", unsaid="")
    assert not floor_of({"dealt:T2": "yes"}).knows("dealt:T2", "", unsaid="")


def test_only_systems_with_tables_run() -> None:
    floor = floor_of({"jackpot:G2": WORDS, "jackpot:G3": "closed", "jackpot:G4": "", "jackpot:G5": "x"})
    assert floor.running == {"G2": G2}
    assert set(floor.systems) == {"G2", "G3", "G4"}


def test_a_snapshot_keeps_the_floor() -> None:
    t = Telling("caribbean-stud", jackpot="nsw", jackpot_group="G1")
    for option, value in (("jackpot:G2", WORDS), ("jackpot-closing:G1", "5"), ("dealt:T2", "yes"), ("a:b", "c")):
        t.tell(HouseChanged(option, value))
    assert t.table.house == Floor({"G2": G2}, {"G1": 5}, {"T2": True})
    data = state.encode(t.table)
    assert state.decode(data).house == t.table.house
    assert state.encode(state.decode(data)) == data


def test_what_a_table_cannot_be_set_to_is_not_followed() -> None:
    t = Telling("holdem")
    before = t.table.options.typed.min
    (told,) = t.tell(HouseChanged("min", "9000"))
    assert isinstance(told, Prompted) and told.prompt.text.endswith("it is not followed")
    assert t.table.options.typed.min == before
