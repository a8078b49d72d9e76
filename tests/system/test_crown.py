"""Crown Poker in the real daemon: killed, unplugged and on bad wires, every hand ends as if nothing had happened."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.games import step
from controller.poker.effects import PotsPushed
from controller.poker.room.seats import room_of
from controller.sim.floor import SimFloor, SimulatedTable
from controller.table import facts
from controller.table.facts import AnyFact, CardRead, Key, Pushed
from controller.table.state import Table
from hw_sim.control import ControlClient
from hw_sim.loop import run
from tests.firmware_bridge.listener import nothing_leaks
from tests.searches import times
from tests.system.a_round import OPTIONS, POKER_DEEDS, POKER_STAKES, Deed
from tests.system.bench import QUICK, bench
from tests.system.hands import Played, one_of_each, played
from tests.system.on_disk import cards_key, journal_in
from tests.system.test_kill import Victim, answers, process, wait_until
from tests.system.test_kill import tell as tell_and_kill
from tests.system.test_thousand_rounds import tell

GAME = "crazy-pineapple"  # it has everything: three cards, a discard, all streets
HANDS, SEED, KILLS = 3, 3, 40
CALM = replace(QUICK, silent=0.75, hello_deadline=0.75)
WIRES = {
    "reader.1": "pty",
    "reader.2": "usb",
    "reader.3": "can",
    "reader.board": "tcp",
    "sensor.1": "slcan",
    "sensor.2": "pty",
    "console": "tcp",
}
DEVICES = ("reader.1", "reader.3", "reader.board", "sensor.2", "console", "lamps")

few = cache(lambda: played(GAME, HANDS, SEED))


def happened(fact: AnyFact) -> bool:
    return isinstance(fact, CardRead | Key | Pushed)


# ---- killed


def configuration(home: Path) -> Path:
    families = {"console": "console", "lamps": "lamps"}
    families |= {f"sensor.{seat}": "bet-sensor" for seat in range(1, int(OPTIONS["seats"]) + 1)}
    families |= {f"reader.{seat}": "reader" for seat in (*range(1, int(OPTIONS["seats"]) + 1), "board")}
    lines = ["[table]", 'name = "T1"', f'game = "{GAME}"', f'state = "{home / "state"}"', "[options]"]
    lines += [f'{name} = "{value}"' for name, value in OPTIONS.items()]
    lines += [*cards_key(home), "[api]", f'socket = "{home / "api.sock"}"']
    for name, family in families.items():
        lines += [f'[device."{name}"]', f'family = "{family}"', f'address = "serial://{home / "dev" / name}"']
        lines.append("sealed = false")
        lines += [f"area = {name[-1]}"] if name[-1].isdigit() else []
    path = home / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    (home / "state").mkdir()
    return path


def journalled(home: Path) -> tuple[list[dict[str, int]], int]:
    """The stakes after every hand, and how much happened, as the journal tells it."""
    journal = journal_in(home)
    table, stakes, count = Table(), [], 0
    for record in journal:
        fact = facts.decode(record.payload)
        count += happened(fact)
        table, effects = step(table, record.seq, record.at_us, fact)
        if any(isinstance(effect, PotsPushed) for effect in effects):
            stakes.append(dict(room_of(table).stakes))
    journal.close()
    return stakes, count


def test_kills_in_running_hands_change_no_stack(tmp_path: Path) -> None:
    told = few()
    chance = random.Random(20260101)
    killed = set(chance.sample(range(len(told.deeds)), KILLS))
    serve = ("-m", "hw_sim", "serve", "--directory", str(tmp_path / "dev"), "--seats", OPTIONS["seats"])
    with (
        process(*serve, "--dealing", "readers", "--until-stdin-closes") as sim,
        Victim(configuration(tmp_path), tmp_path / "log") as victim,
    ):
        assert sim.stdout is not None and sim.stdout.readline()
        with ControlClient(tmp_path / "dev" / "control.sock") as devices:
            for n, deed in enumerate(told.deeds):
                tell_and_kill(devices, victim, deed, chance, n in killed)
        assert victim.kills == KILLS
        wait_until(lambda: answers(tmp_path / "api.sock"))
        victim.stop()
    assert journalled(tmp_path) == (told.stakes, len(told.deeds))


# ---- unplugged


class Watched:
    """A table on which the same hands are played again."""

    def __init__(self, floor: SimFloor, table: SimulatedTable, heard: list[AnyFact]) -> None:
        self.floor, self.table, self.heard = floor, table, heard

    async def do(self, deed: Deed) -> None:
        name, verb, args = deed
        self.table.sim.device(name).do(verb, *args)
        await self.floor.rest()

    async def unplug(self, name: str) -> None:
        self.table.sim.device(name).fault("unplug")
        await asyncio.sleep(1)
        assert name in self.table.state.faults

    async def back(self, name: str) -> None:
        self.table.sim.device(name).clear()
        assert await self.table.service.all_ready()
        await self.floor.rest()

    def check(self, told: Played) -> None:
        state = self.table.state
        assert room_of(state).stakes == told.stakes[-1]
        assert sum(map(happened, self.heard)) == len(told.deeds)
        assert not state.faults


async def watched(game: str = GAME) -> Watched:
    heard: list[AnyFact] = []
    floor = SimFloor(lambda table, seq, fact, state, effects: heard.append(fact))
    return Watched(floor, await floor.open("", game, dict(OPTIONS)), heard)


@pytest.mark.parametrize("device", DEVICES)
def test_unplugged_at_every_stage_of_a_hand(device: str) -> None:
    told = few()
    moments = one_of_each(told, random.Random(device))
    assert {"deal -1", "act 0", "discard 1", "board 1", "act 3", "over 4"} <= {told.stages[n] for n in moments}

    async def scenario() -> None:
        again = await watched()
        for n, deed in enumerate(told.deeds):
            if n in moments:
                await again.unplug(device)
            await again.do(deed)
            if n in moments:
                await again.back(device)
        again.check(told)
        await again.floor.close()

    run(scenario())


@pytest.mark.parametrize("device", DEVICES)
def test_pulled_out_while_the_deed_is_on_the_wire(device: str) -> None:
    told = few()
    moments = one_of_each(told, random.Random(f"{device} again"))

    async def scenario() -> None:
        again = await watched()
        for n, (name, verb, args) in enumerate(told.deeds):
            again.table.sim.device(name).do(verb, *args)
            if n in moments:
                for _ in range(n % 4):  # some callbacks later: before, within and after the acknowledgement
                    await asyncio.sleep(0)
                again.table.sim.device(device).fault("unplug")
                await asyncio.sleep(0.02)
                await again.back(device)
            await again.floor.rest()
        again.check(told)
        await again.floor.close()

    run(scenario())


@pytest.mark.parametrize(
    ("device", "stage"),
    [("reader.1", "deal"), ("reader.2", "deal"), ("reader.board", "board"), ("console", "act"), ("lamps", "deal")],
)
def test_unplugged_for_a_whole_stage(device: str, stage: str) -> None:
    """A seat's cards are heard of after those of all others, the flop at once, the acts of a street when it is over."""
    told = few()
    stages = [name.startswith(stage) for name in told.stages]

    async def scenario() -> None:
        again = await watched()
        for n, deed in enumerate(told.deeds):
            # chips that a sensor reports at once would overtake the acts that the console still keeps
            mine = stages[n] and not (device == "console" and deed[0].startswith("sensor"))
            if mine and device not in again.table.state.faults:
                await again.unplug(device)
            elif not mine and device in again.table.state.faults:
                await again.back(device)
            await again.do(deed)
        again.check(told)
        await again.floor.close()

    run(scenario())


