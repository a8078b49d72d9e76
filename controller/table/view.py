"""What people see of a table: lamps, gates, its sign and its prize meter.  Reads only."""

from __future__ import annotations

from controller.jackpot.rules import CENT
from controller.table import holds
from controller.table.deck import SUPERVISOR, cutter
from controller.table.lamps import BETS, BLIND, BUTTON, CUT, DECIDE, JACKPOT, MARKER, SHUFFLE, Lit
from controller.table.modes import around
from controller.table.requests import Choice, Gate, GateName
from controller.table.rules import Rules
from controller.table.state import Table, cards_lie, meter_works


def gate(t: Table, game: Rules, what: GateName, place: str = "") -> Gate:
    """Returns whether something may happen now, and which rule says no.

    `bets`: wagers may be placed; `deal`: the next card may be dealt, or this place will get one; `jackpot`: Jackpot
    wagers may be placed.
    """
    if not t.open:
        return Gate(False, game.document.citations.close)
    held = holds.why(t)
    if held is not None:
        return Gate(False, held.rule, holds.reason(held))
    return around(game, t).gate(t, what, place)


def shuffle_wanted(t: Table, game: Rules) -> bool:
    """Tells whether the machine at this table is to shuffle now; what it has done it says itself."""
    if t.options.typed.shoe == "hand" or not game.document.policy.each_round:
        return False
    if "shuffler" in t.faults or cards_lie(t):
        return False
    unfit = t.deck.bad or t.deck.unverified
    return bool(t.deck.due) and not unfit


def meter_shown(t: Table) -> int | None:
    """Returns what the prize meter display shows (002 11.2.1(i); 003 9.1.1(k)): whole cents, no more than there is.

    In ten-thousandths of a dollar; None where there is no meter.
    """
    return None if t.options.typed.terms is None else t.jackpot.meter // CENT * CENT


def sign_text(t: Table, game: Rules) -> list[str]:
    """Returns what the limit sign says: what is in force, then what is announced."""
    return game.sign(t)


def lamps(t: Table, game: Rules) -> Lit:
    """Returns every lamp that is lit: name -> places; a lamp of the whole table has the place ""."""
    out = {DECIDE.name: deciding} if (deciding := _deciding(t, game)) else {}
    out |= game.lamps(t)
    if gate(t, game, "bets").open:
        out[BETS.name] = [""]
    if t.deck.due or t.deck.refill:
        out[SHUFFLE.name] = [""]
    if jackpots := _jackpots(t, game):
        out[JACKPOT.name] = jackpots
    if cutting := _cutting(t):
        out[CUT.name] = [cutting]
    if marked := [place for place, who in t.seats.items() if t.people[who].has_limits]:
        out[MARKER.name] = marked
    if t.unseen:
        out[BLIND.name] = list(t.unseen)
    if t.button:
        out[BUTTON.name] = [t.button]
    return out


def _jackpots(t: Table, game: Rules) -> list[str]:
    """Returns where Jackpot lamps are lit: at the table while wagers are taken, and at every wager that takes part."""
    offered = t.options.typed.terms is not None and gate(t, game, "jackpot").open
    return [*([""] if offered else []), *(t.jackpot.registered if meter_works(t) else [])]


def _cutting(t: Table) -> str:
    """Returns who is to cut, of the players; "" when nobody is."""
    if not (t.deck.due or t.deck.cut_due):
        return ""
    who = cutter(t)
    return "" if who == SUPERVISOR else who


def _deciding(t: Table, game: Rules) -> list[str]:
    """Returns who has to decide; while the table is held, or a question is open, nobody has."""
    if t.holds or t.talk is not None:
        return []
    return [request.place for request in game.waiting(t) if isinstance(request, Choice)]
