"""Carries out what a ruling changes: one function for each kind of change in `rulings`."""

from __future__ import annotations

from functools import singledispatch

from msgspec.structs import replace

from controller.house import jackpot
from controller.house.layout import Layout
from controller.house.rulings import (
    AlsoRuled,
    Burned,
    Change,
    CountAfter,
    CountDue,
    Covers,
    Decide,
    Deemed,
    End,
    Exposed,
    Forfeited,
    GiveBack,
    Given,
    Happened,
    Kept,
    Lose,
    MarkDeal,
    NoHand,
    Offer,
    Ordered,
    Racked,
    ShoeVoid,
    TakeOut,
    Tell,
    Unmark,
    Warn,
)
from controller.house.step import HouseStep
from controller.house.wagers import lose
from controller.rules import Unsettled
from controller.table.deck import void_shoe
from controller.table.state import Line, Round


@singledispatch
def carry_out(change: Change, s: HouseStep, by: str) -> None:
    """Carries out one change of a ruling that was made by this rule; raises TypeError for an unknown kind."""
    raise TypeError(f"nobody has said how a ruling changes the round by {type(change).__name__}")


def _round(s: HouseStep) -> Round:
    """Returns the round that is ruled on."""
    r = s.t.round
    assert r is not None
    return r


# ---- what people are told


@carry_out.register
def _(change: AlsoRuled, s: HouseStep, by: str) -> None:
    s.ruled("continue", change.rule, change.text)
    s.prompt("dealer", change.text, change.rule)


@carry_out.register
def _(change: Tell, s: HouseStep, by: str) -> None:
    s.prompt(change.role, change.text, change.rule, change.place, change.offers)


@carry_out.register
def _(change: Covers, s: HouseStep, by: str) -> None:
    """Does nothing: the dialogue drops these reports itself."""


@carry_out.register
def _(change: Warn, s: HouseStep, by: str) -> None:
    person = s.t.people.get(s.t.seats.get(change.place, ""))
    if person is not None:
        person.unable = True


@carry_out.register
def _(change: Offer, s: HouseStep, by: str) -> None:
    for place in change.places:
        s.own.offers[place] = change.rule
        s.prompt("dealer", "may take the wagers back", change.rule, place, ("keep", "retract"))


# ---- wagers


@carry_out.register
def _(change: GiveBack, s: HouseStep, by: str) -> None:
    carry = change.result == "void"
    lines = s.open_lines(change.rule, change.result, change.place, change.spots, carry)
    s.settle(lines)
    if not change.spots:
        s.own.offers.pop(change.place, None)
    if change.withdraw:
        _withdraw(_round(s), lines)


def _withdraw(r: Round, lines: list[Line]) -> None:
    """Takes these wagers out of the round: nobody is dealt to for them."""
    for line in lines:
        r.wagers.pop(line.at, None)


@carry_out.register
def _(change: Lose, s: HouseStep, by: str) -> None:
    f = Layout(s.t, _round(s), s.game)
    forfeited = change.spots or s.game.spots
    live = [spot for spot in s.game.spots if f.live(change.place, spot)]
    lost = [spot for spot in live if spot in forfeited]
    s.settle([lose(change.place, spot, s.game.stake(f, change.place, spot), change.rule) for spot in lost])


@carry_out.register
def _(change: Decide, s: HouseStep, by: str) -> None:
    s.own.choices[change.window, change.place] = change.decision


# ---- cards


@carry_out.register
def _(change: MarkDeal, s: HouseStep, by: str) -> None:
    s.own.marks.append(change.mark)


@carry_out.register
def _(change: Unmark, s: HouseStep, by: str) -> None:
    s.own.marks = [mark for mark in s.own.marks if mark.deal != change.deal]
    s.own.given.update({(change.deal, place): cards for place, cards in change.given})
    s.reverse(by, "reversed")


@carry_out.register
def _(change: Given, s: HouseStep, by: str) -> None:
    s.own.given.update({(change.deal, place): cards for place, cards in change.given})


@carry_out.register
def _(change: Ordered, s: HouseStep, by: str) -> None:
    s.own.ordered.append(change.group)


@carry_out.register
def _(change: TakeOut, s: HouseStep, by: str) -> None:
    s.take_out(change.count, change.rule, change.burned)


@carry_out.register
def _(change: Kept, s: HouseStep, by: str) -> None:
    tape = s.own.tape
    usable = [n for n, drawn in enumerate(tape) if not drawn.out]
    first = max(0, len(usable) - change.count)
    for n in usable[first:]:
        tape[n] = replace(tape[n], kept=change.rule)


@carry_out.register
def _(change: Racked, s: HouseStep, by: str) -> None:
    others = [place for place in s.own.rack if place != change.place]
    s.own.rack = others if change.back else [*others, change.place]


@carry_out.register
def _(change: CountDue, s: HouseStep, by: str) -> None:
    s.t.deck.must_be_counted(change.rule, after_misdeal=True)
    s.prompt("dealer", "count all the cards", change.rule, offers=("count",))


@carry_out.register
def _(change: ShoeVoid, s: HouseStep, by: str) -> None:
    void_shoe(s, change.rule)


# ---- the round


@carry_out.register
def _(change: Happened, s: HouseStep, by: str) -> None:
    setattr(s.own, change.what, True)


@carry_out.register
def _(change: Exposed, s: HouseStep, by: str) -> None:
    card = (change.place, change.n)
    if card not in s.own.exposed:
        s.own.exposed.append(card)


@carry_out.register
def _(change: Burned, s: HouseStep, by: str) -> None:
    if change.place not in s.own.burned:
        s.own.burned.append(change.place)


@carry_out.register
def _(change: Forfeited, s: HouseStep, by: str) -> None:
    s.own.forfeited.append(change.place)
    s.own.offers.pop(change.place, None)


@carry_out.register
def _(change: Deemed, s: HouseStep, by: str) -> None:
    hands = (change.seat, change.viewed)
    if hands not in s.own.deemed:
        s.own.deemed.append(hands)


@carry_out.register
def _(change: NoHand, s: HouseStep, by: str) -> None:
    s.own.no_hand = change.rule


@carry_out.register
def _(change: CountAfter, s: HouseStep, by: str) -> None:
    s.t.deck.count_after = change.rule


@carry_out.register
def _(change: End, s: HouseStep, by: str) -> None:
    if change.reverse:
        s.reverse(change.rule, "void")
    if change.jackpot_stays:
        jackpot.claims_stay(s)
    result: Unsettled = "void" if change.outcome == "void" else "returned"
    s.settle(s.open_lines(change.rule, result, carry=not change.reverse))
    s.end(change.outcome, by)
