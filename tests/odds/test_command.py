"""felt odds, as a person and as a program call it."""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from importlib import import_module

import pytest
from click.testing import CliRunner

from controller.cli.group import cli
from controller.cli.odds import _progress
from controller.errors import FeltError
from controller.games import GAMES
from controller.house.game import HouseGame
from controller.odds.edges import edge
from controller.odds.rounds import Rounds


def felt(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["odds", *words])
    return result.exit_code, result.output


def test_a_table_to_read() -> None:
    code, said = felt("casino-war", "decks=8")
    assert code == 0
    assert "casino-war, decks=8" in said
    assert "17.831325 %" in said and "tie = 74/415" in said and "2.339760 %" in said


def test_json() -> None:
    code, said = felt("casino-war", "--json", "--wager", "tie")
    assert code == 0
    assert json.loads(said) == {"game": "casino-war", "wagers": {"tie": {"edge": "0.186495176849", "exact": "58/311"}}}
    code, said = felt("three-card-poker", "pair-plus=B", "--json")
    wagers = json.loads(said)["wagers"]
    assert list(wagers) == ["ante", "pair-plus"]
    for found in wagers.values():
        exact = Fraction(found["exact"])
        assert found["exact"] == f"{exact.numerator}/{exact.denominator}"
        assert abs(exact - Fraction(found["edge"])) <= Fraction(1, 10**12)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["holdem"], "odds.game"),
        (["casino-war", "--wager", "go-to-war"], "odds.wager"),
        (["casino-war", "deks=8"], "odds.option"),
        (["casino-war", "decks"], "odds.option"),
        (["casino-war", "decks=9"], "odds.option"),
        (["casino-war", "decks=many"], "odds.option"),
        (["casino-war", "--stake", "much"], "odds.stake"),
        (["casino-war", "--stake", "0"], "odds.stake"),
        (["casino-war", "--stake", "1000001"], "odds.stake"),
    ],
)
def test_mistakes_are_explained(words: list[str], code: str) -> None:
    status, said = felt(*words)
    assert status == 1 and said.startswith(f"{code}: ") and "->" in said
    status, said = felt(*words, "--json")
    assert json.loads(said)["error"]["code"] == code


def test_whoever_watches_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    edge("casino-war", "war", progress=_progress("war"))
    assert screen.getvalue().startswith("\rwar:   0 %\rwar:   1 %")
    assert screen.getvalue().endswith("\rwar: 100 %\n")


def test_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "numpy" or name.startswith("controller.odds.")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(FeltError, match=r"odds\.numpy"):
        edge("three-card-poker", "ante")
    assert edge("casino-war", "tie") == Fraction(58, 311)


def test_every_house_game_has_odds() -> None:
    house = {name: game for name, game in GAMES.items() if isinstance(game, HouseGame)}
    for game in house.values():
        assert game.odds
        assert set(game.odds) <= set(game.opening)
        for declared in game.odds.values():
            module, _, function = declared.computed_by.partition(":")
            assert callable(getattr(import_module(module), function))


def test_a_game_without_a_script_is_named() -> None:
    with pytest.raises(FeltError) as bad:
        Rounds("holdem")
    assert bad.value.code == "odds.game"
