"""A game with a key of its own: one declaration, and the table takes it, checks it and knows whose it is."""

from __future__ import annotations

from typing import ClassVar

import pytest

from controller.games import INSTALLED, defaults, every_key, keys_named
from controller.house.games.casino_war import CasinoWar
from controller.house.keys import HOUSE_KEYS
from controller.house.layout import Layout
from controller.house.rulings import Dialogue, only_tell
from controller.table import facts
from controller.table.declare import AREA, CARD, Key, optional
from controller.table.effects import AnyEffect, Prompted, Refused
from controller.table.facts import AnyFact, Badge, Chips, Hold, Spot, Started
from controller.table.follow import step
from controller.table.state import Table
from controller.views.cards import has_cards

WAVED = Key("waved", AREA, optional(CARD), report=True, says="the player there waved the cards about")
BLESS = Key("bless", AREA, plays=True, role="supervisor", says="luck is wished to the player there")


class WavingWar(CasinoWar):
    """Casino War whose players wave their cards about."""

    keys: ClassVar = (*HOUSE_KEYS, WAVED, BLESS)

    def irregular(self, f: Layout, fact: facts.Key) -> Dialogue:
        match fact:
            case facts.Key("waved" | "bless" as what, (place, *_)):
                return only_tell("9.4", f"{what}: noted", place=place)
        return (yield from super().irregular(f, fact))


class Waving:
    """A table with this game, one wager on it."""

    def __init__(self) -> None:
        self.table, self.seq = Table(), 0
        self.tell(Started("casino-war", defaults("casino-war")))
        self.tell(Chips(1, (Spot("war", 1, 1000),)))

    def tell(self, fact: AnyFact) -> list[AnyEffect]:
        self.seq += 1
        self.table, effects = step({"casino-war": WavingWar()}, self.table, self.seq, 0, fact)
        return effects

    def press(self, words: str) -> str:
        """What is told or refused."""
        name, *args = words.split()
        effects = self.tell(facts.Key(name, tuple(args)))
        texts = [effect.prompt.text for effect in effects if isinstance(effect, Prompted)]
        return " ".join(texts + [effect.why for effect in effects if isinstance(effect, Refused)])


@pytest.fixture
def waving() -> Waving:
    return Waving()


def test_the_game_hears_of_its_key(waving: Waving) -> None:
    assert waving.press("waved 1") == "waved: noted"
    assert waving.press("waved 1 Kh") == "waved: noted"


def test_words_that_do_not_fit_are_refused(waving: Waving) -> None:
    assert waving.press("waved dealer Kh").startswith('waved does not come with "dealer ??": write waved')


def test_it_takes_the_role_that_it_is_declared_with(waving: Waving) -> None:
    assert waving.press("bless 1") == "this needs the supervisor"
    waving.tell(Badge("supervisor"))
    assert waving.press("bless 1") == "bless: noted"


def test_a_held_table_takes_the_report_and_does_not_play_on(waving: Waving) -> None:
    waving.tell(Badge("supervisor"))
    waving.tell(Hold("journal.gap", "a record is missing"))
    assert waving.press("waved 1") == "waved: noted"
    assert waving.press("bless 1").startswith("the table is held")


def test_other_tables_do_not_have_it(waving: Waving) -> None:
    assert {WAVED, BLESS}.isdisjoint(every_key())
    assert waving.press("dead 1") == 'there is no key "dead"'


def test_its_cards_are_hidden_where_the_game_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    fact = facts.Key("waved", ("1", "Kh"))
    monkeypatch.setattr(INSTALLED, "_items", {**INSTALLED.loaded, "casino-war": WavingWar()})
    assert keys_named("waved") == [WAVED]
    assert has_cards(fact)
