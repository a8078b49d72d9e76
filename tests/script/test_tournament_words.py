"""The words of tournaments: what is malformed, what only the rules refuse, and what the JSON says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.script import ScriptError, parse
from controller.script.play import Played, play
from controller.script.report import to_json, to_text

OPENING = "tournament CUP casino-war\nenter Ann Bob\ntable casino-war as T1 tournament=CUP\n"


def played(script: str) -> Played:
    (run,) = parse(script).runs
    return play("<script>", run)


@pytest.mark.parametrize(
    "line",
    [
        "tournament X",
        "tournament X nogame",
        "tournament X casino-war bank=abc",
        "tournament X casino-war bank",
        "tournament X casino-war nonsense=1",
        "tournament X casino-war bank=5 bank=6",
        "tournament X casino-war without=nonsense",
        "tournament X casino-war terms=missing.toml",
        "tournament T1 casino-war",
        "X: tournament X casino-war",
        "table casino-war",
        "table casino-war as CUP",
        "table casino-war as T2 tournament=CUP tournament=CUP",
        "enter",
        "withdraw Ann Bob",
        "substitute Ann",
        "T1: secret 1 nospot=5",
        "T1: marker 1 fold",
        "T1: key nokey",
        "T1: key set tournament=CUP min=5",
        "T1: key level x",
        "CUP: key no-more-bets",
        "CUP: key postpone soon",
        "CUP: key penalty Ann",
        "CUP: bet 1 war=5",
        "CUP: draw Kh",
        "CUP: expect meter 5",
        "expect bank Ann",
        "expect player Ann gone",
        "expect player Ann in T1",
        "expect place Ann 0",
        "expect tournament ended",
    ],
)
def test_malformed(line: str) -> None:
    parse(OPENING)
    with pytest.raises(ScriptError):
        parse(OPENING + line)


@pytest.mark.parametrize(
    "line", ["enter Ann", "withdraw Ann", "secret 1 war=5", "marker 1 pass", "key start", "expect bank Ann 5"]
)
def test_without_a_tournament_its_words_are_unknown(line: str) -> None:
    with pytest.raises(ScriptError):
        parse("table casino-war\n" + line)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("CUP: key settle", 'key "settle" is not for the desk of a tournament'),
        ("CUP: bet 1 war=5", 'verb "bet" is not for the desk of a tournament'),
        ("CUP: expect meter 5", 'expectation "meter" is not for the desk of a tournament'),
        ("CUP: key strat", 'unknown key "strat" (did you mean "start"?)'),
        ("CUP: bett 1 war=5", 'unknown verb "bett"'),
        ("CUP: secret 1 ante=5", 'spot "ante" is not for casino-war'),
        ("T1: key missed-blind", 'key "missed-blind" is not for casino-war'),
    ],
)
def test_a_word_that_the_desk_does_not_have_is_told_from_one_that_nobody_has(line: str, cause: str) -> None:
    with pytest.raises(ScriptError) as wrong:
        parse(OPENING + line)
    assert wrong.value.message.startswith(cause)


def test_a_pool_of_nothing_is_an_amount_and_nobody_wins_it() -> None:
    script = "tournament CUP casino-war pool=0\nenter Ann Bob\nexpect pool 0\nexpect prize Ann 0"
    assert played(script).failed == []
    with pytest.raises(ScriptError, match='pool: "much" is not its value'):
        parse("tournament CUP casino-war pool=much")


def test_no_wager_is_secret_at_poker() -> None:
    with pytest.raises(ScriptError, match="is not for holdem"):
        parse("tournament CUP holdem\ntable holdem as T1 tournament=CUP\nsecret 1 red=5")


def test_what_is_said_of_a_place_at_the_desk_is_said_at_the_first_table() -> None:
    script = OPENING + "CUP: seat 4 player=Ann\nkey absent 4\nkey start\nexpect player Ann in T1 4"
    assert played(script).failed == []


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("tournament CUP casino-war\nseat 4 player=Ann", "no table yet"),
        ("tournament CUP casino-war\ntable casino-war as T1\nenter Ann", "in no tournament"),
        ("tournament CUP casino-war\ntable casino-war as T1\nsecret 1 war=5", "in no tournament"),
        ("table casino-war as T1 tournament=CUP", "there is no tournament CUP"),
        (OPENING + "tournament CUP casino-war", "has its terms"),
    ],
)
def test_what_only_the_table_knows_is_refused(script: str, why: str) -> None:
    assert why in played(script).record.refused[-1].why


@pytest.mark.parametrize("line", ["key set tournament=CUP", "bet 1 war=5", "expect bank Ann 5"])
def test_a_table_that_did_not_start(line: str) -> None:
    run = played(
        "tournament CUP casino-war\ntable three-card-poker as T1 tournament=CUP\n" + line.replace("war=", "ante=")
    )
    assert run.record.refused[0].rule == "10.1"
    assert len(run.record.refused) + len(run.failed) == 2
    assert json.loads(to_json(run))["end"] == [{"table": "T1", "open": False}]


def test_a_table_goes_from_one_tournament_to_another() -> None:
    script = OPENING + (
        "tournament NEXT casino-war\nCUP: key start\nkey retire Ann\nT1: role area-manager\n"
        "key set tournament=NEXT\nexpect accepted\nNEXT: enter Cy Dan\nkey start\nexpect player Cy in T1 1\n"
        "T1: key set tournament=NEXT\nexpect accepted"
    )
    assert played(script).failed == []


def test_the_json_of_a_tournament() -> None:
    run = played(
        OPENING + "CUP: key practice 1\nT1: bet 1 war=10\nkey no-more-bets\ndraw Kh 9d\nkey settle\nCUP: key start\n"
        "T1: bet 1 war=100\nbet 2 war=50\nkey no-more-bets\ndraw Kh 9d Qs\nkey settle"
    )
    out = json.loads(to_json(run))
    assert [(r["tournament"], r["level"], r["practice"]) for r in out["rounds"]] == [
        ("CUP", 1, True),
        ("CUP", 1, False),
    ]
    (cup,) = out["tournaments"]
    assert (cup["name"], cup["state"], cup["session"], cup["level"], cup["pool"]) == ("CUP", "running", 1, 1, "200.00")
    assert cup["players"][0] == {
        "name": "Ann",
        "state": "in",
        "table": "T1",
        "seat": "1",
        "bank": "1100.00",
        "place": 1,
        "prize": "200.00",
        "refund": "0.00",
        "rule": None,
    }
    assert "tournament CUP: running" in "\n".join(to_text(run))


def test_the_json_without_valid_terms_and_without_a_tournament() -> None:
    assert json.loads(to_json(played("tournament CUP casino-war without=bank")))["tournaments"] == []
    assert "tournaments" not in json.loads(to_json(played("table casino-war")))


def test_a_secret_wager_is_not_in_the_json() -> None:
    run = played(OPENING.replace("casino-war\n", "casino-war secret=1\n", 1) + "CUP: key start\nT1: secret 1 war=77")
    out = json.loads(to_json(run))
    assert "77" not in json.dumps({**out, "script": ""})


def test_terms_stand_beside_the_script(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples/tournaments/spring-cup.toml"
    (tmp_path / "cup.toml").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    script = parse("tournament CUP casino-war terms=cup.toml", str(tmp_path / "a.felt"))
    assert play("a.felt", script.runs[0]).record.refused == []
    (tmp_path / "cup.toml").write_text("bank = ", encoding="utf-8")
    with pytest.raises(ScriptError):
        parse("tournament CUP casino-war terms=cup.toml", str(tmp_path / "a.felt"))
