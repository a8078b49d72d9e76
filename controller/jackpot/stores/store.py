"""What every store of prize meters can do, whatever it keeps them in."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

import msgspec

from controller.errors import FeltError
from controller.jackpot.lease import Holder, LeaseClaim, Verdict
from controller.jackpot.ledger import Hit, Meter, Movement, Posting
from controller.jackpot.marks import LedgerMark, LedgerReport
from controller.jackpot.rules import Award, Terms

DEADLINE = 5.0  # seconds in which every call ends, with an answer or with a StoreError


class StoreError(FeltError):
    """The error of a store that did not do what it was asked.

    Nothing of it was done, or (jackpot.unreachable) nobody knows.
    """


def failed(code: str, cause: str) -> StoreError:
    """Returns the error with this code and cause."""
    return StoreError(code, cause)


class Recorded(msgspec.Struct, frozen=True):
    """The answer to a batch: what the meter holds now, the prizes by the number of their outcome, what is known."""

    meter: Meter
    last: int  # the highest number of this table that is recorded
    awards: dict[int, Award] = {}  # also of outcomes that had been told before
    repeats: tuple[int, ...] = ()  # numbers that were known
    head: str = ""  # the hash of the ledger's entry that made the meter what it is


class Claimed(msgspec.Struct, frozen=True):
    """The answer to a daemon that wants to speak for its table: whether it may, and who else does or wants to."""

    verdict: Verdict
    other: Holder | None = None


class Member(msgspec.Struct, frozen=True):
    """A table that takes part in a prize meter system."""

    group: str
    table: str
    described: str  # in the words of `linking.described`
    seen: int  # microseconds since 1970: when it was heard last
    notices: dict[str, int]  # what its sign announces about the Jackpot, and since when (the table's clock)
    silent: int  # seconds since it was heard, by the clock of the store


class Logbook(msgspec.Struct, frozen=True):
    """A logbook: its name, what it begins with, and the number of its newest line."""

    name: str
    head: str
    opened_at: int  # microseconds since 1970
    last: int


class LogLine(msgspec.Struct, frozen=True):
    """One line of a logbook."""

    seq: int
    name: str
    recorded_at: int
    line: str


class Appended(msgspec.Struct, frozen=True):
    """The answer to who tells a line: the number of the newest one, and that of the line; 0: others were first."""

    last: int
    seq: int


class MeterStore(Protocol):
    """A store of prize meters.  Every call ends within a deadline: with an answer or a StoreError."""

    async def open(self) -> None:
        """Makes the store ready: schema, self-check."""

    async def close(self) -> None:
        """Releases everything; harmless twice."""

    async def join(
        self,
        group: str,
        table: str,
        terms: Terms,
        described: str,
        known_to_table: int = 0,
        ceiling: int | None = None,
        spare: int = 0,
        teller: str = "",
    ) -> Recorded:
        """Makes a table take part; the first creates the meter, with its seed.

        Other terms than the group's: jackpot.differs.  `known_to_table` is the last number that the table knows to be
        recorded; a store that knows less has lost something: jackpot.behind.  `teller` names the table's journal;
        another one under the same name of a table: jackpot.conflict.
        """

    async def leave(self, group: str, table: str) -> None:
        """Ends a table's part in the meter; what it recorded stays."""

    async def record(self, group: str, table: str, movements: Sequence[Movement]) -> Recorded:
        """Records all of these movements in one transaction, or none.  Known ones are dropped by their number."""

    async def meter(self, group: str) -> Meter:
        """Returns what a meter holds."""

    async def meters(self) -> list[Meter]:
        """Returns all meters, by name."""

    async def systems(self) -> dict[str, str]:
        """Returns each group in the words of `linking.described`; "closed" for a closed one."""

    async def hits(self, group: str, last: int = 25) -> list[Hit]:
        """Returns the newest prizes, the newest first."""

    async def ledger(self, group: str, after: int = 0) -> list[Posting]:
        """Returns the lines that were recorded after this one, a page of them at a time; [] at the end."""

    async def adjust(self, group: str, ticks: int, reason: str, by: tuple[str, str]) -> Meter:
        """Records a correction: two different people and a reason."""

    async def change_terms(self, group: str, terms: Terms, reason: str, by: tuple[str, str]) -> Meter:
        """Sets another option, reset or cost for all tables of the group (003 9.3: filled up to the new seed)."""

    async def transfer(self, source: str, target: str, ticks: int, reason: str, by: tuple[str, str]) -> list[Meter]:
        """Moves a part of what one meter holds above its seed to another; both in one transaction."""

    async def close_group(self, group: str, shares: Mapping[str, int], reason: str, by: tuple[str, str]) -> list[Meter]:
        """Closes a meter; all it holds above its seed, and its reserve, goes to others in one transaction."""

    async def claim(self, group: str, table: str, wish: LeaseClaim) -> Claimed:
        """Lets this daemon speak for a table that takes part, and nobody else from then on; or says who does."""

    async def renew(self, group: str, table: str, wish: LeaseClaim) -> Claimed:
        """Says that the daemon that speaks for a table still runs."""

    async def release(self, group: str, table: str, wish: LeaseClaim) -> None:
        """Ends the lease of a daemon that stops."""

    async def announce(self, group: str, table: str, notices: dict[str, int]) -> None:
        """Records that the table is present, and what its sign says about the Jackpot, and since when."""

    async def members(self) -> list[Member]:
        """Returns every table that takes part now, by group and name."""

    async def setting(self, name: str) -> str:
        """Returns a setting of the whole store; "" when nobody set it."""

    async def verify(self, group: str, evidence: Sequence[LedgerMark] = ()) -> list[str]:
        """Applies all recorded movements anew, follows their chain, and returns what does not fit, in words.

        `evidence`: checkpoints that were kept elsewhere.
        """

    async def check(self, group: str, evidence: Sequence[LedgerMark] = ()) -> LedgerReport:
        """Does what `verify` does, and tells besides how many entries there are and what they hash to."""

    async def keep_checkpoint(self, group: str, table: str, size: int, note: str) -> None:
        """Keeps the checkpoint that a table made of a ledger with so many entries."""

    async def checkpoints(self, group: str) -> list[str]:
        """Returns the newest checkpoints that the tables made of a ledger, the newest first."""

    async def hash_at(self, group: str, seq: int) -> str | None:
        """Returns the hash of the entry that ends with this movement of a meter; None when no entry ends there."""

    async def glance(self, group: str) -> list[str]:
        """Returns what the quick part of `verify` finds: the equation, and how the newest movements led to it.

        Quick enough for every start.
        """

    def changes(self, group: str) -> AsyncGenerator[Meter, None]:
        """Yields the meter now and after each change; whoever is slow gets only the newest.

        Raises StoreError when the store is lost; call it again for another try.
        """


class LogbookStore(Protocol):
    """The part of a store that keeps logbooks, such as the records of tournaments."""

    async def open(self) -> None:
        """Makes the store ready: schema, self-check."""

    async def close(self) -> None:
        """Releases everything; harmless twice."""

    async def open_logbook(self, name: str, head: str) -> Logbook:
        """Opens a logbook; one that is there and begins with the same is that one, any other: logbook.conflict."""

    async def logbooks(self) -> list[Logbook]:
        """Returns all logbooks, the newest first."""

    async def lines(self, logbook: str, after: int = 0) -> list[LogLine]:
        """Returns the lines after this one, a page of them at a time; [] at the end."""

    async def append(self, logbook: str, after: int, name: str, line: str) -> Appended:
        """Writes a line behind the newest that its teller knows, durably.

        One with a known name is not written again.  When others were first, nothing is written: read on, and decide
        again.
        """

    async def setting(self, name: str) -> str:
        """Returns a setting of the whole store; "" when nobody set it."""
