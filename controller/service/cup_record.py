"""The record of a tournament as a store keeps it: what it begins with, and the deeds behind that, each a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import msgspec

from controller.errors import FeltError
from controller.games import INSTALLED
from controller.jackpot.stores.store import Logbook, LogLine
from controller.table.documents import TournamentRules
from controller.tournament import desk
from controller.tournament.deeds import AnyDeed, TableDesignated, TimePassed
from controller.tournament.record import Tournament
from controller.tournament.terms import TermsSheet, TournamentTerms, read


class CupHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a record begins with: the terms as they were written, and their hash."""

    name: str
    game: str
    text: str
    sha256: str
    sheet: TermsSheet
    opened: int  # milliseconds since 1970
    by: str = ""  # who opened it


class CupLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One deed on record."""

    at: int  # milliseconds since 1970
    deed: AnyDeed
    by: str = ""  # who did it; "": a table told it
    source: str = ""  # the journal that told it


_head: Final = msgspec.json.Decoder(CupHead)
_line: Final = msgspec.json.Decoder(CupLine)


def written(value: CupHead | CupLine) -> str:
    """Returns a head or a line as the store keeps it."""
    return msgspec.json.encode(value).decode()


@dataclass
class CupRecord:
    """A tournament as far as its lines are known here."""

    head: CupHead
    cup: Tournament
    last: int = 0
    lines: list[CupLine] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)  # by which the store knows its lines
    sources: dict[str, str] = field(default_factory=dict)  # by table: the journal of the table that was designated

    @classmethod
    def begun(cls, kept: Logbook) -> CupRecord:
        """Returns a record to which nothing has happened yet; raises FeltError when it cannot be read here."""
        try:
            head = _head.decode(kept.head)
        except msgspec.MsgspecError as bad:
            raise FeltError("tournament.unreadable", f"{kept.name}: {bad}") from bad
        rules, terms = rules_of(head.game), None
        if rules is not None:
            terms = read(rules, head.sheet)
        if rules is None or not isinstance(terms, TournamentTerms):
            raise FeltError("tournament.unreadable", f"{kept.name}: this version cannot read terms of {head.game}")
        return cls(head, desk.opened(head.name, head.game, rules, terms, head.opened))

    def follow(self, line: LogLine) -> None:
        """Follows the next line."""
        try:
            decoded = _line.decode(line.line)
        except msgspec.MsgspecError as bad:
            raise FeltError("tournament.unreadable", f"{self.head.name}, line {line.seq}: {bad}") from bad
        self.keep(line.seq, line.name, decoded)

    def keep(self, seq: int, number: str, line: CupLine) -> None:
        """Follows a line that was just written or read."""
        self.cup, _ = desk.follow(self.cup, line.at, line.deed)
        self.last = seq
        self.lines.append(line)
        self.numbers.add(number)
        if isinstance(line.deed, TableDesignated):
            self.sources.setdefault(line.deed.table, line.source)

    def at(self, now: int) -> Tournament:
        """Returns how it stands at this time."""
        return desk.follow(self.cup, now, TimePassed())[0]


def rules_of(game: str) -> TournamentRules | None:
    """Returns what the document of a game says of tournaments; None where there is no such game here."""
    return INSTALLED[game].document.tournaments if game in INSTALLED else None
