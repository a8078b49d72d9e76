"""Chips whose sensor was cut off: what the dealer keyed meanwhile is not counted again when the sensor is back."""

from __future__ import annotations

from controller.money import short
from controller.poker.hand import acts
from controller.poker.money.stacks import put_in, running
from controller.table.facts import Pushed
from controller.table.faults import LOST
from controller.table.step import Step


def act(s: Step, args: tuple[str, ...]) -> None:
    """Carries out an act keyed at the console; the chips of a seat whose sensor is cut off will be reported later."""
    seat = args[0]
    before = _in(s, seat)
    acts.act(s, args)
    h = running(s.t)
    if h is None:  # pragma: no cover - an act opens a hand, or is made in one that goes on
        return
    if LOST not in s.t.faults.get(f"sensor.{seat}", {}):
        h.keyed_chips.pop(seat, None)  # it has reported what it had
    elif (more := _in(s, seat) - before) > 0:
        h.keyed_chips[seat] = h.keyed_chips.get(seat, 0) + more


def _in(s: Step, seat: str) -> int:
    h = running(s.t)
    return put_in(h, seat) if h is not None else 0


def counted(s: Step, fact: Pushed) -> bool:
    """Tells whether these chips are those of an act that was keyed while the sensor was cut off."""
    h, seat = running(s.t), str(fact.area)
    keyed = h.keyed_chips if h is not None else {}
    if not fact.late or seat not in keyed:
        return False
    amount = sum(fact.chips)
    if keyed[seat] > amount:
        keyed[seat] -= amount
    else:
        del keyed[seat]
    text = f"{short(amount)} was pushed while the sensor was cut off; the act was keyed, so it does not count again"
    s.prompt("dealer", text, "", seat)
    return True
