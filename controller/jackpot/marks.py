"""What is said of a whole ledger: how many entries it has, and what they hash to."""

from __future__ import annotations

import msgspec


class LedgerMark(msgspec.Struct, frozen=True):
    """What a checkpoint says of a ledger: its name, how many entries, the root of the tree over their hashes."""

    origin: str
    size: int
    root: bytes


class LedgerReport(msgspec.Struct, frozen=True):
    """What a check of a meter's ledger found, and what was checked."""

    problems: list[str]
    mark: LedgerMark
    head: str  # the hash of the newest entry
    unbound: int  # so many of the first entries were there before there was a chain
