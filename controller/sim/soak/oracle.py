"""Which cards may lie face up, and when: read from the rule documents, and not from the code of the games.

The games say themselves which cards their rules have turned (`Rules.cards`).  Whoever checks that against itself finds
nothing, so this is a second reading of the documents, as data: one entry for each game, with the rule beside it.  Of
the table it takes what happened (wagers, decisions, results, which card went where), and nothing that a game derives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from controller.cards import UNREAD
from controller.rules import UNDONE
from controller.sim.soak.house import HOUSE, Position, every_card, shown_in_house
from controller.sim.soak.poker import shown_in_poker
from controller.table.state import Round, Table
from controller.table.telling import BURN, Hands, Lying
from controller.views.cards import seen

OPEN: Final = ("casino-war",)  # 004 7.1: all cards are dealt face upwards; 4.3.1: one is burned, and shown on request
CROWN: Final = (  # 000 8.4: face down; 8.20.4: exposed at the showdown, after the completion of all betting
    "holdem",
    "holdem-hi-lo",
    "pineapple",
    "crazy-pineapple",
    "crazy-pineapple-hi-lo",
    "omaha",
    "omaha-hi-lo",
)


class Oracle:
    """Follows one table, and keeps which cards of its round anybody may know."""

    def __init__(self) -> None:
        self._round = (0, 0)
        self._turned: set[Position] = set()  # what was turned once stays so
        self._names: Counter[str] = Counter()  # of those: how often a name may lie open

    def early(self, table: Table, lying: Lying) -> list[Position]:
        """Returns the cards that anybody sees although no rule has turned them; to be asked after every fact."""
        r = table.round
        if r is None or not _known(table.game):
            return []
        if (r.number, r.opened) != self._round:
            self._round, self._turned, self._names = (r.number, r.opened), set(), Counter()
        visible = [
            (place, n)
            for place, cards in seen(lying).items()
            for n, card in enumerate(cards, 1)
            if card != UNREAD and (place, n) not in self._turned
        ]
        if not visible:
            return []
        self._look(table, r, lying)
        # A card whose place was put right is still the card that everybody knows.
        return [
            (place, n)
            for place, n in visible
            if (place, n) not in self._turned and not self._names[lying.hands[place][n - 1]]
        ]

    def openly(self, table: Table, lying: Lying) -> Counter[str]:
        """Returns how often each card may lie open in the round, which is over: only these may be told for good."""
        if table.round is not None and _known(table.game):
            self._look(table, table.round, lying)
        return self._names

    def _look(self, table: Table, r: Round, lying: Lying) -> None:
        if r.outcome not in UNDONE:  # nothing is turned any more in a round that was taken back
            self._turned.update(may_be_seen(table, r, lying.hands))
        hands = lying.hands
        here = Counter(hands[place][n - 1] for place, n in self._turned if n <= len(hands.get(place, ())))
        self._names |= here + Counter(burn.card for burn in (*table.deck.burns, *lying.burns) if burn.shown)


def _known(game: str) -> bool:
    return game in HOUSE or game in OPEN or game in CROWN


def may_be_seen(table: Table, r: Round, lying: Hands) -> Iterator[Position]:
    """Yields which of the cards that lie there anybody may see by the document of the game, as things stand."""
    if table.game in OPEN:
        yield from (at for at in every_card(lying) if at[0] != BURN)
        return
    if table.game in CROWN:
        yield from (at for at in every_card(lying) if shown_in_poker(r, *at))
        return
    yield from shown_in_house(HOUSE[table.game], r, lying)
