"""The newest hash of the chain is public: with all else of a record known, it must not tell which card it has."""

from __future__ import annotations

import asyncio

import pytest

from controller.api.views import record as told
from controller.cards import RANKS, SUITS
from controller.journal.records import Record, chained, pack
from controller.journal.store import Journal
from controller.service import snapshots
from controller.service.journal_encoding import journal_bytes
from controller.table import facts
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Chips, Key, Snapped, Spot
from tests.service.test_disclosure import opened, tell

DECK = [rank + suit for rank in RANKS for suit in SUITS]


def test_a_card_cannot_be_guessed_from_the_hashes_before_and_after_it() -> None:
    async def story() -> None:
        journal = Journal.open(None, table="T1")
        engine = await opened(journal)
        await tell(engine, Chips(1, (Spot("ante", 1, 1000),)), Key("no-more-bets"))
        before = journal.head.hash
        await tell(engine, CardOut("Kh"))
        (stored,) = journal.read(journal.head.seq, 1)
        assert facts.decode(stored.payload) == CardOut("Kh")
        guesses = (
            Record(stored.seq, stored.at_us, "", 0, 0, facts.encode(CardOut(card)))  # all else is told to anybody
            for card in DECK
        )
        assert journal.head.hash not in [chained(before, pack(guess.seq, guess)) for guess in guesses]
        journal.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "fact",
    [
        CardOut("Kh"),
        CardsOut(("Kh", "2c")),
        CardRead("3", "Kh"),
        CardRead("3", "Kh", together=("Kh", "2c")),
        Key("discard", ("3", "Kh")),
        Amend(7, CardOut("Kh"), "supervisor 7", 1001, "ann"),
        Snapped(7, b"digest", "1"),
    ],
)
def test_every_fact_that_may_hide_a_card_is_recorded_with_a_salt(fact: AnyFact) -> None:
    first, second = journal_bytes(fact, facts.encode(fact)), journal_bytes(fact, facts.encode(fact))
    assert first != second
    assert facts.decode(first) == facts.decode(second) == fact


def test_what_has_no_secret_is_recorded_as_it_is() -> None:
    assert journal_bytes(Key("settle"), b"plain") == b"plain"


def test_the_digest_of_a_snapshot_is_found_by_the_table_and_told_to_nobody() -> None:
    fact = snapshots.named(1, b"a table with its cards")
    assert journal_bytes(fact, facts.encode(fact))[1:14] == facts.encode(fact)[1:14]  # where `snapshots` looks
    seen = told(Record(2, 0, "", 0, 0, journal_bytes(fact, facts.encode(fact))), fact)
    assert not seen["fact"]["digest"]
