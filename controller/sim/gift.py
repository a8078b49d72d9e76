"""A hand that somebody shall get in the next round: a royal flush, or as much of it as the game deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ROYAL: Final = ("Ah", "Kh", "Qh", "Jh", "Th")
ON_BOARD: Final = 3  # of these cards at most: five would be everybody's


class Gift:
    """Cards for one place; where a board is dealt, part of them lie there."""

    def __init__(self, place: str, board: str, own: int = len(ROYAL)) -> None:
        self.place = place
        self._board = board  # what the game calls the place of the board
        self._left = list(ROYAL)
        self._own, self._on_board = own, ON_BOARD

    def card_for(self, place: str) -> str | None:
        """Returns the card that goes to this place now; None: any other one.

        >>> gift = Gift("1", "board")
        >>> gift.card_for("1"), gift.card_for("2"), gift.card_for("board")
        ('Ah', None, 'Kh')
        """
        if place == self.place and self._own > 0:
            self._own -= 1
        elif place == self._board and self._on_board > 0:
            self._on_board -= 1
        else:
            return None
        return self._left.pop(0) if self._left else None

    def without(self, cards: Sequence[str]) -> list[str]:
        """Returns a deck without the cards of the gift, so that nobody else gets them."""
        return [card for card in cards if card not in ROYAL]
