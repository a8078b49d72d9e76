"""How far a device is acknowledged, and what is said of events that it no longer has."""

from __future__ import annotations

import pytest

from controller.journal import Entry, Journal
from controller.service.journal_gaps import GAP, JournalGaps
from controller.table.holds import BEHIND
from controller.table.state import Table
from firmware_bridge.messages import Identity

EPOCH = 7


def journal_with(*counters: int) -> Journal:
    journal = Journal.open(None, table="T1")
    journal.append([Entry(n, b"x", "shoe", EPOCH, n) for n in counters])
    return journal


def shoe(first: int, epoch: int = EPOCH) -> Identity:
    return Identity("shoe", "sim-shoe", "SIM-shoe", "1.0", epoch, max(first - 1, 0), first)


def test_a_greeting_acknowledges_nothing_above_a_gap() -> None:
    """Version 0.1.0 could leave one: the card was lost while the disk failed, the next one was stored."""
    table, journal = Table(), journal_with(1, 2, 4)
    gaps = JournalGaps(journal, lambda: table)
    assert gaps.resume("shoe") == (EPOCH, 2)
    assert gaps.compare("shoe", shoe(first=3)) is None  # it still has it, and sends it now
    missed = gaps.compare("shoe", shoe(first=5))
    assert missed is not None and (missed.code, missed.counter) == (GAP, 4)
    assert missed.text == "its events 3 were never stored, and it has them no more"
    table.accounted["shoe"] = (EPOCH, 4)
    assert gaps.compare("shoe", shoe(first=5)) is None
    assert gaps.resume("shoe") == (EPOCH, 4)
    journal.close()


@pytest.mark.parametrize(
    ("stored", "identity", "code"),
    [
        ((), shoe(first=1), None),  # new, or its memory is
        ((), shoe(first=0), None),  # it does not say
        ((), shoe(first=9), BEHIND),  # somebody has read it, and not this journal
        ((1, 2), shoe(first=3), None),
        ((1, 2), shoe(first=2), None),  # it has not heard that 2 is stored
        ((1, 2), shoe(first=6), BEHIND),
        ((1, 2), shoe(first=1, epoch=8), None),
        ((1, 2), shoe(first=6, epoch=8), ""),  # another memory that was read elsewhere: only on record
        ((5, 6), shoe(first=7), None),  # 0.1.0 let it begin anywhere
        ((5, 7), shoe(first=8), GAP),
    ],
)
def test_what_is_said_at_the_first_greeting(stored: tuple[int, ...], identity: Identity, code: str | None) -> None:
    journal = journal_with(*stored)
    missed = JournalGaps(journal, Table).compare("shoe", identity)
    assert (None if missed is None else missed.code) == code
    journal.close()


def test_what_is_new_at_a_later_greeting_is_the_device_s_own_gap() -> None:
    journal = journal_with(1, 2)
    gaps = JournalGaps(journal, Table)
    assert gaps.compare("shoe", shoe(first=3)) is None
    missed = gaps.compare("shoe", shoe(first=6))
    assert missed is not None and missed.code == GAP
    journal.close()
