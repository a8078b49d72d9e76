"""The account of which cards of the journal's facts are public, round by round."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import structlog

from controller.games import find
from controller.journal.records import Record
from controller.journal.store import Journal
from controller.service.error_place import error_place
from controller.service.hidden_facts import opened
from controller.table import facts
from controller.table.facts import AnyFact, Hidden, Turned
from controller.table.state import Table
from controller.views.cards import PublicCard, has_cards, judged_by_rule, public, waiting

log = structlog.get_logger()

MOST = 2000  # facts with cards of one round that are kept; older ones stay hidden
FAR = 4000  # records that are looked through for what a round made public; beyond them a card stays hidden
CHUNK = 500
NOTHING: Collection[int] = ()


class Disclosure:
    """An account that follows the facts.

    Of the round that runs it knows the facts with cards; what was made public before is in the journal.
    """

    def __init__(self) -> None:
        self._open: dict[int, AnyFact] = {}  # facts with cards that no `Turned` has decided yet
        self._round = 0  # the last round that was decided
        self._due: list[Turned] = []  # decided, and not on record yet
        self._looked: tuple[Table, int, dict[int, set[int]]] | None = None

    def go_on(self, journal: Journal, seq: int, table: Table) -> None:
        """Begins behind a snapshot: finds what happened in its round so far."""
        over = table.round is None or bool(table.round.outcome)
        self._round = table.number if over else table.number - 1
        with_cards: dict[int, AnyFact] = {}
        until, begins = seq, journal.begins
        while until > max(begins - 1, seq - FAR):
            first = max(begins, until - CHUNK + 1)
            for record in reversed(journal.read(first, until - first + 1)):
                fact = facts.decode(record.payload)
                if isinstance(fact, Turned):
                    self._round = fact.round
                    self._keep({s: f for s, f in with_cards.items() if s > fact.upto}, seq, table)
                    return
                if has_cards(fact):
                    with_cards[record.seq] = fact
            until = first - 1
        if not over and table.round is not None:  # a journal from before there was such a record
            self._open = {s: f for s, f in sorted(with_cards.items()) if s >= table.round.opened}

    def _keep(self, with_cards: dict[int, AnyFact], seq: int, table: Table) -> None:
        self._open = dict(sorted(with_cards.items()))
        self._decide(seq, table)

    def follow(self, seq: int, fact: AnyFact, table: Table) -> None:
        """Notes a fact that has acted on the table."""
        if isinstance(fact, Turned):
            self._round = max(self._round, fact.round)
            self._due = [due for due in self._due if due.round > fact.round]
            return
        if has_cards(fact):
            self._open[seq] = fact
            if len(self._open) > MOST:
                del self._open[next(iter(self._open))]
        self._decide(seq, table)

    def _decide(self, seq: int, table: Table) -> None:
        """Decides which cards of a round that is over are public, before the next one clears the felt."""
        if table.round is None or not table.round.outcome or table.number <= self._round:
            return
        self._round = table.number
        if self._open:
            turned = self._judged(table)
            cards = tuple((each.seq, each.number) for each in turned)
            self._due.append(Turned(table.number, seq, cards, rules=tuple(each.rule for each in turned)))
            self._open = waiting(self._open.items(), table)

    def _judged(self, table: Table) -> tuple[PublicCard, ...]:
        try:
            return judged_by_rule(self._open.items(), table, find(table.game))
        except Exception as bug:  # what cannot be judged stays hidden; it must not stop the table
            log.error("disclosure.defect", round=table.number, what=error_place(bug))
            return ()

    def take_due(self) -> list[Turned]:
        """Returns what is to be put on record now."""
        due, self._due = self._due, []
        return due

    def put_back(self, turned: Turned) -> None:
        """Keeps what could not be put on record: it is due again."""
        self._due.append(turned)

    # ---- looking

    def shown(self, table: Table) -> Mapping[int, Collection[int]]:
        """Returns which cards are public now, of every fact that no record has decided."""
        newest = next(reversed(self._open), 0)
        if self._looked is None or self._looked[0] is not table or self._looked[1] != newest:
            now: dict[int, set[int]] = {seq: set() for seq in self._open}
            for each in self._judged(table) if self._open else ():
                now[each.seq].add(each.number)
            self._looked = (table, newest, now)
        return self._looked[2]

    def public(self, seq: int, fact: AnyFact, table: Table) -> AnyFact:
        """Returns a fact of the round that runs as people may see it."""
        return public(fact, self.shown(table).get(seq, NOTHING))


def disclosed(
    journal: Journal, records: list[Record], now: Mapping[int, Collection[int]]
) -> list[tuple[Record, AnyFact]]:
    """Returns the facts of these records as people may see them.

    `now`: which cards are public of facts that no record has decided.  What neither tells of stays hidden.
    """
    decoded = [(record, facts.decode(record.payload)) for record in records]
    hidden = [record.seq for record, fact in decoded if has_cards(fact) and record.seq not in now]
    decided = _Decided()
    if hidden:
        decided.collect(decoded)
        if records[-1].seq - records[0].seq >= len(records):  # there are others between them
            _look_between(journal, hidden[0] + 1, records[-1].seq, decided)
        _look_ahead(journal, records[-1].seq + 1, hidden[-1], decided)
    return [(record, decided.public(record.seq, fact, now)) for record, fact in decoded]


class _Decided:
    """What records have made public, and what opens it where the keys are not at hand; by the numbers of the facts."""

    def __init__(self) -> None:
        self._cards: dict[int, set[int]] = {}
        self._secrets: dict[int, dict[int, bytes]] = {}

    def collect(self, decoded: list[tuple[Record, AnyFact]]) -> None:
        """Adds what these facts make public."""
        for _, fact in decoded:
            if isinstance(fact, Turned):
                for seq, number in fact.cards:
                    self._cards.setdefault(seq, set()).add(number)
                for seq, number, secret in fact.secrets:
                    self._secrets.setdefault(seq, {})[number] = secret

    def public(self, seq: int, fact: AnyFact, now: Mapping[int, Collection[int]]) -> AnyFact:
        """Returns a fact as people may see it; one whose key is not there with the cards that were turned."""
        if isinstance(fact, Hidden):
            fact = opened(fact, self._secrets.get(seq, {})) or fact.shown
        return public(fact, now.get(seq, self._cards.get(seq, NOTHING)))


def _look_between(journal: Journal, first: int, last: int, decided: _Decided) -> None:
    """Collects what the records from `first` to `last` make public."""
    for start in range(first, last + 1, CHUNK):
        records = journal.read(start, min(CHUNK, last - start + 1))
        decided.collect([(record, facts.decode(record.payload)) for record in records])


def _look_ahead(journal: Journal, start: int, last: int, decided: _Decided) -> None:
    """Collects what later records make public, until a round is over that ended behind `last`.

    And one more round: it may have used a card that was kept.
    """
    behind = 0
    for first in range(start, start + FAR, CHUNK):
        records = journal.read(first, CHUNK)
        decoded = [(record, facts.decode(record.payload)) for record in records]
        decided.collect(decoded)
        behind += sum(isinstance(fact, Turned) and fact.upto >= last for _, fact in decoded)
        if behind > 1 or len(records) < CHUNK:
            return
