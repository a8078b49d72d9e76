"""Decks for tests of game protection: new, riffled, fair."""

from __future__ import annotations

from random import Random

NEW = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]


def riffled(cards: list[str], chance: Random) -> list[str]:
    """Returns the cards after one riffle: cut about the middle, then dropped in proportion to the packets."""
    cut = sum(chance.random() < 0.5 for _ in cards)
    left, right, mixed = cards[:cut][::-1], cards[cut:][::-1], []
    while left or right:
        packet = left if chance.random() * (len(left) + len(right)) < len(left) else right
        mixed.append(packet.pop())
    return mixed


def fair(chance: Random, decks: int = 1) -> list[str]:
    return chance.sample(NEW * decks, 52 * decks)
