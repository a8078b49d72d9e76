"""A card that lies face down is told to nobody."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.games import find
from controller.house.state import Drawn, HouseRound
from controller.table import facts
from controller.table.facts import Amend, AnyFact, CardOut, CardsOut, Key
from controller.table.options import Chosen
from controller.table.play import Play
from controller.table.state import Burn, Deck, Limit, Round, Table
from controller.views.cards import judged, public, public_hands
from controller.views.fact_text import tell
from tests.api.conftest import Floor, Open
from tests.daemon.house import table_toml


def seen(fact: AnyFact, table: Table) -> AnyFact:
    """A fact of the round that lies there."""
    return public(fact, [number for _, number in judged([(1, fact)], table, find(table.game))])


async def cards(floor: Floor) -> list[str]:
    tail = (await floor.get("/journal/tail"))["facts"]
    return [fact["fact"]["card"] for fact in tail if fact["fact"]["fact"] == "card"]


async def test_a_burned_card_is_withheld_until_it_is_shown(opened: Open) -> None:
    floor = await opened('burn = "on"\n')
    await floor.draw("7s")  # bets are called when the burn card is out (4.3.2)
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("2h", "Kd")
    assert await cards(floor) == ["??", "2h", "Kd"]
    await floor.press("settle")
    assert await cards(floor) == ["??", "2h", "Kd"]
    await floor.bet(1, 1000)  # the burn of the last round is no longer on the table
    assert "7s" not in await cards(floor)


async def test_a_card_kept_for_the_next_deal_is_withheld_until_it_is_dealt(floor: Floor) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("2h", "Kd", "9c")
    assert await cards(floor) == ["2h", "Kd", "??"]
    await floor.press("settle")
    assert await cards(floor) == ["2h", "Kd", "??"]
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    assert await cards(floor) == ["2h", "Kd", "9c"]


def test_games_that_deal_face_down_tell_only_what_was_turned() -> None:
    tape = [Drawn(c) for c in ("Kh", "7c", "8c", "Qs")]
    kept = Play(HouseRound(tape=tape, limits={"1": Limit(500, 50000)}))
    round_ = Round(1, 1, wagers={("1", "ante"): 500}, closed="dealt", play=kept)
    table = Table(game="three-card-poker", options=Chosen(find("three-card-poker").options()), round=round_)
    assert {card for hand in public_hands(table, find(table.game)).values() for card in hand} == {"??"}
    for fact in (CardOut("Kh"), CardsOut(("Kh", "Qs")), Key("reconstruct", ("1=Kh",)), Amend(3, CardOut("Kh"))):
        told = seen(fact, table)
        assert b"Kh" not in facts.encode(told) and "king" not in tell(told) and "Kh" not in tell(told)
    assert seen(CardOut("Kh", face_up=True), table) == CardOut("Kh", face_up=True)


@pytest.mark.parametrize(
    "words", ["taken 1 kh", "taken Kh", "exposed 1 Kh", "fold 1 KH", "burn 10h", "reconstruct 1=kh,Qs", "jump Kh"]
)
async def test_a_card_in_a_mistaken_key_is_told_by_nobody(tmp_path: Path, words: str) -> None:
    config = load_config(table_toml(tmp_path, game="three-card-poker"))
    async with dealt_table(config) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        await floor.press(*words.split())
        told = json.dumps([await floor.get("/journal/tail", n=1), await floor.get("/status")])
        told += json.dumps(await floor.get("/devices/console/trace"))
        lines = floor.sim.device("console").state()["view"]["prompts"]
        assert "refused" in told and lines[0].startswith("refused")
        assert not re.search(r"\b(10|K)h", told + lines[0], re.IGNORECASE)


def test_a_name_like_a_card_in_a_key_as_it_should_be_is_told() -> None:
    assert public(Key("seat", ("3", "player=Ad"))) == Key("seat", ("3", "player=Ad"))


def test_a_second_card_of_the_same_name_is_withheld_too() -> None:
    table = Table(game="casino-war", deck=Deck(burns=[Burn("Kh")]))
    assert seen(CardOut("Kh"), table) == CardOut("??")
    assert seen(CardOut("Kd"), table) == CardOut("Kd")
    table.deck.burns = [Burn("Kh", shown=True)]
    assert seen(CardOut("Kh"), table) == CardOut("Kh")


def test_every_fact_has_words() -> None:
    examples: dict[Any, str] = {
        facts.CardsOut(("Kh", "??")): "king of hearts, a card left together",
        facts.CardOut("Kh", True): "king of hearts left the shoe, where it lay face up",
        facts.CuttingCard(): "the cutting card is out",
        facts.ShoeEmpty(): "the shoe is empty",
        facts.Chips(3, (facts.Spot("war", 1, 1000), facts.Spot("tie", 2, 250, True))): (
            "area 3: 10 on war, 2.50 on tie of 3.2 in tokens"
        ),
        facts.UnknownChip(3, "war", 2): "area 3.2: a chip on war is not known",
        facts.Badge("supervisor", "7"): "signed in: supervisor 7",
        facts.Shuffled(311, False): "the machine shuffled 311 cards, and they are not right",
        facts.DeviceFault("shoe", "shoe.jam", "card 3"): "shoe reports shoe.jam: card 3",
        facts.DeviceCleared("shoe", "shoe.jam"): "shoe: shoe.jam is over",
        facts.DeviceLost("shoe", "serial.lost"): "shoe is lost: serial.lost",
        facts.Noted("shuffler", "ShuffleStarted"): "shuffler: ShuffleStarted",
        facts.Serviced("shoe", "pair", "technician 7", "L-1", "2026-01-31T14:05+11:00", "reader: new", "A-3", 5): (
            "shoe: pair by technician 7, licence L-1, at 2026-01-31T14:05+11:00; reader: new; asset A-3"
        ),
        facts.HouseChanged("method", "B"): "the house sets method to B",
        facts.Tick(): "time passed",
        facts.Amend(4, None, "me"): "fact 4 is struck out (by me)",
    }
    for fact, words in examples.items():
        assert tell(fact) == words
