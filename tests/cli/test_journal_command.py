"""felt journal: by round, time and device, from the daemon and from a file; and the export."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from controller.api.reports import report_json
from controller.cli.journal import command
from controller.cli.journal_copies import noted
from controller.errors import FeltError
from controller.journal import Entry, Journal, verify
from controller.journal.copying import JournalCopy
from controller.journal.records import Anchor
from controller.service import follower
from tests.daemon.house import House


@pytest.fixture(scope="module")
def hiding(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The first card of a player lies face down."""
    house = House(tmp_path_factory.mktemp("hiding"), game="three-card-poker")
    try:
        house.start()
        with house.devices() as devices:
            devices.do("sensor.1", "bet", {"ante": 1000})
            house.wait(lambda: house.status()["round"]["phase"] == "betting")
            devices.do("console", "press", "no-more-bets")
            house.wait(lambda: house.status()["round"]["phase"] == "dealing")
            devices.do("shoe", "draw", "9c")
        house.wait(lambda: bool(facts(house, "tail", "--json", "--device", "shoe")))
        yield house
    finally:
        house.close()


def ask(house: House, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"FELT_SOCKET": str(house.socket)})


def facts(house: House, *words: str) -> list[dict[str, Any]]:
    ran = ask(house, *words)
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def both(house: House, file: Path, *words: str) -> list[dict[str, Any]]:
    """From the daemon and from its file: the same, but for cards that only the daemon knows to be turned by now."""
    first, second = facts(house, *words), facts(house, words[0], str(file), *words[1:])
    assert [fact["seq"] for fact in first] == [fact["seq"] for fact in second]
    return first


def test_of_a_round(dealt: House, file: Path) -> None:
    of_one = both(dealt, file, "tail", "--json", "--round", "1")
    assert [fact["text"] for fact in of_one if fact["device"]] == [
        "area 1: 10 on war",
        "key no-more-bets",
        "two of hearts left the shoe",
        "king of diamonds left the shoe",
        "key settle",
    ]
    of_two = both(dealt, file, "tail", "--json", "--round", "2")
    assert of_two[0]["seq"] > of_one[-1]["seq"]
    assert both(dealt, file, "tail", "--json", "--round", "2", "-n", "1") == of_two[-1:]
    unknown = ask(dealt, "tail", "--round", "99")
    assert (unknown.exit_code, "round.unknown" in unknown.output) == (1, True)
    assert "round.unknown" in ask(dealt, "tail", str(file), "--round", "99").output


