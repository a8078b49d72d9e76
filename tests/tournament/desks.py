"""A desk in a test: deeds in short words, without tables."""

from __future__ import annotations

import msgspec

from controller.games import find
from controller.table.step import Refusal
from controller.tournament import desk
from controller.tournament.deeds import AnyDeed, DeskKey, PeopleEntered, TableDesignated, TableReported
from controller.tournament.record import Entrant, Stage, Tournament
from controller.tournament.reports import BeganReport, EndedReport
from controller.tournament.terms import TournamentTerms, read_items
from tests.citing import unknown


class Desk:
    """Does deeds one after the other; the record must be the same after it was stored."""

    def __init__(self, game: str = "casino-war", tables: int = 1, people: str = "Ann Bob", **items: str) -> None:
        rules = find(game).document.tournaments
        assert rules is not None
        terms = read_items(rules, {name.replace("_", "-"): value for name, value in items.items()})
        assert isinstance(terms, TournamentTerms), terms
        self.at = 0
        self.numbers: dict[str, int] = {}
        self.rounds: dict[str, int] = {}
        self.cup = desk.opened("CUP", game, rules, terms, 0)
        if people:
            self.do(PeopleEntered(tuple(people.split())))
        for n in range(1, tables + 1):
            self.do(TableDesignated(f"T{n}", game, 7))

    def do(self, deed: AnyDeed) -> str:
        """Returns the rule by which a deed is refused, "-" when none is named; "" when it is granted."""
        before = msgspec.msgpack.encode(self.cup)
        after, refused = desk.follow(self.cup, self.at, deed)
        assert msgspec.msgpack.encode(self.cup) == before, "a deed must leave the old record as it was"
        self.cup = msgspec.msgpack.decode(msgspec.msgpack.encode(after), type=Tournament)
        assert self.cup == after
        return self._rule(refused)

    def _rule(self, refused: Refusal | None) -> str:
        if refused is None:
            return ""
        assert refused.why
        assert not unknown(find(self.cup.game).document.number, {"rule": refused.rule})
        return refused.rule or "-"

    def key(self, words: str, role: str = "tournament-director") -> str:
        name, *args = words.split()
        return self.do(DeskKey(name, tuple(args), role))

    def number(self, table: str) -> int:
        self.numbers[table] = self.numbers.get(table, 0) + 1
        return self.numbers[table]

    def begin(self, table: str = "T1") -> None:
        self.rounds[table] = self.rounds.get(table, 0) + 1
        self.do(TableReported(table, BeganReport(self.number(table), self.rounds[table])))

    def round(self, table: str = "T1", **nets: int) -> None:
        """A round in which banks change by so many dollars."""
        self.begin(table)
        self._ended(table, EndedReport(0, 0, _cents(nets)))

    def correct(self, rounds: int, table: str = "T1", **nets: int) -> None:
        self._ended(table, EndedReport(0, 0, _cents(nets), rounds=rounds, corrects=True))

    def _ended(self, table: str, report: EndedReport) -> None:
        numbered = msgspec.structs.replace(report, number=self.number(table), round=self.rounds[table])
        self.do(TableReported(table, numbered))

    def stage(self) -> Stage:
        """How far it is, asked anew each time."""
        return self.cup.stage

    def __getitem__(self, name: str) -> Entrant:
        return self.cup.people[name]


def _cents(nets: dict[str, int]) -> dict[str, int]:
    return {name: 100 * net for name, net in nets.items()}
