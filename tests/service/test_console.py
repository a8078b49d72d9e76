"""What the dealer reads on the console: why a key did nothing, what comes next in a hand of poker, what is wrong."""

from __future__ import annotations

import asyncio

from controller.service.key_lights import LATEST
from controller.sim.floor import SimFloor
from controller.sim.people import PIN, badge_of
from hw_sim.loop import run

BETS = "players place their bets: the first one opens a round"


def test_a_refused_key_is_explained_until_something_happens() -> None:
    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", "casino-war", {"seats": "2"})
        console = table.sim.device("console")
        console.do("press", "settle")
        await floor.rest()
        assert console.state()["view"]["prompts"] == [
            "[7.6.1] refused: no round is running",
            BETS,
        ]
        table.sim.device("sensor.1").do("bet", {"war": 1000})
        await floor.rest()
        assert console.state()["view"]["prompts"] == [
            "[5.2] players bet on war, tie (5 to 500); then press no-more-bets"
        ]
        await floor.close()

    run(story())


def test_the_keys_that_would_be_taken_are_lit_once_the_table_is_at_rest() -> None:
    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", "casino-war", {"seats": "2"})
        console = table.sim.device("console")

        async def lit() -> set[str]:
            await asyncio.sleep(LATEST)
            await floor.rest()
            return set(console.state()["view"]["lit"])

        assert {"no-more-bets", "settle", "exposed", "fold", "sign-out"}.isdisjoint(await lit())
        table.sim.device("sensor.1").do("bet", {"war": 1000})
        assert {"no-more-bets", "exposed", "seat"} <= await lit()
        console.do("press", "no-more-bets")
        assert {"no-more-bets", "marker"}.isdisjoint(await lit())
        console.do("badge", badge_of("supervisor"))
        await floor.rest()
        console.do("pin", PIN)
        assert {"marker", "sign-out"} <= await lit()
        await floor.close()

    run(story())


def test_what_comes_next_in_a_hand_of_poker() -> None:
    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", "pineapple", {"seats": "2"})
        read: list[str] = []

        async def do(device: str, verb: str, *args: str | int) -> None:
            table.sim.device(device).do(verb, *args)
            await floor.rest()
            read.append(" | ".join(table.sim.device("console").state()["view"]["prompts"]))

        await do("console", "press", "seat", "1-2", "stack=100")
        await do("console", "press", "act", "1", "post", "5")
        await do("console", "press", "act", "2", "post", "10")
        for n, card in enumerate(("Kh", "9c", "7d", "9d", "2s", "3s")):
            await do(f"reader.{n % 2 + 1}", "lay", card)
        await do("console", "press", "act", "1", "raise", "12")
        await do("sensor.1", "push", 500)
        await do("console", "press", "act", "2", "check")
        await do("console", "press", "discard", "1", "Kh")
        await do("console", "press", "discard", "2", "9c")
        await do("console", "press", "burn")
        assert read == [
            "the blinds of the next hand: seat 1 posts 5, seat 2 posts 10",
            "[8.9.3] seat 2 posts the blind of 10",
            "[8.16.1] deal a card to seat 1",
            "[8.16.1] deal a card to seat 2",
            "[8.16.1] deal a card to seat 1",
            "[8.16.1] deal a card to seat 2",
            "[8.16.1] deal a card to seat 1",
            "[8.16.1] deal a card to seat 2",
            "[8.17.3] seat 1 acts: fold, call 5, raise to 20 up to 100, or all-in",
            "[6.6] refused: the least raise is to 20 | "
            "[8.17.3] seat 1 acts: fold, call 5, raise to 20 up to 100, or all-in",
            "[8.17.3] seat 2 acts: fold, check, raise to 20 up to 100, or all-in | [8.2.1] seat 1: a call",
            "[9.15.1] seat 1 discards a card | "
            "[8.17.4] seat 2: discards one card | [8.17.4] seat 1: discards one card | [8.2.1] seat 1: a call",
            "[9.15.1] seat 2 discards a card | [8.17.4] seat 2: discards one card | [8.2.1] seat 1: a call",
            "[8.18.1] burn a card, and press burn | [8.2.1] seat 1: a call",
            "[8.18.1] deal a card to the board | [8.2.1] seat 1: a call",
        ]
        await floor.close()

    run(story())


def test_a_device_that_is_back_is_not_told_of_any_more() -> None:
    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", "casino-war", {"seats": "2"})
        sensor, console = table.sim.device("sensor.1"), table.sim.device("console")
        sensor.fault("unplug")
        await asyncio.sleep(2)
        assert "the bet sensor of area 1 cannot be reached" in console.state()["view"]["prompts"][1]
        sensor.clear()
        assert await table.service.all_ready()
        await floor.rest()
        assert console.state()["view"]["prompts"] == [BETS]
        await floor.close()

    run(story())
