"""Crown Poker in a script's record: a hand as a person likes to read it, and how the room stands at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from controller.money import dollars, short
from controller.poker.money import stacks
from controller.poker.room.seats import room_of
from controller.poker.state import Hand, hand_in
from controller.script.course import Course
from controller.table.state import Round, Table
from controller.table.telling import Hands

STREETS: Final = ("before the flop", "flop", "turn", "river", "showdown")
_BOARD: Final = (slice(0, 0), slice(0, 3), slice(3, 4), slice(4, 5), slice(0, 0))
_WITH_CHIPS: Final = {"bet": "bets", "raise": "raises to", "call": "calls", "all-in": "is all-in with"}
_PLAIN: Final = {"fold": "folds", "check": "checks", "muck": "mucks"}


class Act(msgspec.Struct, frozen=True):
    """What a seat did, and all that it had put in by then."""

    street: int
    seat: str
    word: str
    total: int


class PokerCourse(Course):
    """Follows one hand."""

    def __init__(self) -> None:
        self._acts: list[Act] = []

    def follow(self, r: Round) -> None:
        """Keeps what was done since; what was taken back is forgotten."""
        if hand := hand_in(r):
            kept = self._acts[: len(hand.acts)]
            new = [Act(street, seat, word, stacks.put_in(hand, seat)) for street, seat, word in hand.acts[len(kept) :]]
            self._acts = kept + new

    def lines(self, r: Round, hands: Hands, names: Mapping[str, str]) -> Iterator[str]:
        """Yields seats, acts by street with the board, pots."""
        if hand := hand_in(r):
            yield from self._lines(r, hand, hands, names)

    def _lines(self, r: Round, hand: Hand, hands: Hands, names: Mapping[str, str]) -> Iterator[str]:
        blinds = ", ".join(f"{seat} posts {short(amount)}" for seat, amount in hand.posted.items())
        yield f"    button {hand.button}{': ' + blinds if blinds else ''}"
        for seat in stacks.players(hand):
            change = stacks.net(r, seat)
            result = "" if not r.outcome else f"  {'+' if change > 0 else ''}{dollars(change)}"
            name = f"  {names[seat]}" if names.get(seat) else ""
            yield f"    seat {seat:<3} {' '.join(hands.get(seat, ['no cards'])):<12}{result}{name}".rstrip()
        yield from self._streets(hand)
        for number, pot in enumerate(hand.pots):
            to = ", ".join(f"{seat} wins {dollars(amount)}" for seat, amount in pot.won.items())
            rake = f", rake {dollars(pot.rake)}" if pot.rake else ""
            yield f"    {'side' if number else 'main'} pot {dollars(pot.amount)} ({' '.join(pot.eligible)}): {to}{rake}"
        for seat, amount in hand.returned.items():
            yield f"    {dollars(amount)} goes back to {seat}"

    def _streets(self, hand: Hand) -> Iterator[str]:
        before: dict[str, int] = {}
        for street, name in enumerate(STREETS):
            acts = [act for act in self._acts if act.street == street]
            board = hand.board[_BOARD[street]]
            if acts or board:
                words = ", ".join(_words(act, before) for act in acts)
                yield f"    {' '.join([name, *board])}{': ' + words if words else ''}"
            before |= {act.seat: act.total for act in acts}


def room_json(table: Table) -> dict[str, Any]:
    """Returns the slide, what was dropped and the list, when a run is over."""
    room = room_of(table)
    return {"slide": dollars(room.slide), "drop": dollars(room.dropped), "list": list(room.waiting)}


def _words(act: Act, before: dict[str, int]) -> str:
    if act.word in _WITH_CHIPS:
        return f"{act.seat} {_WITH_CHIPS[act.word]} {short(act.total - before.get(act.seat, 0))}"
    return f"{act.seat} {_PLAIN.get(act.word, act.word)}"
