"""What a winning wager is paid and for which hand, read from the pay tables of the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from controller.cards import UNREAD
from controller.hands import Hand, ThreeCardHand, best, best_three
from controller.house.common import spoken_category
from controller.house.games import caribbean_stud, casino_war, mississippi_stud, three_card_poker, ultimate
from controller.house.games.three_card_poker import ThreeCardOptions
from controller.money import Odds, short
from controller.table.options import Chosen
from controller.table.state import Line

EVEN: Final = Odds(1)
FLOP_CHASE: Final = Odds(7)  # 000 10.2.2
Ranked = Hand | ThreeCardHand


class Pays(NamedTuple):
    """The odds of a wager, and whether they hang on the player's hand."""

    odds: Odds
    by_hand: bool = False


def _by_hand(table: Mapping[Any, Odds], hand: Ranked | None) -> Pays | None:
    odds = table.get(hand.category) if hand is not None else None
    return None if odds is None else Pays(odds, by_hand=True)


def _war(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
    return Pays(casino_war.ODDS[spot])  # 004 8.1


def _three_card(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:  # 001 8.1
    if spot == "ante-bonus":
        return _by_hand(three_card_poker.ANTE_BONUS[options.of(ThreeCardOptions).ante_bonus], hand)
    if spot == "pair-plus":
        return _by_hand(three_card_poker.PAIR_PLUS[options.of(ThreeCardOptions).pair_plus], hand)
    return Pays(EVEN)


def _caribbean(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:  # 002 8.6.2
    return _by_hand(caribbean_stud.BET, hand) if spot == "bet" else Pays(EVEN)


def _mississippi(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:  # 002 9.7.2
    return _by_hand(mississippi_stud.ODDS, hand)


def _ultimate(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:  # 002 10.6.5; 003 12.6.4
    tables = {"blind": ultimate.BLIND, "trips": ultimate.TRIPS}
    return _by_hand(tables[spot], hand) if spot in tables else Pays(EVEN)


def _wsop(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:  # 003 8.2
    return Pays(EVEN)


def _crown(options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
    return Pays(FLOP_CHASE)


_GAMES: Final[dict[str, Callable[[Chosen, str, Ranked | None], Pays | None]]] = {
    "casino-war": _war,
    "three-card-poker": _three_card,
    "caribbean-stud": _caribbean,
    "mississippi-stud": _mississippi,
    "ultimate-texas-holdem-nsw": _ultimate,
    "ultimate-texas-holdem-vic": _ultimate,
    "wsop-bonus-holdem": _wsop,
}


def ranked(cards: Sequence[str], board: Sequence[str] = ()) -> Ranked | None:
    """The best hand of these cards with the board; None when one is hidden or there are too few.

    >>> ranked(["9h", "Td"], ["Jc", "Qs", "Kh", "2c", "2d"]), ranked(["9h", "9d", "??"])
    (<Hand: straight to the king>, None)
    """
    every = [*cards, *board]
    if not cards or UNREAD in every or len(set(every)) != len(every):
        return None
    if len(every) == 3:
        return best_three(every)
    return best(every) if 5 <= len(every) <= 7 else None


def words(game: str, options: Chosen, line: Line, hand: Ranked | None) -> str:
    """Returns how a won wager is paid, such as "straight pays 4 to 1"; "" for one that was not won.

    Options may have changed since: odds that did not give this payment are not told.
    """
    if line.result != "win" or not line.stake or line.prize:
        return ""
    pays = _GAMES.get(game, _crown)(options, line.spot, hand)
    if pays is None:
        return ""
    due = pays.odds.pay(line.stake, options.typed.chip)
    capped = due > line.net == options.typed.payout_limit
    if due != line.net and not capped:
        return ""
    named = f"{spoken_category(hand)} " if pays.by_hand and hand is not None else ""
    limit = f", at most {short(line.net)}" if capped else ""
    return f"{named}pays {pays.odds.to} to {pays.odds.one}{limit}"
