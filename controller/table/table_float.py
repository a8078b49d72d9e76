"""The float of a table, the chips that it pays with: what is done to it, by whom, and in which order.

The float is counted when a shift begins and when it ends.  In between chips come from the cage (fills) and go back
(credits), players buy chips with cash or markers, and what they gave for them goes into the drop box.  So the house has
won: closing float + drop + credits - fills - opening float.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from controller.rules import Rank, at_least, is_role, spoken_role
from controller.table.facts import FloatMoved
from controller.table.state import TableFloat
from controller.table.step import Refusal

Deed: TypeAlias = Literal["opening", "closing", "fill", "credit", "buy-in", "marker", "drop", "prize", "promotion"]
MOST: Final = 100_000_000_00  # cents; more is a slip of the pen
LONGEST: Final = 200  # characters of a slip's number or a note
KEPT: Final = 30  # shifts whose drop may still be counted


class FloatDeed(msgspec.Struct, frozen=True):
    """One thing that is done to a float: the lowest role that may, and what it is."""

    role: Rank
    says: str
    two: bool = True  # the house wants a witness, unless it says otherwise
    counts: bool = False  # it says how much there is, not how much came or went


DEEDS: Final[Mapping[Deed, FloatDeed]] = {
    "opening": FloatDeed("supervisor", "the float was counted when the shift began", counts=True),
    "closing": FloatDeed("supervisor", "the float was counted when the shift ended", counts=True),
    "fill": FloatDeed("supervisor", "chips came from the cage"),
    "credit": FloatDeed("supervisor", "chips went back to the cage"),
    "buy-in": FloatDeed("dealer", "a player bought chips with cash, which went into the drop box", two=False),
    "marker": FloatDeed("supervisor", "a player bought chips on credit; the slip went into the drop box"),
    "drop": FloatDeed("area-manager", "the count room counted the drop box: cash, slips, chips of the commission"),
    "prize": FloatDeed("area-manager", "a prize of the meter was paid out of the float"),
    "promotion": FloatDeed("area-manager", "a prize of a promotion was paid out of the float"),
}
assert tuple(DEEDS) == get_args(Deed)


def deed_named(name: str) -> FloatDeed | None:
    """Returns what is declared under this name; None when nothing is."""
    return next((deed for known, deed in DEEDS.items() if known == name), None)


def follow(now: TableFloat, seq: int, fact: FloatMoved) -> TableFloat:
    """Returns between which counts the table is after a fact; raises Refusal for what cannot be."""
    deed = deed_named(fact.deed)
    if deed is None:
        raise Refusal("", f"nothing that is done to a float is called {fact.deed}")
    _check_people(deed, fact)
    _check_amount(deed, fact)
    if fact.deed == "opening":
        if now.opened:
            raise Refusal("", f"the float was counted by fact {now.opened} already: count it at the end of that shift")
        return replace(now, opened=seq)
    if fact.deed == "drop":
        known = (*now.before, now.opened) if now.opened else now.before
        if not known or fact.about not in (0, *known):
            raise Refusal("", "no float was counted to which this drop could belong")
        return now
    if not now.opened:
        raise Refusal("", "the float was not counted yet in this shift: count it first (opening)")
    return TableFloat(0, (*now.before, now.opened)[-KEPT:]) if fact.deed == "closing" else now


def _check_people(deed: FloatDeed, fact: FloatMoved) -> None:
    if not (is_role(fact.role) and at_least(fact.role, deed.role)):
        raise Refusal("", f"this needs the {spoken_role(deed.role)}")
    if fact.witness and fact.witness == fact.person:
        raise Refusal("", f"{fact.person} is no witness of what they do themselves")


def _check_amount(deed: FloatDeed, fact: FloatMoved) -> None:
    if abs(fact.amount) > MOST:
        raise Refusal("", "no table has so many chips")
    if deed.counts:
        if fact.amount < 0:
            raise Refusal("", "a float is nothing or more")
    elif not fact.amount:
        raise Refusal("", "an amount is missing")
    elif fact.amount < 0 and not fact.note:
        raise Refusal("", "a counter-entry needs a note that says why")
