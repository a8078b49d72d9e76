"""A table that deals itself, in real time: the real daemon with its journal and API, on simulated devices."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.cards import UNREAD
from controller.cli.demo_show import AFTER_ROUND, SHOWN, Show
from controller.config import TableConfig
from controller.config.wiring import SIMULATED
from controller.daemon.compose import Daemon, running
from controller.errors import FeltError
from controller.games import find, laid_on_readers
from controller.journal.verify import verify
from controller.places import family_and_place
from controller.rules import by
from controller.script.course import Course
from controller.script.engines import engine
from controller.sim.addresses import schemes, simulated_table
from controller.sim.dealers import dealers
from controller.sim.people import simulated_people
from controller.table.duties import many
from controller.table.effects import AnyEffect, Prompted, Refused, RoundEnded
from controller.table.facts import AnyFact
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.views import round_text, rounds
from controller.views.cards import public_hands
from controller.web.server import Extension
from hw_sim.table import SimTable

SEATS = 5
PATIENCE = 5.0  # seconds for the devices to take in one deed

Say = Callable[[str], None]


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


async def demo(
    config: TableConfig, plan: DealPlan, say: Say, felt: str = "felt", another: NextConfig | None = None
) -> bool:
    """Deals the rounds, prints them, and checks the journal at the end; False when that is not sound.

    `felt`: how the command is called in this terminal; `another` gives the table of another game, if visitors want one.
    """
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    say = _until_nobody_listens(say, stop)
    show, dealt = Show(plan.pace, SHOWN if another is not None else ()), 0
    while True:
        async with dealt_table(config, show.extension()) as (daemon, sim, control):
            _introduce(config, daemon, control, say, felt)
            daemon.service.engine.listeners.append(Storyteller(say, daemon.service.engine.game))
            dealt += await deal(daemon, sim, plan, stop, show, dealt)
            if another is None or not show.next_game or stop.is_set():
                return await _end(daemon, plan, stop, say, dealt)
        say("")
        config = another(show.next_game, daemon.pages.removeprefix("http://"))


def _introduce(config: TableConfig, daemon: Daemon, control: Path, say: Say, felt: str) -> None:
    say(f"table {config.table.name}: {config.table.game} on {len(config.devices)} simulated devices")
    if daemon.pages:
        say(f"look at it in a browser:           {daemon.pages}/table")
    say(f"look at it from another terminal:  {felt} status --socket {config.api.socket}")
    say(f"devices can be played at:          {control}\n")


async def _end(daemon: Daemon, plan: DealPlan, stop: asyncio.Event, say: Say, dealt: int) -> bool:
    if plan.serve and not stop.is_set():
        say("the table goes on serving; Ctrl-C ends it")
        await stop.wait()
    report = await asyncio.to_thread(verify, daemon.journal)
    verdict = "sound" if report.ok else f"NOT SOUND: {report.cause}"
    played = f"{many(dealt, 'round')}, {daemon.journal.head.seq} facts"
    say(f"\n{played}; journal verified, {report.checked} records: {verdict}")
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
        running(config, schemes(sim), people=simulated_people(), extension=extension) as daemon,
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


# ---- the story


class Storyteller:
    """Prints each round when it is over, and before that what the table tells its people."""

    def __init__(self, say: Say, rules: Rules) -> None:
        self._say = say
        self._rules = rules
        self._course = engine(rules).course()

    def __call__(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        for effect in effects:
            if isinstance(effect, Prompted):
                prompt = effect.prompt
                about = f" about {prompt.place}" if prompt.place else ""
                self._say(f"  [{prompt.role} is told{about}: {prompt.text}{by(prompt.rule)}]")
            elif isinstance(effect, Refused):
                self._say(f"  [refused: {effect.why}{by(effect.rule)}]")
        if table.round is None:
            return
        self._course.follow(table.round)
        if any(isinstance(effect, RoundEnded) for effect in effects):
            for line in story(table, table.round, self._rules, self._course):
                self._say(line)
            self._course = engine(self._rules).course()


def story(table: Table, round_: Round, rules: Rules, course: Course) -> Iterator[str]:
    """Yields one round for people: cards, decisions, and what became of each wager by which rule."""
    yield f"{rules.called.round} {round_.number}: {round_.outcome}{by(round_.rule)}"
    cards = public_hands(table, rules)
    names = rules.in_words(table, round_, cards).names
    in_words = {place: ["face down"] if set(hand) == {UNREAD} else hand for place, hand in cards.items()}
    yield from list(course.lines(round_, in_words, names)) or round_text.lines(rounds.view(table, rules) or {})
