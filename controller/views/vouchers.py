"""Vouchers that were exchanged at a table (002 1.1, rule 15), as the float and the reports count them.

For a chip voucher chips leave the float, and the voucher goes into the drop box; promotional tokens are no money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from controller.money import dollars
from controller.table.facts import Amend, Key
from controller.table.state import Voucher
from controller.views.float_form import FloatEntry
from controller.views.record import Who
from controller.views.round_notes import Happened

VOUCHER: Final = "voucher"  # also what is done to the float
CHIPS: Final = "chips"
TOKENS: Final = "tokens"


def exchanged(happened: Happened) -> Counter[str]:
    """Returns how much more was exchanged after a fact than before it, in cents; less when it corrects something.

    A fact that was refused has exchanged nothing.
    """
    fact = happened.fact
    may = fact.key == VOUCHER if isinstance(fact, Key) else isinstance(fact, Amend)
    return _difference(happened.before.vouchers, happened.after.vouchers) if may else Counter()


def _difference(before: Sequence[Voucher], after: Sequence[Voucher]) -> Counter[str]:
    new = {each.seq for each in after} - {each.seq for each in before}
    out: Counter[str] = Counter()
    for each in after:
        out[each.what] += each.amount
    for each in before[len(new) if len(before) == len(after) else 0 :]:  # the table itself keeps the newest alone
        out[each.what] -= each.amount
    return out


def float_entry(happened: Happened) -> FloatEntry | None:
    """Returns what a voucher did to the float; None when no chips were given for one."""
    given = exchanged(happened)[CHIPS]
    if not given:
        return None
    table = happened.after
    newest = table.vouchers[-1:] if given > 0 else []
    note = "".join(f"area {each.place}" for each in newest) or "corrected"
    return FloatEntry(happened.moment, VOUCHER, dollars(given), note=note, by=Who(table.role, table.name))
