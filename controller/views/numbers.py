"""What rounds come to by shift, day, dealer, game, wager, spot or round: handle, win, theoretical win, hold, pace.

Counted in cents and exact fractions; whatever the rounds are divided by, the parts add up to the whole.  Rounds of a
tournament are left out: their chips are no money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Final

from controller.money import cents, decimals, dollars
from controller.odds.theory import OF_JACKPOT, chosen, edge_kept, jackpot_edge
from controller.places import JACKPOT
from controller.views.asides import ALERT, FAULT, Aside
from controller.views.entries import LedgerEntry, entries, played_by
from controller.views.gaming_day import Calendar
from controller.views.numbers_form import By, Numbers, Part, StatedEdge, WithoutTheory
from controller.views.record import RoundRecord, cash
from controller.views.report import ENOUGH, played_seconds
from controller.views.vouchers import CHIPS, TOKENS

NOBODY: Final = "nobody signed in"
TERMS: Final = ("jackpot", "jackpot-option", "jackpot-reset", "jackpot-cost")  # the options that change its edge


class Figures:
    """Rounds, or some of their wagers, while they are added up."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.lasted: list[int] = []
        self.settled = self.irregular = self.rulings = self.corrections = self.faults = 0
        self.wagers = self.staked = self.handle = self.win = self.prizes = self.prizes_won = 0
        self.commission = self.known_handle = self.known_win = 0
        self.beside: Counter[str] = Counter()  # what happened beside the rounds, by kind
        self.vouchers: Counter[str] = Counter()  # cents, by what was given for them
        self.promotions = 0  # cents
        self.theory = Fraction(0)
        self.unknown: Counter[tuple[str, str, str]] = Counter()  # handle by game, wager and reason
        self.unknown_wagers: Counter[tuple[str, str, str]] = Counter()

    def add_round(self, record: RoundRecord) -> None:
        """Adds what is counted once for each round."""
        self.opened.append(record.opened.at)
        self.lasted.append(record.lasted)
        self.settled += record.outcome == "settled"
        self.irregular += bool(record.irregular)
        self.rulings += len(record.rulings)
        self.corrections += len(record.corrections)
        self.faults += sum(each.kind == "fault" for each in record.troubles)

    def add(self, game: str, entry: LedgerEntry) -> None:
        """Adds one wager."""
        self.wagers += 1
        self.staked += entry.staked
        self.handle += entry.handle
        self.win += entry.win
        self.prizes += entry.prize
        self.prizes_won += entry.prize > 0
        self.commission += entry.win if entry.of_pots else 0
        if entry.known:
            self.known_handle += entry.handle
            self.known_win += entry.compared
            self.theory += entry.theory or 0
        elif entry.handle:
            self.unknown[game, entry.wager, entry.why] += entry.handle
            self.unknown_wagers[game, entry.wager, entry.why] += 1

    def add_aside(self, aside: Aside) -> None:
        """Adds what happened beside the rounds."""
        self.beside[aside.kind] += 1
        self.vouchers[CHIPS] += cents(aside.chips or "0")
        self.vouchers[TOKENS] += cents(aside.tokens or "0")
        self.promotions += cents(aside.prizes or "0")

    def part(self, name: str) -> Part:
        """Returns what it comes to."""
        played = played_seconds(self.opened, self.lasted)
        in_dollars = self.theory / 100
        return Part(
            name=name,
            rounds=len(self.opened),
            settled=self.settled,
            wagers=self.wagers,
            staked=dollars(self.staked),
            handle=dollars(self.handle),
            win=dollars(self.win),
            hold=_percent(self.win, self.handle),
            theoretical=decimals(in_dollars, 2),
            exact=f"{in_dollars.numerator}/{in_dollars.denominator}",
            known_handle=dollars(self.known_handle),
            known_win=dollars(self.known_win),
            commission=dollars(self.commission),
            prizes=dollars(self.prizes),
            prizes_won=self.prizes_won,
            played=round(played / 3600, 2),
            pace=round(len(self.opened) * 3600 / played, 1) if played >= ENOUGH else None,
            irregular=self.irregular,
            rulings=self.rulings,
            corrections=self.corrections,
            faults=self.faults,
            device_faults=self.beside[FAULT],
            alerts=self.beside[ALERT],
            chip_vouchers=dollars(self.vouchers[CHIPS]),
            token_vouchers=dollars(self.vouchers[TOKENS]),
            promotion_prizes=dollars(self.promotions),
            unknown=tuple(
                WithoutTheory(*which, self.unknown_wagers[which], dollars(handle))
                for which, handle in self.unknown.items()
            ),
        )


