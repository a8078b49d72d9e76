"""The moments at which something ends at a poker table."""

from __future__ import annotations

from controller.poker.money.stacks import running
from controller.poker.options import crown
from controller.poker.state import room_in
from controller.table.state import Table
from controller.table.times import HOUR, MILLISECOND


def moments(t: Table) -> set[int]:
    """Returns the table's times at which a time to act (6.15) or an hour that is paid for (7.2.2) may end."""
    return _ends_of_turn(t) | _ends_of_hours(t)


def _ends_of_turn(t: Table) -> set[int]:
    hand = running(t)
    if hand is None or hand.betting is None:
        return set()
    options = crown(t)
    if options.act_time is None:
        return set()
    bought = 0 if options.extra_time is None else len(hand.extensions)
    first, more = hand.since + options.act_time * MILLISECOND, (options.extra_time or 0) * MILLISECOND
    return {first + n * more for n in range(bought + 1)}


def _ends_of_hours(t: Table) -> set[int]:
    """Returns the end of every hour that was paid for; and now, if somebody has not paid at all."""
    room = room_in(t)
    if room is None or room.reminded:
        return set()
    if crown(t).rake_method != "time" or not t.seats:
        return set()
    paid = list(room.hours.values())
    if room.charged_at is not None:
        paid.append(room.charged_at)
    return {t.now, *(at + HOUR for at in paid)}
