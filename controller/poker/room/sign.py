"""The sign of a poker table: notice of three hands, or the players agree (document 000: 6.10, 7.3, 13.3)."""

from __future__ import annotations

from controller.poker.options import CrownOptions, crown
from controller.poker.room.seats import room_of
from controller.table import sign
from controller.table.options import altered
from controller.table.step import Refusal, Step
from controller.table.times import TWENTY_MINUTES

AT_ONCE = ("rake", "rake-method", "cap")  # before a hand, with the sign changed (7.3)


def set_options(s: Step, args: tuple[str, ...]) -> None:
    """Puts options in force that were announced for three hands, or that the majority agrees to; only after a hand."""
    wanted = sign.wanted_by(s, args)
    room = room_of(s.t)
    slow = [option for option in wanted if option not in AT_ONCE]
    if s.round is not None:
        raise Refusal("6.10" if slow else "7.3", "changes are made at the completion of a hand")
    for option in slow:
        if raises_minimum(crown(s.t), option, wanted[option]):
            _twenty_minutes(s, option, wanted[option])  # whoever agrees
        elif not (room.agreed or _free(s, option, wanted[option])):
            text = f"press notice {option}={wanted[option]} three hands before, or agree majority if the players do"
            raise Refusal("6.10", text)
    sign.set_options(s, args)
    if slow:
        room.agreed = ""


def raises_minimum(now: CrownOptions, option: str, value: str) -> bool:
    """Tells whether this is a higher minimum, which no agreement makes sooner (s66(2), AMB-CP-04, AMB-CP-33).

    >>> now = CrownOptions(blinds=(5_00, 10_00))
    >>> raises_minimum(now, "blinds", "10,20"), raises_minimum(now, "blinds", "10,10"), raises_minimum(now, "min", "x")
    (True, False, False)
    """
    then = altered(now, {option: value})
    return not isinstance(then, list) and option in then.raised_from(now)


def _twenty_minutes(s: Step, option: str, value: str) -> None:
    shown = [n.shown for n in s.t.notices if n.changes.get(option) == value]
    if not any(s.t.now - since >= TWENTY_MINUTES for since in shown):
        raise Refusal("s66(2)", "a higher minimum needs a sign for twenty minutes before")


def _free(s: Step, option: str, value: str) -> bool:
    """Tells whether it was announced for three hands, or nobody is here who must hear of it."""
    return not sign.players_here(s.t, option) or _announced(s, option, value)


def _announced(s: Step, option: str, value: str) -> bool:
    shown = [n for n in s.t.notices if n.changes.get(option) == value]
    return any(sign.hands_since(s, n) >= sign.HANDS for n in shown)


def close_table(s: Step, args: tuple[str, ...]) -> None:
    """Closes the table after three hands' notice, or sooner if all agree (13.3)."""
    room = room_of(s.t)
    if room.agreed == "all" and s.round is None:
        sign.shut(s)
        room.agreed = ""
        return
    sign.close_table(s, args)
