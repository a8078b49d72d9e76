"""felt shuffle accept: from a file, a journal or a simulated machine."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from controller.cli import shuffle
from controller.cli.group import cli
from controller.journal.records import Entry
from controller.journal.store import Journal
from controller.table import facts
from controller.table.facts import AnyFact, CardOut, Chips, Key, Spot, Started
from tests.guard.decks import NEW, fair


def felt(*words: str) -> Result:
    return CliRunner().invoke(cli, ["shuffle", "accept", *words])


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "MACHINES", 1)


def test_a_fair_machine_is_accepted_with_picture_power_and_what_it_does_not_prove(tmp_path: Path) -> None:
    drawing = tmp_path / "shuffles.svg"
    said = felt("--simulate", "fair", "--count", "60", "--svg", str(drawing))
    assert said.exit_code == 0, said.output
    assert "60 shuffles, 52 cards of each" in said.output and "that proves no machine fair" in said.output
    assert "so many shuffles find 1 of 1 simulated machines that riffle 4 times" in said.output
    assert drawing.read_text().startswith("<svg")


def test_a_bad_machine_is_not(tmp_path: Path) -> None:
    said = felt("--simulate", "2", "--count", "60", "--no-power", "--json")
    answer = json.loads(said.output)
    assert said.exit_code == 1 and not answer["accepted"] and answer["found"] == []
    assert "from where to where cards move" in [each["name"] for each in answer["tests"]]
    assert "NOT accepted at 95 %" in felt("--simulate", "2", "--count", "60", "--no-power").output


def test_shuffles_of_a_file_follow_each_other_or_begin_with_a_new_deck(tmp_path: Path) -> None:
    file, chance = tmp_path / "shuffles", Random(1)
    file.write_text("# a machine\n\n" + "\n".join(" ".join(fair(chance)) for _ in range(41)))
    said = felt(str(file), "--no-power")
    assert said.exit_code == 0 and "40 shuffles" in said.output
    assert "41 shuffles" in felt(str(file), "--no-power", "--from-new").output
    file.write_text("\n".join(" ".join(fair(chance)[:20]) for _ in range(100)))
    assert "not asked: moves and neighbours" in felt(str(file), "--from-new").output
    assert "not asked: moves and neighbours" in felt(str(file)).output
    file.write_text("Ah 2h\n")
    assert "nothing could be asked" in felt(str(file)).output


@pytest.mark.parametrize("text", ["Ah Xx", "Ah Ah", None])
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "shuffles"
    if text is not None:
        file.write_text(text)
    assert json.loads(felt(str(file), "--json").output)["error"]["code"] == "shuffle.unread"


@pytest.mark.parametrize("words", [(), ("--simulate", "well"), ("--simulate", "fair", "file")])
def test_one_source_is_named(words: tuple[str, ...]) -> None:
    assert json.loads(felt(*words, "--json").output)["error"]["code"] == "shuffle.source"


def test_the_shoes_of_a_journal(tmp_path: Path) -> None:
    path, chance = tmp_path / "journal.db", Random(2)
    journal = Journal.open(path, table="T1")
    told: list[AnyFact] = [Started("three-card-poker", {})]
    for _ in range(60):
        told += [Chips(1, (Spot("ante", 1, 1000),)), *(CardOut(card) for card in fair(chance)[:6])]
        told += [Key("fold", ("1",)), Key("settle"), Chips(1, (Spot("ante", 1, 0),))]
    for n, fact in enumerate(told):
        journal.append([Entry(n, facts.encode(fact))])
    journal.close()
    said = felt("--journal", str(path))
    assert "60 shuffles, 6 cards of each" in said.output, said.output
    assert json.loads(felt("--journal", str(tmp_path / "none"), "--json").output)["error"]["code"].startswith("journal")


def test_decks_are_whole() -> None:
    assert sorted(shuffle.NEW) == sorted(NEW)
