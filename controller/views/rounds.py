"""A round as everybody may see it, running or over: wagers, public hands by name, decisions, what was paid and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.money import dollars, dollars_each
from controller.places import DEALER, order
from controller.table.rules import Rules
from controller.table.state import Line, Round, Table, opening
from controller.table.telling import BURN, COMMUNITY, Hands, Shared, Verdict
from controller.views.cards import seen

Json = dict[str, Any]


def current(table: Table, rules: Rules) -> Json | None:
    """Returns the round that is running; None between rounds."""
    return view(table, rules) if table.round is not None and not table.round.outcome else None


def last(table: Table, rules: Rules) -> Json | None:
    """Returns the last round that is over; None when there was none."""
    if table.round is not None and not table.round.outcome:
        if not table.opening:
            return None
        table = opening(table)
    return view(table, rules)


def view(table: Table, rules: Rules) -> Json | None:
    """Returns the round of this table, its running one or its last one."""
    r = table.round
    if r is None:
        return None
    out: Json = {"called": rules.called._asdict(), "number": r.number, "outcome": r.outcome or "open", "rule": r.rule}
    try:
        return out | _contents(table, r, rules)
    except Exception:  # a round that was struck out because its books cannot be read
        return out | {"hands": [], "decisions": {}, "wagers": []}


def _contents(table: Table, r: Round, rules: Rules) -> Json:
    lying = rules.cards(table)
    cards = seen(lying)
    in_words, settled = rules.in_words(table, r, cards), rules.settled(table, r)
    return {
        "hands": _hands(cards, in_words.names, lying.verdict),
        "decisions": dict(in_words.decisions),
        "wagers": [_wager(r, line, pays) for line, pays in zip(settled.lines, in_words.pays, strict=True)],
        **({} if settled.shared is None else _shared(settled.shared)),
    }


def _hands(cards: Hands, names: Mapping[str, str], verdict: Verdict | None) -> list[Json]:
    """Returns the hands: dealer and board first, then the areas.

    A hand has a name when all of it is public, the dealer's a verdict.
    """
    out = []
    for place in in_order(cards):
        entry: Json = {"place": place, "cards": cards[place], "name": names.get(place, "")}
        if place == DEALER and entry["name"] and verdict is not None:
            entry |= {"qualifies": verdict.qualifies, "rule": verdict.rule}
        out.append(entry)
    return out


def in_order(cards: Hands) -> list[str]:
    """Returns where hands lie: dealer and board first, then the areas clockwise; never the burned cards."""
    first: list[str] = [place for place in (DEALER, COMMUNITY) if place in cards]
    return first + sorted((place for place in cards if place not in (DEALER, COMMUNITY, BURN)), key=order)


def _wager(r: Round, line: Line, pays: str) -> Json:
    """Returns one of the wagers, which stand in the order in which the dealer settles them."""
    out: Json = {
        "place": line.place,
        "spot": line.spot,
        "stake": dollars(line.stake),
        "result": line.result,
        "net": dollars(line.net),
        "rule": line.rule,
        "pays": pays,
    }
    if line.surplus:
        out["surplus"] = dollars(line.surplus)
    if line.prize:
        hands = [prize.hand for prize in r.prizes if prize.place == line.place]
        out |= {"prize": dollars(line.prize), "pays": f"{hands[0]} wins the prize" if hands else ""}
    return out


def _shared(shared: Shared) -> Json:
    """Returns what players won from each other."""
    return {
        "pots": [{"amount": dollars(pot.amount), "won": dollars_each(pot.won)} for pot in shared.pots],
        "net": dollars_each(shared.net),
    }
