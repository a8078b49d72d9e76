"""Any word at every key, spot, place, amount, role and device, through the journal and the engine: below every parser.

What does not fit is refused or becomes a named fault, nothing raises, and a restart tells the same table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import pytest

from controller.cards import DECK
from controller.games import GAMES, defaults, every_key, find, house_game
from controller.journal import InlineWriter, Journal
from controller.poker.state import room_in
from controller.service.engine import Engine, EventId
from controller.table import facts as f
from controller.table import state
from controller.table.declare import Form, Key
from controller.table.effects import AnyEffect, Defective, Refused
from controller.table.facts import AnyFact, Chips, Spot
from controller.table.keys import keys_of
from tests.table.any_facts import AMOUNTS, JUNK

ONE_EACH = ("casino-war", "three-card-poker", "wsop-bonus-holdem", "caribbean-stud", "pineapple")  # of each document
STAGES = ("before", "betting", "dealt", "held")
NEVER = ("", " ", "a b", "\x00", "٣", "+5", "=", "?", "1,,2", "Kh?", "\ud7ff", "9" * 5000)  # no kind has such a word
GOOD = {
    "AMOUNT": "5",
    "AREA": "1",
    "BADGE": "0417",
    "CARD": "Kh",
    "CODE": "journal.gap",
    "COUNT": "52",
    "HAND": "1=Kh",
    "LIMIT": "min=5",
    "N": "1",
    "NAME": "Anna",
    "PROMOTION": "Spring",
    "PATRON": "Anna",
    "DISPUTE": "1",
    "PLACE": "dealer",
    "PLACES": "1-2",
    "PLAYER": "player=Anna",
    "SEAT": "2",
    "SETTING": "min=10",
    "SHARE": "North",
    "SPOT": "ante",
}


class Running:
    """A running table without devices: what is told goes through its journal."""

    def __init__(self, game: str) -> None:
        self.game = find(game)
        self.journal = Journal.open(None, table="T1")
        self.engine = Engine(self.journal, InlineWriter(self.journal), clock=lambda: self.journal.head.seq * 1000)
        self.count = 0

    async def tell(self, fact: AnyFact) -> list[AnyEffect]:
        self.count += 1
        effects = list((await self.engine.submit(fact, EventId("console", 1, self.count))).effects)
        assert not any(isinstance(effect, Defective) for effect in effects), (fact, effects)
        return effects

    async def key(self, words: str) -> None:
        name, *args = words.split()
        effects = await self.tell(f.Key(name, tuple(args)))
        assert not any(isinstance(effect, Refused) for effect in effects), (words, effects)

    async def refuses(self, fact: AnyFact) -> None:
        """The fact is refused with a reason, and all is as it was."""
        before = self.without_time()
        refused = [effect.why for effect in await self.tell(fact) if isinstance(effect, Refused)]
        assert len(refused) == 1, fact
        assert refused[0], fact
        assert self.without_time() == before, fact

    def without_time(self) -> bytes:
        table = state.clone(self.engine.table)
        table.now = 0
        return state.encode(table)

    async def go_to(self, stage: str) -> None:
        """From the stage before it."""
        poker = room_in(self.engine.table) is not None
        if stage == "before":
            await self.tell(f.Badge("casino-manager"))
            await self.key("seat 1-3 stack=500" if poker else "seat 1-3")
        elif stage == "betting" and poker:
            await self.key("act 1 post 5")
            await self.key("act 2 post 10")
        elif stage == "betting":
            for area in (1, 2):
                await self.tell(
                    Chips(area, tuple(Spot(spot, 1, 1000) for spot in house_game(self.engine.table.game).opening))
                )
        elif stage == "dealt" and poker:
            for seat, card in zip("123", DECK, strict=False):
                await self.tell(f.CardRead(seat, card))
        elif stage == "dealt":
            await self.key("no-more-bets")
            for card in DECK[:2]:
                await self.tell(f.CardOut(card))
        else:
            await self.tell(f.Hold("journal.gap", "a record is missing"))


async def running(game: str, stage: str) -> Running:
    table = Running(game)
    await table.engine.start(f.Started(game, defaults(game)))
    for each in STAGES[: STAGES.index(stage) + 1]:
        await table.go_to(each)
    return table


def told_again(table: Running) -> bytes:
    again = Engine(table.journal, InlineWriter(table.journal), clock=lambda: 1)
    again.recover()
    assert not again.defects
    return state.encode(again.table)


def good(form: Form) -> tuple[str, ...]:
    kinds = [argument.kinds[0] for argument in form]
    return tuple(kind.name if kind.fixed else GOOD[kind.name] for kind in kinds)


def misfits(key: Key) -> Iterator[tuple[str, ...]]:
    """Words that do not fit: one too many, one too few, and at each point one that is no word at all."""
    for form in key.forms:
        words = good(form)
        if not form or not form[-1].many:
            yield (*words, words[-1] if words else "1", "x", "x")
        if form and not form[0].optional:
            yield ()
        for n in range(len(words)):
            for never in NEVER:
                yield (*words[:n], never, *words[n + 1 :])


EVERY_KEY: list[Key] = sorted(every_key(), key=lambda key: (key.name, key.says))


@pytest.mark.parametrize("key", EVERY_KEY, ids=lambda key: key.name)
def test_the_words_that_a_key_is_declared_with_fit_it(key: Key) -> None:
    for form in key.forms:
        assert key.misfit(good(form)) == ""
    for words in misfits(key):
        assert key.misfit(words), words


@pytest.mark.parametrize(
    ("game", "stage"),
    [(game, "betting") for game in sorted(GAMES)]
    + [(game, stage) for game in ONE_EACH for stage in STAGES if stage != "betting"],
)
async def test_a_key_whose_words_do_not_fit_is_refused_reports_too(game: str, stage: str) -> None:
    table = await running(game, stage)
    never = cycle(NEVER)
    for key in keys_of(table.game):
        for form in key.forms:
            words = good(form)
            for n in range(len(words)):
                await table.refuses(f.Key(key.name, (*words[:n], next(never), *words[n + 1 :])))
            await table.refuses(f.Key(key.name, (*words, next(never))))
    elsewhere = {key.name for key in every_key()} - {key.name for key in keys_of(table.game)}
    for name in (*sorted(elsewhere), *NEVER, "jump", "Settle", "Kh"):
        await table.refuses(f.Key(name))
        await table.refuses(f.Key(name, ("1", "Kh")))
    assert told_again(table) == state.encode(table.engine.table)
    table.journal.close()


def readings(table: Running, words: Iterator[str], amounts: Iterator[int]) -> Iterator[AnyFact]:
    """Every reading with a word or a number that cannot be, in each of its fields."""
    spots = (*table.game.spots, "jackpot")
    for word in JUNK:
        yield Chips(1, (Spot(word, 1, 1000),))
        yield f.UnknownChip(1, word, 1)
        yield f.CardRead(word, next(words))
        yield f.CardOut(word)
        yield f.CardsOut((word, next(words)))
        yield f.DeviceFault(word, "shoe.jam", next(words))
        yield f.DeviceFault("shoe", word)
        yield f.DeviceCleared(next(words), word)
        yield f.DeviceLost(word, next(words), "")
        yield f.DeviceReady(word)
        yield f.Noted(word, next(words))
        yield f.HouseChanged(word, next(words))
        yield f.Serviced(word, "pair", "n", "l", "t", "r", "a")
    for amount in AMOUNTS:
        for spot in spots:
            yield Chips(1, (Spot(spot, 1, amount), Spot(spot, 2, next(amounts), token=True)))
        yield f.Pushed(1, (amount,))
        yield f.Pushed(2, (amount, next(amounts)), late=True)
        yield f.Shuffled(amount, verified=True)
        yield f.MeterIs(amount)
    for place in (0, -1, 1, 9, 10, 12, 250, 2**40):
        yield Chips(place, (Spot(spots[0], 1, 1000),))
        yield Chips(1, (Spot(spots[0], place, 1000),))
        yield f.UnknownChip(place, spots[0], place)
        yield f.Pushed(place, (1000,))


@pytest.mark.parametrize("stage", ["betting", "held"])
@pytest.mark.parametrize("game", ONE_EACH)
async def test_any_reading_is_followed_or_becomes_a_named_fault(game: str, stage: str) -> None:
    table = await running(game, stage)
    for fact in readings(table, cycle(JUNK), cycle(AMOUNTS)):
        await table.tell(fact)
    assert all(code for codes in table.engine.table.faults.values() for code in codes)
    assert told_again(table) == state.encode(table.engine.table)
    table.journal.close()


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_spot_or_a_bettor_that_the_layout_does_not_have_is_a_fault_of_the_sensor(game: str) -> None:
    table = await running(game, "before")
    for word in (*JUNK, "Ante", "war ", "jackpots"):
        if word in table.game.spots:
            continue
        await table.tell(Chips(2, (Spot(word, 1, 1000),)))
        assert repr(word) in table.engine.table.faults["sensor.2"]["sensor.chips"]
        assert table.engine.table.round is None
    table.journal.close()


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_role_that_does_not_exist_is_not_taken(game: str) -> None:
    table = await running(game, "betting")
    for word in (*JUNK, "Dealer", "dealer ", "casino manager"):
        if word != "dealer":
            await table.refuses(f.Badge(word, "Eve"))
    assert table.engine.table.role == "casino-manager"
    table.journal.close()


@pytest.mark.parametrize("game", ONE_EACH)
@pytest.mark.parametrize("stage", STAGES)
async def test_words_that_fit_and_make_no_sense_raise_nothing(game: str, stage: str) -> None:
    table = await running(game, stage)
    odd = cycle(("1", "3.9", "3.1", "999", "dealer", "river", "9999", "all", "Kh", "1=Kh,Kh", "min=0", "é", "x"))
    for key in keys_of(table.game):
        for form in key.forms:
            for n in range(3):
                await table.tell(f.Key(key.name, tuple(next(odd) for _ in range(len(form) + n % 2))))
            await table.tell(f.Key(key.name, good(form)))
    assert told_again(table) == state.encode(table.engine.table)
    table.journal.close()
