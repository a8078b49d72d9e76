"""Jackpot wagers at the table: registered, carried over, returned, judged; and the prize meter they feed.

A jackpot game is the set of registered wagers.  To register again only means another set: the meter moves by the
difference, so that a cancelled game leaves no trace in it.
"""

from __future__ import annotations

from fractions import Fraction

from controller.cards import UNREAD
from controller.hands import best
from controller.hands.categories import Category
from controller.jackpot.rules import DOLLAR, METER_HANDS, Prize, Terms, surplus
from controller.jackpot.rules import settle as award_of
from controller.money import dollars, short
from controller.table.effects import MeterMoved
from controller.table.facts import MeterIs, Spot
from controller.table.felt import Felt
from controller.table.scene import Refusal, Scene
from controller.table.state import Line, key, place_of
from controller.table.wagers import from_the_right

SPOT = "jackpot"
CLOSING = "close-jackpot"
TWENTY_MINUTES = 20 * 60 * 1_000_000


def meter_is(s: Scene, fact: MeterIs) -> None:
    """The prize meter system says what it holds."""
    s.t.jackpot.meter = fact.value


# ---- wagers


def chips(s: Scene, area: int, spot: Spot) -> None:
    """A Jackpot wager: one for each hand, for its exact cost, while the equipment works."""
    system, place = s.jackpot, place_of(area, spot.bettor)
    at = key(place, SPOT)
    r = s.round
    if r is None or (not spot.amount and at not in r.wagers):
        return
    if system is None or s.t.jackpot.closed:
        raise Refusal(s.book["jackpot-offer"], "no Jackpot is offered here")
    if r.closed == "dealt" or (r.closed and not s.game.late_chips):
        raise Refusal(s.book["lock"], "betting is closed: hand the chips back")
    if spot.amount and "meter" in s.t.faults:
        raise Refusal(s.book["jackpot-equipment"], "the prize meter system does not work")
    if spot.token or spot.amount not in (0, system.cost):
        raise Refusal(s.book["jackpot-cost"], f"a Jackpot wager is {short(system.cost)} in chips")
    if spot.amount:
        r.wagers[at] = spot.amount
    else:
        del r.wagers[at]
        if place in s.t.jackpot.registered:
            s.t.jackpot.registered.remove(place)
            s.change_meter(-system.increment)
    if r.closed:
        register(s)


def register(s: Scene) -> None:
    """Every Jackpot wager with a hand behind it takes part; the others go back."""
    system, r = s.jackpot, s.t.round
    if system is None or r is None:
        return
    places = [at.split(" ")[0] for at in r.wagers if at.endswith(" " + SPOT)]
    alone = [p for p in places if key(p, s.game.opening[0]) not in r.wagers]
    for place in alone:
        del r.wagers[key(place, SPOT)]
        if place in s.t.jackpot.registered:
            s.t.jackpot.registered.remove(place)
            s.change_meter(-system.increment)
    s.seal([Line(p, SPOT, system.cost, "returned", 0, s.book["jackpot-hand"]) for p in alone])
    taking_part = [p for p in places if p not in alone]
    before, s.t.jackpot.registered = len(s.t.jackpot.registered), taking_part
    s.change_meter((len(taking_part) - before) * system.increment)


def start(s: Scene, args: tuple[str, ...]) -> None:
    if s.jackpot is None:
        raise Refusal(s.book.get("jackpot-offer", s.book["placed"]), "no Jackpot is offered here")
    s.running(s.book["jackpot-start"])
    register(s)


def cancel(s: Scene, args: tuple[str, ...]) -> None:
    """The current jackpot game ends: its increments leave the meter, the wagers stay where they are."""
    system, game = s.jackpot, s.t.jackpot
    if system is None or not game.registered:
        raise Refusal(s.book.get("jackpot-start", s.book["placed"]), "no jackpot game is running")
    s.change_meter(-len(game.registered) * system.increment)
    game.registered = []


def leaves(s: Scene, place: str) -> None:
    """Whoever leaves gets a wager back that was carried over; the others are registered again without it."""
    if s.t.jackpot.carried.pop(place, None) is not None and s.t.round is not None:
        system = s.jackpot
        assert system is not None
        s.seal([Line(place, SPOT, system.cost, "returned", 0, s.book["carry-leave"])])