def test_a_refused_key_looks_refused_in_the_file(tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        house.start().deal_a_round()
        with house.devices() as devices:
            devices.do("console", "press", "settle")
        house.wait(lambda: any("refused" in fact for fact in facts(house, "tail", "--json")))
        running = facts(house, "tail", "--json")
        house.stop()
        stopped = facts(house, "tail", str(house.journal), "--json", "-n", "1000")
        last = facts(house, "tail", str(house.journal), "--json", "--device", "console", "-n", "1")
        exported = facts(house, "export", str(house.journal))
    finally:
        house.close()
    (refused,) = (fact for fact in running if "refused" in fact)
    assert "key settle -> refused: " in refused["text"]
    assert [fact for fact in stopped if "refused" in fact] == last == [refused]
    assert [fact["seq"] for fact in exported if "refused" in fact] == [refused["seq"]]


def test_what_is_logged_meanwhile_stands_beside_the_facts(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def defective(*_: object) -> None:
        raise ZeroDivisionError

    structlog.reset_defaults()  # whatever ran before
    monkeypatch.setattr(follower, "step", defective)
    for words in (("tail", "--json", str(file)), ("verify", "--replay", "--json", str(file))):
        ran = CliRunner().invoke(command, list(words))
        assert [json.loads(line) for line in ran.stdout.splitlines()], words
        assert "table.defect" in ran.stderr, words


def test_of_a_device(dealt: House, file: Path) -> None:
    drawn = both(dealt, file, "tail", "--json", "--device", "shoe", "-n", "3")
    assert [fact["text"] for fact in drawn] == [
        "king of diamonds left the shoe",
        "two of hearts left the shoe",  # public, though what says so is no fact of the shoe
        "king of diamonds left the shoe",
    ]
    assert {fact["device"] for fact in both(dealt, file, "tail", "--json", "--device", "shoe")} == {"shoe"}
    assert both(dealt, file, "tail", "--json", "--device", "nobody") == []


def test_since_and_until(dealt: House, file: Path) -> None:
    every = both(dealt, file, "tail", "--json", "--since", "2000-01-01")
    assert [fact["seq"] for fact in every] == list(range(1, len(every) + 1))
    middle = every[len(every) // 2]["at"]
    late = both(dealt, file, "tail", "--json", "--since", middle)
    early = both(dealt, file, "tail", "--json", "--until", middle)
    assert all(fact["at"] >= middle for fact in late) and all(fact["at"] < middle for fact in early)
    assert len(early) + len(late) == len(every)
    assert both(dealt, file, "tail", "--json", "--since", "2999-01-01") == []
    wrong = ask(dealt, "tail", "--since", "yesterday")
    assert (wrong.exit_code, "round.filter" in wrong.output) == (1, True)


def test_what_is_over_is_not_followed(dealt: House, file: Path) -> None:
    for words in ((str(file), "-f"), ("--round", "1", "-f"), ("--until", "2999-01-01", "-f")):
        ran = ask(dealt, "tail", *words)
        assert (ran.exit_code, "journal.follow" in ran.output) == (1, True)


def test_an_export_is_tied_to_the_journal(dealt: House, file: Path, tmp_path: Path) -> None:
    told = both(dealt, file, "export")
    assert [fact["seq"] for fact in told] == list(range(1, len(told) + 1))
    kept = tmp_path / "anchor"  # a hash of the export is one that the journal answers for
    kept.write_text(Anchor("T1", 3, bytes.fromhex(told[2]["hash"])).to_text())
    assert ask(dealt, "verify", "--anchor", str(kept)).exit_code == 0
    kept.write_text(Anchor("T1", 3, bytes.fromhex(told[3]["hash"])).to_text())
    assert ask(dealt, "verify", "--anchor", str(kept)).exit_code == 1


def test_an_export_is_public(hiding: House) -> None:
    for words in (("export",), ("tail", "--json", "--since", "2000-01-01"), ("export", "--device", "shoe")):
        said = ask(hiding, *words).stdout
        assert '"9c"' not in said
        assert "nine" not in said and '"card": "??"' in said
    told = facts(hiding, "export")
    assert all(fact["hash"] for fact in told)  # a salt beside the card: its hash says nothing of it


def test_an_export_into_a_file(dealt: House, tmp_path: Path) -> None:
    out = tmp_path / "facts.jsonl"
    ran = ask(dealt, "export", "--round", "1", "-o", str(out), "--json")
    assert json.loads(ran.stdout) == {"file": str(out), "facts": len(out.read_text().splitlines())}
    again = ask(dealt, "export", "-o", str(out))
    assert (again.exit_code, "journal.unwritable" in again.output) == (1, True)
    assert ask(dealt, "export", "-o", str(tmp_path / "all"), "--device", "shoe").stdout.endswith("all: 4 facts\n")


@pytest.fixture
def damaged(tmp_path: Path) -> tuple[Path, Path]:
    """A journal whose second record is damaged, and its copy."""
    path, copy = tmp_path / "journal.db", tmp_path / "T1.journal"
    with closing(Journal.open(path, table="T1")) as journal:
        journal.append([Entry(number, b"fact", "shoe", 1, number) for number in range(1, 5)])
        second = JournalCopy(journal, copy)
        second.go_on()
        second.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE record SET sealed = zeroblob(40) WHERE seq = 2")
    return path, copy


def test_a_damaged_journal_is_repaired_with_its_copy(damaged: tuple[Path, Path]) -> None:
    """As in docs/recovery.md."""
    path, copy = damaged
    ran = CliRunner().invoke(command, ["repair", str(path), "--from", str(copy)])
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines() == [
        f"{path}: 4 records, 1 of them from {copy}",
        f"  the damaged journal is kept: {path}.damaged-1",
    ]
    again = CliRunner().invoke(command, ["repair", str(path), "--from", str(copy), "--json"])
    assert again.exit_code != 0
    assert "repair.sound" in again.output


def test_what_the_copy_is_stands_in_the_notes_of_a_sound_journal(damaged: tuple[Path, Path]) -> None:
    path, copy = damaged
    assert CliRunner().invoke(command, ["repair", str(path), "--from", str(copy), "--json"]).exit_code == 0
    with closing(Journal.open(path, table="T1")) as journal:
        journal.append([Entry(9, b"fact")])
    report = report_json(verify(path))
    assert noted(path, copy, report)["notes"] == [f"{copy} has 4 of 5 records, the same"]
    with closing(Journal.open(copy, table="T1")) as second:
        second.append([Entry(9, b"another fact")])
    with pytest.raises(FeltError) as differs:
        noted(path, copy, report)
    assert differs.value.code == "copy.differs"
    alone = CliRunner().invoke(command, ["verify", "--copy", str(copy)])
    assert "journal.copy-alone" in alone.output
