"""A fact as everybody may read it: its cards are withheld unless they are public."""

from __future__ import annotations

import pytest

from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Key
from controller.views.cards import ALL, judged, judged_by_rule, public
from tests.table.telling import Telling


@pytest.mark.parametrize(
    ("fact", "shown", "told"),
    [
        (CardOut("Kh"), (), CardOut("??")),
        (CardOut("Kh"), (1,), CardOut("Kh")),
        (CardOut("Kh", True), (), CardOut("Kh", True)),
        (CardsOut(("Kh", "Qs")), (2,), CardsOut(("??", "Qs"))),
        (CardsOut(("Kh", "Qs")), (ALL,), CardsOut(("Kh", "Qs"))),
        (CardRead("2", "Kh"), (), CardRead("2", "??")),
        (CardRead("2", "Kh", False, ("Kh", "Qs")), (2,), CardRead("2", "??", False, ("??", "Qs"))),
        (CardRead("board", "Kh"), (), CardRead("board", "Kh")),
        (Key("reconstruct", ("1=Kh,2d",)), (), Key("reconstruct", ("1=??",))),
        (Key("settle"), (), Key("settle")),
        (Amend(3, CardOut("Kh"), "x"), (), Amend(3, CardOut("??"), "x")),
        (Amend(3, None, "x"), (), Amend(3, None, "x")),
    ],
    ids=repr,
)
def test_cards_are_withheld(fact: AnyFact, shown: tuple[int, ...], told: AnyFact) -> None:
    assert public(fact, shown) == told


def test_of_cards_that_left_together_only_the_one_that_lies_open_is_told() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("5h Ks 6h Kd 7h Qs 8h Jc 9h")
    together = CardsOut(("2s", "5h"))
    t.tell(CardOut("2s"))  # the dealer's last card lies face up
    assert judged([(4, together)], t.table, t.game) == ((4, 1),)
    assert public(together, (1,)) == CardsOut(("2s", "??"))


def burned_and_dealt() -> Telling:
    """Casino War with six decks: the king of hearts is burned, and another one lies open in area 1."""
    t = Telling("casino-war", burn="on")
    t.draw("Kh")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d")
    return t


def of_the_shoe(t: Telling) -> list[tuple[int, AnyFact]]:
    return [(seq, fact) for seq, _, fact in t.facts if isinstance(fact, CardOut)]


def test_of_two_cards_with_one_name_only_the_burned_one_is_withheld() -> None:
    t = burned_and_dealt()
    burned, mine, dealers = [seq for seq, _ in of_the_shoe(t)]
    assert judged(of_the_shoe(t), t.table, t.game) == ((mine, ALL), (dealers, ALL))
    t.key("show-burn")
    assert judged(of_the_shoe(t), t.table, t.game) == ((burned, ALL), (mine, ALL), (dealers, ALL))


def test_where_the_order_is_not_known_both_are_withheld() -> None:
    t = burned_and_dealt()
    _, *dealt = of_the_shoe(t)
    missing = [dealt[1], dealt[0]]  # not as they left the shoe
    assert judged(missing, t.table, t.game) == ((dealt[1][0], ALL),)


def test_a_card_that_waits_for_the_next_round_is_withheld_beside_one_of_its_name() -> None:
    t = Telling("casino-war")
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("Kh 9d Kh")
    mine, dealers, kept = [seq for seq, _ in of_the_shoe(t)]
    assert judged(of_the_shoe(t), t.table, t.game) == ((mine, ALL), (dealers, ALL))
    assert kept not in {seq for seq, _ in judged(of_the_shoe(t), t.table, t.game)}


def test_a_burned_card_that_is_named_with_a_key_by_mistake_is_withheld() -> None:
    slip = (9, Key("void", ("Kh",)))
    t = burned_and_dealt()
    assert judged([slip], t.table, t.game) == ()
    plain = Telling("casino-war")
    plain.bet(1, war=10)
    assert judged([slip], plain.table, plain.game) == ((9, ALL),)


def rules_of(t: Telling) -> list[tuple[int, str]]:
    facts = [(seq, fact) for seq, _, fact in t.facts if isinstance(fact, CardOut | CardRead | CardsOut)]
    return [(each.number, each.rule) for each in judged_by_rule(facts, t.table, t.game)]


def test_each_card_names_the_rule_by_which_it_lies_open() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.bet(2, ante=10)
    t.key("no-more-bets")
    t.draw("5h Ks 6h 9d 7c Qs 2c 8h 4s")
    assert rules_of(t) == []
    t.bet(1, play=10)
    t.key("fold 2")
    t.key("settle")
    settled = next(line.rule for line in t.table.round.lines if line.place == "1")  # type: ignore[union-attr]
    assert rules_of(t) == [(ALL, settled), (ALL, "7.5.4")] * 3  # the folded hand stays hidden


def test_a_card_of_the_dealer_that_lies_open_while_players_decide_names_its_own_rule() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("5h Ks 6h Kd 7h Qs 8h Jc 9h 2s")
    assert rules_of(t) == [(ALL, "8.5.3(c)")]
    t.bet(1, bet=20)
    t.key("settle")
    assert {rule for _, rule in rules_of(t)[1::2]} == {"8.5.5(d)", "8.5.3(c)"}


def test_cards_that_are_dealt_face_up_name_the_rule_of_the_deal() -> None:
    t = burned_and_dealt()
    t.key("show-burn")
    (burned, first, second) = rules_of(t)
    assert burned == (ALL, "4.3.1")
    assert first == second == (ALL, "7.3.1")


def test_cards_that_left_together_are_told_one_by_one_when_their_rules_differ() -> None:
    t = Telling("caribbean-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("5h Ks 6h Kd 7h Qs 8h Jc 9h 2s")
    t.bet(1, bet=20)
    t.key("settle")
    together = (4, CardsOut(("Ks", "2s")))
    assert judged_by_rule([together], t.table, t.game) == ((4, 1, "8.5.5(d)"), (4, 2, "8.5.3(c)"))
