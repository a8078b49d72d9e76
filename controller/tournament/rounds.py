"""What rounds of the tables come to: banks, rights that were used, who is out; and what a correction changes of it."""

from __future__ import annotations

from controller.tournament import draw
from controller.tournament.conduct import eliminate
from controller.tournament.record import CupTable, Entrant, Tournament
from controller.tournament.reports import AnyReport, BeganReport, EndedReport


def reported(cup: Tournament, name: str, report: AnyReport) -> None:
    """Takes a report of a table; once, however often it is told."""
    table = cup.tables.get(name)
    if table is None or report.number <= table.recorded:
        return
    table.recorded = report.number
    if isinstance(report, BeganReport):
        table.running = table.last = report.round
        table.bets = report.bets
        if cup.stage == "running":
            cup.closed = 0  # what has ended before ends later, if it was taken back
    else:
        _round_ended(cup, table, report)


def _round_ended(cup: Tournament, table: CupTable, report: EndedReport) -> None:
    """Keeps what a round came to: banks, rights that were used, and who is out; nothing changes after the award."""
    if not report.corrects:
        table.running = 0
    if report.practice:
        table.practice = max(0, table.practice - (not report.corrects))
        return
    if cup.final:
        return
    if report.corrects:
        if cup.started:
            _corrected(cup, table, report)
        return
    cup.outs += 1
    table.out_at, table.least = cup.outs, cup.least(table)
    for one in _players(cup, report):
        one.before_round = one.bank
    _count(cup, table, report)


def _corrected(cup: Tournament, table: CupTable, report: EndedReport) -> None:
    """Keeps what a round came to after all, and finds anew who is out and who goes on.

    Once the next session has begun, who goes on is settled: a bank that is carried changes, a fresh one does not.
    """
    if report.round <= table.earlier:
        if cup.terms.banks == "carried":
            _new_banks(cup, report)
        return
    _reopen(cup)
    for one in _players(cup, report):
        if one.state == "out" and one.beaten == "bank":
            _in_again(cup, one)
    _count(cup, table, report)


def _reopen(cup: Tournament) -> None:
    """Takes back the end of this session, if it is over, until it is seen whether it is over all the same."""
    for one in [one for one in cup.playing() if one.drawn]:
        one.seat, one.was, one.drawn = one.was, None, False
    for one in cup.people.values():
        if one.beaten == "session" and one.out_at == cup.closed:
            _in_again(cup, one)
    cup.stage = "running"


def _count(cup: Tournament, table: CupTable, report: EndedReport) -> None:
    """Changes banks and rounds by a report of this session, and takes out who has too little."""
    _new_banks(cup, report)
    table.played = max(0, table.played + report.rounds)
    table.counted = max(0, table.counted + report.rounds)
    if cup.stage == "running":
        before = {one.name: one.bank for one in cup.people.values()}
        before |= {one.name: one.before_round for one in _players(cup, report)}
        eliminate(cup, cup.playing(table.name), before, table.least, table.out_at)


def _new_banks(cup: Tournament, report: EndedReport) -> None:
    """Changes the banks of who is in, and counts the rights that were used."""
    for name, net in report.nets.items():
        one = _in_whose_stead(cup, name)
        if one is not None and one.state == "in":
            one.bank = max(0, one.bank + net)
    for name, used in report.used.items():
        if (one := _in_whose_stead(cup, name)) is not None:
            one.spent |= {right: one.spent.get(right, 0) + 1 for right in used}


def _players(cup: Tournament, report: EndedReport) -> list[Entrant]:
    """Returns who played in a round, or has taken over from who did."""
    return [one for name in report.nets if (one := _in_whose_stead(cup, name)) is not None]


def _in_again(cup: Tournament, one: Entrant) -> None:
    one.state, one.rule, one.beaten, one.out_at, one.bank_before = "in", "", "", 0, 0
    _back_to_a_place(cup, one)


def _back_to_a_place(cup: Tournament, one: Entrant) -> None:
    """Gives somebody the place back; another one where that is taken by now."""
    if one.seat is not None:
        return
    taken = [other.seat for other in cup.people.values() if other.seat is not None]
    if one.was is not None and one.was not in taken:
        one.seat = one.was
        return
    places = {table.name: range(1, table.places + 1) for table in cup.tables.values() if not table.broken}
    one.seat = draw.seated([one.name], places, taken).seats.get(one.name)


def _in_whose_stead(cup: Tournament, name: str) -> Entrant | None:
    one = cup.people.get(name)
    while one is not None and one.substitute:
        one = cup.people.get(one.substitute)
    return one
