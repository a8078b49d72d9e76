"""What the odds are made of, against the table itself: random cards, random decisions, told fact by fact."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from controller.games import GAMES
from controller.hands import best, best_three
from controller.odds.rounds import Deal, Rounds
from controller.places import DEALER
from controller.table.telling import COMMUNITY
from tests.odds.dealing import SIZES, at_the_table, random_deal
from tests.searches import times

WAGERS = {
    "casino-war": ["war", "tie"],
    "three-card-poker": ["ante", "pair-plus"],
    "caribbean-stud": ["ante"],
    "mississippi-stud": ["ante"],
    "ultimate-texas-holdem-nsw": ["ante", "blind", "trips"],
    "ultimate-texas-holdem-vic": ["ante", "blind", "trips"],
    "wsop-bonus-holdem": ["ante"],
}
built = pytest.mark.parametrize("game", [game for game in SIZES if game in GAMES])


@built
def test_a_round_in_memory_nets_what_the_table_settles(game: str) -> None:
    chance, rounds = random.Random(game), Rounds(game)
    for _ in range(times(100)):
        deal = random_deal(game, chance)
        played = at_the_table(game, WAGERS[game], deal, chance)
        assert rounds.settle(WAGERS[game], deal, played.decisions).net == played.net, (deal, played)


@built
def test_what_is_counted_alike_nets_alike(game: str) -> None:
    """One deal of a kind is settled for all of them: they must not differ."""
    chance, rounds, met = random.Random(game), Rounds(game), dict[tuple[Any, ...], Mapping[str, int]]()
    for _ in range(times(100)):
        deal = random_deal(game, chance)
        line = rounds.boldest(WAGERS[game], deal)
        net = rounds.settle(WAGERS[game], deal, line).net
        assert met.setdefault((kind(game, rounds, deal), *line), net) == net, deal


def kind(game: str, rounds: Rounds, deal: Deal) -> tuple[Any, ...]:
    if game == "casino-war":
        return tuple(a[0] == b[0] or a[0] + b[0] for a, b in zip(deal["1"], deal[DEALER], strict=True))
    board: Sequence[str] = deal.get(COMMUNITY, [])
    rank = best_three if game == "three-card-poker" else best
    mine = rank([*deal["1"], *board])
    if DEALER not in deal:
        return mine.category, mine.ranks[0]
    theirs = rank([*deal[DEALER], *board])
    line = rounds.boldest(["ante"] if "blind" not in WAGERS[game] else ["ante", "blind"], deal)
    wagers = ["ante", "blind"] if "blind" in WAGERS[game] else ["ante"]
    return mine.category, mine > theirs, mine < theirs, rounds.qualifying(wagers, deal, line)(deal)
