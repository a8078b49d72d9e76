"""Random hands beside a second reading of the document: leaves, all-ins, acts and chips out of turn, pots."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog

from controller.script import parse
from controller.script.play import play
from controller.script.report import to_text
from tests.poker.model import Hand
from tests.searches import times

HANDS = times(40)
PARTS = 4


@pytest.fixture(autouse=True)
def _no_logs() -> Iterator[None]:
    """The story of a run is its report."""
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_hand_ends_as_the_second_reading_says(part: int) -> None:
    for seed in range(part, HANDS, PARTS):
        (run,) = parse("\n".join(Hand(seed).lines) + "\n", f"hand {seed}").runs
        played = play(f"hand {seed}", run)
        if played.failed:
            pytest.fail("\n".join(to_text(played)), pytrace=False)
