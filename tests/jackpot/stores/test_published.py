"""Checkpoints in a store: what a table has published once, it cannot take back."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import cast

import pytest

from controller.jackpot.stores.checkpoint_store import CheckpointStore
from controller.jackpot.stores.store import MeterStore
from controller.journal.notes import Note
from controller.journal.witnessing import Submission, WitnessError
from tests.jackpot.stores.conftest import Make
from tests.journal.shown import FORGED, KEY, TRUE, submission


@pytest.fixture
def log(store: MeterStore) -> CheckpointStore:
    return cast(CheckpointStore, store)


async def refused(log: CheckpointStore, shown: Submission) -> tuple[str, int]:
    with pytest.raises(WitnessError) as caught:
        await log.publish(shown)
    return caught.value.code, caught.value.known


async def test_a_journal_that_grows_is_kept_line_by_line(log: CheckpointStore) -> None:
    assert await log.published(KEY.name) is None
    for old, size in ((0, 5), (5, 12), (12, 12), (12, 40)):
        await log.publish(submission(old, size))
    newest = await log.published(KEY.name)
    assert newest is not None and Note.from_text(newest.note) == submission(0, 40).note
    assert [each.size for each in await log.all_published(KEY.name)] == [5, 12, 40]
    assert await log.published("feltd.journal/T2") is None


async def test_what_went_back_or_another_way_is_refused_and_leaves_no_line(log: CheckpointStore) -> None:
    await log.publish(submission(0, 12))
    assert await refused(log, submission(5, 9)) == ("witness.rollback", 12)
    assert await refused(log, submission(12, 12, FORGED)) == ("witness.fork", 12)
    assert await refused(log, submission(12, 20, FORGED)) == ("witness.fork", 12)
    assert await refused(log, submission(0, 20)) == ("witness.stale", 12)
    assert [each.size for each in await log.all_published(KEY.name)] == [12]


async def test_what_a_person_decided_is_kept_beside_what_it_contradicts(log: CheckpointStore) -> None:
    await log.publish(submission(0, 12))
    await log.publish(submission(0, 9, FORGED), "a person at table T1")
    await log.publish(submission(9, 20, FORGED))
    kept = [(each.size, each.anew) for each in await log.all_published(KEY.name)]
    assert kept == [(12, ""), (9, "a person at table T1"), (20, "")]


async def test_of_two_clones_that_publish_at_once_one_is_refused(make: Make) -> None:
    clients = [cast(CheckpointStore, make()) for _ in range(4)]
    for client in clients:
        await client.open()
    shown = [submission(0, 12, leaves) for leaves in (FORGED, TRUE, FORGED, TRUE)]
    done = await asyncio.gather(
        *(client.publish(each) for client, each in zip(clients, shown, strict=True)), return_exceptions=True
    )
    refusals = [each for each in done if isinstance(each, WitnessError)]
    assert len(refusals) >= 2 and {each.code for each in refusals} <= {"witness.fork", "witness.stale"}
    assert any(each.code == "witness.fork" for each in refusals)
    assert len(await clients[0].all_published(KEY.name)) == 1
    for client in clients:
        await client.close()


def test_no_two_steps_of_the_schema_have_one_number() -> None:
    names = sorted(each.name for each in files("controller.jackpot.stores.migrations").iterdir())
    steps = [name for name in names if name.endswith(".sql")]
    assert len({name.partition("_")[0] for name in steps}) == len(steps)
