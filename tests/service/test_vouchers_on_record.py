"""Vouchers on record: what the journal tells of them reaches the float and the reports, once."""

from __future__ import annotations

from datetime import UTC

from controller.games import defaults
from controller.journal import InlineWriter, Journal
from controller.service.engine import Engine
from controller.service.retelling import rounds_and_asides
from controller.table.facts import AnyFact, Badge, FloatMoved, Key, Started
from controller.views.asides import Aside
from controller.views.float_form import FloatEntry
from controller.views.gaming_day import Calendar
from controller.views.numbers import numbers
from controller.views.table_float import float_report


def counted(deed: str, amount: int) -> FloatMoved:
    return FloatMoved(deed, amount, "Ann", "supervisor", "socket", witness="Bob")


async def test_the_journal_is_told_again_and_all_adds_up() -> None:
    journal = Journal.open(None, table="T1")
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1_700_000_000_000_000)
    await engine.start(Started("caribbean-stud", defaults("caribbean-stud")))
    facts: list[AnyFact] = [
        counted("opening", 1_000_00),
        Key("voucher", ("1", "chips", "50")),
        Key("voucher", ("2", "tokens", "20")),
        Key("voucher", ("3", "chips", "12.50")),
        Badge("area-manager"),
        Key("promotion", ("Gift", "500")),
        Key("prize", ("Gift", "Ann", "100")),
        counted("closing", 937_50),
    ]
    for fact in facts:
        await engine.submit(fact)
    told = list(rounds_and_asides(journal))
    (shift,) = float_report([each for each in told if isinstance(each, FloatEntry)], []).shifts
    assert (shift.vouchers, shift.win, shift.difference) == ("62.50", "0.00", "0.00")
    assert (shift.promotions_awarded, shift.promotions_paid) == ("100.00", "0.00")
    total = numbers([], "day", Calendar(UTC), [each for each in told if isinstance(each, Aside)]).total
    assert (total.chip_vouchers, total.token_vouchers) == ("62.50", "20.00")
    assert total.promotion_prizes == "100.00"
