"""The desk: what each deed means for the record.  Pure; a deed is granted, or refused with the rule against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from controller.money import cents
from controller.table.declare import named, no_key
from controller.table.documents import TournamentRules
from controller.table.step import Refusal
from controller.table.values import Unwritable, milliseconds
from controller.tournament import conduct, entries, rounds, sessions
from controller.tournament.deeds import (
    AnyDeed,
    DeskKey,
    GotUp,
    MarkerUsed,
    PeopleEntered,
    PlaceDrawn,
    Substituted,
    TableDesignated,
    TableFreed,
    TableReported,
    TimePassed,
    Withdrew,
)
from controller.tournament.keys import DEPUTY, DESK_KEYS, DIRECTOR, DIRECTORS, WARNING
from controller.tournament.record import Tournament
from controller.tournament.terms import TournamentTerms

HAPPENED: Final = (TableReported, TimePassed, GotUp)  # what has happened, final or not


def opened(name: str, game: str, rules: TournamentRules, terms: TournamentTerms, now: int) -> Tournament:
    """Returns the record of a tournament with these terms, to which nothing has happened yet."""
    by_itself = terms.gates == "auto"
    return Tournament(
        name,
        game,
        rules,
        terms,
        now=now,
        published=by_itself,
        advised=by_itself,
        briefed=by_itself,
        starts=terms.when,
    )


def follow(cup: Tournament, at: int, deed: AnyDeed) -> tuple[Tournament, Refusal | None]:
    """Returns the record after a deed at this time, in milliseconds, and why it was refused; `cup` stays as it was."""
    before = _copied(cup)
    before.now = max(cup.now, at)
    sessions.go_on(before)
    after = _copied(before)
    try:
        _do(after, deed)
        sessions.go_on(after)
    except Refusal as no:
        return before, no
    return after, None


def _copied(cup: Tournament) -> Tournament:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(cup), type=Tournament)


def _do(cup: Tournament, deed: AnyDeed) -> None:
    if isinstance(deed, DeskKey):
        _pressed(cup, deed)
        return
    if not isinstance(deed, (*HAPPENED, TableFreed)):
        _not_final(cup)
    DEEDS[type(deed)](cup, deed)


def _not_final(cup: Tournament) -> None:
    if cup.final:
        raise Refusal(cup.rule(cup.rules.final), "the prizes were awarded: the decision is final")


# ---- keys


def _pressed(cup: Tournament, deed: DeskKey) -> None:
    key = named(DESK_KEYS, deed.key)
    if key is None:
        raise Refusal("", no_key(deed.key))
    if wrong := key.misfit(deed.args):
        raise Refusal("", wrong)
    _may_press(cup, deed)
    if not key.report:
        _not_final(cup)
    cup.seed = deed.seed or cup.seed
    KEYS[key.name](cup, deed.args)


def _may_press(cup: Tournament, deed: DeskKey) -> None:
    """Refuses a key of the desk to whoever is neither the director nor a deputy that the director has appointed."""
    if deed.role not in DIRECTORS:
        raise Refusal(cup.rule(".2.3"), "this needs the tournament director, or a deputy")
    if deed.role == DEPUTY and not cup.deputies:
        raise Refusal(cup.rule(".2.3"), "the director has appointed no deputy")
    if deed.key == "deputy" and deed.role != DIRECTOR:
        raise Refusal(cup.rule(".2.3"), "this needs the tournament director")


Words = tuple[str, ...]


def _publish(cup: Tournament, args: Words) -> None:
    cup.published = True


def _advise(cup: Tournament, args: Words) -> None:
    cup.advised, cup.unadvised = True, False


def _briefed(cup: Tournament, args: Words) -> None:
    cup.briefed = True


def _deputy(cup: Tournament, args: Words) -> None:
    """Appoints a deputy (2.3(a); 001, 10.4.8(g))."""
    cup.deputies.setdefault(args[0], True)


def _presence(here: bool) -> Callable[[Tournament, Words], None]:
    def keep(cup: Tournament, args: Words) -> None:
        if not args:
            cup.present = here
        elif args[0] in cup.deputies:
            cup.deputies[args[0]] = here

    return keep


def _postpone(cup: Tournament, args: Words) -> None:
    try:
        by = milliseconds(args[0])
    except Unwritable:
        raise Refusal(cup.item("start-may-change"), "so long a time cannot be told") from None
    entries.postpone(cup, by)


def _penalty(cup: Tournament, args: Words) -> None:
    person, what = args
    if what == WARNING:
        conduct.warn(cup, person)
    else:
        conduct.take_chips(cup, person, cents(what))


KEYS: Final[Mapping[str, Callable[[Tournament, Words], None]]] = {
    "publish": _publish,
    "advise": _advise,
    "briefed": _briefed,
    "deputy": _deputy,
    "present": _presence(True),
    "away": _presence(False),
    "postpone": _postpone,
    "practice": lambda cup, args: sessions.practice(cup, int(args[0])),
    "start": lambda cup, args: sessions.start(cup),
    "level": lambda cup, args: sessions.set_level(cup, int(args[0])),
    "rebuy": lambda cup, args: conduct.rebuy(cup, args[0]),
    "add-on": lambda cup, args: conduct.add_on(cup, args[0]),
    "disqualify": lambda cup, args: conduct.disqualify(cup, args[0]),
    "retire": lambda cup, args: conduct.retire(cup, args[0]),
    "penalty": _penalty,
    "move": lambda cup, args: sessions.move(cup, args[0], args[1], int(args[2]) if args[2:] else None),
    "break": lambda cup, args: sessions.break_table(cup, args[0]),
    "end-table": lambda cup, args: sessions.end_table(cup, args[0], agreed=bool(args[1:])),
    "award": lambda cup, args: sessions.award(cup),
}

DEEDS: Final[Mapping[type, Callable[[Tournament, Any], None]]] = {
    PeopleEntered: lambda cup, deed: entries.enter(cup, deed.people, deed.employees, apart=deed.apart),
    Withdrew: lambda cup, deed: entries.withdraw(cup, deed.person),
    Substituted: lambda cup, deed: entries.substitute(cup, deed.person, deed.other, apart=deed.apart),
    TableDesignated: lambda cup, deed: entries.designate(cup, deed),
    TableFreed: lambda cup, deed: entries.free(cup, deed.table),
    PlaceDrawn: lambda cup, deed: sessions.draw_place(cup, deed.table, deed.place, deed.person),
    MarkerUsed: lambda cup, deed: conduct.use_marker(cup, deed.table, deed.place),
    GotUp: lambda cup, deed: conduct.got_up(cup, deed.table, deed.place),
    TableReported: lambda cup, deed: rounds.reported(cup, deed.table, deed.report),
    TimePassed: lambda cup, deed: None,
}
