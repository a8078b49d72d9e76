"""A table whose program is compared with its manifest: at its start, on challenge, on record, and what follows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.config import TableConfig, load_config
from controller.program.challenge import answered, key_of
from controller.program.installed import measured, sources
from controller.service import audit, program_watch
from controller.table import facts
from controller.table.facts import (
    AnyFact,
    CardOut,
    Chips,
    DeviceFault,
    Hold,
    Key,
    ProgramChallenged,
    ProgramChecked,
    Released,
    Spot,
)
from tests.daemon.house import table_toml
from tests.daemon.test_floor import felt, sign_in
from tests.program.installation import OTHER, PUBLIC, installed, manifest_of
from tests.service.clocks import Table, table, until

SEED = "00112233445566778899aabbccddeeff"
ALTERED = "program.altered"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation that the daemon takes for its own; what the tests themselves have loaded is not looked at."""
    made = installed(tmp_path / "opt")
    monkeypatch.setattr(program_watch, "own_root", lambda: made)
    monkeypatch.setattr(program_watch, "foreign_paths", lambda paths, root: [])
    monkeypatch.setattr(program_watch, "foreign_modules", lambda modules, root: [])
    return made


def with_manifest(directory: Path, manifest: Path) -> TableConfig:
    path = table_toml(directory)
    path.write_text(f'{path.read_text()}[program]\nmanifest = "{manifest}"\nkeys = ["{PUBLIC.upper()}"]\n')
    return load_config(path)


def alter(root: Path) -> None:
    path = root / "controller/money.py"
    path.write_bytes(path.read_bytes() + b"\n")


def on_record(t: Table, *kinds: type[AnyFact]) -> list[AnyFact]:
    told = [facts.decode(record.payload) for record in t.daemon.journal]
    return [fact for fact in told if isinstance(fact, kinds)]


async def checked(t: Table) -> None:
    await until(lambda: t.daemon.service.program.latest is not None and not t.engine.pending)


async def test_each_start_puts_it_on_record(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    for start in (1, 2):
        async with table(config) as t:
            await checked(t)
            told = on_record(t, ProgramChecked)
            assert len(told) == start
            last = told[-1]
            assert isinstance(last, ProgramChecked)
            assert (last.signature, last.key, last.differing, last.code) == ("signed", PUBLIC, 0, "")
            assert last.files and last.manifest
            assert not t.engine.table.holds and not t.engine.table.faults.get("program")
    assert audit.verify(config.table.state / "journal.db", replay=True).ok


async def test_an_altered_file_is_shown_everywhere_and_a_supervisor_decides(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    alter(root)
    async with table(config) as t:
        await until(lambda: bool(t.engine.table.holds))
        (told,) = on_record(t, ProgramChecked)
        assert isinstance(told, ProgramChecked)
        assert (told.code, told.differing, told.first) == (ALTERED, 1, ("controller/money.py: is altered",))
        assert len(on_record(t, DeviceFault, Hold)) == 2
        said = await felt(t, "status", "--json")
        codes = [trouble["code"] for trouble in json.loads(said.stdout.splitlines()[-1])["trouble"]]
        assert ALTERED in codes and said.exit_code == 1
        said = await felt(t, "program", "show")
        assert said.exit_code == 1 and "controller/money.py: is altered" in said.stdout
        assert t.daemon.status().startswith(f"held by {ALTERED}")
        await t.engine.submit(Chips(1, (Spot("war", 1, 1000),)))
        assert t.engine.table.round is None  # no new round
        await t.engine.submit(Chips(1, (Spot("war", 1, 0),)))
        await sign_in(t, "supervisor")
        said = await felt(t, "key", "resume", ALTERED)
        assert said.exit_code == 0, said.output
        await until(lambda: not t.engine.table.holds)
        assert ALTERED in t.engine.table.faults["program"]  # for everybody to see, as long as it is so
        await t.daemon.service.program.look()
        assert not t.engine.table.holds  # of the same nobody is asked twice
    async with table(config) as t:
        await until(lambda: bool(t.engine.table.holds))  # but at the next start


async def test_a_round_that_runs_is_played_to_its_end(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    async with table(config) as t:
        await checked(t)
        await t.engine.submit(Chips(1, (Spot("war", 1, 1000),)))
        await t.engine.submit(Key("no-more-bets"))
        alter(root)
        await t.daemon.service.program.look()
        assert ALTERED in t.engine.table.faults["program"] and not t.engine.table.holds
        for fact in (CardOut("Kh"), CardOut("9d"), Key("settle")):
            await t.engine.submit(fact)
        await until(lambda: bool(t.engine.table.holds))


async def test_it_is_over_when_the_approved_files_are_back(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    approved = (root / "controller/money.py").read_bytes()
    alter(root)
    async with table(config) as t:
        await until(lambda: bool(t.engine.table.holds))
        (root / "controller/money.py").write_bytes(approved)
        await t.daemon.service.program.look()
        await until(lambda: not t.engine.table.holds)
        assert not t.engine.table.faults.get("program") and len(on_record(t, Released)) == 1


async def test_a_manifest_of_another_key_holds_it_too(root: Path, tmp_path: Path) -> None:
    async with table(with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest", OTHER))) as t:
        await until(lambda: bool(t.engine.table.holds))
        assert "program.untrusted" in t.engine.table.faults["program"]


async def test_a_challenge_is_answered_and_on_record(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    async with table(config) as t:
        await checked(t)
        said = await felt(t, "program", "challenge", SEED, "--json")
        assert said.exit_code == 0, said.output
        told = json.loads(said.stdout.splitlines()[-1])
        alone = answered(key_of(SEED), measured(sources(root), key_of(SEED)))
        assert (told["program"], told["installation"]) == (alone.program, alone.installation)
        (fact,) = on_record(t, ProgramChallenged)
        assert isinstance(fact, ProgramChallenged)
        assert (fact.seed, fact.installation) == (SEED, alone.installation) and fact.account >= 0
        alter(root)
        said = await felt(t, "program", "challenge", SEED, "--json")
        assert said.exit_code == 0 and json.loads(said.stdout.splitlines()[-1])["trouble"]["code"] == ALTERED
        assert json.loads(said.stdout.splitlines()[-1])["program"] != alone.program
        await until(lambda: bool(t.engine.table.holds))
        said = await felt(t, "program", "challenge", "0011")
        assert said.exit_code == 1 and "program.seed" in said.stderr


async def test_the_latest_changes(root: Path, tmp_path: Path) -> None:
    config = with_manifest(tmp_path, manifest_of(root, tmp_path / "manifest"))
    async with table(config) as t:
        await checked(t)
    alter(root)
    manifest_of(root, tmp_path / "manifest")
    async with table(config) as t:
        await checked(t)
        said = await felt(t, "program", "changes", "--json")
        changed = [each["changed"] for each in json.loads(said.stdout.splitlines()[-1])["changes"]]
        files = ["files", "manifest"]
        assert changed == [files, [*files, "signature"], ["version", "configuration"]]
        said = await felt(t, "program", "changes", "-n", "1")
        assert len(said.stdout.splitlines()) == 2


async def test_a_checkout_is_said_to_be_unsigned_and_plays(tmp_path: Path) -> None:
    async with table(load_config(table_toml(tmp_path))) as t:
        await checked(t)
        said = await felt(t, "status")
        assert "UNSIGNED: it runs from a checkout" in said.stdout
        assert not on_record(t, ProgramChecked)  # nothing that happens at a simulated table counts
        said = await felt(t, "program", "challenge", SEED)
        assert said.exit_code == 1 and "program.unchecked" in said.stderr
