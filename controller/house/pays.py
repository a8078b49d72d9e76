"""What a winning wager is paid and for which hand, in words; the odds are those of the game's pay tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from controller.cards import UNREAD
from controller.hands import Hand, ThreeCardHand, best, best_three
from controller.house.common import spoken_category
from controller.money import Odds
from controller.table.options import Chosen
from controller.table.state import Line
from controller.table.telling import in_odds, won_by_odds

Ranked: TypeAlias = Hand | ThreeCardHand


class Pays(NamedTuple):
    """The odds of a wager, whether they hang on the player's hand, and in which pay table they stand."""

    odds: Odds
    by_hand: bool = False
    table: str = ""  # the pay table, as its document calls it


EVEN_MONEY: Final = Pays(Odds(1))


def by_hand(table: Mapping[Any, Odds], hand: Ranked | None, name: str = "") -> Pays | None:
    """Returns the odds of a pay table for this hand; None when it has none, or the hand is not known.

    `name`: what the document calls the table.
    """
    odds = table.get(hand.category) if hand is not None else None
    return None if odds is None else Pays(odds, by_hand=True, table=name)


def ranked(cards: Sequence[str], board: Sequence[str] = ()) -> Ranked | None:
    """Returns the best hand of these cards with the board; None when one is hidden or there are too few.

    >>> ranked(["9h", "Td"], ["Jc", "Qs", "Kh", "2c", "2d"]), ranked(["9h", "9d", "??"])
    (<Hand: straight to the king>, None)
    """
    every = [*cards, *board]
    if not cards or UNREAD in every or len(set(every)) != len(every):
        return None
    if len(every) == 3:
        return best_three(every)
    return best(every) if 5 <= len(every) <= 7 else None


def words(line: Line, pays: Pays | None, options: Chosen, hand: Ranked | None) -> str:
    """Returns how a won wager is paid, such as "straight pays 4 to 1, table 1"; "" for one that was not won."""
    if pays is None or not won_by_odds(line):
        return ""
    named = spoken_category(hand) if pays.by_hand and hand is not None else ""
    return in_odds(line, pays.odds, options, named, pays.table)
