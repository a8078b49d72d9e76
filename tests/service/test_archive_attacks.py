"""What somebody with the archives, or with the journal, in their hands can do; each of it is found by name."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal import Journal, JournalError
from controller.journal.archives import Archive, Base, NamedArchive, encoded
from controller.journal.checkpoints import checkpoint_crc, origin_of
from controller.journal.counters import device_crc
from controller.journal.growth import GrowingTree, frontier_at
from controller.journal.notes import Note
from controller.journal.records import chained, genesis, pack, seal, unsealed
from controller.journal.shelf import Shelf
from controller.journal.signing import Signer, signed
from controller.journal.tree import Frontier, leaf_hash
from controller.journal.verify_export import Key, Refuted, Unusable, check
from controller.journal.verify_tree import Evidence
from controller.service.archive_naming import check_named
from controller.service.archive_plan import Bounds
from controller.service.audit import verify
from controller.table import facts
from controller.table.facts import Archived
from tests.service.archived_table import LATER, Table, looked, played

SIGNER = Signer(origin_of("T1"), Ed25519PrivateKey.from_private_bytes(bytes(32)))
KEY = SIGNER.verifier()
PAIR = Bounds(near=0, smallest=256, largest=256)
FIRST, SECOND = "T1-1-256.felt-archive.jsonl", "T1-257-512.felt-archive.jsonl"


class Scene:
    """A journal of which 512 records are in two archives, with the checkpoint that an inspector kept before."""

    def __init__(self, directory: Path) -> None:
        self.path, self.folder = directory / "journal.db", directory / "archives"
        self.kept = Note.from_text((directory / "kept").read_text())

    def found(self, *, archives: bool = True, evidence: bool = False) -> str:
        """Returns the code by which the check of the journal names what is wrong; "" when it is sound."""
        shelf = Shelf(self.folder) if archives else None
        try:
            report = verify(self.path, evidence=Evidence(self.kept, KEY) if evidence else Evidence(), shelf=shelf)
        except JournalError as error:
            return error.code
        assert report.ok == (not report.code)
        return report.code

    def sql(self, *statements: str | tuple[str, tuple[object, ...]]) -> None:
        """Changes the file behind its owner's back."""
        connection = sqlite3.connect(self.path)
        for each in statements:
            statement, values = (each, ()) if isinstance(each, str) else each
            connection.execute(statement, values)
        connection.commit()
        connection.close()

    def start(self) -> str:
        """Returns the code by which a start refuses the journal; "" when it starts."""
        try:
            journal = Journal.open(self.path, table="T1")
            try:
                check_named(journal)
            finally:
                journal.close()
        except JournalError as error:
            return error.code
        return ""

    def alone(self, *names: str) -> str:
        """Returns what the inspector's program says of archives alone, with the key."""
        try:
            words = check([str(self.folder / name) for name in names], [Key(KEY.to_text())], [])
        except (Refuted, Unusable, ValueError, KeyError) as wrong:
            return f"no: {wrong}"
        return "\n".join(words)


def written(directory: Path) -> None:
    """Makes the journal and its archives."""
    folder = directory / "archives"
    folder.mkdir(parents=True)
    table = Table(directory, folder, SIGNER)
    table.run(played)
    journal = table.opened(None)
    kept = signed("T1", GrowingTree(journal).grow(), SIGNER)
    journal.keep_checkpoint(kept)
    journal.close()
    (directory / "kept").write_text(kept.note)
    table.now = LATER
    for _ in range(2):
        table.run(looked, PAIR)
    assert sorted(path.name for path in folder.iterdir()) == [FIRST, SECOND]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("archived") / "T1"
    written(directory)
    return directory


@pytest.fixture
def scene(original: Path, tmp_path: Path) -> Scene:
    shutil.copytree(original, tmp_path / "T1")
    return Scene(tmp_path / "T1")


def test_nothing_is_found_where_nothing_was_done(scene: Scene) -> None:
    assert (scene.start(), scene.found(), scene.found(evidence=True), scene.found(archives=False)) == ("", "", "", "")
    assert "NOT SEEN: records 1 to 256" in scene.alone(SECOND)
    assert "proved: 512 records in one unbroken order" in scene.alone(FIRST, SECOND)
    assert "proved: feltd.journal/T1 signed 2 of 2 checkpoints" in scene.alone(FIRST, SECOND)


