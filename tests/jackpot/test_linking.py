"""Which systems may stand beside each other."""

from __future__ import annotations

import pytest

from controller.house.games.poker_minors import NswOptions
from controller.house.games.victoria import VictoriaOptions
from controller.house.options import JackpotHouse
from controller.jackpot.linking import SYSTEM, System, cost_of, described, objections, others
from controller.rules import first_of
from controller.table.floor import floor_of
from controller.table.options import demanded

NSW = {
    "jackpot": "nsw",
    "jackpot-option": "1",
    "jackpot-reset": "20000",
    "jackpot-cost": "5",
    "jackpot-group": "G1",
    "method": "A",
}
VIC = {**NSW, "jackpot": "vic", "jackpot-reset": "10000"}
CARIBBEAN = "caribbean-stud"
WSOP = "wsop-bonus-holdem"


def options(text: dict[str, str]) -> JackpotHouse:
    """What these texts mean at a table whose document has the Jackpot."""
    if text.get("jackpot") == "vic":
        return demanded(VictoriaOptions(), {name: value for name, value in text.items() if name != "method"})
    return demanded(NswOptions(), text)


def beside(mine: dict[str, str], name: str, other: dict[str, str], games: list[str]) -> str | None:
    """The rule against it."""
    game = CARIBBEAN if mine["jackpot"] == "nsw" else WSOP
    terms = options(other).terms
    assert terms is not None
    house = floor_of({SYSTEM + name: described(terms, [other["method"]], games)}).running
    problem = first_of(objections(game, options(mine).kind, options(mine), house))
    return None if problem is None else problem.rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, None),
        ({"jackpot-cost": "10"}, "11.2.1(b)(i)"),
        ({"jackpot-option": "2"}, "11.2.1(b)(iii)"),
        ({"jackpot-reset": "40000"}, "11.2.1(b)(iv)"),
        ({"method": "B"}, None),
    ],
)
def test_one_nsw_system_has_the_same_terms_everywhere(change: dict[str, str], rule: str | None) -> None:
    assert beside({**NSW, **change}, "G1", NSW, [CARIBBEAN]) == rule


@pytest.mark.parametrize(
    ("change", "rule"),
    [({}, None), ({"jackpot-cost": "10", "jackpot-reset": "40000"}, None), ({"jackpot-option": "2"}, "11.2.1(d)")],
)
def test_several_nsw_systems_play_one_option(change: dict[str, str], rule: str | None) -> None:
    assert beside({**NSW, **change}, "G2", NSW, [CARIBBEAN]) == rule


@pytest.mark.parametrize(("mine", "theirs", "rule"), [("A", "B", "1.1"), ("B", "A", "1.1"), ("B", "B", None)])
def test_linked_games_are_dealt_by_method_b(mine: str, theirs: str, rule: str | None) -> None:
    assert beside({**NSW, "method": mine}, "G1", {**NSW, "method": theirs}, ["mississippi-stud"]) == rule


@pytest.mark.parametrize(
    ("name", "change", "rule"),
    [
        ("G1", {}, None),
        ("G1", {"jackpot-cost": "10"}, "9.1.1(d)"),
        ("G1", {"jackpot-option": "2"}, "9.1.1(b)(ii)"),
        ("G1", {"jackpot-reset": "20000"}, "9.1.1(b)(iii)"),
        ("G2", {}, "9.1.1(e)"),
        ("G2", {"jackpot-cost": "10"}, None),
        ("G2", {"jackpot-cost": "10", "jackpot-option": "2"}, "9.1.1(f)"),
        ("G2", {"jackpot-cost": "10", "jackpot-reset": "20000"}, "9.1.1(f)"),
    ],
)
def test_victorian_systems(name: str, change: dict[str, str], rule: str | None) -> None:
    assert beside({**VIC, **change}, name, VIC, [WSOP]) == rule


def test_the_two_documents_do_not_meet() -> None:
    assert beside(VIC, "G2", {**NSW, "jackpot-option": "2"}, [CARIBBEAN]) is None
    house = floor_of({SYSTEM + "G2": "nsw 1 20000 5 A x", SYSTEM + "G3": "vic 1 10000 5 A y"})
    assert others(house.running, "nsw", "G1") == ["G2"]


def test_a_jackpot_of_the_other_document_is_refused() -> None:
    problem = first_of(objections(CARIBBEAN, "nsw", options(VIC), {}))
    assert problem is not None and problem.rule == "11.2.1"


def test_a_cost_that_the_meter_cannot_record_exactly_is_refused() -> None:
    problem = first_of(objections(CARIBBEAN, "nsw", options({**NSW, "jackpot-cost": "0.25"}), {}))
    assert problem is not None and problem.rule == "11.3.1"


def test_a_table_without_a_jackpot_or_system_is_free() -> None:
    assert first_of(objections(CARIBBEAN, "nsw", options({"jackpot": "none"}), {})) is None
    alone = options({**NSW, "jackpot-group": "none"})
    assert first_of(objections(CARIBBEAN, "nsw", alone, floor_of({SYSTEM + "G1": "nsw 2 20000 5 A x"}).running)) is None
    assert alone.group == options({}).group == ""


def test_what_a_wager_costs_in_another_system() -> None:
    house = floor_of({SYSTEM + "G2": "vic 1 10000 10 A wsop-bonus-holdem", SYSTEM + "G3": ""}).running
    assert cost_of(house, "G2", "vic") == "10"
    assert cost_of(house, "G2", "nsw") == cost_of(house, "G3", "vic") == cost_of(house, "G9", "vic") == ""


@pytest.mark.parametrize(
    "words", ["", "closed", "nsw 1 20000 5 A", "who 1 20000 5 A g", "nsw x 20000 5 A g", "nsw 1 20000 five A g"]
)
def test_words_that_describe_no_system_are_told_apart(words: str) -> None:
    assert System.read(words) is None
    assert floor_of({SYSTEM + "G1": words}).running == {}


def test_a_system_has_the_methods_and_games_of_all_its_tables() -> None:
    one, other = System.read("nsw 1 20000 5 A caribbean-stud"), System.read("nsw 1 20000 5 B mississippi-stud")
    assert one is not None and other is not None
    assert one.joined(other).written() == "nsw 1 20000 5 A,B caribbean-stud,mississippi-stud"


def test_a_game_has_the_jackpot_of_its_own_document() -> None:
    against = list(objections(WSOP, "vic", options(NSW), {}))
    assert [(each.options, each.cited.rule) for each in against] == [(("jackpot",), "9.1.1")]
