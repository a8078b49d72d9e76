"""Sessions: practice, start, levels, who goes on, tables that break or end early, and the end."""

from __future__ import annotations

from controller.counts import many
from controller.table.step import Refusal
from controller.tournament import draw
from controller.tournament.conduct import at_place
from controller.tournament.draw import TableSeat
from controller.tournament.entries import person_in
from controller.tournament.ranking import Contestant, ahead
from controller.tournament.record import CupTable, Entrant, Tournament, may_buy_back

# ---- the beginning


def practice(cup: Tournament, rounds: int) -> None:
    """Lets every table play practice rounds before the start."""
    if cup.started:
        raise Refusal(cup.rule(".3.2"), "practice hands are dealt before the start")
    _attended(cup)
    tables = _tables(cup)
    _give_places(cup, tables)
    for table in tables:
        table.practice = rounds


def start(cup: Tournament) -> None:
    """Begins the first session, or the next one."""
    if cup.stage not in ("open", "break"):
        raise Refusal(cup.item("hands"), "a session is running, or all are over")
    _attended(cup)
    tables = _tables(cup)
    _may_start(cup, tables)
    if cup.started:
        tables = _drawn_anew(cup, tables)
    _give_places(cup, tables)
    _begin(cup)


def _attended(cup: Tournament) -> None:
    if not cup.attended:
        raise Refusal(cup.rule(".2.3"), "the director is not present")


def _tables(cup: Tournament) -> list[CupTable]:
    """Returns the tables that are played on: as many as the terms say, in the order of their designation."""
    tables = [table for table in cup.tables.values() if not table.broken]
    if not tables:
        raise Refusal(cup.rule(".2.4"), "no table is designated")
    return tables if cup.terms.tables is None else tables[: cup.terms.tables]


def _may_start(cup: Tournament, tables: list[CupTable]) -> None:
    if not cup.briefed:
        raise Refusal(cup.rule(".3.1"), "the players were not briefed")
    if not cup.started and len(cup.playing()) < cup.terms.players.least:
        raise Refusal(cup.item("players"), f"there must be {many(cup.terms.players.least, 'player')}")
    if cup.now < cup.starts:
        raise Refusal(cup.item("start-may-change"), "it is too early")
    if cup.unadvised:
        raise Refusal(cup.item("changes-notified"), "the inspectorate was not advised of the change")
    if not cup.started and len(tables) < (cup.terms.tables or 1):
        raise Refusal(cup.item("tables"), f"there must be {many(cup.terms.tables or 1, 'table')}")


def _drawn_anew(cup: Tournament, tables: list[CupTable]) -> list[CupTable]:
    """Takes back the places of the last session, and returns as few tables as hold who is in."""
    for one in cup.people.values():
        if not one.drawn:
            one.was, one.seat = None, None
    chosen = draw.fewest({table.name: range(table.places) for table in tables}, len(cup.playing()))
    return [table for table in tables if table.name in chosen]


def _give_places(cup: Tournament, tables: list[CupTable]) -> None:
    """Gives everybody a place who has none: by lot, or in the order of entry."""
    taken = [one.seat for one in cup.people.values() if one.seat is not None]
    places = {table.name: range(1, table.places + 1) for table in tables}
    people = tuple(one.name for one in cup.playing() if one.seat is None)
    drawn = draw.seated(draw.by_lot(people, cup.seed) if cup.seed else people, places, taken)
    if drawn.standing:
        raise Refusal(cup.item("tables"), f"there is no place for {', '.join(drawn.standing)}")
    for name, seat in drawn.seats.items():
        cup.people[name].seat = seat


def _begin(cup: Tournament) -> None:
    first = not cup.started
    cup.session += 1
    cup.stage, cup.began, cup.closed = "running", cup.now, 0
    if first:
        cup.since = cup.now
    for one in cup.people.values():
        one.drawn, one.spent = False, {}
        if one.state == "in" and (first or cup.terms.banks == "fresh"):
            one.bank = cup.terms.bank
    for table in cup.tables.values():
        table.practice, table.played, table.ended, table.earlier = 0, 0, False, table.last


# ---- places


def draw_place(cup: Tournament, table: str, place: int, name: str) -> None:
    """Keeps which place the draw gave somebody."""
    one, rule = person_in(cup, name), cup.item("tables")
    if one.state != "in":
        raise Refusal(cup.rule(".2.5"), f"{name} is {one.state}")
    if cup.stage not in ("open", "break"):
        raise Refusal(rule, "a session is running: the director moves players")
    _free(cup, table, place, one)
    if not one.drawn:
        one.was = one.seat
    one.seat, one.drawn = TableSeat(table, place), True


def _free(cup: Tournament, table: str, place: int, one: Entrant) -> None:
    """Refuses a place that there is not, or that somebody else has."""
    rule, at = cup.item("tables"), cup.tables.get(table)
    if at is None:
        raise Refusal(cup.rule(".2.4"), f"table {table} is not designated")
    if not 1 <= place <= at.places:
        raise Refusal(rule, f"table {table} has {at.places} places")
    if at_place(cup, table, place) not in (None, one):
        raise Refusal(rule, "somebody has this place")


