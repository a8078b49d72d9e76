"""Poker Minors (document 002): irregularities, rules 13 and 16; those of cards are in `poker_minors_cards`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from controller.house.common import name_cards, wrong_backs
from controller.house.forfeits import forfeited
from controller.house.games.poker_minors_cards import count, excess, exposed, misdeal, order, short, stray
from controller.house.layout import Layout
from controller.house.rulings import (
    Decide,
    Dialogue,
    End,
    GiveBack,
    Happened,
    Irregularity,
    Racked,
    Ruling,
    only_tell,
    refuse,
    rule_by_key,
)
from controller.house.state import FOLD, UNABLE
from controller.table.documents import Cause
from controller.table.facts import Key
from controller.table.requests import Choice

if TYPE_CHECKING:
    from controller.house.games.poker_minors import PokerMinor

NOT_NOW: Final = refuse("16.12", "this key does not apply now")


def rule_on(game: PokerMinor, f: Layout, fact: Key) -> Dialogue:
    """Leads the dialogue about a key that nobody waited for."""
    return rule_by_key(IRREGULARITIES, fact, game, f, otherwise=NOT_NOW)


# ---- 8 to 10: looking and deciding


def announced(game: PokerMinor, f: Layout) -> Ruling:
    """Notes that the players were told to decide: they have looked at their cards."""
    return players_looked(game, "announced")


def looked(game: PokerMinor, f: Layout) -> Ruling:
    """Notes that the players have looked at their cards."""
    return players_looked(game, "looked")


def players_looked(game: PokerMinor, what: str) -> Ruling:
    """Notes it: from now on 13.2.2 and 13.5 are the rules on wrong and early cards."""
    rule = game.document.citations.decide
    return Ruling(rule, f"the players {what}", "", (Happened("looked"),))


def fold(game: PokerMinor, f: Layout, place: str, *ante: str) -> Ruling:
    """Refuses a fold that nobody waits for."""
    return not_decided(game.document.citations.fold or game.document.citations.decide)


def check(game: PokerMinor, f: Layout, place: str) -> Ruling:
    """Refuses a check that nobody waits for."""
    return not_decided(game.document.citations.check or game.document.citations.decide)


def surrender(game: PokerMinor, f: Layout, place: str) -> Ruling:
    """Refuses to surrender: nobody does in these games."""
    return not_decided(game.document.citations.decide)


def not_decided(rule: str) -> Ruling:
    """Returns the refusal of a decision that is not open."""
    return refuse(rule, "that is not to be decided there now")


def noted(game: PokerMinor, f: Layout, *places: str) -> Ruling:
    """Notes a report on which the document is silent."""
    return only_tell(game.document.citations.decide, "noted: this document asks for nothing here")


def exchanged(game: PokerMinor, f: Layout, place: str) -> Ruling:
    """Rules on who has exchanged information (8.5.5(a)(i), 9.6.1(a)(i))."""
    return forfeited(f, place)


# ---- 13.2, 13.11: the whole round


def without_wagers(game: PokerMinor, f: Layout) -> Ruling:
    """Rules a misdeal when nobody may be dealt to (13.2.1); nobody declares one where no rule does."""
    if game.areas(f):
        return refuse("13.2.1", "nothing was reported that makes a misdeal")
    return misdeal("13.2.1", "cards were dealt without a wager")


def void(game: PokerMinor, f: Layout, place: str = "") -> Ruling:
    """Rules that the round is void: the machine has failed (13.11), or the cards are not of one deck (3.1)."""
    if place:
        return refuse("13.2.2", "no wrong number of cards was reported there")
    if "shuffler" in f.table.faults:
        return Ruling("13.11", "the round cannot be completed", "void", (End("void", "13.11"),))
    if f.table.deck.two_colours:
        return wrong_backs(f)
    return refuse("13.2.2", "no wrong number of cards was reported there")


def nobody_asked(game: PokerMinor, f: Layout, place: str) -> Ruling:
    """Refuses to keep or retract where nobody was asked (13.2.2(b))."""
    return refuse("13.2.2(b)", "nobody was asked to take wagers back")


# ---- 13.4, 13.7


def taken(game: PokerMinor, f: Layout, place: str, *named: str) -> Ruling:
    """Rules on cards taken by mistake: they come back when named and on top, or the only ones there (13.4)."""
    if not f.hands.get(place):
        return only_tell("13.4", "no cards lay there", place=place)
    back = (Racked(place, back=True),)
    if sorted(named) == sorted(f.hands[place]):
        return Ruling("13.4.1", "the cards go back to the player", changes=back)
    others = [p for p in f.own.rack if p != place]
    if not others:
        return Ruling("13.4.2", "the cards go back to the player", changes=back)
    changes = (Racked(place), GiveBack(place, "returned", "13.4.3"))
    return Ruling("13.4.2", "the cards stay in the rack, the wagers go back", changes=changes)


def unable(game: PokerMinor, f: Layout, place: str) -> Ruling:
    """Rules that who cannot place the wager that is required has folded (13.7)."""
    choices = [q for q in f.waiting if isinstance(q, Choice) and q.place == place]
    required = next((choice for choice in choices if FOLD in choice.words), None)
    if required is None:
        return only_tell("13.7", "no wager is required there now", place=place)
    changes = (Decide(required.window, place, UNABLE), Racked(place))
    return Ruling("13.7", "the hand is deemed folded", changes=changes)


# ---- 16


def invalidate(game: PokerMinor, f: Layout, cause: Cause) -> Ruling:
    """Rules that the outcome does not count, and all wagers go back (16.3, 16.4)."""
    rule = "16.3.2" if cause == "fraud" else "16.3.1"
    return Ruling(rule, "the outcome is void", "void", (End("void", "16.4", reverse=True),))


def refuse_wager(game: PokerMinor, f: Layout, place: str, spot: str) -> Ruling:
    """Rules that a wager is refused, until no more bets may be placed (16.11)."""
    if f.round.closed:
        return refuse("16.11", "betting is closed")
    if not f.live(place, spot):
        return refuse("16.11", "there is no such wager")
    back = GiveBack(place, "returned", "16.11", (spot,), withdraw=True)
    return Ruling("16.11", "the wager is refused", changes=(back,))


def cards_named(game: PokerMinor, f: Layout, *hands: str) -> Ruling:
    """Rules that the cards are what somebody says who sees them (16.12)."""
    return name_cards(f, hands, "16.12")


IRREGULARITIES: Final[Mapping[str, Irregularity]] = {
    "announced": announced,
    "looked": looked,
    "fold": fold,
    "check": check,
    "surrender": surrender,
    "viewed": noted,
    "burn": noted,
    "exposed": exposed,
    "short": short,
    "excess": excess,
    "stray": stray,
    "misdeal": without_wagers,
    "void": void,
    "keep": nobody_asked,
    "retract": nobody_asked,
    "order": order,
    "taken": taken,
    "count": count,
    "forfeit": exchanged,
    "unable": unable,
    "invalidate": invalidate,
    "refuse": refuse_wager,
    "reconstruct": cards_named,
}
