"""The part of a store that is the same for all: each deed is one transaction of the books."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from controller.jackpot.chain import mark_of
from controller.jackpot.lease import LeaseClaim
from controller.jackpot.ledger import Hit, Meter, Movement, Note, Posting
from controller.jackpot.marks import LedgerMark, LedgerReport
from controller.jackpot.rules import Terms
from controller.jackpot.stores import chained, leases, logbooks, presence, published
from controller.jackpot.stores.books import NEWEST, Books
from controller.jackpot.stores.checkpoint_store import Published
from controller.jackpot.stores.store import Appended, Claimed, Logbook, LogLine, Member, Recorded
from controller.journal.witnessing import Submission

T = TypeVar("T")
LAST = 2**62
Deed = Callable[[Books], Coroutine[Any, Any, T]]


class MeterDeeds(ABC):
    """The calls of a MeterStore that are the same for every store; how a transaction runs is left to each."""

    _holder = ""  # of the lease of the table that tells through this client

    @abstractmethod
    async def _read(self, deed: Deed[T]) -> T:
        """Runs a deed in a transaction that changes nothing."""

    @abstractmethod
    async def _write(self, deed: Deed[T], again: bool = False) -> T:
        """Runs a deed in a transaction.

        `again`: it has names, so it may be tried once more when nobody knows if it was done.
        """

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
        """Makes a table take part; the first creates the meter, with its seed."""

        async def join(books: Books) -> Recorded:
            await books.meet(group, terms, ceiling, spare)
            return await books.join(group, table, described, known_to_table, teller)

        return await self._write(join, again=True)

    async def leave(self, group: str, table: str) -> None:
        """Ends a table's part in the meter; what it recorded stays."""
        await self._write(lambda b: b.leave(group, table), again=True)

    async def record(self, group: str, table: str, movements: Sequence[Movement]) -> Recorded:
        """Records all of these movements in one transaction, or none; known ones are dropped by their number."""
        return await self._write(lambda b: b.record(group, table, movements, self._holder), again=True)

    async def meter(self, group: str) -> Meter:
        """Returns what a meter holds."""
        return await self._read(lambda b: b.meter(group))

    async def meters(self) -> list[Meter]:
        """Returns all meters, by name."""
        return await self._read(lambda b: b.meters())

    async def systems(self) -> dict[str, str]:
        """Returns each group in the words of `linking.described`; "closed" for a closed one."""
        return await self._read(lambda b: b.systems())

    async def hits(self, group: str, last: int = 25) -> list[Hit]:
        """Returns the newest prizes, the newest first."""
        return await self._read(lambda b: b.hits(group, last))

    async def ledger(self, group: str, after: int = 0) -> list[Posting]:
        """Returns the lines that were recorded after this one, a page of them at a time."""
        return await self._read(partial(_page, group, after, LAST))

    async def adjust(self, group: str, ticks: int, reason: str, by: tuple[str, str]) -> Meter:
        """Records a correction: two different people and a reason."""
        return await self._write(lambda b: b.adjust(group, ticks, Note(reason, by)))

    async def change_terms(self, group: str, terms: Terms, reason: str, by: tuple[str, str]) -> Meter:
        """Sets another option, reset or cost for all tables of the group."""
        return await self._write(lambda b: b.change_terms(group, Note(reason, by, terms=terms)))

    async def transfer(self, source: str, target: str, ticks: int, reason: str, by: tuple[str, str]) -> list[Meter]:
        """Moves a part of what one meter holds above its seed to another; both in one transaction."""
        return await self._write(lambda b: b.transfer(source, {target: ticks}, Note(reason, by), closing=False))

    async def close_group(self, group: str, shares: Mapping[str, int], reason: str, by: tuple[str, str]) -> list[Meter]:
        """Closes a meter; all it holds above its seed, and its reserve, goes to others in one transaction."""
        return await self._write(lambda b: b.transfer(group, shares, Note(reason, by), closing=True))

    async def claim(self, group: str, table: str, wish: LeaseClaim) -> Claimed:
        """Lets this daemon speak for a table that takes part, and nobody else from then on; or says who does."""
        claimed = await self._write(lambda b: leases.claim(b, group, table, wish), again=True)
        if claimed.verdict == "held":
            self._holder = wish.holder.to_text()
        return claimed

    async def renew(self, group: str, table: str, wish: LeaseClaim) -> Claimed:
        """Says that the daemon that speaks for a table still runs."""
        return await self._write(lambda b: leases.renew(b, group, table, wish), again=True)

    async def release(self, group: str, table: str, wish: LeaseClaim) -> None:
        """Ends the lease of a daemon that stops."""
        await self._write(lambda b: leases.release(b, group, table, wish), again=True)

    async def announce(self, group: str, table: str, notices: dict[str, int]) -> None:
        """Records that the table is present, and what its sign says about the Jackpot, and since when."""
        await self._write(lambda b: presence.announce(b, group, table, notices), again=True)

    async def members(self) -> list[Member]:
        """Returns every table that takes part now, by group and name."""
        return await self._read(presence.members)

    async def open_logbook(self, name: str, head: str) -> Logbook:
        """Opens a logbook; one that is there and begins with the same is that one."""
        return await self._write(lambda b: logbooks.open_logbook(b, name, head), again=True)

    async def logbooks(self) -> list[Logbook]:
        """Returns all logbooks, the newest first."""
        return await self._read(logbooks.logbooks)

    async def lines(self, logbook: str, after: int = 0) -> list[LogLine]:
        """Returns the lines after this one, a page of them at a time."""
        return await self._read(lambda b: logbooks.lines(b, logbook, after))

    async def append(self, logbook: str, after: int, name: str, line: str) -> Appended:
        """Writes a line behind the newest that its teller knows; one with a known name is not written again."""
        return await self._write(lambda b: logbooks.append(b, logbook, after, name, line), again=True)

    async def publish(self, shown: Submission, anew: str = "") -> Published:
        """Keeps a checkpoint of a journal, durably; raises WitnessError when it does not follow from the newest."""
        return await self._write(lambda b: published.publish(b, shown, anew), again=True)

    async def published(self, origin: str) -> Published | None:
        """Returns the newest checkpoint of a journal; None before the first."""
        return await self._read(lambda b: published.newest(b, origin))

    async def all_published(self, origin: str) -> list[Published]:
        """Returns all checkpoints of a journal, the oldest first."""
        return await self._read(lambda b: published.history(b, origin))

    async def setting(self, name: str) -> str:
        """Returns a setting of the whole store; "" when nobody set it."""
        return await self._read(lambda b: presence.setting(b, name))

    async def verify(self, group: str, evidence: Sequence[LedgerMark] = ()) -> list[str]:
        """Applies all recorded movements anew, follows their chain, and returns what does not fit, in words."""
        return (await self.check(group, evidence)).problems

    async def check(self, group: str, evidence: Sequence[LedgerMark] = ()) -> LedgerReport:
        """Does what `verify` does, and tells besides how many entries there are and what they hash to.

        Page by page, so that a long history neither keeps the tables waiting nor fills the memory.
        """
        older = await self.setting(chained.CHAINED + group)
        kept = [mark_of(note) for note in await self.checkpoints(group)]
        check = await self._read(partial(chained.LedgerCheck.begin, group, [*evidence, *kept]))
        while page := await self._read(lambda b: chained.pages(b, group, check.seq, check.until)):
            for each in page:
                check.follow(each)
        problems = [*check.done(), *(await self._read(self._foreign))]
        return LedgerReport(problems, check.chain.mark, check.chain.head, int(older or 0))

    @abstractmethod
    async def _foreign(self, books: Books) -> list[str]:
        """Returns what the schema has that no step of ours made, or lacks, in words."""

    async def keep_checkpoint(self, group: str, table: str, size: int, note: str) -> None:
        """Keeps the checkpoint that a table made of a ledger with so many entries."""
        await self._write(lambda b: chained.keep_checkpoint(b, group, table, size, note), again=True)

    async def checkpoints(self, group: str) -> list[str]:
        """Returns the newest checkpoints that the tables made of a ledger, the newest first."""
        return await self._read(lambda b: chained.checkpoints(b, group))

    async def hash_at(self, group: str, seq: int) -> str | None:
        """Returns the hash of the entry that ends with this movement of a meter; None when no entry ends there."""
        return await self._read(lambda b: b.hash_at(group, seq))

    async def glance(self, group: str) -> list[str]:
        """Returns what the quick part of `verify` finds: the equation, and how the newest movements led to it."""
        return await self._read(lambda b: b.glance(group, NEWEST))


async def _page(group: str, seq: int, until: int, books: Books) -> list[Posting]:
    return await books.page(group, seq, until)
