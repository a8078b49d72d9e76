"""A tournament as people see it: the room with clock, level and ranking, the director's desk, and the report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from controller.money import on_sign
from controller.tournament import desk, draw, standing
from controller.tournament.deeds import AnyDeed, DeskKey, PeopleEntered, Withdrew
from controller.tournament.keys import DESK_KEYS, DIRECTOR
from controller.tournament.news import shut
from controller.tournament.prizes import divided
from controller.tournament.record import CupTable, Entrant, Tournament, may_buy_back
from controller.tournament.sessions import session_over_at
from controller.tournament.standing import Stands
from controller.tournament.values import Level

ALONE: Final = ("publish", "advise", "briefed", "start", "award")  # keys that come with no words


class RankRow(msgspec.Struct, frozen=True):
    """How one person stands; money in cents."""

    name: str
    state: str
    place: int | None
    bank: int
    table: str
    seat: str
    prize: int


class RoomShown(msgspec.Struct, frozen=True):
    """What everybody in the room sees; times in milliseconds since 1970."""

    name: str
    game: str
    stage: str
    session: int
    sessions: int
    level: int
    levels: int
    limits: str
    next_limits: str  # "": this is the last level, or all is over
    level_ends: int | None  # when, where a level has a time
    level_rounds: int | None  # rounds until the next level, where it has some
    session_ends: int | None
    rounds_left: int | None  # of the session, at the table that has most
    starts: int
    left: int  # people who are in
    entered: int
    tables: int
    pool: int
    shares: tuple[int, ...]  # what each place gets
    ranking: tuple[RankRow, ...]
    final: bool
    bets: str = ""  # the bet sizes of fixed and spread games; "": there are none
    next_bets: str = ""


class DeskPerson(msgspec.Struct, frozen=True):
    """An entrant, as the desk sees them."""

    name: str
    state: str
    rule: str
    place: int | None
    bank: int
    table: str
    seat: str
    employee: bool
    rebuys: int
    add_ons: int
    warnings: int
    buys_back: bool  # may
    prize: int
    refund: int


class DeskTable(msgspec.Struct, frozen=True):
    """A table, as the desk sees it."""

    name: str
    people: int
    places: int
    level: int
    played: int
    running: bool
    shut: str  # why no round may open; "": one may
    broken: bool


class DeskShown(msgspec.Struct, frozen=True):
    """What the director and the deputies see."""

    room: RoomShown
    published: bool
    advised: bool
    briefed: bool
    present: bool
    deputies: dict[str, bool]
    practice: bool  # may be played
    people: tuple[DeskPerson, ...]
    tables: tuple[DeskTable, ...]
    asks: str  # what the desk should do about the tables
    refusals: dict[str, str]  # why some deeds would be refused now; "": they would not
    keys: dict[str, str]  # every key, with what it says
    markers: bool
    seed: str  # of the last draw


class ReportRow(msgspec.Struct, frozen=True):
    """What somebody paid and got; cents."""

    name: str
    state: str
    place: int | None
    fee: int
    buy_in: int
    rebuys: int
    add_ons: int
    refund: int
    prize: int


class CupReport(msgspec.Struct, frozen=True):
    """The money of one tournament, apart from all cash games; cents."""

    name: str
    game: str
    stage: str
    final: bool
    terms: str  # their SHA-256
    entered: int
    fees: int
    paid: int  # buy-ins, re-buys and add-ons
    refunds: int
    pool: int
    prizes: int
    left: int  # of the pool, what nobody gets
    cash: int  # banks paid besides
    rows: tuple[ReportRow, ...]


# ---- the room


def room(cup: Tournament) -> RoomShown:
    """Returns what everybody in the room sees."""
    terms, level = cup.terms, cup.level
    after = terms.levels[level] if level < len(terms.levels) and cup.stage != "over" else None
    tables = _in_play(cup)
    return RoomShown(
        name=cup.name,
        game=cup.game,
        stage=cup.stage,
        session=cup.session,
        sessions=terms.sessions,
        level=level,
        levels=len(terms.levels),
        limits=limits(cup, terms.levels[level - 1]),
        next_limits=limits(cup, after) if after is not None else "",
        level_ends=_level_ends(cup) if after is not None else None,
        level_rounds=_level_rounds(cup, tables) if after is not None else None,
        session_ends=cup.began + terms.hands.ms if _timed(cup) else None,
        rounds_left=_rounds_left(cup, tables),
        starts=cup.starts,
        left=len(cup.playing()),
        entered=len(_entered(cup)),
        tables=len(tables),
        pool=standing.pool(cup),
        shares=_shares(cup),
        ranking=tuple(_ranked(cup)),
        final=cup.final,
        bets=bets(cup, terms.levels[level - 1]),
        next_bets=bets(cup, after) if after is not None else "",
    )


def limits(cup: Tournament, level: Level) -> str:
    """Returns a level in words: its blinds, or the least and the most wager."""
    if cup.rules.blinds:
        return " / ".join(map(on_sign, level.blinds or (level.low, level.high)))
    return f"{on_sign(level.low)} to {on_sign(level.high)}"


def bets(cup: Tournament, level: Level) -> str:
    """Returns the bet sizes of fixed and spread games at a level, with its table where tables differ; "": none."""
    sizes: dict[str, list[str]] = {}
    for table in _in_play(cup):
        sizes.setdefault(table.bets.words(level.high) if table.bets is not None else "", []).append(table.name)
    if len(sizes) <= 1:
        return "".join(sizes)
    return ", ".join(f"{words} at {', '.join(names)}" for words, names in sizes.items() if words)


def _in_play(cup: Tournament) -> list[CupTable]:
    tables = [table for table in cup.tables.values() if not table.broken]
    return [table for table in tables if cup.playing(table.name)] or tables


def _entered(cup: Tournament) -> list[Entrant]:
    return [one for one in cup.people.values() if not one.substitute]


def _timed(cup: Tournament) -> bool:
    return cup.stage == "running" and cup.terms.hands.ms > 0


def _level_ends(cup: Tournament) -> int | None:
    """Returns when the next level begins, where levels have a time."""
    every = cup.terms.level_every.ms
    if not every or cup.stage != "running":
        return None
    return cup.since + (1 + (cup.now - cup.since) // every) * every


def _level_rounds(cup: Tournament, tables: Iterable[CupTable]) -> int | None:
    """Returns how many rounds are left until the next level, at the table that is nearest to it."""
    every = cup.terms.level_every.rounds
    if not every or cup.stage != "running":
        return None
    return min((every - table.counted % every for table in tables), default=None)


def _rounds_left(cup: Tournament, tables: Iterable[CupTable]) -> int | None:
    hands = cup.terms.hands.rounds
    if not hands or cup.stage != "running":
        return None
    going_on = [table for table in tables if not session_over_at(cup, table)]
    return max((hands - table.played for table in going_on), default=0)


def _shares(cup: Tournament) -> tuple[int, ...]:
    return tuple(divided(standing.pool(cup), cup.terms.shares))


def _ranked(cup: Tournament) -> Iterable[RankRow]:
    """Yields who has a place, the first one first; before the start, everybody in the order of entry."""
    people = [each for each in standing.everybody(cup) if each.place is not None]
    if cup.started:
        people.sort(key=lambda each: each.place or 0)
    return (_rank(cup, each) for each in people)


def _rank(cup: Tournament, each: Stands) -> RankRow:
    return RankRow(
        each.name,
        each.state,
        each.place if cup.started else None,
        each.bank,
        *_where(each),
        prize=each.prize if cup.stage == "over" else 0,
    )


def _where(each: Stands) -> tuple[str, str]:
    return (each.seat.table, str(each.seat.place)) if each.seat is not None else ("", "")


# ---- the desk


def at_desk(cup: Tournament) -> DeskShown:
    """Returns what the director and the deputies see."""
    return DeskShown(
        room=room(cup),
        published=cup.published,
        advised=cup.advised and not cup.unadvised,
        briefed=cup.briefed,
        present=cup.present,
        deputies=dict(cup.deputies),
        practice=not cup.started,
        people=tuple(_person(cup, each) for each in standing.everybody(cup)),
        tables=tuple(_table(cup, table) for table in cup.tables.values()),
        asks=unbalanced(cup),
        refusals={name: _why_not(cup, deed) for name, deed in _tried(cup).items()},
        keys={key.name: key.says for key in DESK_KEYS},
        markers=cup.rules.markers,
        seed=cup.seed,
    )


def _tried(cup: Tournament) -> dict[str, AnyDeed]:
    """Returns deeds of which the desk knows beforehand whether they would be refused."""
    first = next((one.name for one in cup.playing()), "")
    tried: dict[str, AnyDeed] = {key: DeskKey(key, role=DIRECTOR) for key in ALONE}
    tried["practice"] = DeskKey("practice", ("1",), role=DIRECTOR)
    tried["enter"] = PeopleEntered(("",))
    tried["withdraw"] = Withdrew(first)
    return tried


def _why_not(cup: Tournament, deed: AnyDeed) -> str:
    refused = desk.follow(cup, cup.now, deed)[1]
    return "" if refused is None else f"{refused.why} (rule {refused.rule})"


def _person(cup: Tournament, each: Stands) -> DeskPerson:
    one = cup.people[each.name]
    return DeskPerson(
        each.name,
        each.state,
        each.rule,
        each.place if cup.started else None,
        each.bank,
        *_where(each),
        one.employee,
        one.rebuys,
        one.add_ons,
        one.warnings,
        may_buy_back(cup, one),
        each.prize if cup.stage == "over" else 0,
        each.refund,
    )


def _table(cup: Tournament, table: CupTable) -> DeskTable:
    why = shut(cup, table)
    return DeskTable(
        table.name,
        len(cup.playing(table.name)),
        table.places,
        table.level,
        table.played,
        bool(table.running),
        why.text if why is not None else "",
        table.broken,
    )


def unbalanced(cup: Tournament) -> str:
    """Returns what the desk should do about the tables, in words; "" when nothing."""
    if cup.stage != "running":
        return ""
    people = {table.name: len(cup.playing(table.name)) for table in _in_play(cup)}
    places = {name: range(cup.tables[name].places) for name in people}
    return " ".join(map(_asked, draw.unbalanced(places, {name: number for name, number in people.items() if number})))


def _asked(wanted: draw.Prompt) -> str:
    if isinstance(wanted, draw.Break):
        return f"One table fewer would do: break {wanted.table}."
    return f"Move a player from {wanted.source} to {wanted.target}."


# ---- the report


def report(cup: Tournament, sha256: str) -> CupReport:
    """Returns the money of a tournament; it never counts among that of cash games."""
    terms = cup.terms
    rows = tuple(_row(cup, each) for each in standing.everybody(cup) if not cup.people[each.name].substitute)
    banks = sum(each.bank for each in standing.everybody(cup) if each.prize) if terms.chips_after == "cash" else 0
    cash = banks if cup.stage == "over" else 0
    pool, won = standing.pool(cup), sum(row.prize for row in rows) - cash
    return CupReport(
        name=cup.name,
        game=cup.game,
        stage=cup.stage,
        final=cup.final,
        terms=sha256,
        entered=len(rows),
        fees=sum(row.fee for row in rows),
        paid=sum(row.buy_in + row.rebuys + row.add_ons for row in rows),
        refunds=sum(row.refund for row in rows),
        pool=pool,
        prizes=won,
        left=pool - won if cup.stage == "over" else 0,
        cash=cash,
        rows=rows,
    )


def _row(cup: Tournament, each: Stands) -> ReportRow:
    one, terms = cup.people[each.name], cup.terms
    return ReportRow(
        each.name,
        each.state,
        each.place if cup.started else None,
        terms.fee,
        terms.buy_in,
        one.rebuys * terms.rebuy,
        one.add_ons * terms.add_on,
        each.refund,
        each.prize if cup.stage == "over" else 0,
    )
