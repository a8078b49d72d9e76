"""What a console sends while a PIN is checked keeps its order, also when something of it cannot be stored."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from controller.service.pin_gate import PinGate
from controller.table.facts import WRONG_PIN, AnyFact, SignInFailed
from drivers.supervisor import Origin
from firmware_bridge.messages import Event, KeyPressed, PinEntered

PIN = PinEntered("1234")
FOLD, CHECK = KeyPressed("fold"), KeyPressed("check")


class Checking:
    """Checks a PIN for as long as the test wants."""

    def __init__(self) -> None:
        self.checked = 0
        self.done = asyncio.Event()

    async def at_console(self, _pin: str) -> AnyFact:
        self.checked += 1
        await self.done.wait()
        return SignInFailed("7", "console", WRONG_PIN)

    def make_room(self, _fact: AnyFact) -> None:
        pass


class Console:
    """Sends events through a gate; keeps what came out, in its order, by counter."""

    def __init__(self) -> None:
        self.sign_in = Checking()
        self.gate = PinGate(cast("Any", self.sign_in), self._take, self._record)
        self.came: list[int] = []
        self.fails = 0  # the counter of an event that cannot be stored, once

    def send(self, counter: int, event: Event) -> None:
        origin = Origin("console", "C-1", 1, counter)
        if not self.gate.keeps(origin, event):
            self._take(origin, event)

    def _take(self, origin: Origin, _event: Event) -> None:
        if origin.counter == self.fails:
            self.fails = 0
            self.gate.forget("console")  # as the fleet does, before the console is greeted again
        else:
            self.came.append(origin.counter)

    def _record(self, origin: Origin, _fact: AnyFact) -> asyncio.Future[Any]:
        self.came.append(origin.counter)
        stored: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        stored.set_result(None)
        return stored


async def rest() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_follows_a_pin_waits_for_it() -> None:
    console = Console()
    for counter, event in enumerate((PIN, FOLD, CHECK), 1):
        console.send(counter, event)
    await rest()
    assert console.came == []
    console.send(2, FOLD)  # again, after a greeting
    console.sign_in.done.set()
    await rest()
    assert console.came == [1, 2, 3]


async def test_nothing_passes_by_an_event_that_could_not_be_stored() -> None:
    console = Console()
    console.fails = 2
    for counter, event in enumerate((PIN, FOLD, CHECK), 1):
        console.send(counter, event)
    console.sign_in.done.set()
    await rest()
    assert console.came == [1], "the third one waits until the second one was sent again"
    console.send(2, FOLD)
    console.send(3, CHECK)
    assert console.came == [1, 2, 3]


async def test_a_pin_that_was_forgotten_while_it_was_checked_is_checked_again_when_it_comes_again() -> None:
    console = Console()
    console.send(2, PIN)
    console.send(3, FOLD)
    await rest()
    console.gate.forget("console")  # an event before it failed
    console.send(1, CHECK)
    console.send(2, PIN)
    console.send(3, FOLD)
    console.sign_in.done.set()
    await rest()
    assert console.came == [1, 2, 3]
    assert console.sign_in.checked == 2


async def test_a_pin_that_was_forgotten_and_does_not_come_again_comes_to_nothing() -> None:
    console = Console()
    console.send(2, PIN)
    await rest()
    console.gate.forget("console")
    console.sign_in.done.set()
    await rest()
    assert console.came == [] and not console.gate.busy