def move(cup: Tournament, name: str, table: str, place: int | None) -> None:
    """Moves somebody to another table; never during a round."""
    one, rule = person_in(cup, name), cup.item("tables")
    if one.state != "in":
        raise Refusal(cup.rule(".2.5"), f"{name} is {one.state}")
    at = cup.tables.get(table)
    if at is None or at.broken:
        raise Refusal(cup.rule(".2.4"), f"table {table} is not in play")
    _between_rounds(cup, cup.table_of(one))
    seats = [other.seat for other in cup.people.values() if other.seat is not None]
    to = draw.free_place(seats, range(1, at.places + 1), table) if place is None else place
    if to is None:
        raise Refusal(rule, f"there is no place at table {table}")
    _free(cup, table, to, one)
    one.seat, one.drawn = TableSeat(table, to), not cup.started


def _between_rounds(cup: Tournament, table: CupTable | None) -> None:
    if table is not None and table.running:
        raise Refusal(cup.item("tables"), f"nobody moves during a round: one runs at table {table.name}")


def break_table(cup: Tournament, name: str) -> None:
    """Breaks a table: its people go to the others, the lowest place first."""
    table = _in_play(cup, name)
    _between_rounds(cup, table)
    seats = {one.name: one.seat for one in cup.people.values() if one.seat is not None}
    tables = {each.name: range(1, each.places + 1) for each in cup.tables.values() if not each.broken}
    drawn = draw.broken(seats, tables, name)
    if drawn.standing or len(tables) < 2:
        raise Refusal(cup.item("tables"), "the other tables have too few places")
    for person, seat in drawn.seats.items():
        cup.people[person].seat = seat
    table.broken = True


def _in_play(cup: Tournament, name: str) -> CupTable:
    table = cup.tables.get(name)
    if table is None or table.broken:
        raise Refusal(cup.rule(".2.4"), f"table {name} is not in play")
    return table


# ---- levels


def set_level(cup: Tournament, level: int) -> None:
    """Sets the level: at once, or where a round runs after it."""
    if level > len(cup.terms.levels):
        raise Refusal(cup.item("levels"), f"the last level is {len(cup.terms.levels)}")
    cup.base, cup.since = level, cup.now
    for table in cup.tables.values():
        table.counted = 0


def _due_level(cup: Tournament, table: CupTable) -> int:
    every, steps = cup.terms.level_every, 0
    if every.rounds:
        steps = table.counted // every.rounds
    elif every.ms and cup.started:
        steps = (cup.now - cup.since) // every.ms
    return min(len(cup.terms.levels), cup.base + steps)


# ---- the end


def end_table(cup: Tournament, name: str, agreed: bool) -> None:
    """Ends play at a table before its time, in the two cases that documents know."""
    table, rule = _in_play(cup, name), cup.rule(".4.8(d)")
    if cup.stage != "running" or table.running:
        raise Refusal(rule, "a round runs, or no session does")
    by_agreement = agreed and cup.terms.chips_after == "cash"
    if len(cup.playing(name)) > _going_on(cup) and not by_agreement:
        raise Refusal(rule, "who goes on is not determined, and the chips are not paid in cash by agreement of all")
    table.ended = True


def _going_on(cup: Tournament) -> int:
    """Returns how many of each table go on from this session; in the last one, the winner."""
    last = cup.session >= cup.terms.sessions
    return 1 if last or cup.terms.progress is None else cup.terms.progress


def award(cup: Tournament) -> None:
    """Makes all final."""
    if cup.stage != "over":
        raise Refusal(cup.item("winners"), "the tournament is not over")
    cup.final = True


def session_over_at(cup: Tournament, table: CupTable) -> bool:
    """Tells whether no more rounds of this session are played at a table."""
    hands = cup.terms.hands
    if table.ended or table.broken:
        return True
    if hands.rounds:
        return table.played >= hands.rounds
    return bool(hands.ms) and cup.now >= cup.began + hands.ms


def go_on(cup: Tournament) -> None:
    """Does what has come due: levels, places of who is out for good, the end of a session and of the tournament."""
    for table in cup.tables.values():
        if not table.running:
            table.level = _due_level(cup, table)
    if cup.stage == "running":
        _end_of_play(cup)
    for one in cup.people.values():
        if one.seat is not None and one.state != "in" and not may_buy_back(cup, one):
            one.was, one.seat = one.seat, None


def _end_of_play(cup: Tournament) -> None:
    left = [one for one in cup.people.values() if one.state == "in" or may_buy_back(cup, one)]
    gone = any(one.state not in ("in", "withdrawn") for one in cup.people.values())
    if len(left) <= 1 and gone:
        cup.stage = "over"
    elif cup.playing() and all(_done(cup, table) for table in cup.tables.values()):
        _end_session(cup)


def _done(cup: Tournament, table: CupTable) -> bool:
    if table.running:
        return False
    return session_over_at(cup, table) or not cup.playing(table.name)


def _end_session(cup: Tournament) -> None:
    """Ends a session: some of each table go on, the others are out, by their banks."""
    if cup.session >= cup.terms.sessions:
        cup.stage = "over"
        return
    staying = [name for table in cup.tables for name in _ahead(cup, table)]
    leaving = [one for one in cup.playing() if one.name not in staying]
    cup.stage = "break"
    if not cup.closed:  # else a correction has changed what it came to, but not when it was
        cup.outs += 1
        cup.closed = cup.outs
    for one in leaving:
        one.state, one.rule, one.beaten = "out", cup.item("progress"), "session"
        one.out_at, one.bank_before = cup.closed, one.bank
    if len(cup.playing()) <= 1:
        cup.stage = "over"


def _ahead(cup: Tournament, table: str) -> tuple[str, ...]:
    standings = [Contestant(one.name, "in", one.bank) for one in cup.playing(table)]
    return ahead(standings, _going_on(cup))
