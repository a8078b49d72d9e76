"""A player has exchanged cards or information about them: the wagers that the document names are forfeited.

001 7.5.1(a), 002 8.5.5(a)(i) and 9.6.1(a)(i), 003 7.4.1(a); a Jackpot wager is in none of them, and stays.
"""

from __future__ import annotations

from typing import Final

from controller.house.layout import Layout
from controller.house.rulings import Forfeited, Lose, Ruling, refuse
from controller.places import JACKPOT
from controller.table.declare import AREA, Key

FORFEIT: Final = Key(
    "forfeit",
    AREA,
    power=lambda powers: powers.forfeit,
    says="the player has exchanged cards or information about them: the wagers are lost",
    besides={JACKPOT: "a Jackpot wager stays"},
)


def forfeited(f: Layout, place: str) -> Ruling:
    """Rules that all wagers of whoever plays there are lost, wherever they lie; a Jackpot wager stays."""
    power = f.game.document.powers.forfeit
    assert power is not None  # else the game does not have this key
    who, rule = f.table.seats.get(place), power.rule
    if who is None:
        return refuse(rule, f"nobody sits at {place}")
    if not f.complete("hands"):
        return refuse(rule, "the players have not got their cards yet")
    own = [p for p, name in f.table.seats.items() if name == who]
    lost = [p for p in own if any(f.live(p, spot) for spot in f.game.spots)]
    if not lost:
        return refuse(rule, "no wager of this player is at stake")
    changes = [change for p in lost for change in (Lose(p, rule), Forfeited(p))]
    return Ruling(rule, "the player's wagers are forfeited", "forfeited", tuple(changes))
