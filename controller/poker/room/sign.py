"""The sign of a poker table: notice of three hands, or the players agree (document 000: 6.10, 7.3, 13.3)."""

from __future__ import annotations

from controller.poker.options import CrownOptions, crown
from controller.poker.room.seats import room_of
from controller.table import sign
from controller.table.options import altered
from controller.table.step import Refusal, Step
from controller.table.times import TWENTY_MINUTES
from controller.table.to_go import HANDS, hands_over, hands_to_go, minutes_to_go

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
            raise Refusal("6.10", _three_hands(s, option, wanted[option]))
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
    shown = sign.announcing(s.t, option, value)
    if not any(s.t.now - each.shown >= TWENTY_MINUTES for each in shown):
        left = minutes_to_go(s.t, shown, f"press notice {option}={value}")
        raise Refusal("s66(2)", f"a higher minimum stands on the sign for twenty minutes first: {left}")


def _free(s: Step, option: str, value: str) -> bool:
    """Tells whether it was announced for three hands, or nobody is here who must hear of it."""
    return not sign.players_here(s.t, option) or _announced(s, option, value)


def _announced(s: Step, option: str, value: str) -> bool:
    return any(hands_over(s.t, each) >= HANDS for each in sign.announcing(s.t, option, value))


def _three_hands(s: Step, option: str, value: str) -> str:
    """Returns how an option can be changed, or how many hands the players must still have been told before."""
    agreed = "or agree majority if the players do"
    left = hands_to_go(s.t, sign.announcing(s.t, option, value), "")
    if not left:
        return f"press notice {option}={value} three hands before, {agreed}"
    return f"it stands on the sign for three hands first: {left}, {agreed}"


def close_table(s: Step, args: tuple[str, ...]) -> None:
    """Closes the table after three hands' notice, or sooner if all agree (13.3)."""
    room = room_of(s.t)
    if room.agreed == "all" and s.round is None:
        sign.shut(s)
        room.agreed = ""
        return
    sign.close_table(s, args)
