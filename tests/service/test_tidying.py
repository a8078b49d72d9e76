"""Garbage is collected while the table rests, never in the middle of a fact."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest

from controller.games import defaults
from controller.journal import InlineWriter, Journal
from controller.service import tidying
from controller.service.engine import Engine
from controller.service.tidying import AT_LAST, Tidying, tidied
from controller.table.facts import Started, Tick


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    journal = Journal.open(None, table="T1")
    engine = Engine(journal, InlineWriter(journal), clock=lambda: 1)
    await engine.start(Started("casino-war", defaults("casino-war")))
    yield engine
    journal.close()


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The generations that were collected."""
    generations: list[int] = []
    monkeypatch.setattr(gc, "collect", generations.append)
    return generations


async def test_it_collects_once_when_nothing_happens_any_more(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    generations: list[int] = []
    collected = asyncio.Event()

    def collect(generation: int) -> None:
        generations.append(generation)
        collected.set()

    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(tidying, "AT_REST", 0.0)
    tidy = Tidying(engine)
    await engine.submit(Tick())
    await asyncio.wait_for(collected.wait(), 10)
    await asyncio.sleep(0)
    assert generations == [1] and tidy._timer is None
    tidy.stop()


async def test_it_waits_while_something_happens(
    engine: Engine, collected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "AT_REST", 1000.0)
    tidy = Tidying(engine)
    await engine.submit(Tick())
    first = tidy._timer
    await engine.submit(Tick())
    assert first is not None and tidy._timer is first  # one timer, however much happens
    tidy._look()
    assert tidy._timer is not first and not collected  # looked again later
    first.cancel()
    tidy.stop()
    assert tidy._timer is None
    await engine.submit(Tick())
    assert tidy._timer is None  # it is over


async def test_now_and_then_it_looks_through_everything(engine: Engine, collected: list[int]) -> None:
    tidy = Tidying(engine)
    for _ in range(40):
        tidy._look()
    assert collected == [*[1] * 19, 2, *[1] * 19, 2]
    tidy.stop()


async def test_what_was_loaded_stays_and_all_is_as_before_at_the_end(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    before, listeners = gc.get_threshold(), list(engine.listeners)
    with pytest.raises(KeyError), tidied(engine):
        assert frozen == [1] and gc.get_threshold() == (AT_LAST, *before[1:])
        assert len(engine.listeners) == len(listeners) + 1
        raise KeyError
    assert gc.get_threshold() == before and engine.listeners == listeners
