"""Alerts of the table's own protection: kept by facts alone until a person with the power clears them with a reason."""

from __future__ import annotations

from msgspec.structs import replace

from controller.games import step
from controller.table.effects import Prompted, Refused
from controller.table.facts import (
    Amend,
    CardRead,
    CardsOut,
    Hold,
    Key,
    Noted,
    ProtectionCleared,
    ProtectionRaised,
    ShoeEmpty,
    Started,
    Turned,
)
from controller.table.protection import REMEMBERED, Protection
from controller.table.shoe import NO_SHOE, Out, ShoeAccount, follow
from controller.table.state import decode, encode
from controller.table.takes import TakeMistake
from tests.table.telling import Telling

TWICE = ProtectionRaised("cards", "twice 1 9", "A card came twice.", 3, "Count the cards.")


def clear(
    t: Telling, number: int, role: str = "supervisor", reason: str = "counted, 52", kind: str = "cards"
) -> list[str]:
    fact = ProtectionCleared(number, kind, "A card came twice.", reason, "Floor Eight", role, "socket")
    return [effect.why for effect in t.tell(fact) if isinstance(effect, Refused)]


def kept(t: Telling) -> Protection:
    return t.table.protection


def test_an_alert_stays_until_somebody_with_the_power_clears_it_and_says_why() -> None:
    t = Telling()
    t.at = 77
    t.tell(TWICE)
    number = t.seq
    assert (kept(t).waiting[number].since, kept(t).waiting[number].step) == (77, "Count the cards.")
    for role in ("dealer", "technician", "inspector", "owner", ""):
        assert clear(t, number, role) == ["this needs the supervisor"]
    assert clear(t, number, reason=" ") == ["say why it is cleared"]
    assert clear(t, 4711) == ["no alert 4711 waits here"]
    assert list(kept(t).waiting) == [number]
    assert clear(t, number, "area-manager") == []
    assert not kept(t).waiting
    assert kept(t).knows("cards", "twice 1 9", "in any words")
    assert clear(t, number) == [f"no alert {number} waits here"]


def test_it_is_told_in_new_words_under_its_old_number() -> None:
    t = Telling()
    t.tell(TWICE)
    number = t.seq
    t.tell(ProtectionRaised("cards", "other", "x"))
    t.at = 99
    t.tell(ProtectionRaised("cards", "twice 1 9", "The king of hearts came twice."))
    first = kept(t).waiting[number]
    assert (first.text, first.times, first.since) == ("The king of hearts came twice.", 2, 0)
    assert kept(t).knows("cards", "twice 1 9", "The king of hearts came twice.")
    assert not kept(t).knows("cards", "twice 1 9", "other words")


def test_what_was_cleared_is_remembered_for_a_while() -> None:
    t = Telling()
    for n in range(REMEMBERED + 1):
        t.tell(ProtectionRaised("cards", str(n), "x"))
        assert clear(t, t.seq) == []
    assert not kept(t).knows("cards", "0", "x") and kept(t).knows("cards", "1", "x")


def test_they_outlive_a_snapshot_a_configuration_a_hold_and_a_correction_and_the_game_does_not_notice() -> None:
    t = Telling()
    t.bet(1, war=10)
    wager = t.seq
    t.tell(Noted("shoe", "CardsLow"))
    before = t.table
    t.tell(TWICE)
    number = t.seq
    assert t.table.live == before.live and t.table.history == before.history
    assert decode(encode(t.table)).protection == kept(t)
    table, _ = step(t.table, t.seq + 1, 0, Amend(wager, None))
    assert list(table.protection.waiting) == [number]
    t.tell(Hold("x", "y"))
    t.tell(Started("casino-war", dict(t.table.begun.options) if t.table.begun else {}))
    assert list(kept(t).waiting) == [number]
    assert clear(t, number) == []


def test_another_configuration_counts_rounds_anew_so_that_nothing_of_them_is_known_any_more() -> None:
    t = Telling()
    late = ProtectionRaised("takes", "3 1 war late", "Round 3: late.", 3)
    t.tell(late)
    assert clear(t, t.seq) == []
    t.tell(TWICE)
    assert clear(t, t.seq) == []
    t.tell(ProtectionRaised("pace", "dealing 4", "Dealing took 400 seconds in round 4.", 4))
    slow = t.seq
    t.tell(Started("casino-war", dict(t.table.begun.options) if t.table.begun else {}))
    assert not kept(t).knows(late.kind, late.about, late.text)
    assert kept(t).knows(TWICE.kind, TWICE.about, TWICE.text)  # shoes are counted on
    t.tell(ProtectionRaised("pace", "dealing 4", "Dealing took 500 seconds in round 4.", 4))
    assert [each.text for each in kept(t).waiting.values()] == [
        "Dealing took 400 seconds in round 4.",
        "Dealing took 500 seconds in round 4.",
    ]
    assert list(kept(t).waiting) == [slow, t.seq]


def test_takes_are_watched_until_the_last_alert_about_them_is_cleared() -> None:
    t = Telling(takes="watch")
    wrong: tuple[TakeMistake, ...] = (TakeMistake(1, ("1", "war"), "under", 500),)
    t.table.takes = replace(t.table.takes, wrong=wrong)
    first, second = (ProtectionRaised("takes", f"{n} 1 war", "Not taken.", n) for n in (1, 2))
    for raised in (TWICE, first, second, replace(TWICE, about="twice 1 8")):
        t.tell(raised)
    cards, one, other, _ = kept(t).waiting
    assert clear(t, cards) == [] and t.table.takes.wrong == wrong
    assert clear(t, one, kind="takes") == [] and t.table.takes.wrong == wrong
    assert clear(t, other, "dealer", kind="takes") == ["this needs the supervisor"] and t.table.takes.wrong == wrong
    assert clear(t, other, kind="takes") == [] and not t.table.takes.wrong


