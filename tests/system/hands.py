"""Hands of Crown Poker by lively players, as deeds at devices, and where the chips are when nothing goes wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from controller.poker.hand.choices import choices
from controller.poker.hand.course import Stage, stage
from controller.poker.room.seats import room_of
from controller.poker.state import hand_in
from controller.sim.crown_dealer import LivelyCrownDealer
from controller.sim.floor import SimFloor, SimulatedTable
from hw_sim.loop import run
from tests.system.a_round import OPTIONS, Deed

SEATS = int(OPTIONS["seats"])
CHIPS = (2500, 500, 100)


class Played(NamedTuple):
    """Each deed with the stage of the hand before it; the stakes after each hand."""

    deeds: list[Deed]
    stages: list[str]
    stakes: list[dict[str, int]]


class PushingDealer(LivelyCrownDealer):
    """Players who push chips forward instead of saying that they call."""

    async def _next_deed(self, at: Stage) -> None:
        turn = choices(self._table)
        if turn is not None and turn.amount and turn.what == "act" and self._mood.random() < 0.4:
            self._sim.device(f"sensor.{turn.seat}").do("push", *_chips(turn.amount))
            await self._rest()
        else:
            await super()._next_deed(at)


def _chips(amount: int) -> list[int]:
    pushed: list[int] = []
    for chip in CHIPS:
        pushed += [chip] * ((amount - sum(pushed)) // chip)
    return pushed


def played(game: str, hands: int, seed: int) -> Played:
    """The run that nothing disturbs, on virtual time."""
    told = Played([], [], [])

    async def story() -> None:
        floor = SimFloor(lambda *_: None)
        table = await floor.open("", game, dict(OPTIONS))
        for name, device in table.sim.devices.items():
            device.do = _noted(told, table, name, device.do)  # type: ignore[method-assign]
        dealer = PushingDealer(table.sim, table.service.engine, floor.rest, seed)
        for _ in range(hands):
            await dealer.players(range(1, SEATS + 1))
            await dealer.round([str(seat) for seat in range(1, SEATS + 1)])
            told.stakes.append(dict(room_of(table.state).stakes))
        await floor.close()

    run(story())
    return told


def _noted(told: Played, table: SimulatedTable, name: str, do: Callable[..., Any]) -> Callable[..., Any]:
    def noted(verb: str, *args: Any) -> Any:
        told.deeds.append((name, verb, args))
        told.stages.append(street(table))
        return do(verb, *args)

    return noted


def street(table: SimulatedTable) -> str:
    """What the hand waits for, and on which street."""
    r = table.state.round
    hand = hand_in(r) if r is not None and not r.outcome else None
    return stage(table.state).what + (f" {hand.street}" if hand is not None else "")


def one_of_each(told: Played, chance: random.Random) -> list[int]:
    """A deed at every stage of the hands."""
    by_stage: dict[str, list[int]] = {}
    for n, name in enumerate(told.stages):
        by_stage.setdefault(name, []).append(n)
    return sorted(chance.choice(deeds) for deeds in by_stage.values())