# ---- the archives


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines(keepends=True)


def another_card(path: Path) -> None:
    """Changes one body, and leaves the rest."""
    lines = _lines(path)
    at = len(lines) // 2
    line = json.loads(lines[at])
    body = bytearray(b64decode(line["body"]))
    body[-1] ^= 1
    lines[at] = json.dumps({**line, "body": b64encode(body).decode()}) + "\n"
    path.write_text("".join(lines))


def remade(path: Path, signer: Signer | None = None) -> None:
    """Does what somebody does who knows the form, and not the key: another record, and everything behind it fits."""
    head, *lines, end = (json.loads(line) for line in _lines(path))
    chain = bytes.fromhex(head["chain"]) if "chain" in head else genesis("T1")
    tree = Frontier(head.get("after", 0), tuple(map(bytes.fromhex, head.get("tree", ()))))
    out = []
    for line in lines:
        if "checkpoint" in line:
            continue
        body = b64decode(line["body"])
        if line["seq"] == 300:
            body = body[:-1] + bytes([body[-1] ^ 1])
        chain = chained(chain, body)
        tree = tree.plus([leaf_hash(body)])
        out.append({"seq": line["seq"], "body": b64encode(body).decode(), "hash": chain.hex()})
    note = {"checkpoint": signed("T1", tree, signer).note}
    path.write_text("".join(json.dumps(each) + "\n" for each in (head, note, *out, end)))


def line_taken_out(path: Path) -> None:
    lines = _lines(path)
    path.write_text("".join(lines[:100] + lines[101:]))


def lines_swapped(path: Path) -> None:
    lines = _lines(path)
    lines[100], lines[101] = lines[101], lines[100]
    path.write_text("".join(lines))


FORGER = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32))
FILE_ATTACKS: dict[str, Callable[[Path], object]] = {
    "another card": another_card,
    "a line taken out": line_taken_out,
    "two lines swapped": lines_swapped,
    "cut in the middle": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut by one byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "the end alone is gone": lambda path: path.write_text("".join(_lines(path)[:-1])),
    "emptied": lambda path: path.write_bytes(b""),
    "longer": lambda path: path.write_text(path.read_text() + path.read_text().splitlines()[5] + "\n"),
    "another first line": lambda path: path.write_text(path.read_text().replace('"table":"T1"', '"table":"T2"', 1)),
    "another checkpoint": lambda path: path.write_text(
        path.read_text().replace("feltd.journal/T1", "feltd.journal/T2")
    ),
    "made anew without a key": remade,
    "made anew with another key": lambda path: remade(path, FORGER),
}


@pytest.mark.parametrize("attack", FILE_ATTACKS)
def test_an_archive_that_was_touched_is_found(scene: Scene, attack: str) -> None:
    FILE_ATTACKS[attack](scene.folder / SECOND)
    assert scene.found() == "archive.altered"
    assert scene.found(archives=False) == ""  # and without it the journal says that it has not seen it
    alone = scene.alone(SECOND)
    assert alone.startswith("no: ") or attack == "cut by one byte", alone  # it was the end of the last line
    journal = Journal.inspect(scene.path)
    journal.shelf = Shelf(scene.folder)
    with pytest.raises(JournalError) as refused:
        journal.read(300, 1)
    assert refused.value.code == "archive.altered"
    journal.close()


def test_every_single_byte_counts(scene: Scene) -> None:
    path = scene.folder / FIRST
    content = path.read_bytes()
    for at in range(0, len(content), 499):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert scene.found() == "archive.altered", at
    path.write_bytes(content)
    assert scene.found() == ""


def test_two_archives_that_were_exchanged_are_found(scene: Scene) -> None:
    (scene.folder / FIRST).rename(scene.folder / "x")
    (scene.folder / SECOND).rename(scene.folder / FIRST)
    (scene.folder / "x").rename(scene.folder / SECOND)
    assert scene.found() == "archive.altered"
    assert scene.alone(FIRST, SECOND).startswith("no: the file behind record 512 does not go on")


def test_the_archive_of_another_table_or_range_is_found(scene: Scene, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "archives").mkdir(parents=True)
    table = Table(other, other / "archives", FORGER)
    table.run(played)
    table.now = LATER
    table.run(looked, Bounds(near=0, smallest=512, largest=512))
    (archive,) = (other / "archives").iterdir()
    shutil.copy(archive, scene.folder / FIRST)
    assert scene.found() == "archive.altered"
    assert scene.alone(FIRST, SECOND).startswith("no: ")


