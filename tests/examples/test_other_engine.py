"""A game with an engine of its own is played, told and shown by what its rules say, with no line of ours for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.daemon.house import table_toml
from tests.examples.installing import felt, made_up, python

HERE = Path(__file__).parent
SCRIPT = """
table even-card seats=3
bet 1 even=10
bet 2 even=20
expect gate bets open
expect lamp bets
key no-more-bets
expect gate bets shut by 2.1
draw 8h
expect community 8h
expect 1 even open
key settle
expect round settled
expect 1 even win 10 by 2.1
play 1 3
expect round 2 settled
"""
SHOWN = """
import json
from controller.games import find, step
from controller.table.facts import CardOut, Chips, Key, Spot, Started
from controller.table.state import Table
from controller.views import pages, round_text
from controller.views.changes import difference
from controller.views.keys import keys
from controller.views.status import status

rules, before = find("even-card"), Table()
table = before
wager = Chips(1, (Spot("even", 1, 1000),))
facts = [Started("even-card", {}), wager, Key("no-more-bets"), CardOut("8h"), Key("settle")]
for seq, fact in enumerate(facts, 1):
    before, (table, _) = table, step(table, seq, seq, fact)
now = status(table, rules)
print(json.dumps({
    "status": now,
    "page": pages.limits(table, rules, 0),
    "lines": list(round_text.lines(now["last"])),
    "changes": difference(before, table, rules),
    "keys": [key["key"] for key in keys(rules)],
}))
"""


@pytest.fixture(scope="module")
def own_engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a package that brings the game by an entry point."""
    folder = tmp_path_factory.mktemp("own-engine")
    made_up(folder, "even_card", (HERE / "even_card.py").read_text(), "[feltd.games]\neven-card = even_card\n")
    return folder


def test_scripts_play_it(own_engine: Path, tmp_path: Path) -> None:
    script = tmp_path / "even.felt"
    script.write_text(SCRIPT)
    done = felt(own_engine, "run", "--json", str(script))
    run = json.loads(done.stdout)
    assert run["failed"] == [], done.stderr
    first, second = run["rounds"]
    assert first["hands"] == {"community": ["8h"]}
    assert [(wager["area"], wager["net"], wager["rule"]) for wager in first["wagers"]] == [
        ("1", "10.00", "2.1"),
        ("2", "20.00", "2.1"),
    ]
    assert second["outcome"] == "settled"
    assert "turn 1: settled" in felt(own_engine, "run", str(script)).stdout


def test_its_configuration_is_checked_like_ours(own_engine: Path, tmp_path: Path) -> None:
    table = table_toml(tmp_path, game="even-card", options="")
    assert (good := felt(own_engine, "config", "check", str(table))).returncode == 0, good.stdout + good.stderr
    table.write_text(
        table.read_text().replace('family = "shoe"', 'family = "shuffler"').replace(".shoe]", ".shuffler]")
    )
    wrong = felt(own_engine, "config", "check", str(table))
    assert wrong.returncode != 0
    assert "even-card needs a shoe: add [device.shoe]" in wrong.stdout + wrong.stderr


def test_its_document_says_how_its_cards_come(tmp_path: Path) -> None:
    """Its cards may as well be read where they lie: nothing but the policy says so."""
    by_hand = (
        (HERE / "even_card.py").read_text().replace("Policy(each_round=True,", 'Policy(each_round=True, cards="laid",')
    )
    made_up(tmp_path, "even_card", by_hand, "[feltd.games]\neven-card = even_card\n")
    wrong = felt(tmp_path, "config", "check", str(table_toml(tmp_path, game="even-card", options="")))
    told = wrong.stdout + wrong.stderr
    assert "cards are dealt from the hand at even-card, never from a shoe (rule 2.1): remove it" in told
    assert 'nothing reads the cards: add [device."reader.board"]' in told


def test_it_deals_itself(own_engine: Path) -> None:
    done = felt(own_engine, "sim", "--game", "even-card", "--rounds", "2")
    assert done.returncode == 0, done.stderr
    assert "turn 2: settled" in done.stdout
    assert "2 rounds" in done.stdout
    assert "sound" in done.stdout


def test_people_see_it(own_engine: Path) -> None:
    done = python(own_engine, "-c", SHOWN)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    status = shown["status"]
    assert status["last"]["hands"] == [{"place": "community", "cards": ["8h"], "name": ""}]
    assert status["last"]["wagers"][0]["pays"] == "pays 1 to 1"
    assert status["lamps"] == {"bets": [""], "shuffle": [""]}
    assert shown["page"]["game"] == "Even Card"
    assert shown["page"]["large"] == [["Minimum", "$5"], ["Maximum", "$500"]]
    assert [line.split() for line in shown["lines"]][1:] == [
        ["box", "1"],
        ["even", "10", "win", "+10,", "pays", "1", "to", "1", "(2.1)"],
    ]
    assert shown["changes"]["outcome"] == {"before": "", "after": "settled"}
    assert "no-more-bets" in shown["keys"]
