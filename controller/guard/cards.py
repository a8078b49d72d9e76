"""The account of the cards: what the machine counted, what left the shoe, and what lies in hands must agree."""

from __future__ import annotations

from collections import Counter
from typing import Final

from controller.cards import DECK, UNREAD
from controller.counts import many
from controller.guard.suspicions import Suspicion, Suspicions
from controller.table.rules import Rules
from controller.table.shoe import Count, Out
from controller.table.state import Table, round_runs

COUNT: Final = "Hold the cards, count them by rank and suit, and look at the recording of this round."
CHECK: Final = "Compare the cards on the table with those that were read."


def full(table: Table) -> int:
    """Returns how many cards there should be."""
    return len(DECK) * table.options.typed.decks


def find(table: Table, rules: Rules) -> Suspicions:
    """Finds cards that came too often, that never came, that were counted wrong, or that lie in two hands."""
    yield from _twice(table)
    yield from _too_many(table)
    yield from _never(table)
    yield from _counts(table)
    yield from _in_two_hands(table, rules)


def _twice(table: Table) -> Suspicions:
    """Finds a card that came more often than there are decks: one of them is from another deck."""
    decks, often = table.options.typed.decks, Counter[str]()
    for n, each in enumerate(table.shoe.cards, 1):
        often[each.card] += 1
        if each.card != UNREAD and often[each.card] > decks:
            times = often[each.card]
            why = f"came {times} times out of {decks} deck{'s' if decks > 1 else ''}"
            yield Suspicion(
                "cards",
                f"twice {table.shoe.number} {n}",
                f"Card {n} since the shuffle {why}: one of these is from another deck. It may lie face down.",
                COUNT,
                table.number,
                f"The {{}} {why} (card {n} since the shuffle): one of these is from another deck.",
                (each,),
            )


def _too_many(table: Table) -> Suspicions:
    """Finds more cards than there are, counting those that could not be read."""
    out, all_ = len(table.shoe.cards), full(table)
    if out > all_:
        text = f"{many(out, 'card')} left the shoe since the shuffle, and there are only {all_}."
        yield Suspicion("cards", f"many {table.shoe.number}", text, COUNT, table.number)


def _never(table: Table) -> Suspicions:
    """Finds cards that never came although the shoe is empty; told between rounds, and by name only if all are open."""
    shoe, all_ = table.shoe, full(table)
    missing = all_ - len(shoe.cards)
    if not (shoe.empty and shoe.whole) or missing <= 0 or round_runs(table):
        return
    came = Counter(each.card for each in shoe.cards)
    never = Counter(dict.fromkeys(DECK, table.options.typed.decks)) - came
    cards = tuple(Out(card, 0, public=True) for card in never.elements())
    unsure = tuple(each for each in shoe.cards if not each.public)
    what = many(missing, "card")
    text = f"The shoe is empty and {what} never came."
    yield Suspicion("cards", f"never {shoe.number}", text, COUNT, table.number, f"{text[:-1]}: {{}}.", cards + unsure)


def _counts(table: Table) -> Suspicions:
    for count in table.shoe.counts:
        if why := _wrong(count, full(table)):
            yield Suspicion("cards", f"count {count.seq}", why, COUNT, table.number)


def _wrong(count: Count, all_: int) -> str:
    """Returns what is wrong with a count; "" when nothing is."""
    if count.cards != all_:
        who = "The shuffling machine" if count.machine else "The dealer"
        return f"{who} counted {many(count.cards, 'card')} instead of {all_}."
    return "" if count.verified else "The shuffling machine says that its cards are not of one deck."


def _in_two_hands(table: Table, rules: Rules) -> Suspicions:
    """Finds a card that lies in more places than there are decks, whatever left the shoe."""
    if table.round is None:
        return
    lying, decks = rules.cards(table), table.options.typed.decks
    came = Counter(each.card for each in table.shoe.cards)
    lie = Counter(card for hand in lying.hands.values() for card in hand if card != UNREAD)
    double = [card for card, times in lie.items() if times > decks >= came[card]]  # else it came too often
    for n, card in enumerate(double, 1):
        hidden = any(lying.hands[place][nth - 1] == card for place, nth in lying.hidden)
        yield Suspicion(
            "cards",
            f"hands {table.round.opened} {n}",
            "The same card lies in more places than there are decks. It may lie face down.",
            CHECK,
            table.round.number,
            f"The {{}} lies in more places than there are decks: {', '.join(_places(lying.hands, card))}.",
            (Out(card, 0, public=not hidden),),
        )


def _places(hands: dict[str, list[str]], card: str) -> list[str]:
    return [place for place, cards in hands.items() if card in cards]
