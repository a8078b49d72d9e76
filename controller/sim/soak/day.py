"""One simulated day of one table: rounds, faults as planned, restarts, and the checks after every step."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NoReturn

import structlog

from controller.games import defaults
from controller.journal.errors import JournalError
from controller.places import place_of
from controller.sim.soak.checks import Checks
from controller.sim.soak.crew import Crew
from controller.sim.soak.faults import LATEST, PlannedFault, only, planned
from controller.sim.soak.meter import OneThreadLoop
from controller.sim.soak.setup import set_up
from controller.sim.soak.violation import Invariant, Violation
from controller.sim.soak.world import DEAD, World
from hw_sim.table import SimDevice

SECONDS: Final = 86_400.0
LONGEST_PAUSE: Final = 1_500.0  # seconds between two rounds
SEATS: Final = 7  # a full table
SHARED_BY_TWO: Final = (3, 6)  # areas
STARTS: Final = 30  # attempts of the service manager, the disk mended after some
PATIENCE: Final = 10.0  # seconds for all devices at the first start


@dataclass(frozen=True)
class DayPlan:
    """What happens on a day."""

    seed: int
    day: int
    game: str
    rounds: int
    every: float = 4.0  # rounds for each fault; 0: none
    until: int | None = None  # ends after so many rounds of it
    faults: tuple[int, ...] | None = None  # only these of the planned ones; None: all
    options: tuple[tuple[str, str], ...] = ()  # what the table is set to; the others are drawn

    @property
    def last(self) -> int:
        """How many rounds are played."""
        return self.rounds if self.until is None else min(self.until, self.rounds)


@dataclass
class DayResult:
    """What came of a day."""

    plan: DayPlan
    rounds: int = 0
    steps: int = 0  # facts
    lives: int = 0
    helped: int = 0
    at: int = 0  # the round that was played last, from 0
    head: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    happened: list[PlannedFault] = field(default_factory=list)
    violation: Violation | None = None
    options: dict[str, str] = field(default_factory=dict)  # which are not what they are by default


class Day:
    """A day under way."""

    def __init__(self, plan: DayPlan, directory: Path) -> None:
        self._plan = plan
        seed = f"{plan.seed}/{plan.day}"
        options = set_up(plan.game, Random(f"{seed}/options"), SEATS, dict(plan.options))
        self._world = World(seed, plan.day, plan.game, options, directory)
        self._checks = Checks(self._world)
        families = {name: device.family for name, device in self._world.sim.devices.items()}
        faults = planned(self._world.chance("faults"), plan.rounds, plan.every, families)
        self._due = only(faults, plan.faults)
        self._round, self._deed = 0, 0
        self._ending: asyncio.Task[None] | None = None  # a process that ends, and the next one that starts
        self._crew: Crew | None = None
        usual = defaults(plan.game)
        changed = {option: value for option, value in options.items() if usual.get(option) != value}
        self.result = DayResult(plan, options=changed)

    async def live(self, on_round: Callable[[int], None]) -> None:
        """Lives through the day; the result has what is wrong."""
        world = self._world
        asyncio.get_running_loop().set_exception_handler(self._bug)
        world.sim.start()
        try:
            await self._start()
            await world.running.service.all_ready(PATIENCE)
            await world.rest()
            crew = self._crew = Crew(world, self._mend, self._on_deed)
            places = players(world.table.options.typed.players_per_area)
            for number in range(self._plan.last):
                self._round, self._deed = number, 0
                await crew.round(places)
                await self._pass_time(crew)
                on_round(number + 1)
            await self._end(crew)
        except Violation as violation:
            self.result.violation = violation
        except Exception as bug:
            if world.process is None:
                raise
            # A day that cannot be told to its end is told with its seed, as any other that fails.
            self._bug(asyncio.get_running_loop(), {"message": "the day did not come to its end", "exception": bug})
            self.result.violation = self._checks.violation
        finally:
            if world.process is not None:
                self._note()
                await self._close()

    async def _pass_time(self, crew: Crew) -> None:
        """Lets the time until the next round pass; what was planned behind the last deed of this one comes now."""
        for fault in [fault for fault in self._due if fault.round <= self._round]:
            self._strike(fault)
        await asyncio.sleep(LATEST)
        await self._settled()
        await crew.besides()
        await self._settled()
        self._check()
        pause = min(LONGEST_PAUSE, SECONDS / self._plan.rounds)
        await self._world.clocks.forward(pause, self._world.rest)
        await self._settled()
        self._check()

    async def _settled(self) -> None:
        """Waits until a process that ends is followed by the next one, and what was done has arrived."""
        if self._ending is not None:
            await self._ending
        await self._world.rest()

    async def _end(self, crew: Crew) -> None:
        await crew.settle_down()
        await self._settled()
        await self._checks.end()

    def _check(self) -> None:
        if self._ending is None:
            self._checks.check()
        elif self._checks.violation is not None:
            raise self._checks.violation

    # ---- faults

    def _on_deed(self) -> None:
        """Checks the table, and begins what is to fail now: before everything that somebody does."""
        self._check()
        for fault in [
            f for f in self._due if f.round < self._round or (f.round == self._round and f.deed <= self._deed)
        ]:
            self._strike(fault)
        self._deed += 1

    def _strike(self, fault: PlannedFault) -> None:
        self._due.remove(fault)
        self.result.happened.append(fault)
        self.result.faults[fault.name] += 1
        asyncio.get_running_loop().call_later(fault.delay, self._begin, fault)

    def _begin(self, fault: PlannedFault) -> None:
        later = asyncio.get_running_loop().call_later
        world = self._world
        match fault.where:
            case "wire" | "device":
                device = world.sim.device(fault.device)
                device.fault(fault.kind, *fault.args)
                later(fault.lasting, _cleared, device)
            case "disk":
                self._disk(fault)
                later(fault.lasting, world.disk.mend)
            case "process":
                if self._ending is None:
                    self._ending = asyncio.get_running_loop().create_task(self._again(fault.kind), name="restart")
            case "store":
                if world.meter is not None:
                    world.meter.down = True
                    later(fault.lasting, self._meter_back)
            case "clock":
                world.clocks.step(float(str(fault.args[0])))
            case _:
                assert self._crew is not None
                self._crew.wishes.append(fault.kind)

    def _disk(self, fault: PlannedFault) -> None:
        disk = self._world.disk
        match fault.kind:
            case "fail":
                disk.refusals = int(str(fault.args[0]))
            case "down":
                disk.trouble = "fail"
            case "full":
                disk.trouble = "full"
            case _:
                disk.slow = min(8.0, fault.lasting)

    def _mend(self) -> None:
        """Ends every fault: somebody has come for it."""
        self._world.disk.mend()
        self._meter_back()
        for device in self._world.sim.devices.values():
            if device.faults:
                device.clear()

    def _meter_back(self) -> None:
        if self._world.meter is not None:
            self._world.meter.down = False

    # ---- the process

    async def _start(self) -> None:
        """Starts the daemon until it runs, as a service manager does it."""
        world = self._world
        for attempt in range(STARTS):
            process = None
            try:
                process = world.begin_life()
                self._checks.attach()
                await process.start()
                break
            except JournalError as error:  # a disk that fails: the service manager tries again
                if attempt == STARTS - 1:
                    raise Violation(Invariant.ALIVE, f"the daemon does not start again: {error}") from error
                if process is not None:
                    await process.kill()
            if attempt > STARTS // 2:
                world.disk.mend()
            await asyncio.sleep(DEAD)
        self._checks.started()
        if self._crew is not None:
            self._crew.restarted()

    async def _again(self, how: str) -> None:
        """Ends the process, and starts the next one."""
        process = self._world.running
        try:
            if how == "restart":
                await process.stop()
            else:
                if how == "power cut":
                    self._world.clocks.reboot()
                    for device in self._world.sim.devices.values():
                        device.fault("power")
                await process.kill()
            await asyncio.sleep(DEAD)
            await self._start()
        except Violation as violation:
            self._checks.violation = self._checks.violation or violation
        except Exception as bug:  # whatever it is, the table does not go on
            self._bug(asyncio.get_running_loop(), {"message": "the daemon does not start again", "exception": bug})
        self._ending = None

    async def _close(self) -> None:
        if self._ending is not None:
            await self._ending
        await self._world.running.kill()
        self._world.sim.stop()

    def _bug(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        bug = context.get("exception")
        what = f"{context.get('message')}: {type(bug).__name__}: {bug}"
        violation = Violation(Invariant.ALIVE, what)
        violation.__cause__ = bug if isinstance(bug, BaseException) else None
        self._checks.violation = self._checks.violation or violation

    def defect_logged(self, event: str, what: str) -> None:
        """Keeps what the log called a defect."""
        self._checks.violation = self._checks.violation or Violation(Invariant.ALIVE, f"{event}: {what}")

    def _note(self) -> None:
        result, journal = self.result, self._world.running.journal
        result.rounds, result.steps, result.lives = self._checks.rounds, self._checks.step, self._world.lives
        result.at = self._round
        result.checks.update(self._checks.counts)
        result.helped = self._crew.helped if self._crew is not None else 0
        result.head = journal.head.hash.hex()


def players(per_area: int) -> list[str]:
    """Returns who plays: somebody at every area, and a second one at some, where several may wager on one.

    >>> players(1)[-1], players(3)[-2:]
    ('7', ['3.2', '6.2'])
    """
    further = [place_of(area, 2) for area in SHARED_BY_TWO] if per_area > 1 else []
    return [*(place_of(area) for area in range(1, SEATS + 1)), *further]


def _cleared(device: SimDevice) -> None:
    if device.faults:
        device.clear()


def quick_place() -> str | None:
    """Returns where files are quickly synced: nothing of a day is to be kept, and every commit of it is synced."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def live_through(
    plan: DayPlan, on_round: Callable[[int], None] = lambda _n: None, within: str | None = None
) -> DayResult:
    """Lives through a day on a loop of its own, with its files in a directory there; returns what came of it."""
    with tempfile.TemporaryDirectory(prefix="felt-soak-", dir=within or quick_place()) as directory:

        async def day() -> DayResult:
            one = Day(plan, Path(directory))
            with _defects_noted(one.defect_logged):
                await one.live(on_round)
            return one.result

        with asyncio.Runner(loop_factory=OneThreadLoop) as runner:
            return runner.run(day())


@contextmanager
def _defects_noted(note: Callable[[str, str], None]) -> Iterator[None]:
    """Keeps the log silent, and notes what it calls a defect: of some nobody else is told, for the table goes on."""

    def note_defect(_logger: object, _name: str, event: MutableMapping[str, Any]) -> NoReturn:
        if str(event.get("event", "")).endswith(".defect"):
            note(str(event["event"]), str(event.get("what") or event.get("cause")))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[note_defect], wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    try:
        yield
    finally:
        structlog.configure(**before)
