"""Who cuts next: whoever got the cutting card, and who sits furthest right when no player got it."""

from __future__ import annotations

import msgspec
import pytest

from controller.house.documents.casino_war import CASINO_WAR
from controller.service import older_snapshots
from controller.table.deck import cutter
from controller.table.effects import Prompted
from controller.table.state import FORM, Deck, FirstToCut, decode, encode
from tests.table.telling import Telling


@pytest.mark.parametrize(
    ("place", "begin", "who"),
    [("2", 2, "2"), ("3", 3, "5"), ("dealer", "right", "5"), ("burn", "right", "5"), ("community", "right", "5")],
)
def test_a_card_that_no_player_got_is_as_good_as_the_dealers(place: str, begin: FirstToCut | int, who: str) -> None:
    t = Telling("casino-war")
    t.key("seat 1,2,5")
    t.table.deck.cutting_card_at(place)
    assert (t.table.deck.begin, cutter(t.table)) == (begin, who)
    assert decode(encode(t.table)).deck.begin == begin


@pytest.mark.parametrize(("depth", "heard"), [(51, True), (52, False), (260, False), (261, True)])
def test_a_cut_about_one_deck_from_each_end_is_deep_enough(depth: int, heard: bool) -> None:
    t = Telling("casino-war")
    t.do("seat 1", "checked", "shuffled")
    rules = [effect.prompt.rule for effect in t.key(f"cut {depth}") if isinstance(effect, Prompted)]
    assert not t.table.deck.cut_due
    assert (CASINO_WAR.citations.cut_depth in rules) is heard


@pytest.mark.parametrize(("kept", "begin"), [("3", 3), ("right", "right"), ("dealer", "dealer"), (None, "arrival")])
def test_an_area_that_0_1_0_kept_as_text_is_read(kept: str | None, begin: FirstToCut | int) -> None:
    t = Telling("casino-war")
    plain = msgspec.msgpack.decode(encode(t.table)[len(FORM) :])
    plain["deck"] = {"checked": True} | ({} if kept is None else {"begin": kept})
    table = older_snapshots.read(msgspec.msgpack.encode(plain))
    assert table is not None
    assert table.deck == Deck(checked=True, begin=begin)
