"""What is stored tells no card before the rules turn it; then it tells exactly what everybody is told."""

from __future__ import annotations

from typing import Any

import pytest

from controller.cards import DECK
from controller.journal.veil import NO_VEIL
from controller.script import parse
from controller.script.play import Player
from controller.service.commitments import CardCheck
from controller.service.disclosure import disclosed
from controller.table import facts
from controller.table.facts import AnyFact, Hidden, Turned
from controller.views.cards import has_cards
from hw_sim.loop import run
from tests.service.hidden_table import words
from tests.system.test_old_rounds import HOLE, HOUSE, story


async def nothing() -> None:
    pass


def without_secrets(fact: AnyFact) -> Any:
    return (fact.round, fact.upto, fact.cards) if isinstance(fact, Turned) else fact


@pytest.mark.parametrize("game", sorted({*HOLE, *HOUSE}))
def test_without_keys_the_journal_tells_what_everybody_is_told(game: str) -> None:
    text, _ = story(game)

    async def play() -> None:
        player = Player("stored.felt", parse(text).runs[0])
        close, player.floor.close = player.floor.close, nothing  # type: ignore[method-assign]
        await player.play()
        check(player.floor.tables[""].journal)
        await close()

    run(play())


def check(journal: Any) -> None:
    head = journal.head.seq
    stored = [facts.decode(journal.stored_payload(seq)) for seq in range(1, head + 1)]
    hidden = [fact for fact in stored if isinstance(fact, Hidden)]
    assert len(hidden) > 5
    assert not any(has_cards(fact) for fact in stored if not isinstance(fact, Hidden))
    assert not set(DECK) & {word for fact in hidden for word in words(facts.encode(fact))}
    told = [without_secrets(fact) for _, fact in disclosed(journal, journal.read(1, head), {})]
    assert CardCheck(journal, head).altered() is None
    journal.veil = NO_VEIL  # as who has the file alone
    assert [without_secrets(fact) for _, fact in disclosed(journal, journal.read(1, head), {})] == told
    alone = CardCheck(journal, head)
    assert alone.altered() is None and "turned cards" in alone.notes()[0]
