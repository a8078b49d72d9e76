"""What a table writes for its prize meter system, and what it does with the answers."""

from __future__ import annotations

from controller.games import defaults
from controller.hands.categories import Category
from controller.jackpot.rules import Award, Terms, settle
from controller.table.effects import Refused
from controller.table.facts import Amend, Chips, DeviceFault, HouseChanged, MeterIs, MeterTold, Spot, Started
from controller.table.view import gate, lamps
from tests.service.kept import INCREMENT, NOTHING, ROYAL, SEED
from tests.table.telling import Telling

TERMS = Terms("nsw", 1, 20000, 500)


def began(keeper: str = "shared", joined: bool = True, **options: str) -> Telling:
    t = Telling("caribbean-stud", jackpot="nsw", **options)
    named = {option.replace("_", "-"): value for option, value in options.items()}
    t.tell(Started("caribbean-stud", {**defaults("caribbean-stud"), "jackpot": "nsw", **named}, meter=keeper))
    if joined:
        told(t)
    return t


def told(t: Telling, last: int = 0, value: int = SEED, *awards: tuple[int, Award], group: str = "") -> None:
    t.tell(MeterTold(group, last, value, TERMS, awards))


def written(t: Telling) -> list[tuple[int, str, int, str, int]]:
    return [(m.number, m.kind, m.round, m.wager, m.ticks) for m in t.table.jackpot.outbox]


def registered(t: Telling) -> None:
    t.bet(1, ante=10, jackpot=5)
    t.key("no-more-bets")


def won(t: Telling) -> None:
    registered(t)
    t.draw(ROYAL)
    t.bet(1, bet=20)
    t.key("settle")


def award(meter: int = SEED + INCREMENT) -> Award:
    return settle(TERMS, meter, [("1", Category.ROYAL_FLUSH)])


def whys(t: Telling) -> list[tuple[str, str]]:
    return [(e.rule, e.why) for e in t.effects if isinstance(e, Refused)]


def test_without_a_keeper_nothing_is_written() -> None:
    t = began("")
    won(t)
    assert (t.table.jackpot.outbox, t.table.jackpot.numbered) == ([], 0)


def test_no_wager_before_the_system_was_heard() -> None:
    t = began(joined=False)
    t.bet(1, ante=10, jackpot=5)
    assert whys(t) == [("11.3.1", "the prize meter system does not work")]
    assert not gate(t.table, t.game, "jackpot").open and "jackpot" not in lamps(t.table, t.game)
    told(t)
    t.bet(1, ante=10, jackpot=5)
    assert len(whys(t)) == 1 and lamps(t.table, t.game)["jackpot"] == [""]


def test_movements_are_numbered_for_ever() -> None:
    t = began()
    registered(t)
    t.role("supervisor")
    t.key("cancel-jackpot")
    told(t, 1, SEED + INCREMENT)
    t.key("start-jackpot")
    assert written(t) == [(2, "reversal", 1, "1", INCREMENT), (3, "contribution", 1, "1", INCREMENT)]
    assert t.table.jackpot.meter == SEED + INCREMENT
    told(t, 3, SEED + 9 * INCREMENT)  # other tables were busy as well
    assert (written(t), t.table.jackpot.meter) == ([], SEED + 9 * INCREMENT)


def test_what_is_untold_is_added_to_what_the_system_says() -> None:
    t = began()
    registered(t)
    t.tell(MeterIs(SEED + 5, ""))
    assert t.table.jackpot.meter == SEED + 5 + INCREMENT
    t.tell(MeterIs(7, "G"))  # of another system
    told(t, 1, 7, group="G")
    assert (t.table.jackpot.meter, len(written(t))) == (SEED + 5 + INCREMENT, 1)


def test_a_carried_wager_is_reversed_in_the_round_of_its_contribution() -> None:
    t = began()
    registered(t)
    t.draw("2c")
    t.key("exposed 1")
    t.key("leave 1")
    assert [(m.kind, m.round) for m in t.table.jackpot.outbox] == [("contribution", 1), ("reversal", 1)]


def test_a_shared_system_judges() -> None:
    t = began()
    won(t)
    assert written(t)[-1] == (2, "outcome", 1, "", 0)
    assert t.table.jackpot.outbox[-1].flushes == (("1", "ROYAL_FLUSH"),)
    assert t.table.round is not None and t.table.round.outcome == "settled"
    t.role("casino-manager")
    t.key("confirm-jackpot")
    t.key("invalidate fraud")
    assert [why for _, why in whys(t)] == ["the prize meter system has not answered yet"] * 2
    told(t, 2, SEED, (2, award()))
    assert (t.table.round.award, t.table.round.meter_after) == (award(), SEED)
    assert t.table.prompts[-1].text == "royal flush: 100003.00 is to be paid"
    told(t, 2, SEED, (2, award()))  # it may say so again
    assert len(t.table.round.prizes) == 1
    t.key("confirm-jackpot")
    assert [line.prize for line in t.table.round.lines if line.spot == "jackpot"] == [100_003_00]


