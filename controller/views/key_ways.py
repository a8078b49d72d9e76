"""The ways in which a key can sensibly be pressed now: words as somebody at the table might choose them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from controller.money import short
from controller.places import order
from controller.table.declare import (
    AMOUNT,
    AREA,
    CARD,
    CODE,
    COUNT,
    DISPUTE_NUMBER,
    LIMIT,
    NAME,
    NTH,
    PATRON,
    PLACE,
    PLACES,
    PLAYER,
    PROMOTION,
    SEAT,
    SETTING,
    SHARE,
    SPOT,
    STAKE,
    Argument,
    Key,
    WordKind,
    Words,
)
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.presenter import presenter

SOMEBODY: Final = "somebody"  # a name that nobody has
_NUMBER: Final = "26"  # of cards, wherever one is asked for: half a deck
_ENOUGH: Final = "1000000"  # to buy in
_ANY_CARD: Final = "2c"
FEW: Final = 3  # of what is named for promotions and disputes: each way to press a key is tried


class Ways:
    """Lists ways to press the keys of one table as it stands."""

    def __init__(self, table: Table, rules: Rules) -> None:
        seats = [str(n) for n in range(1, table.options.typed.seats + 1)]
        wagers = table.round.wagers if table.round is not None else {}
        taken = {*table.seats, *(place for place, _ in wagers)}
        self.free = [seat for seat in seats if seat not in taken]
        places = [*sorted(taken, key=order), *self.free[:1]]  # free ones are alike
        presents = presenter(rules)
        people = dict.fromkeys((*table.seats.values(), *table.people, *presents.names(table), SOMEBODY))
        amounts = [*presents.amounts(table), table.options.typed.min]
        self._words: dict[WordKind, list[str]] = {
            **dict.fromkeys((AREA.kinds[0], SEAT.kinds[0], PLACE.kinds[0]), places),
            PLACES.kinds[0]: self.free[:1] or seats[:1],
            SPOT.kinds[0]: list(rules.spots),
            CODE.kinds[0]: sorted({held.code for held in table.holds.values()}),
            SETTING.kinds[0]: _settings(table, rules),
            LIMIT.kinds[0]: [f"min={short(table.options.typed.min)}"],
            AMOUNT.kinds[0]: list(dict.fromkeys(map(short, amounts))),
            NAME.kinds[0]: list(people),
            PROMOTION.kinds[0]: [*list(table.promotions)[-FEW:], SOMEBODY],
            PATRON.kinds[0]: [*_patrons(table), SOMEBODY],
            DISPUTE_NUMBER.kinds[0]: [str(number) for number in list(table.disputes)[:FEW]] or ["1"],
            SHARE.kinds[0]: [*_systems(table), SOMEBODY],
            PLAYER.kinds[0]: [f"player={SOMEBODY}"],
            STAKE.kinds[0]: [f"stack={_ENOUGH}"],
            CARD.kinds[0]: [_ANY_CARD],
            COUNT.kinds[0]: [_NUMBER],
            NTH.kinds[0]: ["1"],
        }

    def of(self, key: Key) -> Iterator[Words]:
        """Yields ways to press a key, the shortest first."""
        for form in key.forms:
            shortest = list(product(*(self._fitting(one) for one in form if not one.optional)))
            yield from shortest
            further = self._fitting(form[-1]) if form and form[-1].optional else []
            yield from ((*before, word) for before in shortest for word in further)

    def _fitting(self, argument: Argument) -> list[str]:
        """Returns the words that may stand at one point; none of a kind that nobody could guess, as cards of hands."""
        return [word for kind in argument.kinds for word in ((kind.name,) if kind.fixed else self._words.get(kind, ()))]


def _settings(table: Table, rules: Rules) -> list[str]:
    """Returns every option that may be changed, as it stands and as it is announced."""
    powers = rules.document.powers.settings
    announced = [item for notice in table.notices for item in notice.changes.items()]
    standing = [(name, value) for name in powers if (value := table.options.get(name, ""))]
    return [f"{name}={value}" for name, value in dict.fromkeys((*standing, *announced))]


def _patrons(table: Table) -> list[str]:
    """Returns who is still to hear of a prize or of a refused claim; a few of them do."""
    return list(dict.fromkeys(claim.person for claim in table.claims if claim.waits))[:FEW]


def _systems(table: Table) -> list[str]:
    """Returns the prize meter systems of the floor."""
    return sorted(table.house.running)
