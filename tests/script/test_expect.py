"""Expectations are strict: only a rule that the table cites fits, and money is compared exactly."""

from __future__ import annotations

import pytest

from controller.script import model, parse
from controller.script.expect import CHECKS
from controller.script.play import play
from controller.script.report import to_text

CARIBBEAN = """table caribbean-stud
bet 1 ante=10
key no-more-bets
draw As Kd Ah 2c Qs 3d Js 4h Ts 9c
bet 1 bet=20
key settle
"""
TOKEN = """table mississippi-stud
bet 1 ante=token:10
key no-more-bets
draw As Ac Ad Kh 9s
bet 1 third=10
bet 1 fourth=10
bet 1 fifth=10
key settle
"""
BURN = "table casino-war burn=on\ndraw 5h\nbet 1 war=10\n"


@pytest.mark.parametrize(
    ("script", "holds", "fails"),
    [
        (CARIBBEAN, "1 ante win 10 by 8.4.2", "1 ante win 10 by 8.6.1(a)(i)"),  # says the same, but is not cited
        (CARIBBEAN, "1 ante win 10", "1 ante win 10.01"),
        (CARIBBEAN, "1 bet returned 0 by 8.4.4(d)", "1 bet returned 0 by 8.4.4(a)"),
        (TOKEN, "1 ante win 30 token=kept", "1 ante win 20 token=kept"),
        (BURN, "burns 1", "burns 1 5h"),  # nobody has seen it
        (BURN + "key show-burn\n", "burns 1 5h", "burns 1 5d"),
        (BURN + "draw 5h\n", "no prompt by 7.3.2", "no prompt by 7.3.1"),
    ],
)
def test_only_what_is_so_holds(script: str, holds: str, fails: str) -> None:
    for words, failures in ((holds, 0), (fails, 1)):
        (run,) = parse(f"{script}expect {words}\n").runs
        assert len(play("strict.felt", run).failed) == failures, words


@pytest.mark.parametrize(
    ("script", "words", "instead"),
    [
        ("table casino-war decks=9\nbet 1 war=10\n", "accepted", "refused: this table did not start"),
        ("table casino-war\nkey settle\n", "accepted", "refused: no round is running (7.6.1)"),
        ("table casino-war\nbet 1 war=10\n", "1 war win 10", "open by no rule, net 0.00; it stands: open 0.00"),
        (CARIBBEAN, "1 ante win 20", "net 10.00; it stands: win 10.00 (8.4.2(a)(i))"),
        (BURN + "draw 5h\n", "no prompt", "dealer (7.3.1(a)): the end of betting was not announced"),
    ],
)
def test_what_stands_there_instead_is_told_with_its_rule_if_there_is_one(script: str, words: str, instead: str) -> None:
    (run,) = parse(f"{script}expect {words}\n").runs
    [failure] = play("strict.felt", run).failed
    assert failure.instead.startswith(instead)


@pytest.mark.parametrize("device", ["sensor.9", "shuffler"])
def test_a_fault_of_a_device_that_is_not_there_is_remarked_upon(device: str) -> None:
    (run,) = parse(f"table caribbean-stud\nfault {device} unplug\nexpect accepted\n").runs
    played = play("strict.felt", run)
    assert not played.failed
    assert f"        (this table has no {device}: nothing happens)" in list(to_text(played))


def test_every_form_of_expect_is_checked() -> None:
    forms = {kind for kind in vars(model).values() if isinstance(kind, type) and issubclass(kind, model.ExpectLine)}
    assert set(CHECKS) == forms - {model.ExpectLine}
