"""Expectations of Crown Poker: chips in front, behind and in the pot, what the last hand was worth, the list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from controller.games import find
from controller.money import dollars
from controller.poker.money import stacks
from controller.poker.room.lists import first_for
from controller.poker.room.seats import room_of
from controller.script import model
from controller.script.record import RunRecord
from controller.table.state import Table
from controller.table.telling import Shared

Check: TypeAlias = Callable[[Any, RunRecord, Table], str]  # "" when the expectation holds; else what is there


NOTHING: Final = Shared((), 0, {}, {})


def _last_hand(record: RunRecord, line: model.ExpectLine, table: Table) -> Shared:
    """Returns how the last hand that is over was divided; while the first one is played, that one."""
    hands = [played.round for played in record.rounds if played.table == line.table]
    last = next((r for r in reversed(hands) if r.outcome), hands[-1] if hands else None)
    shared = find(table.game).settled(table, last).shared if last is not None else None
    return shared or NOTHING


def _amount(wanted: int, amount: int) -> str:
    return "" if amount == wanted else dollars(amount)


# ---- the hand that runs


def _bet(line: model.ExpectBet, record: RunRecord, table: Table) -> str:
    hand = stacks.running(table)
    return _amount(line.cents, stacks.lying(hand, str(line.seat)) if hand else 0)


def _stack(line: model.ExpectStack, record: RunRecord, table: Table) -> str:
    return _amount(line.cents, stacks.behind(table, str(line.seat)))


def _pot(line: model.ExpectPot, record: RunRecord, table: Table) -> str:
    hand = stacks.running(table)
    return _amount(line.cents, stacks.in_play(hand) if hand else 0)


# ---- the last hand


def _won(line: model.ExpectWon, record: RunRecord, table: Table) -> str:
    pots = _last_hand(record, line, table).pots
    return _amount(line.cents, sum(pot.won.get(str(line.seat), 0) for pot in pots))


def _net(line: model.ExpectNet, record: RunRecord, table: Table) -> str:
    return _amount(line.cents, _last_hand(record, line, table).net.get(str(line.seat), 0))


def _rake(line: model.ExpectRake, record: RunRecord, table: Table) -> str:
    return _amount(line.cents, _last_hand(record, line, table).rake)


# ---- the room


def _slide(line: model.ExpectSlide, record: RunRecord, table: Table) -> str:
    return _amount(line.cents, room_of(table).slide)


def _drop(line: model.ExpectDrop, record: RunRecord, table: Table) -> str:
    return _amount(line.cents, room_of(table).dropped)


def _list(line: model.ExpectList, record: RunRecord, table: Table) -> str:
    if line.seat is not None:
        names = first_for(table, str(line.seat))[: len(line.names)]  # who comes first
    else:
        names = room_of(table).waiting
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
