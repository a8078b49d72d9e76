"""Facts at a poker table: what each of them means."""

from __future__ import annotations

from controller.poker.hand import acts, cards, clock, keyed_acts
from controller.poker.keys import key_pressed
from controller.poker.money import charges, side_wagers
from controller.table.facts import (
    AnyFact,
    CardOut,
    CardRead,
    CardsOut,
    Chips,
    CuttingCard,
    Key,
    Pushed,
    ShoeEmpty,
    Shuffled,
    Tick,
)
from controller.table.step import Step


def follow(s: Step, fact: AnyFact) -> bool:
    """Carries out what a fact means at a poker table; False when it means the same at all tables."""
    match fact:
        case CardRead():
            cards.card_read(s, fact)
        case Pushed(area, chips):
            if not keyed_acts.counted(s, fact):
                acts.pushed(s, str(area), chips)
        case Chips():
            side_wagers.chips(s, fact)
        case Key():
            key_pressed(s, fact)
        case Tick():
            clock.time_passed(s)
            charges.hourly(s)
        case CardOut() | CardsOut() | CuttingCard() | ShoeEmpty() | Shuffled():
            s.prompt("dealer", "the deck stays in the dealer's hand: no shoe is used for this game", "5.2")
        case _:
            return False
    return True
