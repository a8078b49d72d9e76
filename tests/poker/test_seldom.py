"""Moments of a poker table that seldom come, each with what people hear of the last deed."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from controller.games import find
from controller.poker.hand.course import to_discard
from controller.poker.room.seats import room_of
from controller.table import facts as f
from controller.table.facts import AnyFact
from tests.poker.there import hand_at
from tests.table.telling import Telling

BUTTON = {"seats": "6", "button": "6"}
BLINDS = ("seat 1-3 stack=500", "act 1 post 5", "act 2 post 10")
HOLES = ("read 1 As", "read 2 Kd", "read 3 7h", "read 1 Ad", "read 2 Kc", "read 3 2s")
CALLED = ("act 3 call", "act 1 call", "act 2 check")
FLOP = (*CALLED, "burn", "read board 2c 5h Jd")
GAP = f.Hold("device.gap", "an event is missing", "reader.1")


class Moment(NamedTuple):
    what: str
    deeds: tuple[str | AnyFact, ...]
    heard: list[str]
    game: str = "holdem"
    options: dict[str, str] = BUTTON


MOMENTS = [
    Moment(
        "a turn that was exposed is reported again",
        (*BLINDS, *HOLES, *FLOP, "exposed turn", "exposed turn"),
        ["the turn was exposed: noted (9.12)"],
    ),
    Moment(
        "a cut before the shuffle that is due",
        (*BLINDS, *HOLES, "exposed flop", "cut"),
        ["refused: no cut is due (9.10)"],
    ),
    Moment(
        "chips of an act that was keyed while the sensor was cut off come in two parts",
        (*BLINDS, *HOLES, f.DeviceLost("sensor.3", "link.lost", "cable"), "act 3 raise 40", f.Pushed(3, (2500,), True)),
        ["25 was pushed while the sensor was cut off; the act was keyed, so it does not count again ()"],
    ),
    Moment(
        "the rest of them",
        (
            *BLINDS, *HOLES, f.DeviceLost("sensor.3", "link.lost", "cable"), "act 3 raise 40",
            f.Pushed(3, (2500,), True), f.Pushed(3, (1500,), True),
        ),
        ["15 was pushed while the sensor was cut off; the act was keyed, so it does not count again ()"],
    ),
    Moment(
        "the last player leaves a table that is held",
        (*BLINDS, *HOLES, GAP, "leave 3", "leave 1", "leave 2"),
        ["has left as the last in the hand: the pot waits until the table goes on (8.17.3)"],
    ),
    Moment(
        "a check out of turn is nothing to take back",
        (*BLINDS, *HOLES, *FLOP, "act 3 check", "act 3 take-back"),
        ["refused: there is no bet out of turn to take back (6.18.2)"],
    ),
    Moment(
        "a bet out of turn that nobody has raised is not taken back",
        (*BLINDS, *HOLES, *FLOP, "act 2 bet 20", "act 2 take-back"),
        ["refused: nobody before this seat has bet more (6.18.2)"],
    ),
    Moment(
        "who is all-in takes nothing back",
        (
            "seat 1-2 stack=500", "seat 3 stack=20", *BLINDS[1:], *HOLES, "act 1 raise 100", "act 3 raise 20",
            "act 3 take-back",
        ),
        ["refused: who is all-in takes no further part in the betting (6.18.4)"],
    ),
    Moment("chips are taken off by nobody", ("seat 2 take=50",), ["refused: nobody sits at 2 (6.11)"]),
    Moment(
        "who is all-in with the blind leaves during the deal",
        ("seat 1 stack=5", "seat 2-3 stack=100", *BLINDS[1:], "read 1 As", "read 2 Kd", "leave 1"),
        ["has left all-in: the hand stays in play until the showdown (6.16.1)"],
    ),
    Moment(
        "a shoe at a poker table",
        (f.CardOut("Kh"),),
        ["the deck stays in the dealer's hand: no shoe is used for this game (5.2)"],
    ),
    Moment(
        "a prize that was confirmed falls with its hand",
        (
            *BLINDS, *HOLES, *CALLED, "burn", "read board Ah Ks 5d", "act 1 all-in", "act 2 call", "act 3 fold", "burn",
            "read board 5c", "burn", "read board 9c", "bonus 1", "role supervisor", "confirm-bonus 1",
            "invalidate fraud",
        ),
        [
            "the bonus prize of this hand does not stand: take it back (13.5.2)",
            "the outcome is invalid: all wagers go back (13.5.2)",
        ],
        options=BUTTON | {"bonus": "flush:50,full-house:20"},
    ),
    Moment(
        "there is nothing to rebuild",
        (*BLINDS, *HOLES, "role supervisor", "reconstruct"),
        ["refused: there is nothing to rebuild (9.1.1(c))"],
    ),
    Moment(
        "the only player left is excluded",
        (*BLINDS, *HOLES, "act 3 fold", "act 1 fold", "role casino-manager", "exclude 2"),
        ["the only player left is excluded: all wagers go back (13.2.1)"],
    ),
    Moment(
        "who has placed the first blind is excluded",
        (*BLINDS[:2], "role casino-manager", "exclude 1"),
        ["who was to place a blind has left: the next one places the large blind (8.9.6)"],
    ),
    Moment("who owes no blind is excluded before the cards", (*BLINDS[:2], "role casino-manager", "exclude 3"), []),
    Moment(
        "a hand that was read one card short is made up",
        ("seat 1-4 stack=500", "read 1 As", "read 3 7c", "read 3 7c", "read 4 Jd", "read 1 Ah"),
        [],
        options={"blinds": "2,5", "button": "4", "limit": "spread", "bets": "5,20"},
    ),
    Moment(
        "an act during the deal of a hand in trouble",
        ("seat 1-3 stack=500", "read 3 4c", "act 1 call"),
        [],
        "pineapple",
        {},
    ),
]  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS, ids=[moment.what for moment in MOMENTS])
def test_what_is_heard(moment: Moment) -> None:
    t = Telling(moment.game, **{name.replace("-", "_"): value for name, value in moment.options.items()})
    said = t.do(*moment.deeds)
    assert [text for text in said if text in moment.heard] == moment.heard, said


def test_chips_of_an_act_that_opens_a_hand_are_kept_in_mind_as_they_were_keyed() -> None:
    t = Telling("holdem", seats="6", button="6")
    t.do(*BLINDS[:-2], f.DeviceLost("sensor.1", "link.lost", "cable"), BLINDS[-2])
    assert hand_at(t.table).keyed_chips == {"1": 500}


def test_chips_that_were_counted_once_are_not_kept_in_mind() -> None:
    t = Telling("holdem", seats="6", button="6")
    t.do(*BLINDS, *HOLES, f.DeviceLost("sensor.3", "link.lost", "cable"), "act 3 raise 40")
    assert hand_at(t.table).keyed_chips == {"3": 4000}
    t.do(f.Pushed(3, (2500,), True))
    assert hand_at(t.table).keyed_chips == {"3": 1500}
    t.do(f.Pushed(3, (1500,), True))
    assert hand_at(t.table).keyed_chips == {}


def test_nobody_discards_before_it_is_due() -> None:
    t = Telling("crazy-pineapple", seats="6", button="6")
    t.do(*BLINDS, "read 1 As")
    assert to_discard(t.table, hand_at(t.table)) == []


# ---- what the table asks of the game


def test_what_another_configuration_would_forget() -> None:
    t = Telling("holdem", seats="6", button="6")
    rules = find("holdem")
    assert rules.left_on_table(t.table) == ""
    t.do("seat 1-3 stack=500")
    assert rules.left_on_table(t.table) == "seat 1 has 500, seat 2 has 500, seat 3 has 500"
    room_of(t.table).slide = 500
    assert rules.left_on_table(t.table).endswith("5 is on the slide")


def test_what_belongs_to_the_players() -> None:
    t = Telling("holdem", seats="6", button="6")
    t.do("seat 1-3 stack=500")
    rules = find("holdem")
    assert rules.belongings(t.table)["hands"] is None
    t.do(*BLINDS[1:], *HOLES)
    assert rules.belongings(t.table)["hands"] is not None


def test_a_card_that_could_not_be_read_is_asked_for_until_it_is_known() -> None:
    t = Telling("holdem", seats="6", button="6")
    t.do(*BLINDS, "read 1 ??")
    assert [prompt for prompt in t.table.live if prompt.place == "1"]


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"blinds": "1,2"}, "6.4"),
        ({"limit": "fixed", "bets": "20,10", "blinds": "10,20"}, "6.1.1"),
        ({"limit": "spread", "bets": "20,10", "blinds": "10,20"}, "6.8"),
        ({"blinds": "20,10"}, "8.9.2"),
        ({"blinds": "5,10,20", "seats": "2"}, "8.9.2"),
        ({"seats": "4", "button": "5"}, "4.1"),
    ],
)
def test_options_that_contradict_each_other_open_no_table(options: dict[str, str], rule: str) -> None:
    t = Telling("holdem", **options)
    assert t.table.game == "" and rule in [refused.rule for refused in t.refusals()]
