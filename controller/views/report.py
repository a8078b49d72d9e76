"""What the rounds of a time span come to: outcomes, wagers, what the house held, pace, and what was not plain.

Made from records of rounds alone, so that the daemon, a journal's file and a test count the same.  Amounts are counted
in cents and told as dollars in text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Final

import msgspec

from controller.money import cents, dollars
from controller.places import order, shared_place
from controller.views.record import Moment, Plain, RoundRecord, cash

IDLE: Final = 10 * 60.0  # seconds between two rounds: nobody plays
ENOUGH: Final = 60.0  # seconds of play before a pace means anything
MOST: Final = 50  # of what is told one by one; everything is counted


class Takings(Plain, frozen=True, omit_defaults=False):
    """What was wagered on a spot or by a place: how often, how much, and what the house has won or lost by it."""

    name: str
    wagers: int
    staked: str
    house: str
    hold: float | None  # in percent of what was staked


class Counted(Plain, frozen=True, omit_defaults=False):
    """How often something was so."""

    name: str
    times: int


class Noted(Plain, frozen=True, omit_defaults=False):
    """Something that happened in a round."""

    round: int
    at: str
    text: str


class Failing(Plain, frozen=True, omit_defaults=False):
    """How often a device failed in rounds."""

    device: str
    code: str
    times: int


class GameReport(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """The rounds of one game."""

    game: str
    title: str
    called: str  # what people call a place
    rounds: int
    outcomes: tuple[Counted, ...]
    first: str  # when the first round opened
    last: str  # when the last one ended
    played: float  # hours, without the time in which nobody played
    pace: float | None  # rounds an hour
    median: int  # milliseconds that a round lasted
    longest: int
    total: Takings
    commission: str  # of pots, in `total` too
    spots: tuple[Takings, ...]
    places: tuple[Takings, ...]
    irregular: tuple[Counted, ...]  # rounds, by kind
    unconfirmed: int = 0  # rounds whose times nobody confirmed
    rulings: tuple[Counted, ...]
    corrections: tuple[Noted, ...]
    corrected: int
    faults: tuple[Failing, ...]
    prizes: tuple[Noted, ...]
    prizes_paid: str
    won: int  # how many prizes
    meter: tuple[str, str] | None  # before the first round, after the last


class _Sum:
    """Wagers that are added up."""

    def __init__(self) -> None:
        self.wagers = self.staked = self.house = 0

    def add(self, staked: int, house: int) -> None:
        self.wagers += 1
        self.staked += staked
        self.house += house

    def summed(self, name: str) -> Takings:
        hold = round(100 * self.house / self.staked, 2) if self.staked else None
        return Takings(name, self.wagers, dollars(self.staked), dollars(self.house), hold)


class _Game:
    """The rounds of one game while they are counted, the oldest first."""

    def __init__(self, record: RoundRecord) -> None:
        self.game, self.title, self.called = record.game, record.title, record.called.place
        self.opened: list[str] = []
        self.ended = ""  # the last of them
        self.lasted: list[int] = []
        self.outcomes: Counter[str] = Counter()
        self.irregular: Counter[str] = Counter()
        self.rulings: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self.total, self.commission = _Sum(), 0
        self.spots: dict[str, _Sum] = {}
        self.places: dict[str, _Sum] = {}
        self.corrections: list[Noted] = []
        self.prizes: list[Noted] = []
        self.corrected = self.paid = self.won = self.unconfirmed = 0
        self.meter: tuple[str, str] | None = None

    def count(self, record: RoundRecord, ended: Moment) -> None:
        """Adds a round that is over."""
        self.opened.append(record.opened.at)
        self.ended = ended.at
        self.lasted.append(record.lasted)
        self.outcomes[record.outcome] += 1
        self.irregular.update(record.irregular)
        self.unconfirmed += record.unconfirmed
        self.rulings.update(ruling.ruling for ruling in record.rulings)
        self.faults.update((each.device, each.code) for each in record.troubles if each.kind == "fault")
        self._wagers(record)
        self._pots(record)
        self._prizes(record)
        for made in record.corrections:
            self.corrected += 1
            now = made.now or "struck out"
            self.corrections.append(Noted(record.number, made.at.at, f"{made.was or 'not known'} -> {now}"))

    def _wagers(self, record: RoundRecord) -> None:
        for paid in record.settlement:
            staked, house = cents(paid.stake), -cents(paid.net) + cents(paid.prize or "0")
            self.total.add(staked, house)
            self.spots.setdefault(paid.spot, _Sum()).add(staked, house)
            self.places.setdefault(shared_place(paid.place), _Sum()).add(staked, house)

    def _pots(self, record: RoundRecord) -> None:
        """Adds what players contested: the house has its commission of it, and of no place in particular."""
        if record.shared is None:
            return
        self.commission += cents(record.shared.commission or "0")
        contested = sum(cents(pot.amount) for pot in record.shared.pots)
        if contested:
            pots = self.spots.setdefault("pots", _Sum())
            for into in (pots, self.total):
                into.add(contested, cents(record.shared.commission or "0"))

    def _prizes(self, record: RoundRecord) -> None:
        if record.meter is None:
            return
        self.meter = (self.meter[0] if self.meter else record.meter.before, record.meter.after)
        for prize in record.meter.prizes:
            self.won += 1
            self.paid += cents(prize.amount)
            words = f"{record.called.place} {prize.place}: {prize.hand}, {prize.amount}"
            self.prizes.append(Noted(record.number, record.opened.at, words))

    def summed(self) -> GameReport:
        """Returns what it comes to."""
        played = played_seconds(self.opened, self.lasted)
        return GameReport(
            game=self.game,
            title=self.title,
            called=self.called,
            rounds=len(self.opened),
            outcomes=_counted(self.outcomes),
            first=self.opened[0],
            last=self.ended,
            played=round(played / 3600, 2),
            pace=round(len(self.opened) * 3600 / played, 1) if played >= ENOUGH else None,
            median=int(median(self.lasted)),
            longest=max(self.lasted),
            total=self.total.summed("all"),
            commission=dollars(self.commission),
            spots=tuple(sum_.summed(name) for name, sum_ in self.spots.items()),
            places=tuple(self.places[name].summed(name) for name in sorted(self.places, key=order)),
            irregular=_counted(self.irregular),
            unconfirmed=self.unconfirmed,
            rulings=_counted(self.rulings),
            corrections=tuple(self.corrections[-MOST:]),
            corrected=self.corrected,
            faults=tuple(Failing(*which, times) for which, times in self.faults.most_common()),
            prizes=tuple(self.prizes[-MOST:]),
            prizes_paid=dollars(self.paid),
            won=self.won,
            meter=self.meter,
        )


def report(records: Iterable[RoundRecord]) -> tuple[GameReport, ...]:
    """Returns a report for each game, in the order of their names; give it the records with the oldest round first.

    A round that runs is not counted, nor one of a tournament.
    """
    games: dict[str, _Game] = {}
    for record in cash(records):
        assert record.ended is not None
        games.setdefault(record.game, _Game(record)).count(record, record.ended)
    return tuple(games[name].summed() for name in sorted(games))


def plain(reports: Iterable[GameReport]) -> list[dict[str, object]]:
    """Returns reports as JSON has them."""
    made: list[dict[str, object]] = msgspec.to_builtins(list(reports))
    return made


def _counted(counter: Counter[str]) -> tuple[Counted, ...]:
    return tuple(Counted(name, times) for name, times in counter.most_common())


def played_seconds(opened: Sequence[str], lasted: Sequence[int]) -> float:
    """Returns for how many seconds rounds were played: all rounds, and the time between two unless it is a long pause.

    >>> opened = ["2026-01-02T10:00:00+00:00", "2026-01-02T10:01:00+00:00", "2026-01-02T12:00:00+00:00"]
    >>> played_seconds(opened, [30_000] * 3)
    120.0
    """
    times = [datetime.fromisoformat(at).timestamp() for at in opened]
    rounds = [each / 1000 for each in lasted]
    pauses = (later - earlier - round_ for (earlier, later), round_ in zip(pairwise(times), rounds, strict=False))
    return sum(rounds) + sum(pause for pause in pauses if 0 <= pause < IDLE)
