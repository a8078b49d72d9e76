"""The answers about the ledger of a prize meter, and about the table that speaks to it."""

from __future__ import annotations

from typing import TypedDict


class ReconciledTable(TypedDict):
    """One table's part: what its wagers added to the meter, by its journal and by the ledger."""

    table: str
    movements: int
    journal: str
    ledger: str
    waiting: int


class Disagreement(TypedDict):
    """What the ledger and a journal do not agree on."""

    code: str
    table: str
    text: str


class Reconciliation(TypedDict):
    """Whether the ledger and the journals agree, table by table."""

    group: str
    ok: bool
    tables: list[ReconciledTable]
    findings: list[Disagreement]
    without_journal: list[str]


class TableClaimed(TypedDict):
    """The table that a technician called the real one."""

    table: str
    claimed: bool
