"""Expectations of Crown Poker: chips in front, behind and in the pot, what the last hand was worth, the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from controller.money import dollars
from controller.poker.money import stacks
from controller.poker.room.lists import first_for
from controller.poker.state import hand_in, room_in
from controller.script import model
from controller.script.record import Record, RoundRecord
from controller.table.state import Round, Table

Check: TypeAlias = Callable[[Any, Record, Table], str]  # "" when the expectation holds; else what stands there instead


def handed_in(r: Round, seat: str) -> bool:
    """Nobody holds these cards any more, and nobody has seen them: folded, or taken back with the whole deal."""
    hand = hand_in(r)
    if hand is None or seat in hand.shown:
        return False
    return seat in hand.out or r.outcome in ("misdeal", "void")


def _last_hand(record: Record, table: str) -> RoundRecord | None:
    """Returns the last hand that is over; while the first one is played, that one."""
    hands = [played for played in record.rounds if played.table == table]
    return next((played for played in reversed(hands) if played.round.outcome), hands[-1] if hands else None)


def _amount(wanted: int, amount: int) -> str:
    return "" if amount == wanted else dollars(amount)


# ---- the hand that runs


def _bet(line: model.ExpectBet, record: Record, table: Table) -> str:
    hand = stacks.running(table)
    return _amount(line.cents, 0 if hand is None else stacks.lying(hand, str(line.seat)))


def _stack(line: model.ExpectStack, record: Record, table: Table) -> str:
    return _amount(line.cents, stacks.behind(table, str(line.seat)))


def _pot(line: model.ExpectPot, record: Record, table: Table) -> str:
    hand = stacks.running(table)
    return _amount(line.cents, 0 if hand is None else stacks.in_play(hand))


# ---- the last hand


def _won(line: model.ExpectWon, record: Record, table: Table) -> str:
    last = _last_hand(record, line.table)
    hand = hand_in(last.round) if last is not None else None
    return _amount(line.cents, 0 if hand is None else stacks.won(hand, str(line.seat)))


def _net(line: model.ExpectNet, record: Record, table: Table) -> str:
    last = _last_hand(record, line.table)
    return _amount(line.cents, 0 if last is None else stacks.net(last.round, str(line.seat)))


def _rake(line: model.ExpectRake, record: Record, table: Table) -> str:
    last = _last_hand(record, line.table)
    hand = hand_in(last.round) if last is not None else None
    return _amount(line.cents, 0 if hand is None else hand.rake)


# ---- the room


def _slide(line: model.ExpectSlide, record: Record, table: Table) -> str:
    room = room_in(table)
    return _amount(line.cents, 0 if room is None else room.slide)


def _drop(line: model.ExpectDrop, record: Record, table: Table) -> str:
    room = room_in(table)
    return _amount(line.cents, 0 if room is None else room.dropped)


def _list(line: model.ExpectList, record: Record, table: Table) -> str:
    if line.seat is not None:
        names = first_for(table, str(line.seat))[: len(line.names)]  # who comes first
    else:
        room = room_in(table)
        names = [] if room is None else room.waiting
    return "" if list(line.names) == names else " ".join(names) or "nobody"


CROWN_CHECKS: Final[dict[type[model.ExpectLine], Check]] = {
    model.ExpectBet: _bet,
    model.ExpectStack: _stack,
    model.ExpectPot: _pot,
    model.ExpectWon: _won,
    model.ExpectNet: _net,
    model.ExpectRake: _rake,
    model.ExpectSlide: _slide,
    model.ExpectDrop: _drop,
    model.ExpectList: _list,
}
