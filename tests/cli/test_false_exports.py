"""Whoever makes an export wants it believed: nothing that he writes into it brings the inspector's program to that."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.journal import Journal
from controller.journal.growth import GrowingTree
from controller.journal.signing import signed
from tests.cli.test_inspector import CARD, KEY, KEYS, PROGRAM, SIGNER, TABLE, check, exported, fill, keep, rewrite

Lines = list[dict[str, Any]]
SOME = "ab" * 32


def made(folder: Path, said: list[Any], *, closed: bool = False) -> Path:
    """Makes a journal with a signed checkpoint at its end."""
    path = folder / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, said)
    if closed:
        journal.keep_checkpoint(signed(TABLE, GrowingTree(journal).grow(), SIGNER, closed=True))
    else:
        (folder / "kept.txt").write_text(keep(journal), encoding="utf-8")
    journal.close()
    return path


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    """The folder with the true journal of 32 records, and the checkpoint that the inspector kept."""
    made(tmp_path / "true", KEYS * 16)
    return tmp_path / "true"


@pytest.fixture
def forged(tmp_path: Path, truth: Path) -> Path:
    """The export of a journal that was written anew: 40 records, and no checkpoint that could contradict it."""
    folder = exported(made(tmp_path / "forged", list(reversed(KEYS)) * 20))
    rewrite(folder, lambda lines: lines.pop(1))
    return folder


def verdict(folder: Path, *words: object) -> tuple[int, str]:
    ran = check(folder, *words)
    return ran.returncode, ran.stdout.partition(":")[0] or ran.stderr.partition(":")[0]


def cut(lines: Lines, upto: int, head: int) -> None:
    """Leaves the first records, and says that the journal had more."""
    lines[:] = [{**lines[0], "records": head}, *lines[1 : upto + 1], {"end": upto}]


def covered(lines: Lines) -> None:
    """Hides the records around the 32nd in one block that is too large."""
    block = {"seq": 1, "count": 64, "tree": SOME, "hash": SOME}
    lines[:] = [{**lines[0], "records": 64}, block, {"end": 64}]


def hidden_around(lines: Lines) -> None:
    """Hides the 32nd record in a block that begins where none can."""
    block = {"seq": 25, "count": 16, "tree": SOME, "hash": SOME}
    lines[:] = [*lines[:25], block, {"end": 40}]


@pytest.mark.parametrize("words", [("--checkpoint",), ("--key", KEY, "--checkpoint")])
@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda lines: None, (1, "NOT SOUND")),
        (lambda lines: cut(lines, 10, 10), (1, "NOT SOUND")),
        (lambda lines: cut(lines, 10, 1000), (1, "NOT SOUND")),  # as if the rest could not be told
        (lambda lines: cut(lines, 20, 35), (1, "NOT PROVED")),  # which may be so in old journals
        (lambda lines: cut(lines, 20, 31), (1, "NOT SOUND")),
        (covered, (2, "this cannot be checked")),
        (hidden_around, (2, "this cannot be checked")),
    ],
)
def test_a_journal_written_anew_never_passes_the_checkpoint_that_was_kept(
    truth: Path, forged: Path, change: Callable[[Lines], object], status: tuple[int, str], words: tuple[str, ...]
) -> None:
    rewrite(forged, change)
    assert verdict(forged, *words, truth / "kept.txt") == status


def test_a_tree_cannot_be_wound_back_behind_a_checkpoint(truth: Path, forged: Path) -> None:
    """First the true records, which meet the checkpoint; then a block that takes records away; then false ones."""
    folder = exported(truth / "journal.db")
    false = [json.loads(line) for line in (forged / "records.jsonl").read_text().splitlines()][1:]

    def wind(lines: Lines) -> None:
        back = [{"seq": 33, "count": -16, "leaf": SOME, "hash": SOME}, {"seq": 17, "count": -8, "leaf": SOME}]
        lines[:] = [*lines[:-1], *back, *false]

    rewrite(folder, wind)
    assert verdict(folder, "--checkpoint", truth / "kept.txt")[0] == 2


@pytest.mark.parametrize(
    "line",
    [
        {"seq": 33, "leaf": "ab" * 64, "hash": SOME},  # two hashes in the place of one
        {"seq": 33, "leaf": "", "hash": SOME},
        {"seq": 33, "leaf": SOME, "hash": ""},
        {"seq": 33, "count": 0, "tree": SOME, "hash": SOME},
        {"seq": 33, "count": 3, "tree": SOME, "hash": SOME},
        {"seq": 33, "count": 1e999, "tree": SOME, "hash": SOME},
        {"seq": 33, "body": "", "leaf": SOME, "hash": SOME},
        {"seq": 33, "leaf": SOME, "hash": SOME, "card": "Kh"},  # what a person reads, and nothing covers
    ],
)
def test_a_line_that_is_no_record_is_no_part_of_a_sound_export(truth: Path, line: dict[str, Any]) -> None:
    folder = exported(truth / "journal.db")

    def add(lines: Lines) -> None:
        lines[:] = [{**lines[0], "records": 33}, *lines[1:-1], line, {"end": 33}]

    rewrite(folder, add)
    assert verdict(folder, "--key", KEY) == (2, "this cannot be checked")


@pytest.mark.parametrize(
    "text",
    ['{"seq": 1, "seq": 2}', "[" * 5000, '{"form": 1e999}', '{"seq": "\\ud800"}', '{"seq": 1e400}', "null", "{}"],
)
def test_whatever_a_line_says_there_is_a_verdict(truth: Path, text: str) -> None:
    folder = exported(truth / "journal.db")
    file = folder / "records.jsonl"
    lines = file.read_text().splitlines()
    for at in (0, 5):
        file.write_text("\n".join([*lines[:at], text, *lines[at:]]) + "\n")
        ran = check(folder)
        assert ran.returncode in (1, 2) and "Traceback" not in ran.stderr and "SOUND" not in ran.stdout.splitlines()


def test_an_export_cannot_write_its_own_verdict(truth: Path) -> None:
    folder = exported(truth / "journal.db")
    rewrite(folder, lambda lines: lines[5].update(seq="\x1b[2J\x1b[H\nSOUND\nproved: all"))
    ran = check(folder)
    assert ran.returncode == 1
    assert len(ran.stdout.splitlines()) == 1 and "\x1b" not in ran.stdout


def test_a_checkpoint_that_was_left_behind_by_a_cut_is_held_against_it(truth: Path) -> None:
    folder = exported(truth / "journal.db")
    rewrite(
        folder, lambda lines: lines.__setitem__(slice(None), [{**lines[0], "records": 20}, *lines[1:22], {"end": 20}])
    )
    assert verdict(folder) == (1, "NOT SOUND")


def test_a_checkpoint_behind_its_records_is_not_passed_over(truth: Path, forged: Path) -> None:
    note = {"checkpoint": (truth / "kept.txt").read_text(encoding="utf-8")}
    rewrite(forged, lambda lines: lines.insert(-1, note))
    assert verdict(forged)[0] == 2


def test_records_behind_a_clean_stop_are_found_in_an_export_too(tmp_path: Path) -> None:
    path = made(tmp_path / "stopped", KEYS * 5, closed=True)
    assert verdict(exported(path), "--key", KEY) == (0, "SOUND\nproved")
    shutil.rmtree(path.parent / "for-inspector")
    journal = Journal.open(path, table=TABLE)
    fill(journal, [CARD])
    journal.close()
    ran = check(exported(path), "--key", KEY)
    assert (ran.returncode, "records follow that no start of it announced" in ran.stdout) == (1, True)


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("=", "NOT SOUND: the table stopped at record 12"),
        ("<=", "NOT SEEN: whether a start of the table announced what follows record 12"),
    ],
)
def test_the_checkpoint_of_a_clean_stop_that_was_kept_finds_them_where_the_journal_lost_it(
    tmp_path: Path, which: str, said: str
) -> None:
    path = made(tmp_path, KEYS * 5)
    journal = Journal.open(path, table=TABLE)
    fill(journal, [*KEYS])
    tree = GrowingTree(journal).grow()
    stop = signed(TABLE, tree, SIGNER, closed=True)
    (tmp_path / "stop.txt").write_text(stop.note, encoding="utf-8")
    journal.keep_checkpoint(stop)
    journal.keep_checkpoint(signed(TABLE, tree, SIGNER))  # as a start does
    fill(journal, [CARD])
    journal.close()
    sound = check(exported(path), "--key", KEY, "--checkpoint", tmp_path / "stop.txt").stdout
    assert sound.startswith("SOUND") and "announced" not in sound
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(f"DELETE FROM checkpoint WHERE seq {which} {stop.seq}")
    shutil.rmtree(tmp_path / "for-inspector")
    assert said in check(exported(path), "--checkpoint", tmp_path / "stop.txt").stdout


def test_records_that_nobody_signed_are_named(truth: Path) -> None:
    path = truth / "journal.db"
    journal = Journal.open(path, table=TABLE)
    fill(journal, [*KEYS])
    journal.close()
    ran = check(exported(path), "--key", KEY)
    assert "NOT SEEN: who made the records behind 32: feltd.journal/T1 signed none of them" in ran.stdout


def test_the_program_says_not_to_trust_the_copy_beside_the_export() -> None:
    assert "that you have from elsewhere" in PROGRAM.read_text(encoding="utf-8")
