"""Both writers: durable before told, in order, together, and a failure is heard by everyone behind it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

import pytest

from controller.journal import (
    Duplicate,
    Entry,
    InlineWriter,
    Journal,
    JournalError,
    JournalWriter,
    Record,
    Snapshot,
    Writer,
)
from tests.journal.conftest import TABLE, card, key

both = pytest.mark.parametrize("make", [Writer, InlineWriter])


class Gated(Journal):
    """A journal on a disk that can be slow or full; it tells how the entries were grouped."""

    groups: list[int]
    gate: threading.Event
    entered: threading.Event
    full = False

    def append(self, batch: Sequence[Entry]) -> list[Record | Duplicate]:
        self.entered.set()
        assert self.gate.wait(10)
        if self.full:
            raise JournalError("journal.full", "no space")
        self.groups.append(len(batch))
        return super().append(batch)


@pytest.fixture
def journal() -> Iterator[Gated]:
    opened = Gated.open(None, table=TABLE)
    assert isinstance(opened, Gated)
    opened.groups, opened.gate, opened.entered = [], threading.Event(), threading.Event()
    opened.gate.set()
    yield opened
    opened.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "journal-writer"]


def submit(writer: JournalWriter, entry: Entry) -> asyncio.Future[Record | Duplicate]:
    """What the submitter is told, as a future; told twice would be an error."""
    future: asyncio.Future[Record | Duplicate] = asyncio.get_running_loop().create_future()

    def told(result: Record | Duplicate | JournalError) -> None:
        if isinstance(result, JournalError):
            future.set_exception(result)
        else:
            future.set_result(result)

    writer.submit(entry, told)
    return future


async def entered(journal: Gated) -> None:
    assert await asyncio.to_thread(journal.entered.wait, 10)
    journal.entered.clear()


@both
async def test_results_come_in_the_order_of_submission(journal: Gated, make: type[Writer | InlineWriter]) -> None:
    writer = make(journal)
    heard: list[int] = []

    def number(done: asyncio.Future[Record | Duplicate]) -> None:
        record = done.result()
        assert isinstance(record, Record)
        heard.append(record.seq)

    futures = [submit(writer, key(n)) for n in range(1500)]
    for future in futures:
        future.add_done_callback(number)
    results = await asyncio.gather(*futures)
    assert [result.seq for result in results if isinstance(result, Record)] == list(range(1, 1501))
    assert heard == list(range(1, 1501))
    assert max(journal.groups) <= 512
    await writer.close()


@both
async def test_repeats_are_told_apart(journal: Gated, make: type[Writer | InlineWriter]) -> None:
    writer = make(journal)
    first, again, other = await asyncio.gather(
        *(submit(writer, entry) for entry in [card(1), card(1), card(1, epoch=2)])
    )
    assert isinstance(first, Record) and isinstance(other, Record)
    assert again == Duplicate("shoe", 1, 1)
    await writer.close()


async def test_what_waits_during_a_commit_shares_the_next_one(journal: Gated) -> None:
    writer = Writer(journal)
    journal.gate.clear()
    futures = [submit(writer, key(0))]
    await entered(journal)
    futures += [submit(writer, key(n)) for n in range(1, 601)]
    assert writer.depth == 600
    journal.gate.set()
    await asyncio.gather(*futures)
    assert journal.groups == [1, 512, 88]
    await writer.close()


async def test_the_inline_writer_groups_one_turn_of_the_loop(journal: Gated) -> None:
    writer = InlineWriter(journal)
    await asyncio.gather(*(submit(writer, key(n)) for n in range(5)))
    await submit(writer, key(6))
    assert journal.groups == [5, 1]
    assert writer.alive(0.0)
    await writer.close()


@both
async def test_closing_commits_and_delivers_what_waits(journal: Gated, make: type[Writer | InlineWriter]) -> None:
    writer = make(journal)
    futures = [submit(writer, key(n)) for n in range(700)]
    await writer.close()
    assert all(future.done() for future in futures)
    assert journal.head.seq == 700
    await writer.close()
    with pytest.raises(RuntimeError):
        submit(writer, key(1))


@both
async def test_a_submitter_that_fails_keeps_the_news_from_nobody(
    journal: Gated, make: type[Writer | InlineWriter]
) -> None:
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(str(context["exception"])))

    def told(result: object) -> None:
        raise ValueError("a bug")

    writer = make(journal)
    writer.submit(key(1), told)
    stored = await submit(writer, key(2))
    assert isinstance(stored, Record) and stored.seq == 2
    assert complaints == ["a bug"]
    await writer.close()


@both
async def test_a_snapshot_is_kept_and_a_failed_one_is_remembered(
    journal: Gated, make: type[Writer | InlineWriter], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(seq: int, payload: bytes) -> None:
        raise JournalError("journal.full", "no space")

    writer = make(journal)
    await submit(writer, key(1))
    monkeypatch.setattr(journal, "snapshot", broken)
    writer.snapshot(1, b"lost")
    await submit(writer, key(2))
    await writer.close()
    assert writer.snapshot_failure is not None and writer.snapshot_failure.code == "journal.full"
    monkeypatch.undo()
    writer = make(journal)
    writer.snapshot(2, b"kept")
    await writer.close()
    assert writer.snapshot_failure is None
    assert journal.snapshots() == [(2, Snapshot(2, b"kept"))]


@both
async def test_a_failure_is_reported_and_what_comes_after_is_tried_afresh(
    journal: Gated, make: type[Writer | InlineWriter]
) -> None:
    heard: list[str] = []
    writer = make(journal, on_failure=lambda error: heard.append(error.code))
    journal.full = True
    futures = [submit(writer, card(n)) for n in range(1, 1001)]
    outcomes = await asyncio.gather(*futures, return_exceptions=True)
    assert {outcome.code for outcome in outcomes if isinstance(outcome, JournalError)} == {"journal.full"}
    assert len([outcome for outcome in outcomes if isinstance(outcome, JournalError)]) == 1000
    assert heard == ["journal.full"]
    journal.full = False
    stored = await submit(writer, card(1))
    assert isinstance(stored, Record) and stored.seq == 1
    await writer.close()


async def test_nothing_behind_a_failed_commit_is_stored_before_the_owner_knows(journal: Gated) -> None:
    heard: list[int] = []
    writer = Writer(journal, on_failure=lambda error: heard.append(journal.head.seq))
    journal.gate.clear()
    journal.full = True
    first = submit(writer, card(1))
    await entered(journal)
    behind = submit(writer, card(2))
    journal.gate.set()
    with pytest.raises(JournalError):
        await first
    assert isinstance(behind.exception(), JournalError)
    assert heard == [0]
    await writer.close()
    assert journal.head.seq == 0


async def test_a_failure_while_closing_is_delivered(journal: Gated) -> None:
    writer = Writer(journal)
    journal.full = True
    future = submit(writer, card(1))
    await writer.close()
    assert isinstance(future.exception(), JournalError)


@both
async def test_an_unforeseen_error_reaches_the_owner(
    journal: Gated, make: type[Writer | InlineWriter], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(batch: Sequence[Entry]) -> list[Record | Duplicate]:
        raise MemoryError("no more")

    writer = make(journal)
    monkeypatch.setattr(journal, "append", broken)
    with pytest.raises(JournalError, match="MemoryError"):
        await submit(writer, key(1))
    monkeypatch.undo()
    assert isinstance(await submit(writer, key(1)), Record)
    await writer.close()


async def test_the_watchdog_sees_a_stuck_commit_and_not_an_idle_writer(journal: Gated) -> None:
    now = 100.0
    writer = Writer(journal, clock=lambda: now)
    await submit(writer, key(1))
    assert writer.alive(10_000.0)
    journal.entered.clear()
    journal.gate.clear()
    stuck = submit(writer, key(2))
    await entered(journal)
    assert writer.waits(108.0) == 8.0
    assert writer.alive(108.0)  # a worn memory card takes its time
    assert not writer.alive(130.1)
    journal.gate.set()
    await stuck
    assert writer.alive(10_000.0)
    await writer.close()


def test_a_loop_that_is_gone_ends_the_thread_and_what_was_taken_is_stored(journal: Gated) -> None:
    async def abandon() -> Writer:
        writer = Writer(journal)
        submit(writer, key(1))
        await entered(journal)
        return writer

    journal.gate.clear()
    writer = asyncio.run(abandon())
    journal.gate.set()
    writer._thread.join(10)
    assert not writer._thread.is_alive()
    assert journal.head.seq == 1


async def test_the_loop_has_time_for_something_else_while_one_entry_is_committed(journal: Gated) -> None:
    writer = Writer(journal)
    nudge, seen = journal.before_commit, threading.Event()
    heads: list[int] = []

    def before_commit() -> None:
        nudge()
        assert seen.wait(10)

    def meanwhile() -> None:
        heads.append(journal.head.seq)
        seen.set()

    journal.before_commit, writer.meanwhile = before_commit, meanwhile
    assert isinstance(await submit(writer, key(1)), Record)
    assert heads == [0]  # before the entry was durable
    await writer.close()
    journal.before_commit = nudge
    journal.append([key(2)])  # nobody is nudged any more
    assert heads == [0]


async def test_a_batch_is_committed_without_a_nudge(journal: Gated) -> None:
    writer = Writer(journal)
    nudges: list[int] = []
    journal.before_commit = lambda: nudges.append(1)
    journal.gate.clear()
    several = [submit(writer, key(n)) for n in range(1, 4)]
    await entered(journal)
    journal.gate.set()
    await asyncio.gather(*several)
    await writer.close()
    assert sum(journal.groups) == 3 and len(nudges) == journal.groups.count(1)
