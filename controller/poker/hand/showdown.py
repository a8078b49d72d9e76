"""Who wins what at the showdown of the seven games of Crown Poker (document 000, 8.20.4, 8.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from controller.cards import SUITS, rank
from controller.hands import Hand, Low, best, best_low, best_omaha, best_omaha_low
from controller.poker.money.pots import shared
from controller.poker.state import Pot, Won

HIGH_ONLY: Final = frozenset({"holdem", "pineapple", "crazy-pineapple", "omaha"})
HI_LO: Final = frozenset({"crazy-pineapple-hi-lo", "holdem-hi-lo", "omaha-hi-lo"})
GAMES: Final = HIGH_ONLY | HI_LO
OMAHA: Final = frozenset({"omaha", "omaha-hi-lo"})
HANDS: Final = 32  # that are ranked once: the pots, their commission and what is announced ask for the same ones


def high(game: str, hole: Sequence[str], board: Sequence[str]) -> Hand:
    """Returns the high hand: Omaha takes exactly two of the four, all others any five (8.20.4(a)-(d)).

    >>> high("holdem", ["Ah", "2c"], ["Kh", "Qh", "Jh", "Th", "9c"]).name
    'royal flush'
    """
    return _high(game in OMAHA, tuple(hole), tuple(board))


def low(game: str, hole: Sequence[str], board: Sequence[str]) -> Low | None:
    """Returns the eight-or-better low of a hi-lo game, or None (8.20.4(b)(ii), (d)(ii)).

    >>> low("omaha-hi-lo", ["Ah", "2c", "Kd", "Ks"], ["3h", "5h", "8h", "Th", "2d"])
    <Low: 8-5-3-2-A>
    """
    return _low(game in OMAHA, tuple(hole), tuple(board)) if game in HI_LO else None


@lru_cache(maxsize=HANDS)
def _high(omaha: bool, hole: tuple[str, ...], board: tuple[str, ...]) -> Hand:
    return best_omaha(hole, board) if omaha else best(hole + board)


@lru_cache(maxsize=HANDS)
def _low(omaha: bool, hole: tuple[str, ...], board: tuple[str, ...]) -> Low | None:
    return best_omaha_low(hole, board) if omaha else best_low(hole + board)


def award(
    game: str,
    made: Sequence[Pot],
    rakes: Sequence[int],
    hands: Mapping[str, Sequence[str]],
    board: Sequence[str],
    clockwise: Sequence[str] | None,
    chip: int,
) -> list[Won]:
    """Returns how each pot is divided, after its commission.

    `hands` are the hole cards of those who contest; a pot that one of them is left for needs no cards.  `clockwise` are
    the seats from the left of the button; None: no button is in use.
    """
    highs, lows = _Strengths(partial(high, game), hands, board), _Strengths(partial(low, game), hands, board)
    awarded = []
    for pot, rake in zip(made, rakes, strict=True):
        contenders = [seat for seat in pot.eligible if seat in hands]
        if len(contenders) > 1:
            order = _by_highest_card(contenders, hands) if clockwise is None else clockwise
            won = _divided(pot.amount - rake, contenders, highs, lows if game in HI_LO else None, order, chip)
        else:
            (seat,) = contenders or pot.eligible
            won = {seat: pot.amount - rake}
        awarded.append(Won(pot.amount, pot.eligible, won, rake))
    return awarded


def winners(game: str, seats: Sequence[str], hands: Mapping[str, Sequence[str]], board: Sequence[str]) -> str:
    """Returns which of these seats win, with which hand, in words; in a hi-lo game for both halves.

    >>> winners("holdem", ("1", "2"), {"1": ["Ah", "2c"], "2": ["Kd", "3c"]}, ["Kh", "Qh", "Jh", "Th", "9c"])
    'seat 1, royal flush'
    """
    contenders = [seat for seat in seats if seat in hands]
    if len(contenders) < 2:
        return f"seat {(contenders or list(seats))[0]}, uncontested"
    highs = {seat: high(game, hands[seat], board) for seat in contenders}
    top = max(highs.values())
    best_highs = [seat for seat in contenders if highs[seat] == top]
    high_text = f"{_seats(best_highs)}, {top.name}"
    lows = {seat: worth for seat in contenders if (worth := low(game, hands[seat], board)) is not None}
    if game not in HI_LO:
        return high_text
    if not lows:
        return f"{high_text}; no low"
    least = max(lows.values())
    return f"high {high_text}; low {_seats([seat for seat in lows if lows[seat] == least])}, {least.name}"


def _seats(seats: Sequence[str]) -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {' and '.join(seats)}"


class _Strengths(dict[str, int | None]):
    """The strengths of hands: each is ranked once, and only when it is asked for; None is no hand."""

    def __init__(
        self,
        strength: Callable[[Sequence[str], Sequence[str]], int | None],
        hands: Mapping[str, Sequence[str]],
        board: Sequence[str],
    ) -> None:
        self._strength, self._hands, self._board = strength, hands, board

    def __missing__(self, seat: str) -> int | None:
        strength = self[seat] = self._strength(self._hands[seat], self._board)
        return strength


def _divided(
    amount: int, contenders: Sequence[str], highs: _Strengths, lows: _Strengths | None, order: Sequence[str], chip: int
) -> dict[str, int]:
    winners = _best(contenders, highs, order)
    low_winners = _best(contenders, lows, order) if lows is not None else []
    if not low_winners:  # 8.20.4(b)(iv), (d)(iv)
        return shared(amount, winners, chip)
    half = amount // (2 * chip) * chip  # 8.20.4(b)(v), (d)(v): what cannot be halved goes with the high hand
    won = shared(amount - half, winners, chip)
    for seat, part in shared(half, low_winners, chip).items():
        won[seat] = won.get(seat, 0) + part
    return won


def _best(contenders: Iterable[str], strengths: _Strengths, order: Sequence[str]) -> list[str]:
    """Returns who has the best of these hands, in the order in which odd chips go out."""
    top = -1
    winners: list[str] = []
    for seat in contenders:
        strength = strengths[seat]
        if strength is None or strength < top:
            continue
        if strength > top:
            top, winners = strength, []
        winners.append(seat)
    return winners if len(winners) < 2 else sorted(winners, key=order.index)


def _by_highest_card(seats: Iterable[str], hands: Mapping[str, Sequence[str]]) -> list[str]:
    """Returns the seats, the hand with the highest card first, by suit where the ranks are equal (8.5.2, 3.3)."""
    return sorted(seats, key=lambda seat: max((rank(c), SUITS.index(c[1])) for c in hands[seat]), reverse=True)
