"""What a correction changes at the table, as plain data: hands, wagers, settlement, stakes, what is waited for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.money import dollars
from controller.table.rules import Rules
from controller.table.state import Line, Table
from controller.views.cards import public_hands
from controller.views.presenter import presenter
from controller.views.rounds import view
from controller.views.words import waiting

Json = dict[str, Any]


def difference(before: Table, after: Table, rules: Rules) -> Json:
    """Returns what differs between two tables, each with how it was and how it is."""
    then, now = _picture(before, rules), _picture(after, rules)
    return {what: {"before": then[what], "after": now[what]} for what in then if then[what] != now[what]}


def _picture(table: Table, rules: Rules) -> Json:
    round_ = table.round
    at_stake, surplus = _stakes(table, rules)
    return {
        "round": table.number,
        "outcome": round_.outcome if round_ is not None else "",
        "hands": public_hands(table, rules),
        "wagers": at_stake,
        "surplus": surplus,
        "settled": [_settled(line) for line in round_.lines] if round_ is not None else [],
        **presenter(rules).changes(table, rules),
        "waiting": [due.text for due in waiting(table, rules)],
    }


def _stakes(table: Table, rules: Rules) -> tuple[dict[str, str], dict[str, str]]:
    """Returns what of the chips on each spot is at stake, and what of them is too much and goes back."""
    if table.round is None:
        return {}, {}
    lying = {" ".join(at): dollars(amount) for at, amount in table.round.wagers.items()}
    shown = view(table, rules)
    lines = {f"{each['place']} {each['spot']}": each for each in shown["wagers"]} if shown is not None else {}
    at_stake = {at: lines[at]["stake"] if at in lines else amount for at, amount in lying.items()}
    return at_stake, {at: lines[at]["surplus"] for at in lying if "surplus" in lines.get(at, {})}


def _settled(line: Line) -> Json:
    """Returns a line with its money in dollars, as everywhere."""
    money = {name: dollars(getattr(line, name)) for name in ("stake", "net", "surplus", "prize")}
    return {**msgspec.to_builtins(line), **money}


def in_words(value: object) -> str:
    """Returns how something was or is, as people read it.

    >>> in_words({"dealer": ["Kd"], "1": []}), in_words([]), in_words(["deal a card"])
    ('dealer Kd, 1 -', '-', 'deal a card')
    >>> in_words(["Kd", "2c"]), in_words(["area 1 decides", "area 2 decides"])
    ('Kd 2c', 'area 1 decides; area 2 decides')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(part)}" for name, part in value.items()) or "-"
    if isinstance(value, list):
        parts = [in_words(part) for part in value]
        return ("; " if any(" " in part for part in parts) else " ").join(parts) or "-"
    return str(value) if value != "" else "-"
