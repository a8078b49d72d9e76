"""A poker table through the API: the hand in progress, and corrections of what was misread or entered wrongly."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.api.shapes import StatusShown
from controller.cli.demo import dealt_table, demo_config
from controller.cli.status import _text
from controller.errors import FeltError
from controller.games import find
from controller.money import cents
from controller.poker.state import hand_in, room_in
from controller.sim.crown_dealer import LivelyCrownDealer
from controller.sim.floor import SimFloor as Hall
from controller.sim.floor import SimulatedTable
from controller.table.facts import AnyFact, Key
from controller.table.state import Table
from controller.views.poker import room
from controller.views.words import waiting
from hw_sim.loop import run
from tests.api.conftest import Floor

HOLE = {"1": "Kh 7d", "2": "9c 9d", "3": "As Ad"}


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with dealt_table(demo_config(tmp_path, game="holdem")) as (daemon, sim, _):
        yield Floor(daemon, sim)


async def dealt(floor: Floor) -> None:
    """Three players, the blinds, two cards each."""
    await floor.press("seat", "1-3", "stack=500")
    await floor.press("act", "1", "post", "5")
    await floor.press("act", "2", "post", "10")
    for n in range(2):
        for seat, cards in HOLE.items():
            await floor.do(f"reader.{seat}", "lay", cards.split()[n])


async def board(floor: Floor, *cards: str) -> int:
    await floor.press("burn")
    for card in cards:
        await floor.do("reader.board", "lay", card)
    return floor.engine.seq


async def wish(floor: Floor, seq: int, to: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    answer = await floor.post("/correct", {"seq": seq, "to": to, "by": "supervisor 7", **more})
    changes: dict[str, Any] = answer["changes"]
    return changes


# ---- the hand in progress


async def test_whose_turn_it_is_and_what_is_legal(floor: Floor) -> None:
    await dealt(floor)
    await floor.press("act", "3", "raise", "30")
    room = (await floor.get("/status"))["room"]
    assert (room["button"], room["list"], room["slide"]) == ("3", [], "0.00")
    assert room["hand"] == {
        "street": "before the flop",
        "board": [],
        "pot": "45.00",
        "pots": [],
        "turn": {
            "seat": "1",
            "what": "act",
            "offers": ["fold", "call", "raise", "all-in"],
            "amount": "25.00",
            "raise": {"least": "50.00", "most": "500.00"},
        },
    }
    assert room["seats"]["3"] == {
        "player": "S3",
        "stack": "470.00",
        "bet": "30.00",
        "state": "in",
        "cards": ["??", "??"],
        "buttons": [],
        "owes": "",
    }


async def test_the_status_for_people(floor: Floor) -> None:
    await dealt(floor)
    await floor.press("seat", "4", "stack=100", "player=Max")
    await floor.press("absent", "4")
    await floor.press("act", "3", "all-in")
    await floor.press("act", "1", "fold")
    lines = list(_text(msgspec.convert(await floor.get("/status"), StatusShown)))
    assert lines[1] == "  due         seat 2 acts: fold, call 490, or all-in for 500 (8.17.3)"
    assert lines[2:7] == [
        "  hand        before the flop; pot 515.00",
        "  seat 1      495.00 behind, 5.00 in front, folded",
        "> seat 2      490.00 behind, 10.00 in front, 2 cards",
        "  seat 3      0.00 behind, 500.00 in front, all-in, 2 cards, dealer button",
        "  seat 4      Max, 100.00 behind, no cards, absent, owes the large blind (8.10)",
    ]
    await floor.press("act", "2", "call")
    await board(floor, "2c", "5h", "Jd")
    lines = list(_text(msgspec.convert(await floor.get("/status"), StatusShown)))
    assert "  due         burn a card, and press burn (8.19.1)" in lines
    assert "  hand        flop 2c 5h Jd; pot 1005.00" in lines


async def test_nobody_hears_of_a_hole_card(floor: Floor) -> None:
    await dealt(floor)
    await board(floor)
    told = json.dumps([await floor.get("/status"), await floor.get("/journal/tail")])
    assert not any(re.search(rf"\b{card}\b", told) for cards in HOLE.values() for card in cards.split())


async def test_side_pots(floor: Floor) -> None:
    await floor.press("seat", "1", "stack=50")
    await floor.press("seat", "2-3", "stack=500")
    await floor.press("act", "1", "post", "5")
    await floor.press("act", "2", "post", "10")
    for n in range(2):
        for seat, cards in HOLE.items():
            await floor.do(f"reader.{seat}", "lay", cards.split()[n])
    await floor.press("act", "3", "raise", "80")
    await floor.press("act", "1", "all-in")
    await floor.press("act", "2", "call")
    status = await floor.get("/status")
    assert [pot["amount"] for pot in status["room"]["hand"]["pots"]] == ["150.00", "60.00"]
    lines = _text(msgspec.convert(status, StatusShown))
    assert "  hand        before the flop; pot 210.00, main 150.00 (1 2 3), side 60.00 (2 3)" in lines


@pytest.mark.parametrize(
    ("game", "limit"), [("crazy-pineapple-hi-lo", "no-limit"), ("omaha", "pot"), ("holdem", "fixed")]
)
def test_whatever_happens_every_chip_is_somewhere(game: str, limit: str) -> None:
    """After each fact of lively hands: behind the seats, in the pot, on the slide or dropped."""
    sums: list[int] = []
    bought: list[int] = []

    def told(_table: SimulatedTable, _seq: int, fact: AnyFact, state: Table, _effects: object) -> None:
        bought.append(cents(fact.args[1].partition("=")[2]) if isinstance(fact, Key) and fact.key == "seat" else 0)
        seen = room(state, find(state.game))
        assert all(wait.text for wait in waiting(state, find(game)))
        pot = cents(seen["hand"]["pot"]) - cents(seen["slide"]) if seen["hand"] is not None else 0
        behind = sum(cents(seat["stack"]) for seat in seen["seats"].values())
        sums.append(behind + pot + cents(seen["slide"]) + cents(seen["dropped"]))

    async def hands() -> None:
        floor = Hall(told)
        table = await floor.open("", game, {"limit": limit, "rake": "5%", "seats": "4"})
        dealer = LivelyCrownDealer(table.sim, table.service.engine, floor.rest, seed=4)
        for _ in range(12):
            await dealer.players(range(1, 5))
            await dealer.round([*"1234"])
        await floor.close()

    run(hands())
    assert sums == list(accumulate(bought))


# ---- corrections


async def test_a_hole_card_that_was_misread(floor: Floor) -> None:
    await dealt(floor)
    misread = floor.engine.seq - 1  # the second card of seat 2
    to = {"fact": "read", "reader": "2", "card": "Ac"}
    assert await wish(floor, misread, to, preview=True) == {}  # nobody is told what changes in a hand
    assert await wish(floor, misread, to) == {}
    hand = hand_in(floor.engine.table.round) if floor.engine.table.round is not None else None
    assert hand is not None and hand.cards["2"] == ["9c", "Ac"]
    [fact] = (await floor.get("/journal/tail", n=1))["facts"]
    assert fact["text"].startswith(f"fact {misread} is corrected to: seat 2: a card (by supervisor 7, account ")


async def test_an_act_that_was_entered_wrongly(floor: Floor) -> None:
    await dealt(floor)
    act = await floor.press("act", "3", "raise", "300")
    right = {"fact": "key", "key": "act", "args": ["3", "raise", "30"]}
    changes = await wish(floor, act, right, preview=True)
    assert changes["stacks"]["before"]["3"] == "200.00" and changes["stacks"]["after"]["3"] == "470.00"
    assert changes["pot"] == {"before": "315.00", "after": "45.00"}
    assert floor.engine.seq == act
    assert await wish(floor, act, right) == changes
    assert (await floor.get("/status"))["room"]["seats"]["3"]["bet"] == "30.00"


async def test_chips_that_were_counted_wrongly(floor: Floor) -> None:
    await dealt(floor)
    chips = await floor.do("sensor.3", "push", 2500, 2500)
    changes = await wish(floor, chips, {"fact": "pushed", "area": 3, "chips": [2500, 500]})
    assert changes["stacks"]["after"]["3"] == "470.00"
    await floor.press("act", "1", "fold")
    await floor.press("act", "2", "fold")
    await floor.press("settle")
    room = room_in(floor.engine.table)
    assert room is not None and room.stakes == {"1": 49_500, "2": 49_000, "3": 51_500}


async def test_acts_that_a_correction_makes_impossible_are_named(floor: Floor) -> None:
    await dealt(floor)
    act = await floor.press("act", "3", "call")
    await floor.press("act", "1", "call")
    check = await floor.press("act", "2", "check")
    raised = {"fact": "key", "key": "act", "args": ["3", "raise", "30"]}
    changes = await wish(floor, act, raised, preview=True)
    assert changes["refused"] == [{"seq": check, "text": "key act 2 check"}]
    assert changes["waiting"]["after"] == ["seat 2 acts: fold, call 20, raise to 50 up to 500, or all-in"]


async def test_what_cannot_be_corrected(floor: Floor) -> None:
    await dealt(floor)
    card, act = floor.engine.seq, await floor.press("act", "3", "raise", "30")
    for seq, to, code in (
        (card, {"fact": "read", "reader": "3", "card": "Zz"}, "correct.unfit"),
        (card, {"fact": "read", "reader": "9", "card": "Kc"}, "correct.unfit"),
        (act, {"fact": "read", "reader": "3", "card": "Kc"}, "correct.unfit"),
        (act, {"fact": "pushed", "area": 3, "chips": []}, "correct.unfit"),
        (act, {"fact": "key", "key": "act", "args": ["3", "raise", "lots"]}, "correct.refused"),
        (act, {"fact": "key", "key": "act", "args": ["3"]}, "correct.refused"),
        (act, {"fact": "key", "key": "act", "args": ["3", "raise", "12"]}, "correct.refused"),
    ):
        with pytest.raises(FeltError) as caught:
            await wish(floor, seq, to)
        assert caught.value.code == code
    assert floor.engine.seq == act


async def test_nobody_finds_out_cards_by_correcting_a_discard(tmp_path: Path) -> None:
    async with dealt_table(demo_config(tmp_path, game="pineapple")) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        await floor.press("seat", "1-2", "stack=500")
        await floor.press("act", "1", "post", "5")
        await floor.press("act", "2", "post", "10")
        for n, card in enumerate(("Kh", "9c", "7d", "9d", "2s", "3s")):
            await floor.do(f"reader.{n % 2 + 1}", "lay", card)
        await floor.press("act", "1", "call")
        await floor.press("act", "2", "check")
        wrong = await floor.press("discard", "1", "Kh")
        guess = {"fact": "key", "key": "discard", "args": ["1", "Ac"]}
        with pytest.raises(FeltError) as caught:
            await wish(floor, wrong, guess, preview=True)
        assert (caught.value.code, floor.engine.seq) == ("correct.unfit", wrong)
        with pytest.raises(FeltError) as caught:
            await wish(floor, wrong, guess)
        assert (caught.value.code, floor.engine.seq) == ("correct.refused", wrong + 1)  # with a name
        await wish(floor, wrong, {"fact": "key", "key": "discard", "args": ["1", "7d"]})
        hand = hand_in(daemon.service.engine.table.round) if daemon.service.engine.table.round is not None else None
        assert hand is not None and hand.cards["1"] == ["Kh", "2s"]
