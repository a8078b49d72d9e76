"""The approved figures belong together: what each Jackpot returns in the long run."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from controller.hands.categories import Category as C
from controller.house.games.poker_minors import NswOptions
from controller.house.games.victoria import VictoriaOptions
from controller.jackpot import linking, returns, tables
from controller.jackpot.returns import BAND, HANDS, WAYS, balanced, returned
from controller.jackpot.rules import Jurisdiction, Terms
from controller.jackpot.tables import NSW_RATES, VIC_RATES
from controller.rules import first_of

NSW = [Terms("nsw", option, reset, 500) for reset in NSW_RATES for option in range(1, 7)]
VIC = [Terms("vic", option, reset, 500) for reset in VIC_RATES for option in (1, 2)]


def test_there_are_as_many_configurations_as_are_printed() -> None:
    assert (len(NSW), len(VIC)) == (36, 14)


@pytest.mark.parametrize("terms", [*NSW, *VIC], ids=lambda t: f"{t.kind}-{t.option}-{t.reset}")
def test_every_printed_configuration_is_balanced(terms: Terms) -> None:
    assert balanced(terms)
    assert returned(terms) == returned(msgspec.structs.replace(terms, cost=100))  # whatever a wager costs


def test_nsw_returns_the_same_everywhere() -> None:
    """88.845 % to 88.855 %, so that no figure can be wrong alone."""
    values = [returned(terms) for terms in NSW]
    assert Fraction("0.88845") <= min(values) <= max(values) <= Fraction("0.88855")


def test_victoria_pays_for_filling_up_with_the_seed() -> None:
    """The sum leaves out what 9.4 costs, so it falls as the seed grows."""
    for option in (1, 2):
        values = [returned(Terms("vic", option, reset, 500)) for reset in VIC_RATES]
        assert values == sorted(values, reverse=True)


def test_the_ways_are_those_of_five_cards() -> None:
    assert HANDS == 52 * 51 * 50 * 49 * 48 // 120
    assert WAYS[C.STRAIGHT] == 10 * 4**5 - 40
    assert WAYS[C.FLUSH] == 4 * 1287 - 40


@pytest.mark.parametrize("kind", ["nsw", "vic"])
def test_a_figure_that_was_changed_alone_is_found(kind: Jurisdiction, monkeypatch: pytest.MonkeyPatch) -> None:
    prizes = tables.NSW_PRIZES if kind == "nsw" else tables.VIC_PRIZES
    spoiled = (prizes[C.FULL_HOUSE][0] + 10, *prizes[C.FULL_HOUSE][1:])
    monkeypatch.setitem(prizes, C.FULL_HOUSE, spoiled)
    reset = "20000" if kind == "nsw" else "10000"
    options = NswOptions(jackpot="nsw") if kind == "nsw" else VictoriaOptions(jackpot="vic")
    assert not balanced(Terms(kind, 1, int(reset), 500))
    assert returned(Terms(kind, 1, int(reset), 500)) > BAND[kind][1]
    problem = first_of(linking.objections("caribbean-stud", kind, options, {}))
    assert problem is not None and problem.rule == linking.PRINTED[kind]
    assert returns.balanced(Terms(kind, 2, int(reset), 500))
