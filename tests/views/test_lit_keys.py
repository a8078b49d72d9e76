"""A lit key is taken from whoever it is lit for, and a dark one is refused: at any moment of any game.

The words that are tried here are chosen by chance, and not by what the views think sensible.  FELT_LIT=N looks at N
moments of each game instead of a few.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product

import pytest
from msgspec.structs import replace

from controller.cards import DECK
from controller.games import GAMES, find, refusal, step
from controller.rules import NO_KEYS, RANKS, Rank, at_least
from controller.table import facts, follow
from controller.table.declare import Argument, Key, Words
from controller.table.facts import Badge, Hold
from controller.table.keys import SIGN_OUT, find_key, keys_of
from controller.table.options import fields
from controller.table.rules import Rules
from controller.table.state import Table, encode
from controller.table.step import CardsForbid
from controller.views.key_ways import Ways
from controller.views.keys_now import keys_now
from controller.views.keys_tried import KeyTried, keys_tried
from tests.views.any_round import AnyTable

MOMENTS = int(os.environ.get("FELT_LIT", "2"))
WAYS = 12  # to press one key, of all that there are
ROLES: tuple[Rank, ...] = ("dealer", "supervisor", "casino-manager")


class AnyWords:
    """Words of each kind, right and wrong ones."""

    def __init__(self, table: Table, rules: Rules, chance: random.Random) -> None:
        seats = [str(n) for n in range(1, table.options.typed.seats + 1)]
        choices = [(name, word) for name, field in fields(rules.options).items() for word in field.form.words]
        settings = [f"{name}={value}" for name, value in (*choices, *table.options.items()) if value]
        self.chance = chance
        self.words = {
            **dict.fromkeys(("AREA", "SEAT", "PLACE", "PLACES"), sorted({*seats, *table.seats})),
            "COUNT": ["1", "10", "52", "104"],
            "N": ["1", "2"],
            "SPOT": list(rules.spots),
            "CARD": chance.sample(DECK, 3),
            "AMOUNT": ["5", "10", "20", "50"],
            "LIMIT": ["min=10", "max=1000"],
            "SETTING": settings,
            "NAME": ["maria", *table.people],
            "PROMOTION": ["spring"],
            "PATRON": ["maria"],
            "DISPUTE": ["1", "2"],
            "SHARE": ["wa", "wa=100"],
            "BADGE": ["0417"],
            "CODE": ["journal.behind", "device.gap"],
            "PLAYER": ["player=maria"],
            "STAKE": ["stack=500", "add=100"],
            "HAND": [],
        }

    def ways(self, key: Key) -> Iterator[Words]:
        """Yields ways to press a key, by chance."""
        for form in key.forms:
            needed = [self._fitting(argument) for argument in form if not argument.optional]
            shortest = list(product(*needed))
            yield from self.chance.sample(shortest, min(WAYS, len(shortest)))
            if form and form[-1].optional:
                longer = list(product(shortest, self._fitting(form[-1])))
                yield from ((*some, word) for some, word in self.chance.sample(longer, min(WAYS, len(longer))))

    def _fitting(self, argument: Argument) -> list[str]:
        return [word for kind in argument.kinds for word in ([kind.name] if kind.fixed else self.words[kind.name])]


def pressed(key: Key, args: Words, role: Rank) -> facts.Key:
    return facts.Key(key.name, args, person="somebody", role=role, place="page")


def changes(table: Table, fact: facts.Key) -> bool:
    """Whether something else than what people were told is different afterwards."""

    def kept(t: Table) -> bytes:
        bare = replace(t, prompts=[], live=[], opening=b"")
        bare.history = type(t.history)()
        return encode(bare)

    return kept(step(table, 1, table.now, fact)[0]) != kept(table)


def wrong(table: Table, rules: Rules, chance: random.Random) -> Iterator[str]:
    """Yields every key that is lit and not taken, or dark and taken."""
    words, ways = AnyWords(table, rules, chance), Ways(table, rules)
    tried = {each.key: each for each in keys_tried(table, rules)}
    for key in keys_of(rules):
        if key is not SIGN_OUT:
            for role in ROLES:
                yield from _wrong(table, key, role, tried.get(key.name), [*words.ways(key)], [*ways.of(key)])


def _wrong(
    table: Table, key: Key, role: Rank, tried: KeyTried | None, by_chance: list[Words], sensible: list[Words]
) -> Iterator[str]:
    if tried is not None and tried.lit and at_least(role, tried.role):
        if not any(is_taken(table, key, args, role) for args in (*sensible, *by_chance)):
            yield f"{key.name} is lit for the {role} and never taken"
        return
    for args in by_chance:
        if is_taken(table, key, args, role) and (not key.report or changes(table, pressed(key, args, role))):
            yield f"{key.name} {' '.join(args)} is taken from the {role} though it is dark"


def is_taken(table: Table, key: Key, args: Words, role: Rank) -> bool:
    no = refusal(table, pressed(key, args, role))
    return no is None or isinstance(no, CardsForbid)


def moments(game: str, seed: int) -> list[Table]:
    """The table at some moments: in rounds, held, closed, with cards that nobody has seen to yet."""
    jackpot = "jackpot" in fields(find(game).options) and find(game).document.jackpot is not None
    table = AnyTable(
        game, seed, **({"jackpot": "nsw" if "stud" in game or "nsw" in game else "vic"} if jackpot else {})
    )
    every = [now for _, now, _, _ in table.rounds(3)]
    chosen = table.chance.sample(every, min(MOMENTS, len(every)))
    asked = [now for now in every if now.talk is not None][:1]
    table.tell(Hold("journal.behind", "its memory is ahead", "shoe"))
    held = table.table
    other = AnyTable(game, seed, gates="manual")
    fresh = other.table
    other.tell(Badge("casino-manager"))
    other.key("close-table")
    return [*chosen, *asked, held, fresh, other.table]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_lit_keys_are_taken_and_dark_ones_refused(game: str) -> None:
    chance = random.Random(game)
    found = [each for now in moments(game, chance.randrange(100)) for each in wrong(now, find(game), chance)]
    assert found == []


@pytest.mark.parametrize("game", ["casino-war", "caribbean-stud", "holdem"])
def test_the_keypad_shows_the_same(game: str) -> None:
    rules = find(game)
    for now in moments(game, 5):
        tried = keys_tried(now, rules)
        for role in (*RANKS, *NO_KEYS):
            page = {each.key for each in tried if each.lit and at_least(role, each.role)}
            pad = {each.key for each in keys_now(now, rules, role, tried)}
            assert {name for name in pad - page if not find_key(rules, name).anyone} == set()  # type: ignore[union-attr]
            assert page <= pad


def test_keys_that_mean_nothing_in_a_game_are_not_shown() -> None:
    shown = {game: {each.key for each in keys_tried(AnyTable(game, 1).table, find(game))} for game in GAMES}
    assert "surrender" in shown["casino-war"] and not {"fold", "check", "agree", "start-jackpot"} & shown["casino-war"]
    assert "check" in shown["ultimate-texas-holdem-nsw"] and "surrender" not in shown["ultimate-texas-holdem-nsw"]
    assert "discard" in shown["pineapple"] and not {"discard", "marker", "close-jackpot"} & shown["holdem"]


def test_cards_lie_only_where_a_game_has_them() -> None:
    shared = {game: set(find(game).shared) for game in GAMES}
    assert shared["casino-war"] == {"dealer"} and shared["mississippi-stud"] == {"community"}
    for game in GAMES:
        for _, now, rules, _ in AnyTable(game, 2).rounds(2):
            lying = {place for place, cards in rules.cards(now).hands.items() if cards and not place[0].isdigit()}
            assert lying <= shared[game], game


def test_a_key_that_the_table_cannot_follow_is_dark_and_tells_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("Kh")

    table = AnyTable("casino-war", 1)
    monkeypatch.setattr(follow, "_dispatch", broken)
    no = refusal(table.table, facts.Key("settle"))
    assert no is not None and "KeyError" in no.why and "Kh" not in no.why


def test_whoever_is_signed_in_at_the_console_can_sign_out() -> None:
    table = AnyTable("casino-war", 1)
    assert SIGN_OUT.name not in {each.key for each in keys_now(table.table, table.game, "dealer")}
    table.tell(facts.SignedIn("Bay Six", "2001", "dealer", "console"))
    assert SIGN_OUT.name in {each.key for each in keys_now(table.table, table.game, "dealer")}
