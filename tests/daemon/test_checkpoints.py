"""A running table signs checkpoints by itself, and a restart notices what was put behind its back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.config import TableConfig
from controller.config.load import load_config
from controller.daemon.compose import CHECKPOINTS, KEY, Daemon, running
from controller.journal import Entry, Journal, JournalError, verify
from controller.journal.checkpoints import KeptCheckpoint
from controller.journal.key_file import make_key, read_key
from controller.journal.notes import Note
from controller.journal.records import Record, pack, seal
from controller.journal.signing import Signer, signed_by
from controller.journal.verify_tree import Evidence
from controller.service import checkpoint_keeper
from controller.service.checkpoint_keeper import EVERY, CheckpointKeeper
from controller.sim.addresses import schemes, simulated_table
from controller.table.effects import RoundEnded
from controller.table.facts import Key
from tests.daemon.house import table_toml


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return make_key(tmp_path / "journal.key", "T1")


@pytest.fixture
def config(tmp_path: Path, signer: Signer) -> TableConfig:
    path = table_toml(tmp_path)
    path.write_text(path.read_text() + f'[journal]\nkey = "{tmp_path / "journal.key"}"\n')
    return load_config(path)


def journal_of(config: TableConfig) -> Path:
    return config.table.state / "journal.db"


def newest(journal: Journal) -> KeptCheckpoint:
    kept = journal.checkpoints()[-1][1]
    assert kept is not None
    return kept


async def kept_at(daemon: Daemon, seq: int) -> KeptCheckpoint:
    """Waits until a checkpoint that covers this record is stored."""
    async with asyncio.timeout(20):
        while not daemon.journal.checkpoints() or daemon.journal.checkpoints()[-1][0] < seq:  # noqa: ASYNC110 - a file
            await asyncio.sleep(0.005)
    return newest(daemon.journal)


async def test_a_table_signs_its_journal_from_its_start_to_its_stop(config: TableConfig, signer: Signer) -> None:
    async with simulated_table(config) as (sim, _):
        async with running(config, schemes(sim)) as daemon:
            kept = await kept_at(daemon, 1)
            assert signed_by(Note.from_text(kept.note), signer.verifier())
            assert not kept.checkpoint.closed
        assert daemon.service.closed_doors == {}
    journal = Journal.inspect(journal_of(config))
    last = newest(journal)
    assert (last.seq, last.checkpoint.closed) == (journal.head.seq, True)
    journal.close()
    proof = Evidence(Note.from_text(last.note), signer.verifier())
    assert verify(journal_of(config), evidence=proof).notes == ()
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        assert verify(daemon.journal, evidence=proof).ok  # the start has said that it goes on
        assert daemon.service.closed_doors == {}


async def test_a_round_that_ends_brings_the_next_checkpoint_but_not_too_often(config: TableConfig) -> None:
    now = 1000.0
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        await kept_at(daemon, 1)
        engine, before = daemon.service.engine, len(daemon.service.engine.listeners)
        keeper = CheckpointKeeper(daemon.journal, engine, None, clock=lambda: now)
        keeper.start()

        def round_ends() -> None:
            engine.listeners[before](engine.seq, Key("settle"), engine.table, [RoundEnded(1, "settled", "")])

        async def fact() -> int:
            return (await engine.submit(Key("no-such-key"))).seq

        await kept_at(daemon, daemon.journal.head.seq)
        seq = await fact()
        now += EVERY - 1
        round_ends()
        engine.listeners[before](engine.seq, Key("settle"), engine.table, [])
        assert daemon.journal.checkpoints()[-1][0] < seq
        now += 1
        round_ends()
        assert (await kept_at(daemon, seq)).seq >= seq
        await keeper.stop()


async def test_the_last_round_of_a_night_is_not_left_without_one(
    config: TableConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        monkeypatch.setattr(checkpoint_keeper, "EVERY", 0.2)
        engine, before = daemon.service.engine, len(daemon.service.engine.listeners)
        keeper = CheckpointKeeper(daemon.journal, engine, None)
        keeper.start()
        await kept_at(daemon, daemon.journal.head.seq)
        seq = (await engine.submit(Key("no-such-key"))).seq
        engine.listeners[before](engine.seq, Key("settle"), engine.table, [RoundEnded(1, "settled", "")])
        assert (await kept_at(daemon, seq)).seq >= seq  # no other round ended
        await keeper.stop()


async def test_what_was_appended_while_it_was_stopped_is_told_and_stays_found(config: TableConfig) -> None:
    async with simulated_table(config) as (sim, _):
        async with running(config, schemes(sim)):
            pass
        intruder = Journal.open(journal_of(config), table="T1")
        last = list(intruder)[-1]
        intruder.append([Entry(last.at_us + 1, last.payload)])
        intruder.close()
        async with running(config, schemes(sim)) as daemon:
            assert daemon.service.closed_doors[CHECKPOINTS].code == "journal.appended"
            await kept_at(daemon, daemon.journal.head.seq)
    report = verify(journal_of(config))
    assert (report.code, report.first_bad) == ("journal.appended", last.seq + 1)


async def test_without_a_key_checkpoints_are_not_signed(tmp_path: Path) -> None:
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        kept = await kept_at(daemon, 1)
        assert Note.from_text(kept.note).signatures == ()
        assert daemon.service.closed_doors == {}


async def test_a_key_that_cannot_be_used_stops_no_table(config: TableConfig, tmp_path: Path) -> None:
    (tmp_path / "journal.key").chmod(0o644)
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        assert daemon.service.closed_doors[KEY].code == "journal-key.permissions"
        kept = await kept_at(daemon, 1)
        assert Note.from_text(kept.note).signatures == ()


async def test_a_credential_of_the_service_manager_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "given").mkdir()
    signer = make_key(tmp_path / "given" / "journal-key", "T1")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "given"))
    config = load_config(table_toml(tmp_path))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        assert signed_by(Note.from_text((await kept_at(daemon, 1)).note), signer.verifier())


async def test_what_was_altered_under_the_table_is_told_and_not_signed(config: TableConfig) -> None:
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        await kept_at(daemon, 1)
        seq = (await daemon.service.engine.submit(Key("no-such-key"))).seq
        forged = pack(seq, Record(seq, 0, "", 0, 0, b"forged"))
        with daemon.journal._lock:
            daemon.journal._connection.execute(
                "UPDATE record SET sealed = ? WHERE seq = ?", (seal(forged, bytes(32)), seq)
            )
        told: list[str] = []
        keeper = CheckpointKeeper(
            daemon.journal, daemon.service.engine, None, report=lambda error: told.append(error.code)
        )
        keeper.start()
        async with asyncio.timeout(20):
            while not told:  # noqa: ASYNC110 - what a thread finds
                await asyncio.sleep(0.005)
        await keeper.stop()
        assert told == ["journal.corrupt"]
        assert daemon.journal.checkpoints()[-1][0] < seq


def test_a_key_is_read_as_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "journal.key"
    made = make_key(path, "T1")
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path, "T1").verifier() == made.verifier()
    with pytest.raises(JournalError) as exists:
        make_key(path, "T1")
    assert exists.value.code == "journal-key.exists"
    with pytest.raises(JournalError) as other:
        read_key(path, "T2")
    assert other.value.code == "journal-key.other-table"


@pytest.mark.parametrize(
    "text", ["", "PRIVATE+KEY+", "PRIVATE+KEY+a+b+c", "PRIVATE+KEY+feltd.journal/T1+00000000+" + "A" * 44, "\udcff"]
)
def test_what_is_no_key_is_named_and_not_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "journal.key"
    path.write_bytes(text.encode(errors="surrogateescape"))
    path.chmod(0o600)
    with pytest.raises(JournalError) as refused:
        read_key(path, "T1")
    assert refused.value.code == "journal-key.malformed"
    assert "AAAA" not in str(refused.value)


async def test_a_key_beside_the_journal_is_not_used(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    (tmp_path / "state").mkdir()
    make_key(tmp_path / "state" / "journal.key", "T1")
    path.write_text(path.read_text() + f'[journal]\nkey = "{tmp_path / "state" / "journal.key"}"\n')
    config = load_config(path)
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        assert daemon.service.closed_doors[KEY].code == "journal-key.beside"
