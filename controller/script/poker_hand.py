"""A hand of poker in a script's record: what everybody may see of it, as JSON and as a person likes to read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from controller.money import dollars, short
from controller.poker.money import stacks
from controller.poker.state import Hand, hand_in
from controller.table.state import Round

STREETS: Final = ("before the flop", "flop", "turn", "river", "showdown")
_BOARD: Final = (slice(0, 0), slice(0, 3), slice(3, 4), slice(4, 5), slice(0, 0))
_SAID: Final = {"bet": "bets", "raise": "raises to", "call": "calls", "all-in": "is all-in with"}
_PLAIN: Final = {"fold": "folds", "check": "checks", "muck": "mucks"}


class Act(msgspec.Struct, frozen=True):
    """What a seat did, and all that it had put in by then."""

    street: int
    seat: str
    word: str
    total: int


def story(hand: Hand, before: list[Act]) -> list[Act]:
    """Returns the story so far, with what was done since."""
    kept = before[: len(hand.acts)]
    new = [Act(street, seat, word, stacks.put_in(hand, seat)) for street, seat, word in hand.acts[len(kept) :]]
    return kept + new


def hand_json(r: Round) -> dict[str, Any]:
    """Pots before commission, what was won after it, and how each player's chips changed."""
    hand = hand_in(r)
    assert hand is not None
    return {
        "pots": [
            {
                "amount": dollars(pot.amount),
                "eligible": list(pot.eligible),
                "won": {seat: dollars(amount) for seat, amount in pot.won.items()},
            }
            for pot in hand.pots
        ],
        "rake": dollars(hand.rake),
        "returned": {seat: dollars(amount) for seat, amount in hand.returned.items() if amount},
        "net": {seat: dollars(stacks.net(r, seat)) for seat in stacks.players(hand)} if r.outcome else {},
    }


# ---- for people


def tell(
    r: Round, cards: dict[str, list[str]], story: list[Act], names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Seats, acts by street with the board, pots; `names`: what the hands that were shown are."""
    hand = hand_in(r)
    assert hand is not None
    blinds = ", ".join(f"{seat} posts {short(amount)}" for seat, amount in hand.posted.items())
    yield f"    button {hand.button}{': ' + blinds if blinds else ''}"
    for seat in stacks.players(hand):
        change = stacks.net(r, seat)
        result = "" if not r.outcome else f"  {'+' if change > 0 else ''}{dollars(change)}"
        name = f"  {names[seat]}" if names.get(seat) else ""
        yield f"    seat {seat:<3} {' '.join(cards.get(seat, ['no cards'])):<12}{result}{name}".rstrip()
    before: dict[str, int] = {}
    for street, name in enumerate(STREETS):
        acts = [act for act in story if act.street == street]
        board = hand.board[_BOARD[street]]
        if acts or board:
            words = ", ".join(_words(act, before) for act in acts)
            yield f"    {' '.join([name, *board])}{': ' + words if words else ''}"
        before |= {act.seat: act.total for act in acts}
    for number, pot in enumerate(hand.pots):
        to = ", ".join(f"{seat} wins {dollars(amount)}" for seat, amount in pot.won.items())
        rake = f", rake {dollars(pot.rake)}" if pot.rake else ""
        yield f"    {'side' if number else 'main'} pot {dollars(pot.amount)} ({' '.join(pot.eligible)}): {to}{rake}"
    for seat, amount in hand.returned.items():
        yield f"    {dollars(amount)} goes back to {seat}"


def _words(act: Act, before: dict[str, int]) -> str:
    if act.word in _SAID:
        return f"{act.seat} {_SAID[act.word]} {short(act.total - before.get(act.seat, 0))}"
    return f"{act.seat} {_PLAIN.get(act.word, act.word)}"
