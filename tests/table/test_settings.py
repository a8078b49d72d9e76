"""What a console keys with `set` and `notice` is refused with every mistake, by the rule of the option."""

from __future__ import annotations

import pytest

from controller.api.jackpot import JackpotRefused
from controller.table.effects import Refused
from controller.table.facts import Badge
from controller.table.options import Options
from tests.table.telling import Telling


@pytest.fixture
def war() -> Telling:
    t = Telling()
    t.tell(Badge("casino-manager"))
    return t


def refused(t: Telling, words: str) -> Refused:
    [refusal] = [effect for effect in t.key(words) if isinstance(effect, Refused)]
    return refusal


@pytest.mark.parametrize("key", ["set", "notice"])
def test_an_option_that_no_table_has(war: Telling, key: str) -> None:
    refusal = refused(war, f"{key} mim=5")
    assert refusal.why == 'mim: there is no such option at this table: did you mean "min"?'
    assert refusal.rule == ""  # no document speaks of it
    assert refused(war, f"{key} foo=1").why.startswith("foo: there is no such option at this table: known are ")


def test_an_option_that_is_not_changed_at_an_open_table(war: Telling) -> None:
    refusal = refused(war, "set seats=3")
    assert (refusal.rule, refusal.why) == ("6.4", "seats is not changed at an open table")


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("set players-per-area=two", "5.10"),
        ("set min=x", "6.4"),
        ("set burn=maybe", "4.3.1"),
        ("set method=C", "7.4.4(a)"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused_by_the_rule_of_its_option(war: Telling, words: str, rule: str) -> None:
    assert refused(war, words).rule == rule


def test_every_mistake_is_told(war: Telling) -> None:
    why = refused(war, "set foo=1 min=x seats=3 max=100").why
    assert why.startswith("foo: there is no such option")
    assert (
        'min: "x" must be an amount' in why
        and "seats is not changed at an open table" in why
        and "max" not in why[-20:]
    )


def test_the_advice_speaks_of_a_rule_only_where_one_is_cited() -> None:
    assert "rule" in JackpotRefused("9.1.1", "no").next_step
    assert "rule" not in JackpotRefused("", "no").next_step


def test_slips_name_the_options_that_do_not_fit_together() -> None:
    assert [each.options for each in Options(seats=53).slips()] == [("seats", "decks")]
    assert [each.options for each in Options(chip=500_01).slips()] == [("chip", "max")]
    assert not list(Options(seats=52, chip=500_00).slips())
