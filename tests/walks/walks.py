"""Long walks of tables and of the tournaments' desk: facts chosen by a seed, and a digest of all that comes of them.

Scripts say what the documents ask.  These walks go where no script goes, and hold fast what happens there: when a
digest changes, somebody looks whether that was meant.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.games import GAMES, defaults, find, step
from controller.table import facts, state
from controller.table.effects import Refused
from controller.table.facts import AnyFact, FloatMoved
from controller.table.state import Table
from controller.tournament.desk import follow
from controller.tournament.news import news
from controller.tournament.record import Tournament
from controller.tournament.standing import everybody
from controller.tournament.terms import TournamentTerms, read_items
from controller.views.fact_text import tell
from controller.views.float_form import FloatEntry
from controller.views.moments import iso
from controller.views.record import Moment
from controller.views.table_float import entry_of
from controller.views.tournament import at_desk as at_desk_shown
from controller.views.tournament import report, room
from tests.rules.spectator import Digests
from tests.table.any_facts import VALUES, Anybody
from tests.table.test_any_fact import storable
from tests.tournament.desks import Desk
from tests.tournament.test_any_deed import TERMS, deed
from tests.tournament.test_any_fact import fact as tournament_fact
from tests.walks import apart
from tests.walks.asides import aside
from tests.walks.looks import Looks, told_at_the_end
from tests.walks.wanderer import Wanderer

LENGTH = 12  # digits of a digest
FACTS = 200  # of a walk
RAMBLES = 9  # of each game: walks with more facts, at which nobody looks for long
FARTHER = 600  # facts of one
PICTURED = 5  # pictures are taken after each of so many facts
SELDOM = 60  # what takes long is looked up after each of so many
SENSES = (0.75, 0.9, 0.97, 0.99)
ASIDES = 0.15  # of all facts
STUCK = 15  # wishes refused, less two for each fact that was not: the walk goes on at another table
TRIED = 12  # options
FEWER = 3  # on a ramble
APART = {"meter": apart.meter, "guard": apart.guard}
EMPTY = 3  # of the terms: nobody has entered yet


class Walk(msgspec.Struct, frozen=True):
    """A walk: where, and how much sense there is in it."""

    game: str
    kind: str  # table, ramble, tournament, desk, meter, guard
    number: int

    @property
    def name(self) -> str:
        """The name that it is kept under."""
        return f"{self.kind} {self.game} {self.number}"

    @property
    def seed(self) -> int:
        """What chooses its facts."""
        return zlib.crc32(self.name.encode())


def walks() -> Iterator[Walk]:
    """Yields all walks."""
    for game in sorted(GAMES):
        for number in range(5):
            yield Walk(game, "table", number)
        for number in range(RAMBLES):
            yield Walk(game, "ramble", number)
        for number in range(2):
            yield Walk(game, "tournament", number)
        for number in range(len(TERMS)):
            yield Walk(game, "desk", number)

    for number in range(4):
        for game, kind in (("nsw", "meter"), ("vic", "meter"), ("deck", "guard"), ("shoe", "guard")):
            yield Walk(game, kind, number)


def digest(walk: Walk) -> str:
    """Goes a walk; returns the digest of all that came of it."""
    if walk.kind in APART:
        return apart.digest(APART[walk.kind](Random(walk.seed), walk.game))
    if walk.kind == "desk":
        return at_desk(walk)
    sense = SENSES[walk.number % len(SENSES)]
    if walk.kind == "ramble":
        return far(walk, Wanderer(walk.seed, sense))
    if walk.kind == "tournament":
        return at_table(walk, Anybody(walk.seed, sense), tournament_fact)
    return at_table(walk, Wanderer(walk.seed, sense), with_asides)


def at_table(walk: Walk, anybody: Anybody, choose: Callable[[Anybody, Table], AnyFact]) -> str:
    """Tells facts to a table."""
    found, seen, looks = hashlib.sha256(), Digests(), Looks(walk.number)
    moved: list[FloatEntry] = []
    at = 0
    table = started(walk, anybody)
    refused = 0
    for n in range(2, FACTS):
        made = choose(anybody, table)
        if not storable(made):
            continue
        at += anybody.rng.choice((1_000, 200_000, 3_000_000, 60_000_000))
        table, effects = step(table, n, at, made)
        refused += 1 if any(isinstance(effect, Refused) for effect in effects) else -min(refused, 2)
        seen.follow("T1", n, made, table, effects)
        found.update(facts.encode(made))
        found.update(state.encode(table))
        _add(found, effects)
        if isinstance(made, FloatMoved) and not any(isinstance(effect, Refused) for effect in effects):
            moved.append(entry_of(Moment(n, iso(at)), made))
        if n % PICTURED == 0:
            seen.line_done({"T1": table})
            _add(found, list(looks.at(table)))
        if n % SELDOM == 0:
            _add(found, list(looks.seldom(table)))
        if refused >= STUCK:
            table, refused = started(walk, anybody), 0
    seen.end()
    _add(found, list(told_at_the_end(list(seen.records.values()), moved)))
    return " ".join(each.hexdigest()[:LENGTH] for each in (found, seen.words, seen.pictures))


def far(walk: Walk, anybody: Anybody) -> str:
    """Tells many facts to tables, and keeps what they answer and how they stand alone."""
    found, at, refused, table = hashlib.sha256(), 0, 0, started(walk, anybody, FEWER)
    for n in range(2, FARTHER):
        made = with_asides(anybody, table)
        if not storable(made):
            continue
        at += anybody.rng.choice((1_000, 200_000, 3_000_000, 60_000_000))
        table, effects = step(table, n, at, made)
        found.update(state.encode(table))
        _add(found, [tell(made), effects])
        refused += 1 if any(isinstance(effect, Refused) for effect in effects) else -min(refused, 2)
        if refused >= STUCK:
            table, refused = started(walk, anybody, FEWER), 0
    return found.hexdigest()[:LENGTH]


def _add(to: Any, shown: object) -> None:
    to.update(msgspec.json.encode(shown, order="sorted", enc_hook=str))


def with_asides(anybody: Anybody, table: Table) -> AnyFact:
    """Returns a fact of the play, or one that comes beside it."""
    return aside(anybody.rng, table) if anybody.rng.random() < ASIDES else anybody.fact(table)


def started(walk: Walk, anybody: Anybody, tried: int = TRIED) -> Table:
    """Starts a table; some of its options are not what they are by themselves."""
    begin = anybody.start(walk.game)
    while not (table := step(Table(), 1, 0, begin)[0]).game:
        begin = anybody.start(walk.game)
    for name in anybody.rng.sample(sorted(begin.options), min(tried, len(begin.options))):
        other = replace(begin, options={**begin.options, name: anybody.rng.choice(VALUES)})
        changed, _ = step(Table(), 1, 0, other)
        if changed.game:
            begin, table = other, changed
    return table


def at_desk(walk: Walk) -> str:
    """Does deeds at the desk of a tournament."""
    r, found = Random(walk.seed), hashlib.sha256()
    people = "" if walk.number == EMPTY else "Ann Bob Cy Dan"
    stand = Desk(walk.game, tables=2, people=people, **{"bank": "100", **terms(walk)})
    for _ in range(FACTS):
        stand.at += r.choice((0, 0, 30_000, 120_000))
        cup, refused = follow(stand.cup, stand.at, deed(r, stand))
        stand.cup = cup
        found.update(msgspec.json.encode([repr(refused), *shown(cup)], order="sorted"))
    return found.hexdigest()[:LENGTH]


def terms(walk: Walk) -> dict[str, str]:
    """Returns the terms of a tournament, without those that its document does not know, levels as its game has them."""
    items = dict(TERMS[walk.number])
    if "levels" in items and "blinds" in defaults(walk.game):
        items["levels"] = items["levels"].replace("-", ",")
    rules = find(walk.game).document.tournaments
    assert rules is not None
    read = read_items(rules, {"bank": "100", **{name.replace("_", "-"): value for name, value in items.items()}})
    unknown = () if isinstance(read, TournamentTerms) else {problem.item.replace("-", "_") for problem in read}
    return {name: value for name, value in items.items() if name not in unknown}


def shown(cup: Tournament) -> Iterator[object]:
    """Yields what is known of a tournament."""
    yield cup
    yield everybody(cup)
    yield [news(cup, table) for table in (*cup.tables, "T9")]
    yield room(cup)
    yield at_desk_shown(cup)
    yield report(cup, "")