def test_a_pipe_in_the_place_of_an_archive_keeps_nobody_waiting(scene: Scene) -> None:
    (scene.folder / FIRST).unlink()
    os.mkfifo(scene.folder / FIRST)
    assert scene.found() == "archive.unreadable"


@pytest.mark.parametrize("name", [FIRST, SECOND])
def test_an_archive_that_was_taken_away_is_found(scene: Scene, name: str) -> None:
    (scene.folder / name).unlink()
    assert scene.found() == "archive.missing"
    assert scene.alone(*sorted(path.name for path in scene.folder.iterdir()))


def test_a_folder_in_the_place_of_an_archive_is_named(scene: Scene) -> None:
    (scene.folder / FIRST).unlink()
    (scene.folder / FIRST).mkdir()
    assert scene.found() == "archive.unreadable"


# ---- the journal


def base_at(scene: Scene, seq: int) -> Base:
    """Returns what the records up to a place truly come to: anybody can compute it."""
    journal = Journal.inspect(scene.path)
    journal.shelf = Shelf(scene.folder)
    base = Base(seq, journal.hash_at(seq), journal.hash_at(1), frontier_at(journal, seq).hashes)
    journal.close()
    return base


def archives_of(scene: Scene) -> list[NamedArchive]:
    journal = Journal.inspect(scene.path)
    archives = journal.archives
    journal.close()
    return archives


def put_base(scene: Scene, base: Base) -> None:
    scene.sql("DELETE FROM base", ("INSERT INTO base VALUES (?, ?, ?)", (base.seq, *encoded(base))))


def put_archive(scene: Scene, named: NamedArchive) -> None:
    row = (named.archive.last, *encoded(named))
    scene.sql(("INSERT OR REPLACE INTO archive VALUES (?, ?, ?)", row))


def test_a_journal_that_was_cut_in_the_middle_is_found(scene: Scene) -> None:
    put_base(scene, base_at(scene, 768))
    scene.sql("DELETE FROM record WHERE seq <= 768")
    assert scene.start() == scene.found() == scene.found(archives=False) == "journal.corrupt"


def test_records_that_are_only_said_to_be_in_an_archive_are_found(scene: Scene) -> None:
    newest = archives_of(scene)[-1].archive
    base = base_at(scene, 768)
    name, digest = "T1-513-768.felt-archive.jsonl", bytes(32)
    claimed = Archive(513, 768, name, digest, base.hash, base.tree.root(), digest, base.origin, newest.seal())
    for record in (1, 700, 769, 900, 10_000):  # none of them names it
        put_archive(scene, NamedArchive(claimed, record))
        put_base(scene, base)
        scene.sql("DELETE FROM record WHERE seq <= 768")
        assert scene.start() == "archive.unnamed"
        assert scene.found(archives=False) in ("archive.unnamed", "archive.differs")
        assert scene.found() == "archive.missing"


def test_an_archive_that_was_made_anew_for_a_changed_journal_is_found(scene: Scene) -> None:
    remade(scene.folder / SECOND)
    named = archives_of(scene)[-1]
    digest = sha256((scene.folder / SECOND).read_bytes()).digest()
    put_archive(scene, NamedArchive(msgspec.structs.replace(named.archive, digest=digest), named.record))
    assert scene.start() == "archive.unnamed"
    assert scene.found(archives=False) == "archive.unnamed"
    assert scene.found() in ("archive.differs", "record.unchained")


@pytest.mark.parametrize(
    ("statement", "codes"),
    [
        ("DELETE FROM archive", {"journal.corrupt"}),
        ("DELETE FROM archive WHERE last = 256", {"journal.corrupt"}),
        ("DELETE FROM archive WHERE last = 512", {"journal.corrupt"}),
        ("DELETE FROM base", {"journal.corrupt"}),
        ("UPDATE base SET crc = crc + 1", {"journal.corrupt"}),
        ("UPDATE archive SET kept = x'00' WHERE last = 256", {"journal.corrupt"}),
        ("DROP TABLE archive", {"journal.corrupt", "journal.schema"}),
        ("PRAGMA user_version = 1", {"journal.corrupt", "journal.schema", "record.removed"}),
        ("DELETE FROM record WHERE seq = 513", {"journal.corrupt", "record.removed"}),
        ("INSERT INTO record VALUES (7, x'00')", {"record.removed"}),
    ],
)
def test_what_the_journal_keeps_of_its_archives_cannot_be_changed(
    scene: Scene, statement: str, codes: set[str]
) -> None:
    scene.sql(statement)
    assert scene.found(archives=False) in codes
    assert scene.found() in codes


