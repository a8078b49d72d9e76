"""The gates of a house game.  Reads only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.house import takes
from controller.house.layout import Layout, look
from controller.house.wagers import lock_rule
from controller.places import area_of, shared_place
from controller.table.deck import bets_wait, dealing_device, deck_trouble
from controller.table.limits import limit_now
from controller.table.people import excluded
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
    """Tells whether chips may come: until betting closes, and from whoever has to decide."""
    if place:
        if excluded(t, place):
            return Gate(False, game.document.citations.excluded)
        if f"sensor.{area_of(place)}" in t.faults:
            return Gate(False)
        if f is not None and place in [q.place for q in f.waiting if isinstance(q, Choice)]:
            return Gate(True)
    if f is None and (shut := takes.gate(t)) is not None:
        return shut
    if f is None or not f.round.closed:
        rule = bets_wait(t, game.document)
        return Gate(not rule, rule)
    return Gate(False, game.document.citations.oral if f.round.closed == "announced" else lock_rule(t, game))


def _jackpot(t: Table, game: HouseGame, f: Layout | None, place: str) -> Gate:
    """Tells whether Jackpot wagers are taken: while bets are, and the equipment works (002 2.3.6; 003 2.4)."""
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
    if shared_place(place) not in places:
        return Gate(False, game.left_out(f, place) or rule)
    return _put_right(t, game, f, place)


def _put_right(t: Table, game: HouseGame, f: Layout, place: str) -> Gate:
    """Keeps the cards back where a wager outside the limits is put right, or taken back, until the first card."""
    if not game.document.policy.tops_up or f.round.closed == "dealt":
        return Gate(True)
    limit = limit_now(t, place)
    for spot in game.opening:
        if 0 < f.wager(place, spot) < limit.least:
            return Gate(False, game.document.citations.advise_under)
        if f.wager(place, spot) > limit.most:
            return Gate(False, game.document.citations.advise_over)
    return Gate(True)


def _deal(t: Table, game: HouseGame, f: Layout | None) -> Gate:
    """Tells whether the next card may be dealt: not while a machine fails, or a question is open."""
    if dealing_device(t) in t.faults:
        return Gate(False, game.document.citations.machine if dealing_device(t) == "shuffler" else "")
    if t.talk is not None:
        return Gate(False, t.talk.open[0].rule)
    started = f is not None and f.round.closed == "dealt"
    rule = _in_mid_round(t, game) if started else _before_the_first(t, game, f)
    if rule is not None:
        return Gate(False, rule)
    if f is None or not f.round.closed:
        return Gate(False, game.document.citations.announce)
    if f.own.offers:
        return Gate(False, next(iter(f.own.offers.values())))
    return _next_card(game, f)


def _before_the_first(t: Table, game: HouseGame, f: Layout | None) -> str | None:
    """Returns the rule by which something must be done before the first card of a round; None when nothing must."""
    if "shuffler" in t.faults and t.options.typed.shoe == "batch":
        return game.document.citations.machine
    trouble = deck_trouble(t, game)
    if trouble is not None:
        return t.deck.due if trouble.what == "shuffle" else trouble.rule
    if f is None and not game.document.policy.each_round:
        return t.deck.due or None
    return None


def _in_mid_round(t: Table, game: HouseGame) -> str | None:
    """Returns the rule by which something must be done with the cards in mid-round; None when nothing must.

    A shuffle that is due waits until the round is over.
    """
    deck, trouble = t.deck, deck_trouble(t, game)
    unfit = deck.bad or deck.refill or deck.cut_due or deck.unverified
    if trouble is not None and unfit:
        return deck.due if trouble.what == "shuffle" else trouble.rule
    return game.document.citations.cutter if deck.cut_due else None


def _next_card(game: HouseGame, f: Layout) -> Gate:
    """Tells whether a card is due: not before those who decide first have decided, and what is decided was settled."""
    cites = game.document.citations
    before = cites.settled_first or game.upcoming(f)[1]
    choosing = any(isinstance(request, Choice) for request in f.waiting)
    upcoming = f.waiting[:1] if choosing else f.waiting  # a card that is named first waits for no decision
    if any(isinstance(request, Cards) for request in upcoming):
        unsettled = any(isinstance(request, Settle) for request in f.waiting)
        return Gate(False, before) if unsettled else Gate(True)
    if not f.places():
        return Gate(False, cites.no_wagers)
    return Gate(False, before if choosing else cites.finished)
