"""Rounds at a table in short words, as its devices and people would report them, for tests that look at the pages."""

from __future__ import annotations

from controller.money import cents
from controller.places import area_of, bettor_of
from controller.table.facts import AnyFact, Badge, CardOut, CardRead, Chips, Key, Spot
from tests.web.conftest import House


async def play(house: House, *deeds: str | AnyFact) -> None:
    """Does these things one after the other: facts, or words.

    role ROLE, draw CARD..., read READER CARD..., bet PLACE SPOT=DOLLARS...; any others are a key.
    """
    for deed in deeds:
        for fact in [deed] if not isinstance(deed, str) else facts_of(deed):
            await house.service.engine.submit(fact)


def facts_of(words: str) -> list[AnyFact]:
    """The facts that these words stand for."""
    verb, *args = words.split()
    match verb:
        case "role":
            return [Badge(args[0])]
        case "draw":
            return [CardOut(card) for card in args]
        case "read":
            return [CardRead(args[0], card) for card in args[1:]]
        case "bet":
            lying = [word.partition("=") for word in args[1:]]
            spots = tuple(Spot(spot, bettor_of(args[0]), cents(amount)) for spot, _, amount in lying)
            return [Chips(area_of(args[0]), spots)]
    return [Key(verb, tuple(args))]