def test_a_base_with_other_hashes_is_found(scene: Scene) -> None:
    base = base_at(scene, 512)
    put_base(scene, msgspec.structs.replace(base, hash=bytes(32)))
    assert (scene.found(archives=False), scene.found()) == ("archive.differs", "archive.differs")
    put_base(scene, msgspec.structs.replace(base, frontier=(bytes(32),)))
    assert (scene.found(archives=False), scene.found()) == ("archive.differs", "archive.differs")
    put_base(scene, msgspec.structs.replace(base, origin=bytes(32)))
    assert (scene.found(archives=False), scene.found()) == ("archive.differs", "archive.differs")


def test_counters_that_were_forged_for_the_archived_part_are_found(scene: Scene) -> None:
    row = ("shoe", 1, 5000, "", 100)
    values = (*row, device_crc(*row))
    scene.sql(
        ("INSERT INTO base_device VALUES (?, ?, ?, ?, ?, ?)", values),
        ("INSERT INTO device VALUES (?, ?, ?, ?, ?, ?)", values),
    )
    assert scene.found(archives=False) == "archive.differs"
    assert scene.found() == "archive.differs"


def test_a_journal_that_was_rewritten_with_its_archive_is_found_by_a_checkpoint_from_elsewhere(scene: Scene) -> None:
    """The forger knows everything but the key: another card, a new archive, and a chain that names it."""
    forge(scene)
    assert (scene.start(), scene.found(), scene.found(archives=False)) == ("", "", "")  # in itself it is perfect
    assert scene.found(evidence=True) == "checkpoint.mismatch"
    report = verify(scene.path, evidence=Evidence(None, KEY), shelf=Shelf(scene.folder))
    assert report.code == "checkpoint.signature"
    assert "NOT SEEN: who made the records behind 256" in scene.alone(FIRST, SECOND)


def forge(scene: Scene) -> None:
    """Writes archive and journal anew from record 300 on."""
    remade(scene.folder / SECOND)
    lines = [json.loads(line) for line in _lines(scene.folder / SECOND)]
    records = [line for line in lines if "body" in line]
    chain = bytes.fromhex(records[-1]["hash"])
    (head,) = [line for line in lines if "after" in line]
    before = Frontier(256, tuple(map(bytes.fromhex, head["tree"])))
    tree = before.plus(leaf_hash(b64decode(each["body"])) for each in records)
    named = archives_of(scene)[-1]
    digest = sha256((scene.folder / SECOND).read_bytes()).digest()
    archive = msgspec.structs.replace(named.archive, digest=digest, hash=chain, root=tree.root())
    journal = Journal.inspect(scene.path)
    rows, origin = journal.kept_rows(513, 10_000), journal.hash_at(1)
    checkpoints = [seq for seq, _ in journal.checkpoints()]
    journal.close()
    base = Base(512, chain, origin, tree.hashes)
    scene.sql("DELETE FROM checkpoint", "DELETE FROM snapshot")
    for seq, sealed in rows:
        record = unsealed(sealed)
        assert record is not None
        fact = facts.decode(record.payload)
        if isinstance(fact, Archived) and fact.last == 512:
            new = Archived(**msgspec.structs.asdict(archive))
            record = msgspec.structs.replace(record, payload=facts.encode(new))
        body = pack(seq, record)
        chain, tree = chained(chain, body), tree.plus([leaf_hash(body)])
        scene.sql(("UPDATE record SET sealed = ? WHERE seq = ?", (seal(body, chain), seq)))
        if seq in checkpoints:
            kept = signed("T1", tree, None)
            row = (kept.seq, kept.frontier.to_bytes(), kept.note)
            scene.sql(("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", (*row, checkpoint_crc(*row))))
    put_base(scene, base)
    put_archive(scene, NamedArchive(archive, named.record))
