"""The public cards of a round: what the rules turned, and what was compared at settlement.  Folded hands never are.

Every output (status, pages, demo, journal, events) asks here, so that all of them tell the same.
"""

from __future__ import annotations

from controller.games.catalogue import find
from controller.poker.shown import public_hands as poker_hands
from controller.table.felt import COMMUNITY, Felt, lay_out
from controller.table.state import DEALER, Round, Table, area_of

COMPARED = ("win", "lose", "stand-off")
KEPT = "fold ante"  # 001 7.5.2(b): the Ante is folded, the Pair Plus wager still plays with the hand


def public_hands(table: Table) -> dict[str, list[str]]:
    """Returns the cards by place as anybody may see them, of the round that runs or the last one; "??" is hidden."""
    if table.round is None:
        return {}
    if table.round.hand is not None:
        return poker_hands(table.round.hand)
    return public_cards(lay_out(table, table.round, find(table.game)))


def public_cards(f: Felt) -> dict[str, list[str]]:
    """Returns the same of a round against the house that is laid out already."""
    shown = compared(f)
    open_ = shown | {DEALER, COMMUNITY} if shown else shown
    return {place: list(hand) if place in open_ else f.public(place) for place, hand in f.hands.items()}


def compared(f: Felt) -> set[str]:
    """Returns the areas whose hands were compared, or paid by their rank, when the round was settled."""
    r = f.round
    if r.outcome not in ("settled", "void"):
        return set()  # void: what was compared before the outcome was made invalid
    judged = {str(area_of(line.place)) for line in r.lines if line.result in COMPARED and line.spot != "jackpot"}
    won = {str(area_of(line.place)) for line in r.lines if line.prize}  # a prize is checked with the cards open
    return {area for area in judged if area in f.hands and not folded(r, area)} | (won & f.hands.keys())


def folded(r: Round, area: str) -> bool:
    """Tells whether the cards of an area went to the rack without being compared."""
    mine = {word for at, word in r.choices.items() if at.split(" ")[-1].partition(".")[0] == area}
    return "fold" in mine or "unable" in mine or (area in r.rack and KEPT not in mine)
