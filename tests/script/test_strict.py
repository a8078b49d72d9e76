"""A strict run: which refusals go unnoticed."""

from __future__ import annotations

import pytest

from controller.script import parse
from controller.script.play import play
from controller.script.strict import unexpected_refusals

STRICT = """\
table casino-war
bet 1 war=10
key no-more-bets
{line}
{looks}
draw Kh 2c
key settle
expect 1 war win 10
"""


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (STRICT.format(line="key surrender 1", looks=""), 4),
        (STRICT.format(line="key surrender 1", looks="expect gate bets shut"), 4),
        (STRICT.format(line="key surrender 1", looks="expect refused"), 0),
        (STRICT.format(line="key surrender 1", looks="expect gate bets shut\nexpect refused"), 0),
        (STRICT.format(line="", looks=""), 0),
        ("table casino-war decks=9\n", 1),
        ("table casino-war decks=9\nexpect refused\n", 0),
        ("table casino-war as A\ntable casino-war as B\nA: key settle\nB: expect accepted\n", 3),
    ],
)
def test_a_refusal_that_no_line_expects_fails_a_strict_run(script: str, line: int) -> None:
    (run,) = parse(script, "a").runs
    played = play("a", run)
    assert not played.failed
    failed = list(unexpected_refusals(played))
    assert [each.line for each in failed] == ([line] if line else [])
    for each in failed:
        assert each.instead.startswith("refused") and each.instead.endswith("; no line expects that")
