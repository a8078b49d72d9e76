"""What tests of decks do at a table, and what they look at."""

from __future__ import annotations

from controller.table import deck_book
from controller.table.deck_book import (
    ByWhom,
    DeckRecord,
)
from controller.table.facts import (
    DeckDeed,
)
from controller.table.state import round_runs
from tests.table.telling import Telling

UNKNOWN = ByWhom(1, 0)
THREE = "three-card-poker"


def deed(name: str, role: str = "casino-manager", person: str = "Ann", **words: object) -> DeckDeed:
    return DeckDeed(name, person, role, "page", **words)  # type: ignore[arg-type]


def seal(deck: int, **words: str) -> DeckDeed:
    return deed("seal", deck=deck, **{"slip": "S-7", "seal": "L-9", "witness": "Bob", **words})


def decks(t: Telling, *standings: deck_book.Standing) -> list[DeckRecord]:
    return list(t.table.decks.standing(*standings) if standings else t.table.decks.decks)


def story(t: Telling) -> list[str]:
    shown = ((x.what, x.at, "" if x.depth is None else str(x.depth)) for x in t.table.decks.story)
    return [" ".join(filter(None, words)) for words in shown]


def deal_three(t: Telling, end: bool = True) -> None:
    t.bet(1, ante=10)
    t.key("no-more-bets")
    t.draw("Kh Qs 5d 3d 2c 2h")
    if end:
        t.key("fold 1")
        if round_runs(t.table):
            t.key("settle")
