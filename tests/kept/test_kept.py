"""What earlier versions wrote is read by this one: it verifies, and it tells the same rounds, chips and meters."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.games import GAMES
from controller.journal import InlineWriter, Journal
from controller.service.engine import Engine
from tests.kept.telling import goes_on, journal_says, meters_say, recovered, snapshots

HERE = Path(__file__).parent
VERSIONS = sorted(path.parent.name for path in HERE.glob("*/said.json"))
SAID: dict[tuple[str, str], Any] = {
    (version, name): said
    for version in VERSIONS
    for name, said in json.loads((HERE / version / "said.json").read_text()).items()
}
METERS = [key for key in SAID if ".meters." in key[1]]
JOURNALS = [key for key in SAID if key not in METERS]

# Stories in which that version read a rule wrongly: file -> what is read otherwise since.  They still open and verify.
MENDED: dict[str, str] = {
    "ultimate-texas-holdem-vic.jackpot_vic.11.4.2_ultimate_who_has_not_decided_keeps_the_wager.db": (
        "003 11.4.2: a Jackpot wager whose player has only checked is settled on hole cards and Flop, not carried"
    ),
    "ultimate-texas-holdem-vic.ultimate_texas_holdem_vic.11.12_a_viewed_blind_hand.db": (
        "003 11.12.1: a hand that was viewed waits for the supervisor's reconstruct"
    ),
}

Unpacked = Callable[[tuple[str, str]], Path]


def name_of(key: tuple[str, str]) -> str:
    return "/".join(key)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archives, unpacked once; what looks at a file may change it, so each test takes copies."""
    directory = tmp_path_factory.mktemp("kept")
    for version in VERSIONS:
        with tarfile.open(HERE / version / "files.tar.xz") as archive:
            for member in archive.getmembers():
                content = archive.extractfile(member)
                assert content is not None
                (directory / version).mkdir(exist_ok=True)
                (directory / version / member.name).write_bytes(content.read())
    return directory


@pytest.fixture
def unpacked(files: Path, tmp_path: Path) -> Unpacked:
    def copy(key: tuple[str, str]) -> Path:
        source = files.joinpath(*key)
        for each in (source, source.with_name(source.name + "-wal")):
            if each.exists():
                shutil.copy(each, tmp_path)
        return tmp_path / source.name

    return copy


@pytest.mark.parametrize("key", JOURNALS, ids=name_of)
def test_a_journal_is_told_the_same_from_its_first_record(key: tuple[str, str], unpacked: Unpacked) -> None:
    said, now = SAID[key], json.loads(json.dumps(journal_says(unpacked(key))))
    if key[1] in MENDED:
        assert {name: now[name] for name in ("ok", "seq", "hash")} == {n: said[n] for n in ("ok", "seq", "hash")}
    else:
        assert now == said


@pytest.mark.parametrize("key", JOURNALS, ids=name_of)
def test_a_table_comes_back_where_it_was(key: tuple[str, str], unpacked: Unpacked) -> None:
    """As the daemon does it, from the newest snapshot that it believes; and from every snapshot, and from none."""
    path, said = unpacked(key), SAID[key]
    told = goes_on(path)
    assert len(told) == len(said["snapshots"]) or key[0] != "0.1.0"  # those have one form, and are read for ever
    for now in told:
        assert json.loads(json.dumps(now)) == said["now"] or key[1] in MENDED
    assert recovered_json(path, said["table"]) == said["now"] or key[1] in MENDED
    database = sqlite3.connect(path)
    database.execute("DELETE FROM snapshot")
    database.commit()
    database.close()
    assert recovered_json(path, said["table"]) == said["now"] or key[1] in MENDED


@pytest.mark.parametrize("key", [k for k in JOURNALS if k[1].endswith(".cut.db") or k[1] in MENDED], ids=name_of)
async def test_a_table_that_comes_to_something_else_is_held(key: tuple[str, str], unpacked: Unpacked) -> None:
    """A rule that is read otherwise since changes no money unseen: the snapshot says what people had in their hands."""
    path = unpacked(key)
    differs = key[1] in MENDED and bool(snapshots(path))
    for start in range(2):
        journal = Journal.open(path, table=SAID[key]["table"])
        engine = Engine(journal, InlineWriter(journal), lambda: 1)
        replayed = engine.recover()
        assert engine.table.begun is not None
        await engine.start(engine.table.begun)
        assert [held.code for held in engine.table.holds.values()] == (["journal.retold"] if differs else [])
        once = start == 1 and key[0] == "0.1.0"  # of which no snapshot is believed: everything was told again
        assert not once or replayed <= engine.seq - SAID[key]["seq"]
        await engine.writer.close()
        journal.close()


@pytest.mark.parametrize("key", METERS, ids=name_of)
def test_a_store_of_prize_meters_holds_the_same(key: tuple[str, str], unpacked: Unpacked) -> None:
    assert json.loads(json.dumps(meters_say(unpacked(key)))) == SAID[key]


def recovered_json(path: Path, table: str) -> Any:
    return json.loads(json.dumps(recovered(path, table)))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_game_is_there_and_cut_in_the_middle_of_a_round(version: str) -> None:
    games = GAMES if version == "0.1.0" else {key[1].split(".")[0] for key in JOURNALS if key[0] == version}
    for game in games:
        cut, dealt = SAID[version, f"{game}.cut.db"], SAID[version, f"{game}.dealt.db"]
        assert cut["now"]["wagers"] or cut["now"]["hands"]
        assert cut["snapshots"] and dealt["snapshots"] and dealt["rounds"]


def test_there_is_something_kept(files: Path) -> None:
    assert VERSIONS
    assert any(snapshots(path) for path in files.rglob("*.dealt.db"))
