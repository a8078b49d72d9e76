"""Before a tournament starts: entries, withdrawals, substitutes, the start put off; the tables that are designated."""

from __future__ import annotations

import unicodedata

from controller.counts import many
from controller.rules import Rule
from controller.table.step import Refusal
from controller.tournament import prizes
from controller.tournament.deeds import TableDesignated
from controller.tournament.record import CupTable, Entrant, Tournament


def person_in(cup: Tournament, name: str) -> Entrant:
    """Returns somebody who has entered; refuses anybody else."""
    one = cup.people.get(name)
    if one is None:
        raise Refusal(cup.rule(".2.5"), f"{name} is not in this tournament")
    return one


# ---- people


def enter(cup: Tournament, names: tuple[str, ...], employees: bool, *, apart: bool = False) -> None:
    """Enters people: all of them, or none."""
    _may_be_entered(cup)
    asked_for = not cup.rules.employees_win
    if employees and asked_for and not cup.terms.charity:
        raise Refusal(cup.item("charity"), "employees take part in charitable or media events only")
    twice = [name for name in names if names.count(name) > 1 or _entered(cup, name)]
    if twice:
        raise Refusal(cup.item("method"), f"{twice[0]} has entered already")
    if apart:
        _told_apart(cup, names, cup.item("method"))
    if len(cup.playing()) + len(names) > cup.terms.players.most:
        raise Refusal(cup.item("players"), f"no more than {many(cup.terms.players.most, 'player')} may enter")
    for name in names:
        cup.people.pop(name, None)  # somebody who had withdrawn
        cup.entries += 1
        cup.people[name] = Entrant(name, cup.entries, employee=employees)


def _may_be_entered(cup: Tournament) -> None:
    """Refuses entries before the terms are available and the inspectorate knows, and after the start."""
    if not cup.published:
        raise Refusal(cup.rule(cup.rules.available), "the terms are not available to patrons yet")
    if cup.rules.advised and not cup.advised:
        raise Refusal(cup.rule(".2.2(b)"), "the inspectorate was not advised yet")
    if cup.started:
        raise Refusal(cup.item("withdraw-until"), "the tournament has started")


def _told_apart(cup: Tournament, names: tuple[str, ...], rule: Rule) -> None:
    """Refuses a name that people take for another one on record: a slip of the pen would make two of one person."""
    known = {_as_heard(name): name for name in (*reversed(names), *cup.people)}  # what is on record before all others
    for name in names:
        if known[_as_heard(name)] != name:
            other = known[_as_heard(name)]
            why = f"{name} looks like {other}: write {other} for the same person, or another name, such as {name}-2"
            raise Refusal(rule, why)


def _as_heard(name: str) -> str:
    """Returns what two names have in common that are written in small or capital letters, or in other code points.

    >>> _as_heard("ZOË") == _as_heard("zoe\u0308"), _as_heard("Ann") == _as_heard("Anne")
    (True, False)
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _entered(cup: Tournament, name: str) -> bool:
    one = cup.people.get(name)
    return one is not None and one.state != "withdrawn"


def withdraw(cup: Tournament, name: str) -> None:
    """Lets somebody withdraw: in time for all that was paid, later for the part that the terms give back."""
    one, rule = person_in(cup, name), cup.item("withdraw-until")
    if cup.started:
        raise Refusal(rule, "the tournament has started")
    if one.state != "in":
        raise Refusal(rule, f"{name} is {one.state}")
    paid, until = cup.terms.fee + cup.terms.buy_in, cup.terms.withdraw_until
    if until is None or cup.now <= until:
        one.refund, one.from_pool = paid, cup.terms.buy_in
    else:
        one.refund = prizes.refund(cup.terms.refund, paid)
        one.from_pool = prizes.refund(cup.terms.refund, cup.terms.buy_in)
    one.state, one.rule, one.seat = "withdrawn", rule, None


def substitute(cup: Tournament, name: str, other: str, *, apart: bool = False) -> None:
    """Lets another person take over bank and place (4.8(b)(iv))."""
    one, rule = person_in(cup, name), cup.item("substitute")
    allowed = cup.terms.substitute
    if allowed == "never":
        raise Refusal(rule, "the terms know no substitutes")
    if allowed == "before-start" and cup.started:
        raise Refusal(rule, "the tournament has started")
    if one.state != "in":
        raise Refusal(rule, f"{name} is {one.state}")
    if _entered(cup, other):
        raise Refusal(rule, f"{other} has entered already")
    if apart:
        _told_apart(cup, (other,), rule)
    cup.people.pop(other, None)
    people = list(cup.people.values())
    at = people.index(one)
    new = Entrant(
        other,
        one.entered,
        bank=one.bank,
        seat=one.seat,
        drawn=one.drawn,
        rebuys=one.rebuys,
        add_ons=one.add_ons,
        spent=one.spent,
        warnings=one.warnings,
    )
    one.state, one.rule, one.substitute, one.bank, one.seat = "withdrawn", rule, other, 0, None
    people.insert(at + 1, new)
    cup.people = {each.name: each for each in people}


def postpone(cup: Tournament, by: int) -> None:
    """Puts the start of the tournament, or of its next session, off."""
    if cup.stage not in ("open", "break"):
        raise Refusal(cup.item("start-may-change"), "a session is running, or all are over")
    cup.starts = max(cup.starts, cup.now) + by
    if cup.stage == "open":  # later it is no change prior to the tournament
        cup.unadvised = cup.rules.advised


# ---- tables


def designate(cup: Tournament, deed: TableDesignated) -> None:
    """Makes a table the tournament's."""
    if deed.game != cup.game:
        raise Refusal(cup.rule(".1"), f"this tournament is played with {cup.game}")
    if cup.stage == "over":
        raise Refusal(cup.rule(".2.4"), "the tournament is over")
    if deed.extras:
        raise Refusal(cup.rule(".2.5"), f"no tournament has {', '.join(deed.extras)}")
    if deed.table not in cup.tables:
        cup.tables[deed.table] = CupTable(deed.table, deed.places, level=cup.level, bets=deed.bets)


def free(cup: Tournament, table: str) -> None:
    """Frees a table when the tournament is over."""
    if table not in cup.tables:
        raise Refusal(cup.rule(".2.4"), "this table is not designated")
    if cup.stage != "over":
        raise Refusal(cup.rule(".2.5"), "the table is the tournament's until that is over")
    cup.base = cup.level
    del cup.tables[table]
