"""Which cards are public, followed through corrections, restarts in mid-round, and another game on the same journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from controller.api.events import Events
from controller.cards import UNREAD
from controller.games import defaults
from controller.journal.errors import JournalError
from controller.journal.records import Duplicate, Entry, Record
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service import disclosure
from controller.service.engine import Engine
from controller.table.facts import Amend, AnyFact, CardOut, Chips, Key, Spot, Started, Turned, decode
from controller.table.state import Table

THREE = Started("three-card-poker", defaults("three-card-poker") | {"seats": "2"})
WAR = Started("casino-war", defaults("casino-war") | {"seats": "2"})
DEAL = ("Kh", "9d", "Qs", "5d", "9c", "3d", "2c", "2h", "7s")  # area 1, area 2, the dealer; around the table
FOLDED, SHOWN = DEAL[0::3], (*DEAL[1::3], *DEAL[2::3])
BETS: list[AnyFact] = [Chips(area, (Spot("ante", 1, 1000),)) for area in (1, 2)]
CARDS: list[AnyFact] = [CardOut(card) for card in DEAL]
END: list[AnyFact] = [Key("fold", ("1",)), Chips(2, (Spot("play", 1, 1000),)), Key("settle")]


async def opened(journal: Journal, begin: Started = THREE) -> Engine:
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 0)
    engine.recover()
    await engine.start(begin)
    return engine


async def tell(engine: Engine, *facts: AnyFact) -> None:
    for fact in facts:
        await engine.submit(fact)
    while engine.pending:  # noqa: ASYNC110
        await asyncio.sleep(0)


async def cards(engine: Engine, journal: Journal) -> list[str]:
    """The cards that left the shoe, as anybody is told who asks from the beginning."""
    told = [fact["fact"] for fact in await Events(engine, journal).read(0, 1000)]
    return [fact["card"] for fact in told if fact["fact"] == "card"]


def play(story: Callable[[Journal], Awaitable[None]]) -> None:
    journal = Journal.open(None, table="T1")
    asyncio.run(story(journal))  # type: ignore[arg-type]
    journal.close()


def seen(card: str) -> str:
    return UNREAD if card in FOLDED else card


def test_a_restart_in_mid_round_forgets_no_card() -> None:
    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS)
        assert await cards(engine, journal) == [UNREAD] * 9
        engine = await opened(journal)
        assert await cards(engine, journal) == [UNREAD] * 9
        await tell(engine, *END)
        assert await cards(engine, journal) == [seen(card) for card in DEAL]

    play(story)


def test_a_snapshot_in_mid_round_forgets_no_card() -> None:
    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS, *END)
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS)
        engine._snapshot()
        engine = await opened(journal)
        await tell(engine, *END)
        assert await cards(engine, journal) == [seen(card) for card in DEAL * 2]

    play(story)


def test_another_game_on_the_same_journal_turns_nothing() -> None:
    """Casino War deals face up; the hands that were folded before lay face down."""

    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS, *END)
        await tell(engine, Key("leave", ("1",)), Key("leave", ("2",)))  # else they would have to be told before
        engine = await opened(journal, WAR)
        assert await cards(engine, journal) == [seen(card) for card in DEAL]
        await tell(engine, Chips(1, (Spot("war", 1, 1000),)), Key("no-more-bets"), CardOut("Kh"), CardOut("2d"))
        assert await cards(engine, journal) == [*(seen(card) for card in DEAL), "Kh", "2d"]

    play(story)


def test_a_correction_names_no_hidden_card() -> None:
    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS)
        first = next(record.seq for record in journal if decode(record.payload) == CardOut("Kh"))
        await tell(engine, Amend(first, CardOut("Ks"), "supervisor 7"), *END, *BETS)
        amends = [f["fact"] for f in await Events(engine, journal).read(0, 1000) if f["fact"]["fact"] == "amend"]
        assert [amend["to"]["card"] for amend in amends] == [UNREAD]
        assert (await cards(engine, journal))[0] == UNREAD

    play(story)


def test_what_cannot_be_judged_stays_hidden_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("Kh")

    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        with monkeypatch.context() as patched:
            patched.setattr(disclosure, "judged_by_rule", broken)
            await tell(engine, *BETS, Key("no-more-bets"), *CARDS, *END)
            assert await cards(engine, journal) == [UNREAD] * 9
        assert engine.table.round is not None and engine.table.round.outcome == "settled"

    play(story)


def test_every_round_has_one_such_record_and_no_more() -> None:
    async def story(journal: Journal) -> None:
        for _ in range(3):
            engine = await opened(journal)
            await tell(engine, *BETS, Key("no-more-bets"), *CARDS, *END)
        await opened(journal)
        turned = [fact for record in journal if isinstance(fact := decode(record.payload), Turned)]
        assert [fact.round for fact in turned] == [1, 2, 3]
        assert all(len(fact.cards) == len(SHOWN) for fact in turned)

    play(story)


def test_the_memory_is_bounded() -> None:
    kept = disclosure.Disclosure()
    for seq in range(1, 3 * disclosure.MOST):
        kept.follow(seq, CardOut("Kh"), Table())
    assert len(kept._open) == disclosure.MOST


def test_what_was_turned_while_the_disk_failed_is_turned_when_it_works_again() -> None:
    async def story(journal: Journal) -> None:
        engine = await opened(journal)
        store, failing = journal.append, [1]

        def append(batch: Sequence[Entry]) -> list[Record | Duplicate]:
            if failing and any(isinstance(decode(entry.payload), Turned) for entry in batch):
                failing.pop()
                raise JournalError("journal.io", "storing records: disk I/O error")
            return store(batch)

        journal.append = append  # type: ignore[method-assign]
        await tell(engine, *BETS, Key("no-more-bets"), *CARDS, *END)
        assert not failing
        assert [fact for record in journal if isinstance(fact := decode(record.payload), Turned)] == []
        await tell(engine, Key("count", ("52",)))
        (turned,) = (fact for record in journal if isinstance(fact := decode(record.payload), Turned))
        assert turned.round == 1
        assert await cards(engine, journal) == [seen(card) for card in DEAL]

    play(story)
