"""A table that deals itself, in real time: the real daemon with its journal and API, on simulated devices."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.cli.demo_show import AFTER_ROUND, SHOWN, Show
from controller.cli.demo_telling import DemoTelling, Say
from controller.config import TableConfig
from controller.config.wiring import SIMULATED
from controller.daemon.compose import Daemon, running
from controller.errors import FeltError
from controller.games import find, laid_on_readers
from controller.journal.verify import verify
from controller.places import family_and_place
from controller.sim.addresses import schemes, simulated_table
from controller.sim.clocks import SIMULATED_CLOCKS
from controller.sim.dealers import dealers
from controller.sim.people import simulated_people
from controller.web.server import Extension
from hw_sim.table import SimTable

SEATS = 5
PATIENCE = 5.0  # seconds for the devices to take in one deed


@dataclass(frozen=True)
class DealPlan:
    """How many rounds are dealt, how fast, and with which seed."""

    rounds: int | None = None  # None: until somebody stops it
    seed: int = 0
    speed: float = 0.0  # rounds a second; 0: as fast as it goes
    pace: float = 0.0  # seconds for each thing that the dealer does: people shall follow it
    serve: bool = False  # stay up when the rounds are over


def demo_config(
    directory: Path, state: Path | None = None, game: str = "casino-war", listen: str = "127.0.0.1:0"
) -> TableConfig:
    """Returns a table with a simulated device at every place; its socket is in `directory`."""
    areas = range(1, SEATS + 1)
    families = {"console": "console", "lamps": "lamps"} | {f"sensor.{area}": "bet-sensor" for area in areas}
    if laid_on_readers(find(game)):
        families |= {f"reader.{place}": "reader" for place in (*areas, "board")}
    else:
        families["shoe"] = "shoe"
    devices: dict[str, dict[str, object]] = {}
    for name, family in families.items():
        _, place = family_and_place(name)
        devices[name] = {"family": family, "address": f"{SIMULATED}://{name}"}
        devices[name] |= {"area": int(place)} if place.isdigit() else {}
    return TableConfig.model_validate(
        {
            "table": {"name": "demo", "game": game, "state": str((state or directory).absolute())},
            "options": {"seats": str(SEATS)},
            "device": devices,
            "api": {"socket": str(directory / "feltd.sock")},
            "web": {"listen": listen},
        }
    )


NextConfig = Callable[[str, str], TableConfig]  # for a game, with its pages at an address


async def demo(config: TableConfig, plan: DealPlan, telling: DemoTelling, another: NextConfig | None = None) -> bool:
    """Deals the rounds, tells of them, and checks the journal at the end; False when that is not sound.

    `another` gives the table of another game, if visitors want one.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    telling.say = _until_nobody_listens(telling.say, stop)
    show, dealt = Show(plan.pace, SHOWN if another is not None else ()), 0
    while True:
        async with dealt_table(config, show.extension()) as (daemon, sim, control):
            telling.begin(config, daemon, control)
            daemon.service.engine.listeners.append(telling.follow)
            dealt += await deal(daemon, sim, plan, stop, show, dealt)
            if another is None or not show.next_game or stop.is_set():
                show.plays = False
                return await _end(daemon, plan, stop, telling, dealt)
        config = another(show.next_game, daemon.pages.removeprefix("http://"))


async def _end(daemon: Daemon, plan: DealPlan, stop: asyncio.Event, telling: DemoTelling, dealt: int) -> bool:
    if plan.serve and not stop.is_set():
        telling.serve()
        await stop.wait()
    report = await asyncio.to_thread(verify, daemon.journal)
    telling.end(dealt, daemon.journal.head.seq, report)
    return report.ok


def _until_nobody_listens(say: Say, stop: asyncio.Event) -> Say:
    """Returns a `say` that works until the reader has gone: then the table ends, as with Ctrl-C."""
    deaf = False

    def tell(line: str) -> None:
        nonlocal deaf
        if deaf:
            return
        try:
            say(line)
        except BrokenPipeError:
            deaf = True
            stop.set()

    return tell


@asynccontextmanager
async def dealt_table(
    config: TableConfig, extension: Extension | None = None
) -> AsyncIterator[tuple[Daemon, SimTable, Path]]:
    """Yields the daemon and its simulated devices, all ready; `extension` is added to the felt page."""
    real = [name for name, device in config.devices.items() if device.address.scheme != SIMULATED]
    if real:
        raise FeltError("sim.real-device", f"not simulated: {', '.join(real)}")
    async with (
        simulated_table(config) as (sim, control),
        running(config, schemes(sim), SIMULATED_CLOCKS, people=simulated_people(), extension=extension) as daemon,
    ):
        if not await daemon.service.all_ready():
            raise FeltError("sim.not-ready", "a simulated device did not answer")
        yield daemon, sim, control


async def deal(
    daemon: Daemon, sim: SimTable, plan: DealPlan, stop: asyncio.Event, show: Show | None = None, before: int = 0
) -> int:
    """Deals round after round until there are enough or somebody stops it; returns how many were dealt.

    It goes at the pace of the `show`; `before`: how many rounds of the plan were dealt already.
    """
    loop, engine = asyncio.get_running_loop(), daemon.service.engine
    pace = show or Show(plan.pace)
    pace.begin(sim, engine)

    async def rest() -> None:
        await _quiet(daemon, sim)
        if await pace.wait(stop):
            await _quiet(daemon, sim)

    areas = sorted({device.area for device in daemon.config.devices.values() if device.area is not None})
    dealer = dealers(engine.game).lively(sim, engine, rest, plan.seed + before)
    dealt = 0
    while not stop.is_set() and (plan.rounds is None or before + dealt < plan.rounds):
        begun = loop.time()
        players = await dealer.players(areas)
        if pace.take_royal():
            dealer.give(players[0])
        await dealer.round(players)
        dealt += 1
        await pace.wait(stop, AFTER_ROUND)
        if pace.next_game:
            await dealer.part()
            break
        if plan.speed > 0:
            await _pause(stop, begun + 1 / plan.speed - loop.time())
    return dealt


async def _quiet(daemon: Daemon, sim: SimTable) -> None:
    """Waits until the table has taken in what was done at its devices."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE
    while not (daemon.service.quiet and sim.quiet):
        if loop.time() > deadline:
            raise FeltError("sim.stuck", "the table did not take in what happened", "Look: `felt status`.")
        await asyncio.sleep(0.0005)


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await stop.wait()
    except TimeoutError:
        return