# ---- the account of the shoe


def test_nothing_is_known_of_the_order_of_cards_after_another_configuration() -> None:
    t = Telling("casino-war", gates="manual")
    t.draw("Kh 9d")
    t.tell(Started("casino-war", dict(t.table.begun.options) if t.table.begun else {}))
    assert (t.table.shoe.number, t.table.shoe.cards, t.table.shoe.before) == (1, (), ())


def cards(shoe: ShoeAccount) -> list[str]:
    return [each.card for each in shoe.cards]


def test_cards_are_kept_in_their_order_until_they_are_mixed() -> None:
    t = Telling("casino-war", gates="manual")
    t.draw("Kh 9d")
    t.tell(CardsOut(("2c", "nonsense")))
    assert cards(t.table.shoe) == ["Kh", "9d", "2c", "??"]
    assert [each.nth for each in t.table.shoe.cards] == [1, 1, 1, 2]
    assert decode(encode(t.table)).shoe == t.table.shoe
    mixed = t.table.shoe.mixed()
    assert (mixed.number, mixed.cards, mixed.before) == (1, (), ("Kh", "9d", "2c", "??"))
    assert mixed.mixed() == mixed  # no card left between two shuffles: the order before is still the last one known
    assert mixed.mixed(fresh=True).before == ()
    again = follow(mixed, 9, CardRead("1", "Kh")).mixed()
    assert (again.before, again.earlier) == (("Kh",), ("Kh", "9d", "2c", "??"))
    assert follow(again, 9, CardRead("1", "Kh")).mixed(fresh=True).earlier == ()
    assert cards(mixed.mixed(out=("Kh",))) == [] and cards(t.table.shoe.mixed(out=("Kh",))) == ["Kh"]


def test_a_shuffle_between_rounds_begins_another_account() -> None:
    t = Telling("three-card-poker")
    t.bet(1, ante=10)
    t.draw("Kh 9d 2c 3c 4c 5c")
    t.bet(1, play=10)
    t.key("settle")
    assert t.table.round is not None and t.table.round.outcome
    number = t.table.shoe.number
    t.bet(1, ante=10)
    assert (t.table.shoe.number, t.table.shoe.cards) == (number + 1, ())
    assert t.table.shoe.before == ("Kh", "9d", "2c", "3c", "4c", "5c")


def test_a_continuous_machine_mixes_the_cards_of_each_round_in_again() -> None:
    t = Telling("casino-war", shoe="csm")
    for n in (1, 2):
        t.bet(1, war=10)
        assert t.table.shoe.cards == ()
        t.draw("Kh 9d")
        t.key("settle")
        assert t.table.shoe.number == n - 1


def test_a_continuous_machine_gives_the_same_card_in_many_rounds_and_nobody_is_told_to_count() -> None:
    t = Telling("casino-war", shoe="csm", decks="6")
    for _ in range(8):
        t.bet(1, war=10)
        t.draw("Kh 9d")
        t.key("settle")
    assert not [effect for effect in t.effects if isinstance(effect, Prompted) and "too often" in effect.prompt.text]
    t.bet(1, war=10)
    t.draw("Kh " * 7)
    assert [effect for effect in t.effects if isinstance(effect, Prompted) and "too often" in effect.prompt.text]


def test_a_reader_tells_of_a_card_once() -> None:
    shoe = follow(NO_SHOE, 1, CardRead("1", "Kh"))
    shoe = follow(shoe, 2, CardRead("board", "Kh", together=("Kh", "2c")))
    assert shoe.cards == (Out("Kh", 1), Out("2c", 2, 2))
    assert follow(shoe, 3, CardRead("2", "Kh")) is shoe


def test_nonsense_of_a_reader_is_a_card_that_could_not_be_read() -> None:
    """What watches the order of cards knows no others: it would not look at this shoe any more."""
    assert follow(NO_SHOE, 1, CardRead("1", "1x")).cards == (Out("??", 1),)


def test_cards_that_a_round_has_turned_are_known_as_public() -> None:
    shoe = follow(follow(NO_SHOE, 1, CardsOut(("Kh", "2c"))), 2, CardRead("1", "9d"))
    shoe = follow(shoe, 3, Turned(1, 2, ((1, 2), (2, 0))))
    assert [each.public for each in shoe.cards] == [False, True, True]
    assert follow(shoe, 4, Turned(1, 2, ((1, 2),))) is shoe


def test_what_is_no_count_is_none() -> None:
    assert follow(NO_SHOE, 1, Key("count", ("many",))) is NO_SHOE
    assert follow(NO_SHOE, 1, Key("count", ("52",))).counts[0].machine is False


def test_turning_cards_changes_nothing_else_at_a_table() -> None:
    t = Telling()
    t.draw("Kh")
    before = t.table
    t.tell(Turned(1, t.seq, ()))
    assert t.table is before
    t.tell(Turned(1, t.seq, ((2, 0),)))
    assert t.table.shoe.cards[0].public


def test_cards_that_lie_on_the_table_stay_out_of_a_shoe_that_is_shuffled_in_mid_round() -> None:
    t = Telling("casino-war", decks="4")
    t.bet(1, war=10)
    t.draw("Kh")
    t.tell(ShoeEmpty())
    t.key("shuffled")
    assert (t.table.shoe.number, cards(t.table.shoe), t.table.shoe.before) == (1, ["Kh"], ("Kh",))
    assert not t.table.shoe.empty and t.table.deck.seen == {"Kh": 1}
