"""The page of the float: what can be done to it now and by whom; for who may see numbers also the shift that runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from controller.rules import Rank, Role, at_least, spoken_role
from controller.table import table_float
from controller.table.facts import FloatMoved
from controller.table.state import TableFloat
from controller.table.step import Refusal
from controller.table.table_float import DEEDS
from controller.views.float_form import FloatShift
from controller.views.record import Moment, Plain

SEES: Final[Rank] = "supervisor"  # or somebody above
INSPECTOR: Final[Role] = "inspector"
TRIED: Final = 100  # cents, of a deed that is only tried
SHIFTS: Final = 8  # to which a drop can be given by touch


class DeedNow(Plain, frozen=True, omit_defaults=False):
    """One thing that can be done to a float; `why` it cannot now, or not by this person."""

    deed: str
    says: str
    who: str  # the lowest role that may, as people say it
    witness: bool  # somebody else confirms it
    why: str


class ChipsPage(Plain, frozen=True, omit_defaults=False):
    """The float at one look; names and numbers only for who may see them."""

    open: bool  # it was counted at the beginning of a shift, and not yet at its end
    deeds: tuple[DeedNow, ...]
    sees: bool
    shift: FloatShift | None = None  # the one that was opened last
    shifts: tuple[Moment, ...] = ()  # to which a drop may belong, the newest first


def chips_page(now: TableFloat, role: Role | None, witnessed: Collection[str]) -> ChipsPage:
    """Returns the page for who is signed in with this role; None for nobody."""
    if role is None:
        return ChipsPage(bool(now.opened), (), sees=False)
    deeds = (
        DeedNow(name, deed.says, spoken_role(deed.role), name in witnessed, _why_not(now, name, role))
        for name, deed in DEEDS.items()
    )
    return ChipsPage(bool(now.opened), tuple(deeds), sees(role))


def sees(role: Role) -> bool:
    """Tells whether somebody with this role may see the numbers of a float."""
    return role == INSPECTOR or at_least(role, SEES)


def _why_not(now: TableFloat, deed: str, role: str) -> str:
    """Returns why the table would refuse this deed by who has this role; "" when it would take it."""
    try:
        table_float.follow(now, 1, FloatMoved(deed, TRIED, "", role, ""))
    except Refusal as refusal:
        return refusal.why
    return ""


def drops_to(now: TableFloat, opened: Sequence[Moment]) -> tuple[Moment, ...]:
    """Returns the shifts to which a drop may belong, the newest first."""
    known = {*now.before, now.opened}
    return tuple(at for at in reversed(opened) if at.seq in known)[:SHIFTS]