def close_system(s: Scene, args: tuple[str, ...]) -> None:
    """The prize meter system ends; what it holds above its seed goes to others, to the last ten-thousandth."""
    system, game = s.jackpot, s.t.jackpot
    if system is None or game.closed:
        raise Refusal(s.book.get("jackpot-offer", s.book["placed"]), "no prize meter system is running here")
    if s.round is not None:
        raise Refusal(s.book["jackpot-close"], "a round is running")
    shown = [n for n in s.t.notices if CLOSING in n.what]
    if not any(s.t.now - n.shown >= TWENTY_MINUTES for n in shown):
        raise Refusal(s.book["jackpot-close"], "a closing needs a sign for twenty minutes before")
    over = surplus(system, game.meter)
    named = [arg.partition("=") for arg in args]
    amounts = [int(Fraction(amount) * DOLLAR) if amount else None for _, _, amount in named]
    if amounts.count(None) == 1 and len(amounts) == 1:
        amounts = [over]
    if None in amounts or sum(a or 0 for a in amounts) != over:
        raise Refusal(s.book["jackpot-transfer"], f"{over / DOLLAR:.4f} is to be handed on, no more and no less")
    for (name, _, _), amount in zip(named, amounts, strict=True):
        s.effects.append(MeterMoved(name, amount or 0))
    s.t.notices = [n for n in s.t.notices if n not in shown]
    game.closed = True
    s.change_meter(system.seed - game.meter)


# ---- prizes


def hands(f: Felt) -> dict[str, list[str] | None]:
    """The five cards of every Jackpot wager that is to be judged; None for a hand that takes no part any more."""
    return {place: f.game.jackpot_cards(f, place) for place in from_the_right(f.unjudged())}


def judge(s: Scene, at: dict[str, list[str] | None]) -> None:
    """After all hands were settled: the dealer decides all prizes but those of the meter."""
    system, r = s.jackpot, s.t.round
    if system is None or r is None:
        return
    lines: list[Line] = []
    flushes: list[tuple[str, Category]] = []
    method = s.t.options.get("method", "A")
    win = s.book["jackpot-win-B" if method == "B" else "jackpot-win"]
    lose = s.book["jackpot-lose-B" if method == "B" else "jackpot-lose"]
    for place, cards in at.items():
        if not cards or UNREAD in cards:
            lines.append(Line(place, SPOT, system.cost, "lose", -system.cost, s.book["jackpot-fold"]))
            continue
        hand = best(cards).category
        if hand in METER_HANDS:
            flushes.append((place, hand))
        elif prize := system.fixed(hand):
            won = Prize(place, hand.name.lower().replace("_", " "), prize, s.book["jackpot-dealer"])
            r.prizes.append(won)
            lines.append(Line(place, SPOT, system.cost, "win", prize - system.cost, win, prize=prize))
        else:
            lines.append(Line(place, SPOT, system.cost, "lose", -system.cost, lose))
    r.meter_settled = s.t.jackpot.meter
    s.seal(lines)
    if flushes:
        _record(s, system, flushes)


def _record(s: Scene, system: Terms, flushes: list[tuple[str, Category]]) -> None:
    """The outcome is recorded on the meter now; the prizes wait for the person who decides them."""
    game, r = s.t.jackpot, s.t.round
    assert r is not None
    award = award_of(system, game.meter, flushes)
    r.prizes.extend(award.prizes)
    r.award = award
    game.pending = [(prize.place, prize) for prize in award.prizes]
    s.change_meter(award.after - game.meter)
    role, rule = s.game.powers["confirm-jackpot"]
    for prize in award.prizes:
        text = f"{prize.hand}: {dollars(prize.cents)} is to be paid"
        s.prompt(role, text, rule, prize.place, ("confirm-jackpot",))


def confirm(s: Scene, args: tuple[str, ...]) -> None:
    system, game = s.jackpot, s.t.jackpot
    if system is None or not game.pending:
        rule = s.game.powers.get("confirm-jackpot", ("", s.book["finished"]))[1]
        raise Refusal(rule, "no royal or straight flush waits here")
    s.seal(
        [
            Line(place, SPOT, system.cost, "win", prize.cents - system.cost, prize.rule, prize=prize.cents)
            for place, prize in game.pending
        ]
    )
    game.pending = []
