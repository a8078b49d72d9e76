"""The approved documents, told as scripts: where they stand, and what no expectation can say.

The scripts themselves are played by the plugin (`controller/testing/plugin.py`), a test for each run.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from controller.script import parse
from controller.script.play import play
from controller.script.report import to_json
from tests.rules.keep import document, kept, run_name
from tools.citations import CASE, named_after

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.rglob("*.felt"))
DOCUMENTS = ("000", "001", "002", "003", "004")
CHAPTER = re.compile(r"(\d\d)_[a-z_]+")
BESIDE_THE_CHAPTERS = ("across_chapters", "faults")


def name_of(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


def stands_where_it_belongs(path: Path) -> bool:
    """Whether a script is in the chapter of the rule it is named after, or, without a rule, beside the chapters."""
    parts = path.relative_to(HERE).parts
    if len(parts) != 3 or parts[0] not in DOCUMENTS:
        return False
    rule = named_after(path.name)
    if parts[1] in BESIDE_THE_CHAPTERS:
        return not rule
    chapter = CHAPTER.match(parts[1])
    return chapter is not None and (rule.startswith("Table") or rule.partition(".")[0] == str(int(chapter[1])))


def test_there_are_scripts() -> None:
    assert SCRIPTS, "no scripts were found: the folder moved, or the files were not packed"


def test_every_script_is_in_the_chapter_of_its_rule() -> None:
    assert [name_of(path) for path in SCRIPTS if not stands_where_it_belongs(path)] == []


def test_no_two_cases_of_a_script_have_the_same_title() -> None:
    titles = {name_of(path): CASE.findall(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert [name for name, found in titles.items() if len(set(found)) < len(found)] == []


def test_casino_war_settles_ties_first_and_from_the_right() -> None:
    """7.4.1, 7.4.2, 7.6.1: no expectation can say in which order the dealer acts on the wagers."""
    script = """
        table casino-war
        bet 2 war=10 tie=5
        bet 5 war=10 tie=5
        bet 5.2 war=10
        bet 8 war=10
        draw 9h Kc 2d 9s
        bet 2 go-to-war=10
        key settle
        draw 5h 4h
        key settle
    """
    (run,) = parse(script, "order").runs
    (round_,) = json.loads(to_json(play("order", run)))["rounds"]
    order = [f"{w['area']}.{w['player']} {w['spot']}" for w in round_["wagers"]]
    ties, first_cards = ["5.1 tie", "2.1 tie"], ["8.1 war", "5.1 war", "5.2 war"]
    assert order == [*ties, *first_cards, "2.1 war", "2.1 go-to-war"]


@pytest.mark.parametrize(
    ("script", "settled", "rounded", "prize"),
    [
        (
            """
        table caribbean-stud jackpot=nsw shoe=csm approved-min=10
        meter 100000.5
        bet 1 ante=5 jackpot=5
        bet 2 ante=10 jackpot=5
        key no-more-bets
        draw 4c 4d 4h 4s Kd Ah Kh Qh Jh Th 2c 3c 5d 7d 8c
        bet 2 bet=20
        key settle
    """,
            "100003.3610",
            "100004",
            "100004.00",
        ),
        (
            """
        table wsop-bonus-holdem jackpot=vic
        bet 1 ante=3
        key no-more-bets
        draw 2c 2d
        key fold 1
        key settle
        meter 50000
        bet 1 ante=3 jackpot=5
        bet 2 ante=10 jackpot=5
        key no-more-bets
        draw 4c Ah 4d Kh
        bet 1 flop=6
        bet 2 flop=20
        draw Qh Jh Th
        key check 1
        key check 2
        draw 2c
        key check 1
        key check 2
        draw 3c 9h Tc
        key settle
    """,
            "50001.7030",
            "50002",
            "50002.00",
        ),
    ],
    ids=["nsw", "vic"],
)
def test_a_prize_is_taken_from_the_value_that_is_told(script: str, settled: str, rounded: str, prize: str) -> None:
    """002 12.1, 003 10.2.1: a wager that goes back in the same settlement has left the meter before it is rounded."""
    (run,) = parse(script, "rounded").runs
    jackpot = json.loads(to_json(play("rounded", run)))["rounds"][-1]["jackpot"]
    assert (jackpot["at_settlement"], jackpot["rounded"]) == (settled, rounded)
    assert [p["prize"] for p in jackpot["prizes"]] == [prize]


@pytest.mark.parametrize("number", DOCUMENTS)
def test_what_is_kept_is_of_a_run_that_exists(number: str) -> None:
    paths = [path for path in SCRIPTS if document(path) == number]
    runs = {run_name(path, case) for path in paths for case in CASE.findall(path.read_text("utf-8")) or [None]}
    assert kept(number).keys() - runs == set()
