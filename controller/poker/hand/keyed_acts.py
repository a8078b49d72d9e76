"""Chips whose sensor was cut off: what the dealer keyed meanwhile is not counted again when the sensor is back."""

from __future__ import annotations

from controller.money import short
from controller.poker.hand import acts
from controller.poker.money.stacks import put_in, running
from controller.table.facts import Pushed
from controller.table.faults import LOST
from controller.table.step import Step


def act(s: Step, args: tuple[str, ...]) -> None:
    """An act at the console; the chips of a seat whose sensor is cut off will be heard of later."""
    seat = args[0]
    before = _in(s, seat)
    acts.act(s, args)
    h = running(s.t)
    if h is None:
        return
    if LOST not in s.t.faults.get(f"sensor.{seat}", {}):
        h.unheard.pop(seat, None)  # it had its time to speak
    elif (more := _in(s, seat) - before) > 0:
        h.unheard[seat] = h.unheard.get(seat, 0) + more


def _in(s: Step, seat: str) -> int:
    h = running(s.t)
    return put_in(h, seat) if h is not None else 0


def counted(s: Step, fact: Pushed) -> bool:
    """Are these chips those of an act that was keyed while the sensor was cut off?"""
    h, seat = running(s.t), str(fact.area)
    if not fact.late or h is None or seat not in h.unheard:
        return False
    amount = sum(fact.chips)
    if h.unheard[seat] > amount:
        h.unheard[seat] -= amount
    else:
        del h.unheard[seat]
    text = f"{short(amount)} was pushed while the sensor was cut off; the act was keyed, so it does not count again"
    s.prompt("dealer", text, "", seat)
    return True
