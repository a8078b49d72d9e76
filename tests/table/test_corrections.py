"""Corrections: the round is told again, and nothing that is settled may change."""

from __future__ import annotations

import pytest

from controller.games import retell
from controller.house.state import own
from controller.table.effects import Refused
from controller.table.facts import Amend, CardOut, Chips, Key, Spot
from controller.table.state import Seen, encode
from controller.table.step import Refusal
from tests.table.telling import Telling


def a_round() -> Telling:
    t = Telling()
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d 5c")
    return t


def seq_of(t: Telling, fact: object) -> int:
    return next(seq for seq, _, f in t.facts if f == fact)


def test_a_corrected_card_gives_the_round_that_would_have_been() -> None:
    t = a_round()
    t.tell(Amend(seq_of(t, CardOut("9d")), CardOut("3d"), "S. Visor"))
    assert t.felt.hands == {"1": ["Kh"], "2": ["3d"], "dealer": ["5c"]}
    t.key("settle")
    line = t.line("2", "war")
    assert line is not None and (line.result, line.net, line.rule) == ("lose", -1000, "5.7.2")


def test_a_correction_equals_a_fresh_round() -> None:
    corrected = a_round()
    corrected.tell(Amend(seq_of(corrected, CardOut("9d")), CardOut("3d")))
    fresh = Telling()
    fresh.bet(1, war=10)
    fresh.bet(2, war=10)
    fresh.key("no-more-bets")
    fresh.draw("Kh 3d 5c")
    assert encode(corrected.table) == encode(fresh.table)


def test_a_fact_can_be_struck_out() -> None:
    t = a_round()
    t.tell(Amend(seq_of(t, Chips(2, (Spot("war", 1, 1000),))), None))
    assert t.felt.hands == {"1": ["Kh"], "dealer": ["9d"]}
    assert [d.card for d in t.felt.held] == ["5c"]


def test_what_is_settled_stands() -> None:
    t = a_round()
    t.bet(3, war=10)
    t.key("settle")
    before = encode(t.table)
    effects = t.tell(Amend(seq_of(t, CardOut("9d")), CardOut("3d")))
    assert [type(e) for e in effects] == [Refused]
    assert encode(t.table) == before


def test_what_is_settled_stands_while_the_round_goes_on() -> None:
    t = Telling()
    t.bet(1, war=10)
    t.bet(2, war=10)
    t.key("no-more-bets")
    t.draw("2h 9d 9c")
    t.key("settle")  # area 1 has lost; area 2 still decides
    before = encode(t.table)
    effects = t.tell(Amend(seq_of(t, CardOut("2h")), CardOut("Kh")))
    assert [e.why for e in effects if isinstance(e, Refused)] == ["the correction would change what is already settled"]
    assert encode(t.table) == before


def test_a_preview_says_which_facts_would_then_be_refused() -> None:
    t = a_round()
    lost: list[Seen] = []
    retell(t.table, t.seq + 1, seq_of(t, CardOut("9d")), CardOut("3d"), lost)
    assert lost == []
    t = Telling()
    t.bet(1, war=10)
    only, closed = t.seq, t.seq + 1
    t.key("no-more-bets")
    retell(t.table, t.seq + 1, only, None, lost)
    assert [(seen.seq, seen.fact) for seen in lost] == [(closed, Key("no-more-bets"))]


def test_a_preview_changes_nothing_and_says_what_would_be() -> None:
    t = a_round()
    before = encode(t.table)
    would = retell(t.table, t.seq + 1, seq_of(t, CardOut("9d")), CardOut("3d"))
    assert encode(t.table) == before
    assert would.round is not None and [d.card for d in own(would.round).tape] == ["Kh", "3d", "5c"]


def test_a_correction_can_be_corrected() -> None:
    t = a_round()
    target = seq_of(t, CardOut("9d"))
    t.tell(Amend(target, CardOut("3d")))
    t.tell(Amend(target, CardOut("9d")))
    assert t.felt.hands["2"] == ["9d"]


def test_an_older_round_is_not_told_again() -> None:
    t = a_round()
    target = seq_of(t, CardOut("9d"))
    t.key("settle")
    with pytest.raises(Refusal, match="running"):
        retell(t.table, t.seq + 1, target, None)
