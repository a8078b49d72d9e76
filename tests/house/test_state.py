"""What a house game keeps of a round: copied without a trace, kept in snapshots, and opaque to the table."""

from __future__ import annotations

import pytest

from controller.house.state import FOLD, ONLY, Drawn, HouseRound, own
from controller.table.state import Round, Table, clone, encode
from tests.table.telling import Telling


def mid_round() -> Table:
    t = Telling("three-card-poker")
    t.bet(1, ante=10, pair_plus=5)
    t.bet(2, ante=10)
    t.key("no-more-bets")
    t.draw("Kh Qs 5d 3d 2c 7s")
    t.draw("9h 8h 4c")
    t.key("fold 2")
    return t.table


def kept(t: Table) -> HouseRound:
    assert t.round is not None
    return own(t.round)


def test_a_copy_shares_no_list_and_no_map() -> None:
    table = mid_round()
    before = encode(table)
    copy = clone(table)
    assert copy == table and kept(copy) == kept(table)
    for part in HouseRound.parts:
        assert getattr(kept(copy), part) is not getattr(kept(table), part)
        getattr(kept(copy), part).clear()
    for part in Round.parts:
        getattr(copy.round, part).clear()
    assert encode(table) == before


def test_every_list_and_map_is_copied_and_holds_nothing_that_changes() -> None:
    assert set(HouseRound.parts) == {
        name for name in HouseRound.__struct_fields__ if isinstance(getattr(HouseRound(), name), list | dict)
    }
    with pytest.raises(AttributeError):
        kept(mid_round()).tape[0].out = "9.4"  # type: ignore[misc]


def test_what_was_wagered_drawn_and_decided_is_kept_by_place() -> None:
    table = mid_round()
    assert table.round is not None
    assert table.round.wagers == {("1", "ante"): 1000, ("1", "pair-plus"): 500, ("2", "ante"): 1000}
    assert kept(table).tape[:2] == [Drawn("Kh"), Drawn("Qs")]
    assert kept(table).choices == {(ONLY, "2"): FOLD}
    assert kept(table).rack == ["2"]


@pytest.mark.parametrize(
    ("game", "deeds", "deals"),
    [
        ("casino-war", ("bet 1 war=10", "draw Kh Kd", "bet 1 go-to-war=10", "draw 2c 3c"), ["initial", "subsequent"]),
        ("three-card-poker", ("bet 1 ante=10", "draw Kh Qs 5d 3d 2c 7s"), ["hands"]),
    ],
)
def test_deals_have_the_names_that_snapshots_keep_marks_under(
    game: str, deeds: tuple[str, ...], deals: list[str]
) -> None:
    t = Telling(game)
    t.do(*deeds)
    assert list(t.felt.plans) == deals
