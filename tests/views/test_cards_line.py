"""The cards in a short line for everybody: checked or not, the last count, what is due; no name, no serial number."""

from __future__ import annotations

import msgspec

from controller.games import find
from controller.table.facts import Badge, DeckDeed
from controller.views.cards_line import cards_line
from tests.table.telling import Telling

HOUR = 3600


def line(t: Telling, offset: int = 0) -> list[str]:
    parts = cards_line(t.table, find(t.table.game), offset)
    return [f"{part.text}{f' ({part.rule})' if part.rule else ''}{' !' if part.due else ''}" for part in parts]


def deed(name: str, **words: object) -> DeckDeed:
    return DeckDeed(name, "Ann", "casino-manager", "page", **words)  # type: ignore[arg-type]


def test_a_shoe_from_the_check_to_the_cut() -> None:
    t = Telling("casino-war", gates="manual", decks="4")
    assert line(t) == ["not checked (3.2) !", "shuffle due (4.1.1(a)) !"]
    t.do(deed("check", deck=1))
    assert line(t)[0] == "3 of 4 decks not checked (3.2) !"
    t.do("checked", "bet 1 war=10", "bet 2 war=10", "shuffled")
    assert line(t) == ["checked 00:00", "cut due: area 1 (4.2.1) !"]
    t.do("refuse-cut 1", "refuse-cut 2")
    assert line(t)[1] == "cut due: the supervisor (4.2.1) !"
    t.do("role supervisor", "cut 80")
    assert line(t) == ["checked 00:00"]
    assert line(t, 10 * HOUR) == ["checked 10:00"]


def test_the_dealer_cuts_where_players_do_not() -> None:
    t = Telling("three-card-poker", gates="manual")
    t.do("checked", "bet 1 ante=10", "shuffled")
    assert [each.rpartition(" (")[0] for each in line(t)[1:]] == ["cut due"]


def test_counts_and_what_comes_of_them() -> None:
    t = Telling("casino-war", decks="4")
    assert line(t) == ["not checked (3.2) !"]
    t.do(deed("order"))
    assert line(t)[1:] == ["count ordered (3.2) !"]
    t.do("count 208")
    assert line(t) == ["checked 00:00", "last count 208, 00:00"]
    t.do("role supervisor", "close-table")
    assert line(t)[0] == "not counted after gaming (3.2) !"
    t.do("count 208")
    assert line(t) == ["counted after gaming 00:00", "last count 208, 00:00"]
    t.do("open-table", "count 207")
    assert line(t)[1:3] == ["last count 207 instead of 208, 00:00", "out of play (9.12.3) !"]


def test_a_count_that_the_table_asks_for_and_an_empty_shoe() -> None:
    t = Telling("three-card-poker")
    t.table.deck.must_be_counted("9.9")
    t.table.deck.refill = True
    assert [part.split(" (")[0] for part in line(t)[1:]] == ["count due", "shoe empty"]


def test_an_inspection_that_is_long_gone_and_a_table_without_decks() -> None:
    t = Telling("three-card-poker")
    t.do(deed("check"))
    t.table.decks = msgspec.structs.replace(t.table.decks, inspections=())
    assert line(t) == ["checked"]
    t.table.decks = msgspec.structs.replace(t.table.decks, decks=())
    assert line(t) == []


def test_nobody_is_named() -> None:
    t = Telling("casino-war", decks="4")
    t.tell(Badge("dealer", "Eve"))
    t.do(deed("name", deck=1, serial="SECRET-1"), deed("order"), "count 207")
    told = " ".join(line(t))
    assert not any(secret in told for secret in ("Ann", "Eve", "SECRET-1"))