@pytest.mark.parametrize(("chips", "keyed"), [((2500, 500), True), ((10_000,), True), ((2500, 500), False)])
def test_chips_of_a_sensor_that_was_cut_off_count_once(chips: tuple[int, ...], keyed: bool) -> None:
    """The dealer keys what the sensor cannot tell; when it is back it tells it all the same."""

    async def scenario() -> None:
        again = await watched("holdem")
        for deed in POKER_DEEDS[:9]:
            await again.do(deed)
        await again.unplug("sensor.3")
        await again.do(("sensor.3", "push", chips))
        if keyed:
            await again.do(("console", "press", ("act", "3", "raise", "30")))
            await again.do(("console", "press", ("act", "1", "fold")))
        await again.back("sensor.3")
        prompts = [prompt.text for prompt in again.table.state.prompts]
        assert any("does not count again" in text for text in prompts) == keyed
        if not keyed:
            await again.do(("console", "press", ("act", "1", "fold")))
        for deed in POKER_DEEDS[11:]:
            await again.do(deed)
        assert room_of(again.table.state).stakes == POKER_STAKES
        await again.floor.close()

    run(scenario())


# ---- bad wires


@pytest.mark.parametrize(("wires", "hands"), [("memory", times(50)), ("mixed", times(16))])
def test_many_hands_on_bad_wires(wires: str, hands: int, tmp_path: Path) -> None:
    """On virtual time very many, on wires of all kinds as many as a busy machine can bear."""
    told = played("holdem", hands, SEED)
    chance = random.Random(SEED)

    async def story() -> None:
        # With so many devices a busy machine may be late: only who is silent for long is lost.
        async with bench("memory", tmp_path, "readers", WIRES if wires == "mixed" else {}, timing=CALM) as table:
            for deed in told.deeds:
                await tell(table, deed, chance, WIRES)
            state = table.service.engine.table
            assert state.number == hands
            assert room_of(state).stakes == told.stakes[-1]
            assert len(table.happened) == len(told.deeds)
            assert not state.faults

    with nothing_leaks():
        run(story()) if wires == "memory" else asyncio.run(story())
