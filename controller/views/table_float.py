"""What the count room counts, beside what the rounds come to: the float from one opening to its closing.

Win = closing float + drop + credits - fills - opening float.  Where every chip that was bought is on record, and every
payment was right, that is the sum of the rounds in between; what differs is named, and nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from controller.money import cents, dollars
from controller.table.facts import FloatMoved
from controller.views.entries import entries
from controller.views.float_form import CommissionTo, FloatEntry, FloatReport, FloatShift, Named
from controller.views.promotion_prizes import AWARDED, PAID
from controller.views.record import Moment, RoundRecord, Who, cash
from controller.views.vouchers import VOUCHER

RUNNING: Final = "the float is not counted yet at the end of this shift"
UNCOUNTED: Final = "the drop is not counted yet: what was noted at the table stands for it"
DROP: Final = "the drop box held more or less than was noted at the table"
REST: Final = "not explained by anything on record"
BELOW: Final = "more was taken back than was told"
ACROSS: Final = "rounds that ran when the float was counted"


def entry_of(at: Moment, fact: FloatMoved) -> FloatEntry:
    """Returns what was done to a float as people and programs are told it."""
    return FloatEntry(
        at,
        fact.deed,
        dollars(fact.amount),
        fact.about,
        fact.slip,
        fact.note,
        Who(fact.role, fact.person, fact.account),
        Who(fact.witness_role, fact.witness),
    )


class _Shift:
    """A shift of the float while it is added up, in cents."""

    def __init__(self, opening: FloatEntry) -> None:
        self.entries = [opening]
        self.closed: FloatEntry | None = None
        self.sums: Counter[str] = Counter({"opening": cents(opening.amount)})
        self.rounds = self.win = self.prizes = self.commission = 0
        self.across: list[int] = []

    def add(self, entry: FloatEntry) -> None:
        """Adds what was done to the float after its opening."""
        self.entries.append(entry)
        self.sums[entry.deed] += cents(entry.amount)
        if entry.deed == "closing":
            self.closed = entry

    def add_round(self, record: RoundRecord) -> None:
        """Adds what a round comes to; one that ran when the float was counted is named."""
        self.rounds += 1
        for each in entries(record):
            self.win += each.win
            self.prizes += each.prize
            self.commission += each.win if each.of_pots else 0
        if self.closed is not None and record.ended is not None and record.ended.seq > self.closed.at.seq:
            self.across.append(record.number)

    def summed(self, commission_to: CommissionTo) -> FloatShift:
        """Returns what it comes to."""
        sums, counted = self.sums, any(entry.deed == "drop" for entry in self.entries)
        noted = sums["buy-in"] + sums["marker"] + sums[VOUCHER] + (self.commission if commission_to == "box" else 0)
        drop = sums["drop"] if counted else noted
        win = sums["closing"] + drop + sums["credit"] - sums["fill"] - sums["opening"]
        difference = win - self.win + sums["prize"] + sums[PAID]
        opening, closed = self.entries[0], self.closed
        return FloatShift(
            opened=opening.at,
            closed=None if closed is None else closed.at,
            opening=dollars(sums["opening"]),
            closing=None if closed is None else dollars(sums["closing"]),
            fills=dollars(sums["fill"]),
            credits=dollars(sums["credit"]),
            buy_ins=dollars(sums["buy-in"]),
            markers=dollars(sums["marker"]),
            vouchers=dollars(sums[VOUCHER]),
            noted=dollars(noted),
            drop=dollars(drop) if counted else None,
            win=None if closed is None else dollars(win),
            hold=None if closed is None or not drop else round(100 * win / drop, 2),
            rounds=self.rounds,
            rounds_win=dollars(self.win),
            prizes_won=dollars(self.prizes),
            prizes_paid=dollars(sums["prize"]),
            promotions_awarded=dollars(sums[AWARDED]),
            promotions_paid=dollars(sums[PAID]),
            difference=None if closed is None else dollars(difference),
            named=() if closed is None else tuple(_named(difference, drop - noted)),
            notes=tuple(self._notes(counted)),
            entries=tuple(self.entries),
        )

    def _notes(self, counted: bool) -> Iterator[str]:
        """Yields what to know beside the numbers."""
        if self.closed is None:
            yield RUNNING
        if not counted:
            yield UNCOUNTED
        for deed, amount in self.sums.items():
            if amount < 0:
                yield f"{BELOW}: {deed} {dollars(amount)}"
        if self.prizes != self.sums["prize"]:
            paid = dollars(self.sums["prize"])
            yield f"the meter gave {dollars(self.prizes)} in these rounds, {paid} of it out of the float"
        if self.sums[AWARDED] or self.sums[PAID]:
            gave, paid = dollars(self.sums[AWARDED]), dollars(self.sums[PAID])
            yield f"promotions gave {gave}, {paid} of it out of the float, the rest by the cashier"
        if self.across:
            yield f"{ACROSS}: {', '.join(map(str, self.across))}"


def _named(difference: int, drop: int) -> Iterator[Named]:
    """Yields what a difference is made of; the parts add up to it."""
    if drop:
        yield Named(DROP, dollars(drop))
    if difference != drop:
        yield Named(REST, dollars(difference - drop))


def float_report(
    moved: Iterable[FloatEntry], records: Sequence[RoundRecord], commission_to: CommissionTo = "box"
) -> FloatReport:
    """Returns the shifts of a float with the rounds that opened in each; both in the order in which they happened."""
    shifts, outside = _shifts(moved)
    alone: Counter[str] = Counter({VOUCHER: sum(cents(entry.amount) for entry in outside if entry.deed == VOUCHER)})
    for record in cash(records):
        shift = next((each for each in reversed(shifts) if each.entries[0].at.seq < record.opened.seq), None)
        ended = shift is None or (shift.closed is not None and shift.closed.at.seq < record.opened.seq)
        if shift is None or ended:
            alone["rounds"] += 1
            alone["win"] += sum(each.win for each in entries(record))
        else:
            shift.add_round(record)
    summed = tuple(shift.summed(commission_to) for shift in shifts)
    return FloatReport(summed, alone["rounds"], dollars(alone["win"]), dollars(alone[VOUCHER]))


def _shifts(moved: Iterable[FloatEntry]) -> tuple[list[_Shift], list[FloatEntry]]:
    """Returns the shifts, each with what was done in it, and the vouchers and prizes that came in none of them."""
    shifts: list[_Shift] = []
    outside: list[FloatEntry] = []
    for entry in moved:
        if entry.deed == "opening":
            shifts.append(_Shift(entry))
        elif entry.deed in (VOUCHER, AWARDED) and not _runs(shifts):
            outside.append(entry)
        elif shifts:
            _belongs_to(entry, shifts).add(entry)
    return shifts, outside


def _runs(shifts: Sequence[_Shift]) -> bool:
    return bool(shifts) and shifts[-1].closed is None


def _belongs_to(entry: FloatEntry, shifts: Sequence[_Shift]) -> _Shift:
    """Returns the shift in which something was done; a drop is counted later, and may say of which it is."""
    if entry.deed != "drop":
        return shifts[-1]
    closed = [shift for shift in shifts if shift.closed is not None]
    meant = [shift for shift in shifts if shift.entries[0].at.seq == entry.about]
    return (meant or closed[-1:] or [shifts[-1]])[0]
