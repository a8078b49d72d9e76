"""One whole hand with given cards and no table around it: for measuring, and for comparing with other engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.poker.hand.betting import bet_to, check_or_call, fold, legal, post, refusal, to_act
from controller.poker.hand.showdown import award
from controller.poker.money.pots import pots, uncalled
from controller.poker.state import Betting, Structure, Won
from controller.poker.words import Act

STREETS = 4


class Playout:
    """A hand from the blinds to the pots.  Whoever has it asks for `turn` and calls `act`, until `turn` is None.

    `stacks` name the seats clockwise from the left of the button, so that the first of them post the blinds (8.9.2).
    `structures` are the limits of the four betting rounds.
    """

    __slots__ = ("betting", "blinds", "game", "out", "paid", "seats", "stacks", "street", "structures", "turn")

    def __init__(
        self, game: str, structures: Sequence[Structure], stacks: Mapping[str, int], blinds: Sequence[int]
    ) -> None:
        self.game, self.structures = game, structures
        self.stacks = dict(stacks)
        self.seats = list(stacks)
        self.paid = dict.fromkeys(stacks, 0)
        self.out: list[str] = []
        self.street = 0
        behind = len(blinds) % len(self.seats)
        self.betting = Betting(structures[0], self.seats[behind:] + self.seats[:behind], self.stacks)
        for seat, blind in zip(self.seats, blinds, strict=False):
            post(self.betting, seat, blind)
        self.blinds = dict(self.betting.bets)
        self.turn: str | None = None
        self._go_on()

    def act(self, word: Act, to: int = 0) -> None:
        """The seat whose turn it is folds, checks, calls, bets or raises; ValueError when the rules refuse it."""
        b, seat = self.betting, self.turn
        if seat is None:
            raise ValueError("no act is due")
        if word == "fold":
            fold(b, seat)
        elif word in ("check", "call"):
            if refused := refusal(b, seat, word):
                raise ValueError(f"{refused[1]} ({refused[0]})")
            check_or_call(b, seat)
        else:
            bounds = legal(b, seat).raise_to
            if bounds is None or not bounds[0] <= to <= bounds[1]:
                rule, why = refusal(b, seat, word, to) or ("6.6", "that is too much")
                raise ValueError(f"{why} ({rule})")
            bet_to(b, seat, to)
        self._go_on()

    def _go_on(self) -> None:
        """To the next act that is due, over all betting rounds that are complete."""
        self.turn = to_act(self.betting)
        while self.turn is None:
            b, paid = self.betting, self.paid
            for seat, amount in b.bets.items():
                paid[seat] += amount
            self.out += b.folded
            live = [seat for seat in self.seats if seat not in self.out]
            self.street += 1
            if len(live) < 2 or self.street == STREETS:
                return
            self.betting = Betting(self.structures[self.street], live, self.stacks, pot=sum(paid.values()))
            self.turn = to_act(self.betting)

    def finish(self, hands: Mapping[str, Sequence[str]], board: Sequence[str], chip: int = 1) -> list[Won]:
        """What nobody called goes back, and the pots to the winners; afterwards `stacks` is what each seat has."""
        paid, out, stacks = self.paid, self.out, self.stacks
        if back := uncalled(paid, out, self.blinds):
            seat, amount = back
            paid[seat] -= amount
            stacks[seat] += amount
        made = pots(paid, out)
        contesting = {seat: hands[seat] for seat in self.seats if seat not in out}
        awarded = award(self.game, made, [0] * len(made), contesting, board, self.seats, chip)
        for won in awarded:
            for seat, amount in won.won.items():
                stacks[seat] += amount
        return awarded
