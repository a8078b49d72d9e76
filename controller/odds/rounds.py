"""What a deal pays: rounds in memory, played by a game's own script and settled by its own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from controller.errors import FeltError
from controller.games import defaults, house_game
from controller.house.layout import Layout, lay_out
from controller.house.state import Drawn, HouseRound, own
from controller.money import short
from controller.table.options import Chosen, demanded
from controller.table.play import Play
from controller.table.requests import Cards, Choice, Decision, Settle
from controller.table.state import Line, Round, Table

PLACE = "1"
Move: TypeAlias = Decision | int  # by a key, or with chips: so many times the stake
Deal: TypeAlias = Mapping[str, Sequence[str]]  # place -> the cards that come to it, in their order

_UNSEEN = {"burn": "off", "gates": "auto", "announce": "last-card"}  # what changes no odds, as it is easiest to play


class Settled(msgspec.Struct, frozen=True):
    """How a round ended for the one who plays it."""

    net: Mapping[str, int]  # by spot, in cents

    @property
    def total(self) -> int:
        """The sum of what all wagers net."""
        return sum(self.net.values())


class Unplayable(FeltError):
    """The error of a round that does not go as its analysis expects.

    The rules have changed and the analysis has not.
    """

    def __init__(self, cause: str) -> None:
        super().__init__("odds.rules", cause)


class Rounds:
    """One player at a table without limits, who wagers the same stake on every spot that opens a round.

    >>> Rounds("casino-war").settle(["war"], {"1": ["Kh"], "dealer": ["9c"]}).total
    10000
    """

    def __init__(self, game: str, options: Mapping[str, str] | None = None, stake: int = 100_00) -> None:
        try:
            self.game = house_game(game)
        except KeyError:
            raise FeltError("odds.game", f"odds are computed by the script of a round, and {game} has none") from None
        self.stake = stake
        usual = defaults(game)
        merged = {**(options or {}), "min": "0.01", "max": short(stake)}
        merged |= {name: value for name, value in _UNSEEN.items() if name in usual}
        self.options = demanded(self.game.options(), merged)
        self._table = Table(game=game, options=Chosen(self.options), open=True)

    def settle(self, wagers: Sequence[str], cards: Deal, decisions: Sequence[Move] = ()) -> Settled:
        """Plays a round to its end, deciding so, and settles it."""
        layout = self._play(wagers, cards, decisions)
        lines = [line for q in layout.waiting if isinstance(q, Settle) for line in q.lines]
        if not set(layout.round.wagers) <= {line.at for line in lines}:
            raise Unplayable(f"{layout.game.name} waits for {layout.waiting} and does not settle every wager")
        return Settled(_net(lines))

    def qualifying(self, wagers: Sequence[str], cards: Deal, decisions: Sequence[Move]) -> Callable[[Deal], bool]:
        """Plays a round to its end, and returns a function that tells whether the dealer qualifies with other cards."""
        layout = self._play(wagers, cards, decisions)

        def qualifies(others: Deal) -> bool:
            layout.hands = {place: list(hand) for place, hand in others.items()}
            verdict = self.game.dealer(layout)
            return verdict is None or verdict.qualifies

        return qualifies

    def choice(self, wagers: Sequence[str], cards: Deal, decisions: Sequence[Move] = ()) -> Choice | None:
        """Returns what the player is asked after these decisions; None when nothing is left to decide."""
        layout = self._play(wagers, cards, decisions)
        return next((q for q in layout.waiting if isinstance(q, Choice)), None)

    def decisions(self, wagers: Sequence[str], cards: Deal, before: Sequence[Move] = ()) -> list[Move]:
        """Returns all that the player may decide next: the words first, then the multiples of the stake."""
        choice = self.choice(wagers, cards, before)
        if choice is None:
            raise Unplayable(f"{self.game.name} asks for nothing after {list(before)}")
        times = {amount // self.stake for amount in (choice.amount, *choice.amounts)}
        return [*choice.words, *sorted(times)]

    def boldest(self, wagers: Sequence[str], cards: Deal) -> list[Move]:
        """Returns the line of decisions that puts the most on the table, and so stays to the end."""
        line: list[Move] = []
        while self.choice(wagers, cards, line) is not None:
            line.append(self.decisions(wagers, cards, line)[-1])
        return line

    def _play(self, wagers: Sequence[str], cards: Deal, decisions: Sequence[Move]) -> Layout:
        """Plays until everything is decided and dealt, or a decision is missing."""
        stakes = {(PLACE, spot): self.stake for spot in wagers}
        round_ = Round(1, 1, wagers=stakes, closed="dealt", play=Play(HouseRound()))
        left = list(decisions)
        while True:
            layout = lay_out(self._table, round_, self.game)
            choice = next((q for q in layout.waiting if isinstance(q, Choice)), None)
            card = next((q for q in layout.waiting if isinstance(q, Cards)), None)
            if choice is not None:
                if not left:
                    return layout
                self._decide(round_, choice, left.pop(0))
            elif card is not None:
                own(round_).tape += _next_cards(layout, card.deal, cards)
            elif left:
                raise Unplayable(f"{self.game.name} does not ask for {left}")
            else:
                return layout

    def _decide(self, round_: Round, choice: Choice, move: Move) -> None:
        if isinstance(move, Decision):
            if move not in choice.words:
                offered = [word.text for word in choice.words]
                raise Unplayable(f"{self.game.name} offers {offered}, not {move.text}")
            own(round_).choices[choice.at] = move
            return
        amount = move * self.stake
        if amount not in (choice.amount, *choice.amounts):
            raise Unplayable(f"{self.game.name} does not offer {move} times the stake")
        round_.wagers[(choice.place, choice.spot)] = amount
        own(round_).choices[choice.at] = Decision(spot=choice.spot)


def _next_cards(layout: Layout, deal: str, cards: Deal) -> list[Drawn]:
    """Returns all cards that this deal still waits for."""
    lying = {place: len(hand) for place, hand in layout.hands.items()}
    out = []
    for place in layout.unserved(deal):
        n = lying[place] = lying.get(place, 0) + 1
        out.append(Drawn(cards[place][n - 1]))
    return out


def _net(lines: Sequence[Line]) -> dict[str, int]:
    net: dict[str, int] = {}
    for line in lines:
        net[line.spot] = net.get(line.spot, 0) + line.net
    return net