def test_an_answer_that_comes_in_a_later_round() -> None:
    t = began()
    won(t)
    registered(t)
    told(t, 2, SEED, (2, award()))
    assert t.table.round is not None and t.table.round.award is None
    assert t.table.jackpot.meter == SEED + INCREMENT  # with this round's wager, which is still untold
    assert [w.prizes for w in t.table.jackpot.pending] == [award().prizes]
    t.role("area-manager")
    t.key("confirm-jackpot")
    assert t.table.jackpot.pending == [] and whys(t) == []


def test_only_what_was_answered_is_paid() -> None:
    t = began()
    won(t)
    won(t)
    told(t, 2, SEED, (2, award()))
    t.role("area-manager")
    t.key("confirm-jackpot")
    assert [(w.round, w.prizes) for w in t.table.jackpot.pending] == [(2, ())]


def test_a_correction_never_takes_back_what_was_written() -> None:
    t = began()
    t.bet(1, ante=10, jackpot=5)
    t.bet(2, ante=10)
    t.bet(2, jackpot=5)
    wrong = t.seq
    t.key("no-more-bets")
    told(t, 1, SEED + INCREMENT)
    t.tell(Amend(wrong, None))
    assert written(t) == [(2, "contribution", 1, "2", INCREMENT), (3, "reversal", 1, "2", INCREMENT)]
    assert t.table.jackpot.meter == SEED + INCREMENT
    told(t, 3, SEED + INCREMENT)
    t.tell(Amend(wrong - 1, Chips(2, (Spot("ante", 1, 2000),))))  # no wager of the Jackpot: nothing to tell
    assert (written(t), t.table.jackpot.meter, t.table.jackpot.recorded) == ([], SEED + INCREMENT, 3)
    t.draw(NOTHING)


def test_a_correction_tells_of_a_wager_that_was_not_read() -> None:
    t = began()
    t.bet(1, ante=10, jackpot=5)
    t.bet(2, ante=10)
    without = t.seq
    t.key("no-more-bets")
    told(t, 1, SEED + INCREMENT)
    t.tell(Amend(without, Chips(2, (Spot("ante", 1, 1000), Spot("jackpot", 1, 500)))))
    assert written(t) == [(2, "contribution", 1, "2", INCREMENT)]
    assert t.table.jackpot.meter == SEED + 2 * INCREMENT


def test_a_recorded_outcome_is_not_corrected() -> None:
    t = began("own")
    won(t)
    t.tell(Amend(t.seq - 3, None))
    assert whys(t)[-1][1] == "only a fact of the round that is running can be corrected"


def test_a_system_is_left_only_when_it_knows_everything() -> None:
    t = began(jackpot_group="G")
    told(t, group="G")
    registered(t)
    t.draw(NOTHING)
    t.bet(1, bet=20)
    t.key("settle")
    t.role("area-manager")
    t.key("notice jackpot-group=H")
    t.at = 20 * 60 * 1_000_000
    t.key("set jackpot-group=H")
    assert whys(t) == [("11.2.1(f)", "the prize meter system has not been told everything yet")]
    told(t, 1, SEED + INCREMENT, group="G")
    t.key("set jackpot-group=H")
    game = t.table.jackpot
    assert (len(whys(t)), game.joined, game.numbered, game.recorded, game.meter) == (1, False, 0, 0, SEED)
    told(t, 7, SEED + 5, group="H")  # where this table was once before
    assert (game := t.table.jackpot).joined and (game.numbered, game.meter) == (7, SEED + 5)


def test_two_people_close_a_kept_system() -> None:
    t = began()
    t.role("area-manager")
    t.key("close-jackpot G2")
    assert whys(t) == [("11.2.1(g)", "two people close a prize meter system: felt jackpot close")]
    t.tell(HouseChanged("jackpot:", "closed"))
    assert t.table.jackpot.closed


def test_a_new_start_keeps_numbers_rounds_and_faults() -> None:
    t = began()
    won(t)
    told(t, 2, SEED, (2, award()))
    t.tell(DeviceFault("meter", "jackpot.audit", "it does not add up"))
    assert t.table.begun is not None
    t.tell(Started("caribbean-stud", {**t.table.begun.options, "max": "900"}, meter="shared"))
    game = t.table.jackpot
    assert (t.table.number, game.numbered, game.recorded, game.joined) == (1, 2, 2, False)
    assert list(t.table.faults) == ["meter"]


def test_a_royal_flush_that_a_shared_system_has_judged_begins_the_meter_anew() -> None:
    t = began()
    won(t)
    assert t.table.jackpot.resets == 0
    told(t, t.table.jackpot.numbered, SEED, (t.table.jackpot.numbered, award()))
    assert t.table.jackpot.resets == 1


def test_a_straight_flush_that_a_shared_system_has_judged_does_not() -> None:
    t = began()
    won(t)
    rich = settle(TERMS, 5 * SEED, [("1", Category.STRAIGHT_FLUSH)])
    told(t, t.table.jackpot.numbered, rich.after, (t.table.jackpot.numbered, rich))
    assert t.table.jackpot.resets == 0 and t.table.jackpot.meter == rich.after
