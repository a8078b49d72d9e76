"""Where people sit: by the order of entry or by lot, and where they go when tables are balanced or broken."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeAlias

import msgspec


class TableSeat(msgspec.Struct, frozen=True):
    """A place at a table."""

    table: str
    place: int


class Draw(msgspec.Struct, frozen=True):
    """Who sits where, and for whom there is no place."""

    seats: dict[str, TableSeat]
    standing: tuple[str, ...] = ()


class Move(msgspec.Struct, frozen=True):
    """Tables differ by more than one player: somebody goes from one to the other."""

    source: str
    target: str


class Break(msgspec.Struct, frozen=True):
    """One table fewer would do: the people of this one go to the others."""

    table: str


Prompt: TypeAlias = Move | Break
Places: TypeAlias = Mapping[str, Collection[int]]  # of each table, in the order of their designation


def seated(people: Iterable[str], tables: Places, taken: Iterable[TableSeat] = ()) -> Draw:
    """Returns a place for each, in this order: the lowest free one of the emptiest table, the first of equals.

    >>> seated(["Ann", "Bob", "Cem"], {"T1": range(1, 8), "T2": range(1, 8)}).seats["Cem"]
    TableSeat(table='T1', place=2)
    """
    full = {name: {seat.place for seat in taken if seat.table == name} for name in tables}
    seats: dict[str, TableSeat] = {}
    standing = []
    for person in people:
        seat = _next(tables, full)
        if seat is None:
            standing.append(person)
            continue
        full[seat.table].add(seat.place)
        seats[person] = seat
    return Draw(seats, tuple(standing))


def _next(tables: Places, full: Mapping[str, Collection[int]]) -> TableSeat | None:
    """Returns the lowest free place of the emptiest table that has one; None when none has."""
    free = {name: sorted(set(tables[name]).difference(full[name])) for name in tables}
    having = [name for name, places in free.items() if places]
    if not having:
        return None
    emptiest = min(having, key=lambda name: len(full[name]))
    return TableSeat(emptiest, free[emptiest][0])


def by_lot(people: Iterable[str], seed: str) -> tuple[str, ...]:
    """Returns people in an order that only the seed decides; whoever has the seed can draw it again.

    >>> sorted(by_lot(["Ann", "Bob"], "7f")) == ["Ann", "Bob"]
    True
    """
    return tuple(sorted(people, key=lambda name: (sha256(f"{seed}\n{name}".encode()).digest(), name)))


def fewest(tables: Places, people: int) -> tuple[str, ...]:
    """Returns as few tables as hold so many, the largest first chosen; all of them when even those are too few.

    >>> fewest({"T1": range(1, 6), "T2": range(1, 8), "T3": range(1, 6)}, 7)
    ('T2',)
    """
    chosen: list[str] = []
    places = 0
    for name in sorted(tables, key=lambda table: -len(tables[table])):
        if places >= people:
            break
        chosen.append(name)
        places += len(tables[name])
    return tuple(name for name in tables if name in chosen)


def unbalanced(tables: Places, people: Mapping[str, int]) -> tuple[Prompt, ...]:
    """Returns what the desk may do about the tables in play; nothing when they are balanced.

    `people`: how many are in at each table.
    """
    if len(people) < 2:
        return ()
    least = min(people, key=lambda name: (people[name], -_nth(tables, name)))
    most = max(people, key=lambda name: people[name])
    others = sum(len(tables[name]) for name in people if name != least)
    fewer = (Break(least),) if others >= sum(people.values()) else ()
    return (*fewer, Move(most, least)) if people[most] - people[least] > 1 else fewer


def _nth(tables: Places, name: str) -> int:
    return list(tables).index(name)


def broken(people: Mapping[str, TableSeat], tables: Places, table: str) -> Draw:
    """Returns where the people of a broken table go, the lowest place first: to the emptiest of the other tables."""
    leaving = sorted((seat.place, name) for name, seat in people.items() if seat.table == table)
    staying = [seat for seat in people.values() if seat.table != table]
    others = {name: places for name, places in tables.items() if name != table}
    return seated([name for _, name in leaving], others, staying)


def free_place(people: Iterable[TableSeat], places: Sequence[int], table: str) -> int | None:
    """Returns the lowest free place of a table; None when it is full."""
    taken = {seat.place for seat in people if seat.table == table}
    return next((place for place in sorted(places) if place not in taken), None)
