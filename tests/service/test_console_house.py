"""What the dealer reads on the console at every phase of a round of each house game: what is due, and never a card."""

from __future__ import annotations

import re

import pytest

from controller.sim.floor import SimFloor
from hw_sim.loop import run

BETS = "players place their bets: the first one opens a round"

ROUNDS: dict[str, list[tuple[str, list[str]]]] = {  # what happens, and what the console says then
    "casino-war": [
        ("bet 1 war 10", ["[5.2] players bet on war, tie (5 to 500); then press no-more-bets"]),
        ("bet 2 war 10", ["[5.2] players bet on war, tie (5 to 500); then press no-more-bets"]),
        ("bet 2 tie 5", ["[5.2] players bet on war, tie (5 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[7.3.1] deal a card to area 1, then to 2, the dealer"]),
        ("draw 9h", ["[7.3.1] deal a card to area 2, then to the dealer"]),
        ("draw 9d", ["[7.3.1] deal a card to the dealer"]),
        (
            "draw 9c",
            [
                "[5.6] area 1 decides: 10 on go-to-war, or press surrender 1",
                "[5.6] area 2 decides: 10 on go-to-war, or press surrender 2",
                "[5.9] settle 1 wager: take and pay, and press settle",
            ],
        ),
        (
            "key settle",
            [
                "[5.6] area 1 decides: 10 on go-to-war, or press surrender 1",
                "[5.6] area 2 decides: 10 on go-to-war, or press surrender 2",
            ],
        ),
        ("bet 1 go-to-war 10", ["[5.6] area 2 decides: 10 on go-to-war, or press surrender 2"]),
        ("key surrender 2", ["[5.6] settle 1 wager: take and pay, and press settle"]),
        ("key settle", ["[7.5.1] deal a card to area 1, then to the dealer"]),
        ("draw Kh", ["[7.5.1] deal a card to the dealer"]),
        ("draw Qd", ["[7.6.1] settle 2 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "three-card-poker": [
        ("bet 1 ante 10", ["[5.5] players bet on ante, pair-plus (5 to 500); then press no-more-bets"]),
        ("bet 2 ante+pair-plus 10", ["[5.5] players bet on ante, pair-plus (5 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[7.3] deal a card to area 1, then to 2, the dealer"]),
        ("draw Kh 9d Qs 5d 9c 3d 2c 2h", ["[7.3] deal a card to the dealer"]),
        (
            "draw 7s",
            [
                "[7.5.2] area 1 decides: 10 on play, or press fold 1",
                "[7.5.2] area 2 decides: 10 on play, or press fold 2 or fold 2 ante",
            ],
        ),
        (
            "key settle",
            [
                "[7.5.2] refused: nothing can be settled now: area 1 decides: 10 on play, or press fold 1; "
                "area 2 decides: 10 on play, or press fold 2 or fold 2 ante",
                "[7.5.2] area 1 decides: 10 on play, or press fold 1",
                "[7.5.2] area 2 decides: 10 on play, or press fold 2 or fold 2 ante",
            ],
        ),
        ("bet 1 play 10", ["[7.5.2] area 2 decides: 10 on play, or press fold 2 or fold 2 ante"]),
        ("key fold 2 ante", ["[5.10] settle 4 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "caribbean-stud": [
        ("bet 1 ante 10", ["[8.4.1(a)] players bet on ante (10 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[8.5.3] deal a card to area 1, then to the dealer"]),
        ("draw 9h As Td Kd Jc 3s Qs 4s Kh", ["[8.5.3] deal a card to the dealer"]),
        ("draw Ac", ["[8.4.1(b)] area 1 decides: 20 on bet, or press fold 1"]),
        ("bet 1 bet 20", ["[8.6.1] settle 2 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "mississippi-stud": [
        ("bet 1 ante 10", ["[9.4.1] players bet on ante (10 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[9.6(a)(i)] deal a card to area 1"]),
        (
            "draw Kh Kd",
            [
                "[9.4.2] area 1 decides: 10 or 20 or 30 on third, or press fold 1",
                "[9.6(a)(i)] deal 3 cards to the board",
            ],
        ),
        ("draw 2c 3c 4c", ["[9.4.2] area 1 decides: 10 or 20 or 30 on third, or press fold 1"]),
        ("bet 1 third 30", ["[9.4.2] area 1 decides: 10 or 20 or 30 on fourth, or press fold 1"]),
        ("bet 1 fourth 10", ["[9.4.2] area 1 decides: 10 or 20 or 30 on fifth, or press fold 1"]),
        ("bet 1 fifth 10", ["[9.7.1] settle 4 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "ultimate-texas-holdem-nsw": [
        ("bet 1 ante+blind 10", ["[10.4.1] players bet on ante, blind, trips (10 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[10.5.3(b)] deal a card to area 1, then to the dealer"]),
        ("draw Ah 2c 9h", ["[10.5.3(b)] deal a card to the dealer"]),
        ("draw 2s", ["[10.5.4(a)] area 1 decides: 30 or 40 on play, or press check 1"]),
        ("key check 1", ["[10.5.5] deal the flop: 3 cards to the board"]),
        ("draw 4h 6h Jh", ["[10.5.6(a)] area 1 decides: 20 on play, or press check 1"]),
        ("key check 1", ["[10.5.7] deal the turn and the river: 2 cards to the board"]),
        ("draw 3c 8c", ["[10.5.8(a)] area 1 decides: 10 on play, or press fold 1"]),
        ("bet 1 play 10", ["[10.6] settle 3 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "ultimate-texas-holdem-vic": [
        ("bet 1 ante+blind 10", ["[12.4.1] players bet on ante, blind, trips (5 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[12.5.1] deal a card to area 1, then to the dealer"]),
        ("draw Ah 2c 9h 2s", ["[12.5.2(a)] area 1 decides: 30 or 40 on play, or press check 1"]),
        ("key check 1", ["[12.5.3] deal the flop: 3 cards to the board"]),
        ("draw 4h 6h Jh", ["[12.5.4(a)] area 1 decides: 20 on play, or press check 1"]),
        ("key check 1", ["[12.5.5] deal the turn: 1 card to the board"]),
        ("draw 3c", ["[12.5.5] deal the river: 1 card to the board"]),
        ("draw 8c", ["[12.5.6(a)] area 1 decides: 10 on play, or press fold 1"]),
        ("bet 1 play 10", ["[12.6] settle 3 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
    "wsop-bonus-holdem": [
        ("bet 1 ante 10", ["[5.4] players bet on ante (5 to 500); then press no-more-bets"]),
        ("key no-more-bets", ["[7.3.1] deal a card to area 1"]),
        ("draw Kh 9d", ["[7.4.3] area 1 decides: 20 on flop, or press fold 1"]),
        ("bet 1 flop 20", ["[7.4.4] deal the flop: 3 cards to the board"]),
        ("draw 2c 3c 4c", ["[7.4.5(a)] area 1 decides: 10 on turn, or press check 1"]),
        ("key check 1", ["[7.4.6] deal the turn: 1 card to the board"]),
        ("draw Jd", ["[7.4.7(a)] area 1 decides: 10 on river, or press check 1"]),
        ("bet 1 river 10", ["[7.4.8] deal the river: 1 card to the board"]),
        ("draw Jh As", ["[7.4.9] deal a card to the dealer"]),
        ("draw Ad", ["[8.1] settle 3 wagers: take and pay, and press settle"]),
        ("key settle", [BETS]),
    ],
}


class Console:
    """A simulated table, and what its console shows."""

    def __init__(self, floor: SimFloor) -> None:
        self.floor = floor

    async def open(self, game: str, **options: str) -> None:
        self.table = await self.floor.open("", game, {"seats": "7", **options})
        await self.floor.rest()

    @property
    def lines(self) -> list[str]:
        return list(self.table.sim.device("console").state()["view"]["prompts"])

    async def do(self, deed: str) -> None:
        verb, *words = deed.split()
        if verb == "bet":
            area, spots, amount = words
            self.table.sim.device(f"sensor.{area}").do("bet", dict.fromkeys(spots.split("+"), int(amount) * 100))
        elif verb == "key":
            self.table.sim.device("console").do("press", *words)
        for card in words if verb == "draw" else ():
            self.table.sim.cards_from.do("draw", card)
            await self.floor.rest()
        await self.floor.rest()


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_every_phase_of_a_round(game: str) -> None:
    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open(game)
        assert console.lines == [BETS]
        for deed, said in ROUNDS[game]:
            await console.do(deed)
            assert (deed, console.lines) == (deed, said)
            assert not any(re.search(r"\b[2-9TJQKA][shdc]\b", line) for line in console.lines)
        await console.floor.close()

    run(story())


def test_the_cards_before_the_deal_are_asked_for_with_their_keys() -> None:
    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("casino-war", gates="manual")
        assert console.lines[0] == "[3.2] the cards were not checked: check them, and press checked"
        said = []
        for deed in ("bet 2 war 10", "key checked", "key shuffled", "key cut 60", "key no-more-bets"):
            await console.do(deed)
            said.append(console.lines)
        bets = "[5.2] players bet on war, tie (5 to 500); then press no-more-bets"
        assert said == [
            [bets, "[3.2] the cards were not checked: check them, and press checked"],
            [bets, "[4.1.1(a)] a shuffle is due: shuffle, and press shuffled"],
            [bets, "[4.2.1] the cards were not cut: area 2 cuts, then press cut"],
            [bets],
            ["[7.3.1] deal a card to area 2, then to the dealer"],
        ]
        await console.floor.close()

    run(story())


def test_chips_that_are_no_wager_are_told_until_they_are_off() -> None:
    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("casino-war")
        for deed in ("bet 1 war 10", "bet 2 war 10", "key no-more-bets", "draw 9h", "bet 2 war 30"):
            await console.do(deed)
        late = "[5.4] area 2: chips refused: betting is closed: hand the chips back"
        assert console.lines[0] == late
        await console.do("draw 9d")
        assert console.lines[0] == late  # the chips still lie there
        await console.do("bet 2 war 10")
        assert not any("chips refused" in line for line in console.lines)
        await console.do("draw 9c")
        await console.do("bet 1 go-to-war 5")
        assert console.lines[0] == "[5.6] area 1: chips refused: the wager must be 10, not 5"
        await console.do("bet 1 go-to-war 10")
        assert console.lines == ["[5.6] area 2 decides: 10 on go-to-war, or press surrender 2"]
        await console.floor.close()

    run(story())


def test_chips_that_count_after_all_are_not_called_refused() -> None:
    """002 13.8: what lies there when play has gone on."""

    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("ultimate-texas-holdem-nsw")
        for deed in ("bet 1 ante+blind 10", "key no-more-bets", "draw 9h As Td Kd Jc 3s 2c", "bet 1 play 20"):
            await console.do(deed)
        assert console.lines[0].startswith("[10.5.4(a)] area 1: chips refused: the wager must be 30 or 40, not 20")
        await console.do("bet 1 play 40")
        assert console.lines[0].startswith("[10.5.6(a)] area 1: chips refused: ")
        await console.do("draw 4h 5d 6s 7s")
        assert "settle 3 wagers" in console.lines[0]  # the Play wager is one of them
        assert not any("chips refused" in line for line in console.lines)
        await console.floor.close()

    run(story())


def test_why_a_key_did_nothing_and_why_a_card_waits_is_told_no_longer_than_it_is_so() -> None:
    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("casino-war")
        for deed in ("bet 1 war 10", "key no-more-bets", "draw 9h 9c 2c"):
            await console.do(deed)
        early = "[9.8] a card is out before everybody has decided: the round goes on, and they still decide"
        assert early in console.lines
        await console.do("key burn 1")
        assert "[7.3.1] this game does not ask for that" in console.lines
        await console.do("bet 1 go-to-war 10")
        assert console.lines == ["[7.5.1] deal a card to the dealer"]
        await console.floor.close()

    run(story())


def test_the_burn_comes_before_the_bets() -> None:
    """004 4.3.2: bets are called when the burn card is out."""

    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("casino-war", burn="on")
        assert console.lines == ["[4.3.2] burn a card, then call for bets"]
        await console.do("draw 4d")
        assert console.lines == [BETS]
        await console.floor.close()

    run(story())


def test_a_question_is_due_until_it_is_answered_and_all_fits_into_one_message() -> None:
    async def story() -> None:
        console = Console(SimFloor(lambda *_: None))
        await console.open("three-card-poker", announce="key")
        for area in range(1, 8):
            await console.do(f"bet {area} ante+pair-plus 10")
        await console.do("key no-more-bets")
        await console.do("draw " + " ".join(rank + suit for suit in "shd" for rank in "23456789"))
        assert console.lines[0] == "[7.5.2] area 1 decides: 10 on play, or press fold 1 or fold 1 ante"
        assert console.lines[4:] == ["[7.5.2] then 5, 6, 7 decide"]
        await console.do("key announced")
        await console.do("key short 2")
        assert console.lines[0].startswith("[9.5] the supervisor answers about area 2:")
        assert "press count" in console.lines[0]
        await console.do("key settle")
        assert console.lines[0].startswith("[9.5] refused: ")
        await console.do("key count 52")
        offers = [line for line in console.lines if "may take the wagers back" in line]
        assert offers[0] == "[9.5.2] area 1 may take the wagers back: press keep 1 or retract 1"
        assert sum(len(line.encode()) + 3 for line in console.lines) <= 900
        await console.floor.close()

    run(story())
