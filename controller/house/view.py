"""The gates and the sign of a house game.  Reads only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.house.layout import Layout, look
from controller.house.wagers import lock_rule
from controller.places import area_of
from controller.table.deck import bets_wait, dealing_device, deck_trouble
from controller.table.limits import limit_now
from controller.table.requests import Cards, Choice, Gate, GateName, Settle
from controller.table.state import Table, meter_works

if TYPE_CHECKING:
    from controller.house.game import HouseGame


def gate(t: Table, game: HouseGame, what: GateName, place: str) -> Gate:
    """Tells whether chips, cards or Jackpot wagers may come now."""
    f = look(t, game)
    if what == "bets":
        return _bets(t, game, f, place)
    if what == "deal":
        return _deal_to(t, game, f, place) if place else _deal(t, game, f)
    return _jackpot(t, game, f, place)


def _bets(t: Table, game: HouseGame, f: Layout | None, place: str) -> Gate:
    if place:
        person = t.people.get(t.seats.get(place, ""))
        if person is not None and person.excluded:
            return Gate(False, game.document.citations.excluded)
        if f"sensor.{area_of(place)}" in t.faults:
            return Gate(False)
        if f is not None and any(isinstance(q, Choice) and q.place == place for q in f.waiting):
            return Gate(True)
    if f is None or not f.round.closed:
        rule = bets_wait(t, game.document)
        return Gate(not rule, rule)
    return Gate(False, game.document.citations.oral if f.round.closed == "announced" else lock_rule(t, game))


def _jackpot(t: Table, game: HouseGame, f: Layout | None, place: str) -> Gate:
    """Tells whether Jackpot wagers are taken: while bets are, and the prize meter system works."""
    cites = game.document.jackpot
    if cites is None:
        return Gate(False)
    if t.options.typed.terms is None or t.jackpot.closed:
        return Gate(False, cites.offer)
    if not meter_works(t):
        return Gate(False, cites.equipment)
    return _bets(t, game, f, place)


def _deal_to(t: Table, game: HouseGame, f: Layout | None, place: str) -> Gate:
    """Tells whether this place will get a card: not while a question about its wagers is open."""
    for question in t.talk.open if t.talk is not None else ():
        if question.place == place:
            return Gate(False, question.rule)
    if f is None:
        return Gate(False, game.document.citations.announce)
    if place in f.own.offers:
        return Gate(False, f.own.offers[place])
    places, rule = game.upcoming(f)
    if place.partition(".")[0] not in places:
        return Gate(False, no_cards(f, place, rule))
    return _put_right(t, game, f, place)


def _put_right(t: Table, game: HouseGame, f: Layout, place: str) -> Gate:
    """Tells where a wager outside the limits is first put right, or taken back, until the first card."""
    limit = limit_now(t, place)
    for spot in game.opening if game.document.policy.tops_up and f.round.closed != "dealt" else ():
        if 0 < f.wager(place, spot) < limit.least:
            return Gate(False, game.document.citations.advise_under)
        if f.wager(place, spot) > limit.most:
            return Gate(False, game.document.citations.advise_over)
    return Gate(True)


def no_cards(f: Layout, place: str, rule: str) -> str:
    """Returns why a place gets no cards: the rule that says who does, or the one about extra hands."""
    unseen = place in f.unseen and f.wager(place, "ante")
    return (f.cites.unseen_play if unseen else "") or rule


def _deal(t: Table, game: HouseGame, f: Layout | None) -> Gate:
    if dealing_device(t) in t.faults:
        return Gate(False, game.document.citations.machine if dealing_device(t) == "shuffler" else "")
    if t.talk is not None:
        return Gate(False, t.talk.open[0].rule)
    started = f is not None and f.round.closed == "dealt"
    if "shuffler" in t.faults and t.options.typed.shoe == "batch" and not started:
        return Gate(False, game.document.citations.machine)
    trouble = deck_trouble(t, game)
    if trouble is not None and (not started or t.deck.bad or t.deck.refill or t.deck.cut_due or t.deck.unverified):
        return Gate(False, t.deck.due if trouble.what == "shuffle" else trouble.rule)
    if t.deck.cut_due and started:
        return Gate(False, game.document.citations.cutter)
    if f is None and t.deck.due and not game.document.policy.each_round:
        return Gate(False, t.deck.due)
    if f is None or not f.round.closed:
        return Gate(False, game.document.citations.announce)
    if f.own.offers:
        return Gate(False, next(iter(f.own.offers.values())))
    choosing = any(isinstance(q, Choice) for q in f.waiting)
    before = game.document.citations.settled_first or game.upcoming(f)[1]
    due = next((isinstance(q, Cards) for q in f.waiting), False)  # before any decision
    if any(isinstance(q, Cards) for q in f.waiting) and (due or not choosing):
        unsettled = any(isinstance(q, Settle) for q in f.waiting)
        return Gate(False, before) if unsettled else Gate(True)
    if not f.places():
        return Gate(False, game.document.citations.no_wagers)
    return Gate(False, before if choosing else game.document.citations.finished)


def sign(t: Table) -> list[str]:
    """Returns the lines of the limit sign: what is in force, then what is announced."""
    lines = [f"{t.game} {t.options['min']} to {t.options['max']}"] if t.open else [f"{t.game} closed"]
    method = t.options.typed.method
    if method and t.options.typed.terms is not None:
        fold = "stays eligible" if method == "B" else "loses it"
        lines.append(f"Jackpot, method {method}: a folded hand {fold}")
    for notice in t.notices:
        lines.append("soon: " + ", ".join(f"{k} {v}".rstrip() for k, v in notice.what.items()))
    return lines
