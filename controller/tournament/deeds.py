"""What is done at the desk of a tournament and told by its tables: each deed is one fact of the record."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from controller.table.effects import Effect
from controller.tournament.bets import BetSizes
from controller.tournament.reports import AnyReport


class TournamentDeed(msgspec.Struct, frozen=True, tag_field="deed", omit_defaults=True):
    """Anything that changes the record of a tournament."""


class PeopleEntered(TournamentDeed, frozen=True, tag="entered"):
    """These people want to enter: all of them, or none."""

    people: tuple[str, ...]
    employees: bool = False
    apart: bool = False  # names that only small and capital letters tell apart are refused


class Withdrew(TournamentDeed, frozen=True, tag="withdrew"):
    """Somebody wants to withdraw."""

    person: str


class Substituted(TournamentDeed, frozen=True, tag="substituted"):
    """Somebody wants another person to take over bank and place."""

    person: str
    other: str
    apart: bool = False  # as above


class DeskKey(TournamentDeed, frozen=True, tag="pressed"):
    """A key of the desk was pressed, there or at a table."""

    key: str
    args: tuple[str, ...] = ()
    role: str = "tournament-director"
    person: str = ""
    seed: str = ""  # by which lots are drawn; "": places are given in the order of entry


class TableDesignated(TournamentDeed, frozen=True, tag="designated"):
    """A table is to be the tournament's."""

    table: str
    game: str
    places: int
    extras: tuple[str, ...] = ()  # options of it that no tournament has: commission, Jackpot, bonus prizes
    bets: BetSizes | None = None  # of a fixed or spread game of poker


class TableFreed(TournamentDeed, frozen=True, tag="freed"):
    """A table is to be the tournament's no more."""

    table: str


class PlaceDrawn(TournamentDeed, frozen=True, tag="drawn"):
    """The draw gave somebody a place."""

    table: str
    place: int
    person: str


class MarkerUsed(TournamentDeed, frozen=True, tag="marker"):
    """Somebody buys back with a marker."""

    table: str
    place: int


class GotUp(TournamentDeed, frozen=True, tag="got-up"):
    """Somebody got up for good."""

    table: str
    place: int


class TableReported(TournamentDeed, frozen=True, tag="reported"):
    """A table tells that a round has begun, or what one came to."""

    table: str
    report: AnyReport


class TimePassed(TournamentDeed, frozen=True, tag="time"):
    """Time has passed."""


AnyDeed: TypeAlias = (
    PeopleEntered
    | Withdrew
    | Substituted
    | DeskKey
    | TableDesignated
    | TableFreed
    | PlaceDrawn
    | MarkerUsed
    | GotUp
    | TableReported
    | TimePassed
)


class TournamentAsked(Effect, frozen=True, tag="tournament-asked"):
    """Somebody at a table asks for something that only the record of a tournament can grant.

    `tournament` is its name in one word; "": the table's own.
    """

    deed: AnyDeed
    tournament: str = ""
    by: str = ""  # who asks, where the deed does not say it
