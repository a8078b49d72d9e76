"""Any fact at a table in a tournament: nothing raises, whatever the record or a device tells."""

from __future__ import annotations

from random import Random

import pytest

from controller.games import GAMES, find, restored, step
from controller.rules import ROLES
from controller.table import state
from controller.table.effects import Defective
from controller.table.facts import AnyFact, Badge, Chips, Key, Spot, TournamentSeat, TournamentTold
from controller.table.state import Table
from controller.tournament.keys import DESK_KEYS, TABLE_KEYS
from controller.tournament.play import play_in
from controller.views.fact_text import tell
from tests.searches import times
from tests.table.any_facts import AMOUNTS, JUNK, SEATS, Anybody
from tests.table.test_any_fact import followed, looked_at, storable

FACTS = times(150)
NAMES = ("Ann", "Bob", "Cy", "", "9", "é")


def seat(r: Random) -> TournamentSeat:
    left = {word: r.choice((0, 1, 9, -1)) for word in ("secret", "all-in", "pass", "x") if r.random() < 0.5}
    place = r.choice((*SEATS, *SEATS, *JUNK))
    return TournamentSeat(place, r.choice(NAMES), r.choice(AMOUNTS[:-2]), r.choice(("", "", "10.4.5")), left)


def news(r: Random) -> TournamentTold:
    """What a record may tell, most often something that makes sense."""
    if r.random() < 0.6:
        seats = tuple(TournamentSeat(place, f"P{place}", 100_000) for place in SEATS[: r.randint(0, 6)])
        return TournamentTold("CUP", 1, 1, 1000, 50_000, r.random() < 0.2, seats=seats, recorded=10**6)
    return TournamentTold(
        r.choice(("CUP", "CUP", "", "x" * 500)),
        session=r.choice((0, 1, -1)),
        level=r.choice((0, 1, 2, -5, 10**9)),
        least=r.choice(AMOUNTS[:-2]),
        most=r.choice(AMOUNTS[:-2]),
        practice=r.random() < 0.2,
        shut=r.random() < 0.3,
        rule="10.2.3",
        why="nobody is present",
        seats=tuple(seat(r) for _ in range(r.randint(0, 8))),
        forfeits=r.random() < 0.5,
        recorded=r.choice((0, 1, 10**6, -1)),
    )


def key(r: Random) -> Key:
    """A key of a tournament, with words that fit it or not."""
    name = r.choice((*DESK_KEYS, *TABLE_KEYS)).name
    if r.random() < 0.1:
        return Key(
            "set",
            tuple(r.choice(("tournament=CUP", "tournament=none", "min=5", *JUNK)) for _ in range(r.randint(1, 2))),
        )
    words = (*SEATS, "pass", "all-in", "re-buy", "off", "warning", "Ann", "T1", "5", *JUNK)
    return Key(name, tuple(r.choice(words) for _ in range(r.randint(0, 3))))


def chips(r: Random, game: str) -> Chips:
    """Cash chips, or a wager under a cover."""
    spots = tuple(Spot(spot, r.choice((1, 1, 2)), r.choice(AMOUNTS[:-2])) for spot in find(game).opening)
    return Chips(r.randint(1, 6), spots, cash=r.random() < 0.2, covered=r.random() < 0.7)


def fact(anybody: Anybody, table: Table) -> AnyFact:
    r = anybody.rng
    choice = r.random()
    if choice < 0.1:
        return news(r)
    if choice < 0.2:
        return key(r)
    if choice < 0.3:
        return chips(r, table.game)
    if choice < 0.33:
        return Badge(r.choice(ROLES))
    return anybody.fact(table)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("sense", [0.5, 0.9])
def test_any_fact_in_a_tournament_is_followed_refused_or_named(game: str, sense: float) -> None:
    anybody = Anybody(sum(map(ord, game)), sense)
    table, _ = step(Table(), 1, 0, anybody.start(game))
    if not table.game:
        pytest.skip("these options are refused")
    for n in range(2, FACTS):
        made = fact(anybody, table)
        if not storable(made):
            continue
        before = state.encode(table)
        after, effects = step(table, n, n * 1_000_000, made)
        assert followed(effects), (game, n, made, [e for e in effects if isinstance(e, Defective)])
        assert state.encode(table) == before
        table = restored(state.encode(after)) if n % 10 == 0 else after
        assert (play_in(table) is None) == (not table.mode.kind)
        looked_at(table)
        tell(made)
