"""What the dealer is told at settlement about chips that were refused before."""

from __future__ import annotations

import pytest

from controller.table.effects import Prompted
from tests.table.telling import Telling


def advice(t: Telling) -> list[str]:
    """Settles, and returns what the dealer is told by 13.8."""
    effects = t.key("settle")
    return [e.prompt.text for e in effects if isinstance(e, Prompted) and e.prompt.rule.startswith("13.8")]


@pytest.mark.parametrize(
    ("spots", "told"),
    [
        ({"ante": 20}, []),  # the Ante stands as it was; the dealer was told when the chips came
        ({"third": 20}, ["10 too much lies there: give it back"]),
    ],
)
def test_only_what_is_too_much_is_told_to_be_given_back(spots: dict[str, int], told: list[str]) -> None:
    t = Telling("mississippi-stud")
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("2h 7d Kc 9s 4c")
    t.bet(1, third=10)
    t.bet(1, **spots)
    t.bet(1, fourth=10)
    t.bet(1, fifth=10)
    assert advice(t) == told
