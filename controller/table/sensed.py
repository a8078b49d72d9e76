"""Chips as the sensors read them, whether they are wagers or not."""

from __future__ import annotations

from controller.places import place_of
from controller.table import causes, holds
from controller.table.facts import Chips, UnknownChip
from controller.table.state import Round
from controller.table.step import Step


def read_tokens(r: Round, fact: Chips) -> None:
    """Keeps which of the wagers that were read are promotional tokens."""
    for x in fact.spots:
        at = (place_of(fact.area, x.bettor), x.spot)
        r.tokens = [other for other in r.tokens if other != at] + ([at] if x.token else [])


def lie_there(s: Step, fact: Chips) -> None:
    """Keeps a reading that was refused: the chips stay where they are, and are no wager."""
    if s.t.holds:
        holds.keep(s.t, fact)
    if fact.covered:
        return  # nobody may see what lies under a cover
    s.chips_lie(fact)
    if s.round is None:
        return
    for x in fact.spots:
        unusable = x.token and not s.policy.tokens  # then it is no chip that could be found
        s.lies_there((place_of(fact.area, x.bettor), x.spot), 0 if unusable else x.amount)
    new = [x for x in fact.spots if (place_of(fact.area, x.bettor), x.spot) not in s.round.wagers]
    read_tokens(s.round, Chips(fact.area, tuple(new)))


def unknown_chip(s: Step, fact: UnknownChip) -> None:
    """Tells the dealer of a chip that is never guessed: the spot does not count until it is read again."""
    place = place_of(fact.area, fact.bettor)
    text = f"a chip on {fact.spot} is not known: take it off and bet again"
    s.prompt("dealer", text, s.cites.chips_only, place, cause=causes.Chips(fact.spot))
