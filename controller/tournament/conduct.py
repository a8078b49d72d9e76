"""Conduct of play: buying back and adding on, penalties, disqualification, retirement."""

from __future__ import annotations

from controller.counts import many
from controller.table.step import Refusal
from controller.tournament.draw import TableSeat
from controller.tournament.entries import person_in
from controller.tournament.record import Entrant, Tournament, may_rebuy, may_use_marker


def rebuy(cup: Tournament, name: str) -> None:
    """Lets somebody who is out buy back for the price."""
    one = person_in(cup, name)
    if not may_rebuy(cup, one):
        raise Refusal(cup.item("rebuys"), f"{name} may not buy back: {_why_no_rebuy(cup, one)}")
    one.rebuys += 1
    _back(cup, one)


def _why_no_rebuy(cup: Tournament, one: Entrant) -> str:
    if cup.stage != "running":
        return "no session is running"
    if one.state != "out":
        return f"the player is {one.state}"
    if one.rebuys >= cup.terms.rebuys:
        return f"{many(cup.terms.rebuys, 'time')} is all that the terms allow"
    return f"that was possible in that session, up to level {cup.terms.rebuy_until}"


def use_marker(cup: Tournament, table: str, place: int) -> None:
    """Lets somebody who is out buy back with a marker."""
    one = at_place(cup, table, place) or _was_at_place(cup, table, place)
    rule = cup.item("re-buy") if cup.rules.markers else cup.rule(".4.4")
    if one is None:
        raise Refusal(cup.rule(".2.5"), "nobody of the tournament plays here")
    if not may_use_marker(cup, one):
        raise Refusal(rule, f"{one.name} has no re-buy marker to use now")
    one.spent["re-buy"] = one.spent.get("re-buy", 0) + 1
    _back(cup, one)


def _back(cup: Tournament, one: Entrant) -> None:
    one.bank += cup.terms.bank
    one.state, one.rule, one.beaten, one.out_at, one.bank_before = "in", "", "", 0, 0


def add_on(cup: Tournament, name: str) -> None:
    """Adds a bank to that of somebody who is in."""
    one = person_in(cup, name)
    reasons = {
        "nobody plays yet, or any more": cup.stage not in ("running", "break"),
        f"{name} is {one.state}": one.state != "in",
        f"{many(cup.terms.add_ons, 'time')} is all that the terms allow": one.add_ons >= cup.terms.add_ons,
        f"that was possible up to level {cup.terms.add_on_until}": cup.level_of(one) > cup.terms.add_on_until,
    }
    why = next((text for text, so in reasons.items() if so), "")
    if why:
        raise Refusal(cup.item("add-ons"), why)
    one.add_ons += 1
    one.bank += cup.terms.bank


def warn(cup: Tournament, name: str) -> None:
    """Warns somebody."""
    _penalised(cup, name, "warning").warnings += 1


def take_chips(cup: Tournament, name: str, amount: int) -> None:
    """Takes chips out of a bank, and out of play; no more than there are."""
    one = _penalised(cup, name, "chips")
    if not cup.started:
        raise Refusal(cup.item("penalties"), "nobody has a bank yet")
    before = one.bank
    one.bank = max(0, one.bank - amount)
    table = cup.table_of(one)
    if table is not None and not table.running:
        cup.outs += 1
        eliminate(cup, [one], {name: before}, cup.least(table), cup.outs)


def _penalised(cup: Tournament, name: str, kind: str) -> Entrant:
    one, rule = person_in(cup, name), cup.item("penalties")
    if kind not in cup.terms.penalties:
        raise Refusal(rule, f"the terms know no penalty of this kind ({kind})")
    if one.state != "in":
        raise Refusal(rule, f"{name} is {one.state}")
    return one


def disqualify(cup: Tournament, name: str) -> None:
    """Takes somebody out of the tournament: the chips leave play; no place, prize or refund (4.8(b)(v))."""
    one, rule = person_in(cup, name), cup.item("disqualification")
    if one.state in ("withdrawn", "disqualified"):
        raise Refusal(rule, f"{name} is {one.state}")
    one.state, one.rule, one.bank = "disqualified", rule, 0


def retire(cup: Tournament, name: str) -> None:
    """Lets somebody retire: the chips leave play, and the place is that of who goes out now."""
    one, rule = person_in(cup, name), cup.item("retired")
    if one.state == "out" and one.beaten == "bank":
        one.state, one.rule = "retired", rule  # gives up to buy back: out since then
        return
    if one.state != "in":
        raise Refusal(rule, f"{name} is {one.state}")
    if cup.stage == "over":
        raise Refusal(rule, "the tournament is over")
    cup.outs += 1
    one.state, one.rule, one.out_at, one.bank_before, one.bank = "retired", rule, cup.outs, one.bank, 0


def got_up(cup: Tournament, table: str, place: int) -> None:
    """Retires somebody who got up for good."""
    one = at_place(cup, table, place)
    if one is not None and one.state == "in" and cup.stage == "running":
        retire(cup, one.name)


def at_place(cup: Tournament, table: str, place: int) -> Entrant | None:
    """Returns who sits at a place; None when nobody does."""
    seats = {(one.seat.table, one.seat.place): one for one in cup.people.values() if one.seat is not None}
    return seats.get((table, place))


def _was_at_place(cup: Tournament, table: str, place: int) -> Entrant | None:
    """Returns who sat at a place before going out for good; None when nobody did."""
    here = TableSeat(table, place)
    return next((one for one in cup.people.values() if one.seat is None and one.was == here), None)


def eliminate(cup: Tournament, people: list[Entrant], before: dict[str, int], least: int, at: int) -> None:
    """Takes out who has too little: all of them at the same time, which `at` numbers."""
    needed = 1 if cup.terms.eliminate == "zero" else max(1, least)
    for one in [one for one in people if one.bank < needed]:
        one.state, one.rule, one.beaten = "out", cup.item("eliminate"), "bank"
        one.out_at, one.bank_before = at, before[one.name]
