"""Expectations of Crown Poker: chips in front, behind and in the pot, what the last hand was worth, the list."""

from __future__ import annotations

from controller.money import dollars
from controller.poker.money import stacks
from controller.poker.room.lists import first_for
from controller.script import model
from controller.script.record import Record, RoundRecord
from controller.table.state import Round, Table


def check_crown(line: model.ExpectLine, record: Record, t: Table) -> str | None:
    """Empty when it holds; else what is there instead; None when it is none of these expectations."""
    hand, room = stacks.running(t), t.room
    last = _last_hand(record, line.table)
    was = last.round.hand if last is not None else None
    match line:
        case model.ExpectBet(seat=seat, cents=want):
            return _amount(want, stacks.lying(hand, str(seat)) if hand is not None else 0)
        case model.ExpectStack(seat=seat, cents=want):
            return _amount(want, stacks.behind(t, str(seat)))
        case model.ExpectPot(cents=want):
            return _amount(want, stacks.in_play(hand) if hand is not None else 0)
        case model.ExpectWon(seat=seat, cents=want):
            return _amount(want, stacks.won(was, str(seat)) if was is not None else 0)
        case model.ExpectNet(seat=seat, cents=want):
            return _amount(want, stacks.net(last.round, str(seat)) if last is not None else 0)
        case model.ExpectRake(cents=want):
            return _amount(want, was.rake if was is not None else 0)
        case model.ExpectSlide(cents=want):
            return _amount(want, room.slide if room is not None else 0)
        case model.ExpectDrop(cents=want):
            return _amount(want, room.dropped if room is not None else 0)
        case model.ExpectList(names=names, seat=None):
            return _names(names, room.waiting if room is not None else [])
        case model.ExpectList(names=names, seat=seat):
            return _names(names, first_for(t, str(seat))[: len(names)])  # who comes first
    return None


def handed_in(r: Round, seat: str) -> bool:
    """Nobody holds these cards any more, and nobody has seen them: folded, or taken back with the whole deal."""
    return r.hand is not None and seat not in r.hand.shown and (seat in r.hand.out or r.outcome in ("misdeal", "void"))


def _last_hand(record: Record, table: str) -> RoundRecord | None:
    """The last hand that is over; while the first one is played, that one."""
    mine = [r for r in record.rounds if r.table == table]
    return next((r for r in reversed(mine) if r.round.outcome), mine[-1] if mine else None)


def _amount(want: int, found: int) -> str:
    return "" if found == want else dollars(found)


def _names(want: tuple[str, ...], found: list[str]) -> str:
    return "" if list(want) == found else " ".join(found) or "nobody"