def numbers(records: Iterable[RoundRecord], by: By, calendar: Calendar, asides: Iterable[Aside] = ()) -> Numbers:
    """Returns what the rounds come to, divided by `by`; give it the records with the oldest round first.

    A round that runs is not counted.  `asides`: what happened beside them in the same time.
    """
    total, parts, edges = Figures(), dict[str, Figures](), dict[tuple[str, str], tuple[StatedEdge, ...]]()
    for record in cash(records):
        total.add_round(record)
        if (which := (record.game, str(record.options))) not in edges:
            edges[which] = _edges(record)
        met: set[str] = set()
        for name, entry in _named(record, by, calendar):
            figures = parts.setdefault(name, Figures())
            if name not in met:
                met.add(name)
                figures.add_round(record)
            if entry is not None:
                total.add(record.game, entry)
                figures.add(record.game, entry)
    for each in asides:
        total.add_aside(each)
        if by in _OF_ASIDES:
            parts.setdefault(_OF_ASIDES[by](each, calendar), Figures()).add_aside(each)
    stated = {(edge.game, edge.wager, edge.exact): edge for each in edges.values() for edge in each}
    return Numbers(
        by,
        total.part("all"),
        tuple(parts[name].part(name) for name in _sorted(parts, by)),
        tuple(stated[which] for which in sorted(stated)),
    )


def _edges(record: RoundRecord) -> tuple[StatedEdge, ...]:
    """Returns the edges that hold at the table on which a round was played."""
    rules, options = played_by(record)
    if rules is None or options is None:
        return ()
    stated = [
        _stated(record.game, wager, chosen(edge.by, options), kept, edge.covers)
        for wager, edge in rules.odds.items()
        if (kept := edge_kept(rules, wager, options)) is not None
    ]
    if (of_jackpot := jackpot_edge(rules, options)) is not None:
        stated.append(_stated(record.game, JACKPOT, chosen(TERMS, options), of_jackpot, OF_JACKPOT))
    return tuple(stated)


def _stated(game: str, wager: str, options: dict[str, str], edge: Fraction, covers: str) -> StatedEdge:
    exact = f"{edge.numerator}/{edge.denominator}"
    return StatedEdge(game, wager, options, exact, decimals(100 * edge, 4), covers)


def _named(record: RoundRecord, by: By, calendar: Calendar) -> Iterator[tuple[str, LedgerEntry | None]]:
    """Yields each wager of a round with the part to which it belongs; None for a round without any."""
    empty = True
    for entry in entries(record):
        empty = False
        yield _part_of(record, entry, by, calendar), entry
    if empty and by in _OF_ROUNDS:
        yield _OF_ROUNDS[by](record, calendar), None


def _part_of(record: RoundRecord, entry: LedgerEntry, by: By, calendar: Calendar) -> str:
    if by in _OF_ROUNDS:
        return _OF_ROUNDS[by](record, calendar)
    return f"{entry.wager if by == 'wager' else entry.spot} ({record.game})"


_OF_ROUNDS: Final[dict[By, Callable[[RoundRecord, Calendar], str]]] = {
    "shift": lambda record, calendar: calendar.shift(record.opened.at),
    "day": lambda record, calendar: calendar.day(record.opened.at),
    "dealer": lambda record, calendar: record.dealer or NOBODY,
    "game": lambda record, calendar: record.game,
    "round": lambda record, calendar: f"{record.number} ({record.opened.seq})",
}


_OF_ASIDES: Final[dict[By, Callable[[Aside, Calendar], str]]] = {
    "shift": lambda aside, calendar: calendar.shift(aside.at.at),
    "day": lambda aside, calendar: calendar.day(aside.at.at),
    "dealer": lambda aside, calendar: aside.dealer or NOBODY,
    "game": lambda aside, calendar: aside.game,
}


def _sorted(parts: Iterable[str], by: By) -> list[str]:
    """Returns the parts in the order in which people look for them: rounds as they were played, others by name."""
    return list(parts) if by == "round" else sorted(parts)


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None
