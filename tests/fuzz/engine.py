"""Facts of any kind in any order at every game: no step raises, no table is dead, a replay comes to the same."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import msgspec

from controller.games import GAMES, find, restored, step
from controller.rules import ROLES
from controller.table import facts, state
from controller.table.effects import AnyEffect, Defective, Refused
from controller.table.facts import Amend, AnyFact, Badge, Key, Started
from controller.table.requests import Press
from controller.table.state import Table
from controller.tournament.desk import follow
from controller.views.fact_text import tell
from tests.fuzz import changes
from tests.fuzz.target import Target, expect
from tests.table.any_facts import SEATS, Anybody
from tests.table.test_any_fact import looked_at, storable
from tests.tournament.desks import Desk
from tests.tournament.test_any_deed import TERMS, deed
from tests.tournament.test_any_fact import fact as tournament_fact
from tests.walks.asides import aside

LONGEST = 120  # facts of an input
TRIES = 200  # facts among which one must let the table go on
SENSES = (0.3, 0.6, 0.8, 0.9, 0.97)


class Course(msgspec.Struct, array_like=True, frozen=True):
    """An input: the game, and each fact as a journal has it, with the microseconds since the one before."""

    game: str
    told: tuple[tuple[int, bytes], ...]


def decoded(data: bytes) -> Course | None:
    """Returns the course of these bytes; None when they are none."""
    try:
        course = msgspec.msgpack.decode(data, type=Course)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return course if course.game in GAMES else None


def fact_of(stored: bytes) -> AnyFact | None:
    """Returns the fact of a record; None when this version knows none such, which a journal names."""
    try:
        fact = facts.decode(stored)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return fact if storable(fact) else None


class Tables(Target):
    """Tables of every game."""

    name = "engine.tables"
    daily = 20
    modes: ClassVar = ("plain",)

    def seeds(self) -> list[bytes]:
        return [self._made(Random(n), game, 30) for n, game in enumerate(sorted(GAMES))]

    def generate(self, rng: Random) -> bytes:
        return self._made(rng, rng.choice(sorted(GAMES)), rng.randint(5, LONGEST))

    def _made(self, rng: Random, game: str, length: int) -> bytes:
        anybody = Anybody(rng.randrange(1 << 32), rng.choice(SENSES))
        begin = anybody.start(game)
        told = [(0, facts.encode(begin))]
        table, _ = step(Table(), 1, 0, begin)
        return self._longer(anybody, Course(game, tuple(told)), table, length)

    def choose(self, anybody: Anybody, table: Table) -> AnyFact:
        """Returns what happens next at a table."""
        return aside(anybody.rng, table) if anybody.rng.random() < 0.15 else anybody.fact(table)

    def _longer(self, anybody: Anybody, course: Course, table: Table, more: int) -> bytes:
        told, at = list(course.told), sum(since for since, _ in course.told)
        for _ in range(more if table.game else 0):
            fact = self.choose(anybody, table)
            if storable(fact):
                since = anybody.rng.choice((1_000, 200_000, 3_000_000, 60_000_000))
                at += since
                told.append((since, facts.encode(fact)))
                table, _ = step(table, len(told), at, fact)
        return msgspec.msgpack.encode(Course(course.game, tuple(told)))

    def mutate(self, rng: Random, data: bytes) -> bytes:
        course = decoded(data)
        if course is None or rng.random() < 0.02:
            return changes.changed(rng, data, (), [data])
        told = list(course.told)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(told)) if told else 0
            match rng.randrange(6) if told else 5:
                case 0:
                    del told[at : at + rng.choice((1, 1, 3, 10))]
                case 1:
                    told.insert(rng.randint(0, len(told)), told[at])
                case 2:
                    told[at] = (told[at][0], changes.changed(rng, told[at][1], (), [stored for _, stored in told]))
                case 3:
                    told[at] = (rng.choice((0, 1, -5, 10**12, 10**15)), told[at][1])
                case 4:
                    told.insert(at, (1, facts.encode(Amend(rng.randint(0, len(told)), fact_of(rng.choice(told)[1])))))
                case _:
                    told.insert(at, (5, facts.encode(Badge(rng.choice(ROLES)))))
        made = Course(course.game, tuple(told[:LONGEST]))
        table = self._end(made)
        anybody = Anybody(rng.randrange(1 << 32), rng.choice(SENSES))
        return self._longer(anybody, made, table, rng.randint(0, 12)) if table else msgspec.msgpack.encode(made)

    def smaller(self, data: bytes) -> list[bytes]:
        course = decoded(data)
        if course is None:
            return changes.smaller(data)
        made, size = [], max(1, len(course.told) // 2)
        while size:
            for start in range(0, len(course.told), size):
                made.append(Course(course.game, course.told[:start] + course.told[start + size :]))
            size //= 2
        return [msgspec.msgpack.encode(each) for each in made]

    def _end(self, course: Course) -> Table | None:
        try:
            return self._told(course, look=False)
        except Exception:
            return None  # it is found when the input is run

    def run(self, data: bytes) -> None:
        course = decoded(data)
        if course is None:
            return
        table = self._told(course, look=True)
        again = self._told(course, look=False)
        expect(state.encode(table) == state.encode(again), "a replay comes to another table")
        if table.game:
            self._goes_on(table, Random(len(data)))

    def _told(self, course: Course, *, look: bool) -> Table:
        table, at = Table(), 0
        for seq, (since, stored) in enumerate(course.told, 1):
            fact = fact_of(stored)
            at += since
            if fact is None or not -(1 << 62) < at < 1 << 62:
                continue
            if not table.game and not isinstance(fact, Started):
                continue  # a journal begins with a start
            before = state.encode(table) if look else b""
            after, effects = step(table, seq, at, fact)
            expect(not _defective(effects), "a step raised", fact=fact, effects=effects)
            if look:
                expect(state.encode(table) == before, "a step changed the table before it", fact=fact)
                tell(fact)
                if seq % 10 == 0 and after.game:
                    after = restored(state.encode(after))
                    looked_at(after)
            table = after
        return table

    def _goes_on(self, table: Table, rng: Random) -> None:
        """Tries what a table waits for and what a manager can rule: something of it is taken."""
        if any(isinstance(each, Press) and each.key == "reconstruct" for each in find(table.game).waiting(table)):
            return  # a person names the cards that lie there, which chance does not
        anybody = Anybody(rng.randrange(1 << 32), 1.0)
        seq, at = 10_000, table.now
        for n in range(TRIES):
            fact: AnyFact = Badge("casino-manager") if n % 7 == 0 else anybody.sensible(table)
            if n % 7 == 1:
                fact = Key(rng.choice(("resume", "void", "misdeal", "settle", "open-table", "close-table")))
            if n % 7 == 2:
                fact = Key(rng.choice(("short", "excess")), (rng.choice(SEATS),))
            after, effects = step(table, seq + n, at + n * 1_000_000, fact)
            expect(not _defective(effects), "a step raised", fact=fact, effects=effects)
            if not isinstance(fact, Badge) and not any(isinstance(effect, Refused) for effect in effects):
                return
            table = after
        expect(False, "a dead table: nothing lets it go on", phase=find(table.game).waiting(table), holds=table.holds)


def _defective(effects: list[AnyEffect]) -> bool:
    return any(isinstance(effect, Defective) for effect in effects)


class TournamentTables(Tables):
    """Tables in a tournament."""

    name = "engine.tournament"
    daily = 8

    def choose(self, anybody: Anybody, table: Table) -> AnyFact:
        return tournament_fact(anybody, table)

    def _goes_on(self, table: Table, rng: Random) -> None:
        """Does nothing: a tournament shuts its tables as it likes, and the desk is a target of its own."""


class DeskDeeds(Target):
    """The desk of a tournament: deeds in any order."""

    name = "engine.desk"
    daily = 15

    def seeds(self) -> list[bytes]:
        return [f"{game} {n} {n}".encode() for n, game in enumerate(sorted(GAMES))]

    def mutate(self, rng: Random, data: bytes) -> bytes:
        return f"{rng.choice(sorted(GAMES))} {rng.randrange(len(TERMS))} {rng.randrange(1 << 32)}".encode()

    def run(self, data: bytes) -> None:
        from tests.walks.walks import Walk, terms

        game, number, seed = data.decode().split()
        r = Random(int(seed))
        walk = Walk(game, "desk", int(number) % len(TERMS))
        stand = Desk(game, tables=2, people="Ann Bob Cy Dan", **{"bank": "100", **terms(walk)})
        for _ in range(100):
            stand.at += r.choice((0, 0, 30_000, 120_000))
            cup, refused = follow(stand.cup, stand.at, deed(r, stand))
            same = cup.people == stand.cup.people or cup.now > stand.cup.now
            expect(refused is None or same, "a refusal changed the record")
            stand.cup = cup

    def smaller(self, data: bytes) -> list[bytes]:
        return []


TARGETS: tuple[type[Target], ...] = (Tables, TournamentTables, DeskDeeds)
