"""What game protection reads in the record of a round: results beside the exact edge, and how long each part took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from controller.games import find as game_of
from controller.guard import pace
from controller.guard.pace import PhaseTimes
from controller.guard.suspicions import Suspicion
from controller.guard.win import WagerResult, WinWatch
from controller.money import cents
from controller.odds.theory import counted_by, theory
from controller.table.facts import ProtectionRaised
from controller.table.options import Options, read
from controller.table.pace import LONGEST, Phase
from controller.table.rules import Rules
from controller.views.record import Moment, Paid, RoundRecord


class RoundsGuard:
    """Follows the rounds on record, one after the other."""

    def __init__(self) -> None:
        self._wins = WinWatch()
        self._newest = 0  # the fact that opened the last round that was followed

    def follow(self, record: RoundRecord) -> list[ProtectionRaised]:
        """Returns what is found after this round, what was told before too; nothing of a round that is told again."""
        if record.opened.seq <= self._newest or record.ended is None:
            return []
        self._newest = record.opened.seq
        self._wins.follow(record.number, results(record))
        found_in = [*self._wins.find(), *pace.find(times(record), longest(record))]
        return [_fact(suspicion) for suspicion in found_in]


def _fact(suspicion: Suspicion) -> ProtectionRaised:
    return ProtectionRaised(suspicion.kind, suspicion.about, suspicion.text, suspicion.round, suspicion.step)


# ---- results


def results(record: RoundRecord) -> Iterator[WagerResult]:
    """Yields the wagers of a settled round whose exact edge is kept, each with all that followed from it."""
    rules = game_of(record.game)
    options = read(rules.options, record.options)
    if record.outcome != "settled" or not isinstance(options, Options):
        return
    first = counted_by(rules)
    for paid in record.settlement:
        if paid.spot in rules.odds and not paid.token:
            yield from _result(record, paid, rules, options, [spot for spot in first if first[spot] == paid.spot])


def _result(record: RoundRecord, paid: Paid, rules: Rules, options: Options, spots: list[str]) -> Iterator[WagerResult]:
    stake = cents(paid.stake)
    mean = theory(rules, paid.spot, stake, options)
    if stake > 0 and not isinstance(mean, str):
        lines = [each for each in record.settlement if each.place == paid.place and each.spot in spots]
        units = rules.odds[paid.spot].units_by(options)
        yield WagerResult(paid.place, stake, sum(cents(each.net) for each in lines), mean, units)


# ---- pace


def longest(record: RoundRecord) -> Mapping[Phase, int]:
    """Returns how long the parts of this round might take, by the options of the table."""
    options = read(game_of(record.game).options, record.options)
    return options.longest if isinstance(options, Options) else LONGEST


def times(record: RoundRecord) -> PhaseTimes:
    """Returns how long each part of a round took: every moment is counted for what it ended with."""
    events: list[tuple[int, str, Phase]] = []
    for hand in record.hands:
        events += [_event(card.dealt, "dealing") for card in hand.cards]
    events += [_event(decision.at, "decisions") for decision in record.decisions]
    if record.ended is not None:
        events.append(_event(record.ended, "settlement"))
    took: dict[Phase, int] = {}
    before, betting = record.opened.at, True
    for _, at, phase in sorted(events):
        ended: Phase = "betting" if betting else phase
        took[ended] = took.get(ended, 0) + max(0, _milliseconds(at) - _milliseconds(before))
        before, betting = at, False
    return PhaseTimes(record.number, took, plain=not (record.irregular or record.clock))


def _event(moment: Moment, phase: Phase) -> tuple[int, str, Phase]:
    return moment.seq, moment.at, phase


def _milliseconds(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)
