"""Prizes of promotions (002, rule 15) as the float and the reports count them.

A prize is the house's, not the table's: the cashier gives it, and neither win nor the float has any of it.  Where it
was paid out of the float all the same, somebody tells so (`felt float record promotion`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.money import dollars
from controller.table.facts import Amend, Key
from controller.table.state import Claim
from controller.views.float_form import FloatEntry
from controller.views.record import Who
from controller.views.round_notes import Happened

PRIZE: Final = "prize"  # the key
AWARDED: Final = "awarded"  # what it is called beside what is done to the float
PAID: Final = "promotion"  # what is done to the float where it pays one


def awarded(happened: Happened) -> int:
    """Returns how much more was awarded after a fact than before it, in cents; less when it corrects something."""
    fact = happened.fact
    may = fact.key == PRIZE if isinstance(fact, Key) else isinstance(fact, Amend)
    return _difference(happened.before.claims, happened.after.claims) if may else 0


def _difference(before: Sequence[Claim], after: Sequence[Claim]) -> int:
    new = {each.seq for each in after} - {each.seq for each in before}
    kept = before[len(new) if len(before) == len(after) else 0 :]  # the table itself keeps the newest alone
    return _sum(after) - _sum(kept)


def _sum(claims: Sequence[Claim]) -> int:
    return sum(each.amount for each in claims if not each.refused)


def prize_entry(happened: Happened) -> FloatEntry | None:
    """Returns a prize as it stands beside what is done to the float; None when nothing was awarded."""
    amount = awarded(happened)
    if not amount:
        return None
    table = happened.after
    newest = table.claims[-1:] if amount > 0 else []
    note = "".join(f"{each.promotion}: {each.person}" for each in newest) or "corrected"
    by = Who(newest[0].role, newest[0].name) if newest else Who(table.role, table.name)
    return FloatEntry(happened.moment, AWARDED, dollars(amount), note=note, by=by)
