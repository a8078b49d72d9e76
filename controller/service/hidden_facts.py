"""Turns a fact with cards into the one that is stored in its place, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from controller.service.card_cipher import card_secret, hidden_card, opened_card
from controller.service.day_keys import DayKey
from controller.table import facts
from controller.table.facts import AnyFact, Hidden
from controller.views.cards import ALL, card_names, public, with_cards

CARD_BLOCK: Final = 16  # bytes: every card is one block
FACT_BLOCK: Final = 64

Secrets = Mapping[int, bytes]  # by the numbers of the cards


def hide(fact: AnyFact, day: DayKey, salt: bytes) -> Hidden:
    """Returns a fact with cards as it is stored.

    Each card has a secret of its own.  A fact whose cards have no numbers (a key, a covered wager), or whose device
    told of no proper cards, is one secret as a whole.
    """
    shown, texts = public(fact), [name.encode() for name in card_names(fact)]
    whole = not texts or max(map(len, texts)) >= CARD_BLOCK or with_cards(shown, card_names(fact)) != fact
    if whole:
        secret = card_secret(day.secret, salt, ALL)
        return Hidden(day.name, salt, shown, (hidden_card(secret, facts.encode(fact), FACT_BLOCK),), whole=True)
    cards = (hidden_card(card_secret(day.secret, salt, n), text, CARD_BLOCK) for n, text in enumerate(texts, 1))
    return Hidden(day.name, salt, shown, tuple(cards))


def numbers(fact: Hidden) -> range:
    """Returns the numbers of what is hidden in it: those of its cards, or `ALL` when it is one secret."""
    return range(ALL, ALL + 1) if fact.whole else range(1, len(fact.cards) + 1)


def secrets_of(fact: Hidden, day: DayKey) -> Secrets:
    """Returns all secrets of a fact; `day` is the key that it names."""
    return {number: card_secret(day.secret, fact.salt, number) for number in numbers(fact)}


def opened(fact: Hidden, secrets: Secrets) -> AnyFact | None:
    """Returns the fact with the cards that these secrets open; None when one is not what its commitment says.

    Nor is a fact opened that has more or fewer secrets than cards: nobody of ours made that.
    """
    names = list(card_names(fact.shown))
    if len(fact.cards) != (1 if fact.whole else len(names)):
        return None
    for number, card in zip(numbers(fact), fact.cards, strict=True):
        if (secret := secrets.get(number)) is None:
            continue
        text = opened_card(secret, card)
        if text is None:
            return None
        if fact.whole:
            return _read(text)
        names[number - 1] = text.decode(errors="replace")
    return fact.shown if fact.whole else with_cards(fact.shown, tuple(names))


def _read(text: bytes) -> AnyFact | None:
    try:
        return facts.exact(text)
    except msgspec.DecodeError:
        return None
