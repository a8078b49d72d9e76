"""The people of a simulated day: they play round after round, and see to whatever stands in the way.

A dealer does what is next.  Who sees that the table does not move waits, lets devices be mended, and then somebody from
the floor presses what the table asks for; the last means is that a round does not count.  A table that moves by none of
this is dead, and that is an error of the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

from controller.errors import FeltError
from controller.games import find, refusal
from controller.rules import RANKS, Role
from controller.sim.people import SimulatedPeople
from controller.sim.soak.dealers import StepDealer
from controller.sim.soak.engines import soak_parts
from controller.sim.soak.violation import Invariant, Violation
from controller.sim.soak.world import World
from controller.table.declare import Words
from controller.table.facts import Key
from controller.table.jackpot.outbox import METER
from controller.table.keys import EVERY_TABLE
from controller.table.state import Table, round_runs
from controller.views.key_ways import Ways
from controller.views.keys_due import keys_due
from controller.views.keys_tried import keys_tried

MANAGER: Final[Role] = RANKS[-1]
IMPATIENT: Final = 2  # deeds without effect after which somebody calls for help
DEAD: Final = 14  # times that help was of no use
MOST_DEEDS: Final = 600  # of one round, whatever happens in it
READY: Final = 60.0  # seconds for devices that are mended
LAST_MEANS: Final = (("void", ()), ("misdeal", ()), ("invalidate", ("fraud",)), ("replaced", ()), ("open-table", ()))
_A_COUNT: Final = "count"


class Crew:
    """Everybody at one table."""

    def __init__(self, world: World, mend: Callable[[], None], on_deed: Callable[[], None]) -> None:
        self._world, self._mend, self._on_deed = world, mend, on_deed
        self._chance = world.chance("people")
        self._people = SimulatedPeople()
        self._deeds_besides: dict[str, Callable[[], Awaitable[None]]] = {
            "slip": self._slip,
            "late": self._late,
            "wrong PIN": self._wrong_pin,
            "notice": self._announce,
        }
        engine, seed = world.running.service.engine, self._chance.getrandbits(32)
        self._dealer: StepDealer = soak_parts(find(world.begin.game)).dealer(
            world.sim, engine, self._rest, seed, self._deed
        )
        self.helped = 0
        self.wishes: list[str] = []  # what somebody does beside the game, at the next occasion
        self._deeds = 0

    def restarted(self) -> None:
        """Goes on with the daemon that was started again."""
        self._dealer.serves(self._world.running.service.engine)

    async def round(self, places: Sequence[str]) -> None:
        """Plays a round to its end, whatever happens; raises Violation when the table is dead."""
        self._dealer.begin()
        self._deeds = idle = helped = 0
        while not self._dealer.over():
            before = _place_in_round(self._world.table)
            stuck = False
            await self.besides()
            try:
                await self._dealer.deed(places)
            except FeltError:
                stuck = True
            if _place_in_round(self._world.table) != before:
                idle = 0
            elif stuck or (idle := idle + 1) >= IMPATIENT:
                helped += 1
                await self._help(helped)
            if helped > DEAD or self._deeds > MOST_DEEDS:
                raise Violation(Invariant.ALIVE, f"the round does not end: {_state(self._world.table)}")

    async def settle_down(self) -> None:
        """Sees to everything that is left, until nothing is held or asked; raises Violation when that is in vain."""
        for attempt in range(DEAD):
            await self._ready()
            table = self._world.table
            if not table.holds and table.talk is None and not self._world.running.service.storage.error:
                await self._meter_reached()
                return
            await self._help(attempt + 3)
        raise Violation(Invariant.PROMPT, f"what the table asks is never answered: {_state(self._world.table)}")

    async def _meter_reached(self) -> None:
        """Waits until the prize meter system has all that this table told it; raises Violation when that is in vain."""
        until = asyncio.get_running_loop().time() + READY
        while self._world.meter is not None and not self._world.meter_told:
            if asyncio.get_running_loop().time() > until:
                codes = ", ".join(self._world.table.faults.get(METER, {}))
                raise Violation(Invariant.METER, f"its system is not reached again: {codes or 'movements wait'}")
            await asyncio.sleep(0.1)

    # ---- help

    async def _help(self, times: int) -> None:
        """Sees to it that the table moves; each time with stronger means."""
        self.helped += 1
        if times <= 2:
            await asyncio.sleep(0.5 * times)
            return
        await self._ready()
        if not self._world.running.service.engine.table.holds and times <= 3:
            return
        await self._sign_in(MANAGER)
        await self._answer(last_means=times > 5)
        await self._sign_in("dealer")

    async def _ready(self) -> None:
        """Lets everything be mended, and waits until the devices answer."""
        self._mend()
        until = asyncio.get_running_loop().time() + READY
        while not (self._world.process is not None and self._world.running.ready):
            if asyncio.get_running_loop().time() > until:
                lost = [n for n, d in self._world.running.service.fleet.devices.items() if d.state.phase != "ready"]
                raise Violation(Invariant.ALIVE, f"devices in order are not found again: {', '.join(lost)}")
            await asyncio.sleep(0.1)
        await self._world.rest()

    async def _answer(self, last_means: bool) -> None:
        """Presses what the table asks for; one key after the other, each as the table would take it."""
        pressed: set[tuple[str, Words]] = set()
        for _ in range(20):
            press = next((each for each in self._wanted(last_means) if each not in pressed), None)
            if press is None:
                return
            pressed.add(press)
            await self._press(press[0], *press[1])

    def _wanted(self, last_means: bool) -> Iterator[tuple[str, Words]]:
        table, rules = self._world.table, find(self._world.begin.game)
        held = [("resume", (code,)) for code in dict.fromkeys(each.code for each in table.holds.values())]
        due = [] if held else list(_ways(table))
        for key, args in (*held, *due, *(LAST_MEANS if last_means else ())):
            if refusal(table, Key(key, args)) is None and key not in rules.unused:
                yield key, args

    async def _sign_in(self, role: Role) -> None:
        self._people.sign_in(self._world.sim.device("console"), self._world.table, role)
        await self._rest()

    async def _press(self, key: str, *args: str) -> None:
        self._deed()
        self._world.sim.device("console").do("press", key, *args)
        await self._rest()

    # ---- what people do besides

    async def besides(self) -> None:
        """Lets people do what they have in mind beside the game."""
        wishes, self.wishes = self.wishes, []
        for wish in wishes:
            await self._deeds_besides[wish]()
        if self._world.table.notices:
            await self._change()
        if self._world.table.jackpot.pending:
            await self._confirm()

    async def _late(self) -> None:
        """Lets somebody answer late: half an hour passes."""
        await self._world.clocks.forward(1800, self._rest)

    async def _slip(self) -> None:
        """Presses some key that the table would take: by mistake, or because something happened that nobody saw."""
        table, rules = self._world.table, find(self._world.begin.game)
        lit = [each.key for each in keys_tried(table, rules) if each.lit]
        ways = Ways(table, rules)
        keys = [key for key in (*rules.keys, *EVERY_TABLE) if key.name in lit]
        if not keys:
            return
        key = self._chance.choice(keys)
        words = list(ways.of(key))
        await self._press(key.name, *(self._chance.choice(words) if words else ()))

    async def _wrong_pin(self) -> None:
        """Lets somebody show a badge and enter a PIN that is not theirs."""
        console = self._world.sim.device("console")
        console.do("badge", f"sim-{self._chance.choice(RANKS)}")
        console.do("pin", "9999")
        await self._rest()

    async def _announce(self) -> None:
        """Lets the manager announce another minimum on the sign; after twenty minutes it comes into force."""
        await self._sign_in(MANAGER)
        least = self._world.table.options.typed.min // 100
        await self._press("notice", f"min={least + 5 if least < 50 else 5}")
        await self._sign_in("dealer")

    async def _change(self) -> None:
        """Lets the manager put into force what was announced, as far as the table takes it."""
        table = self._world.table
        for notice in list(table.notices):
            words = tuple(f"{option}={value}" for option, value in notice.changes.items())
            if words and refusal(table, Key("set", words, person="x", role=MANAGER, place="page")) is None:
                await self._sign_in(MANAGER)
                await self._press("set", *words)
                await self._sign_in("dealer")

    async def _confirm(self) -> None:
        """Lets the manager decide that the prizes of the meter are paid."""
        await self._sign_in(MANAGER)
        await self._press("confirm-jackpot")
        await self._sign_in("dealer")

    def _deed(self) -> None:
        self._deeds += 1
        self._on_deed()

    async def _rest(self) -> None:
        await self._world.rest()


def _ways(table: Table) -> Iterator[tuple[str, Words]]:
    """Yields what the table waits for, with the words that answer it, or those that somebody might choose."""
    rules = find(table.game)
    every = {key.name: key for key in (*rules.keys, *EVERY_TABLE)}
    ways = Ways(table, rules)
    for name, known in keys_due(table, rules).items():
        choices = known or (list(ways.of(every[name]))[:12] if name in every else [()])
        if name == _A_COUNT:
            choices = [(str(52 * table.options.typed.decks),), *choices]
        for args in choices:
            yield name, args


def _place_in_round(table: Table) -> tuple[object, ...]:
    """Returns what changes when the game moves on."""
    return table.number, table.round, table.deck, len(table.seats), table.talk, tuple(table.holds)


def _state(table: Table) -> str:
    """Returns how a table stands, in words that name no card."""
    waits = [type(request).__name__ for request in find(table.game).waiting(table)] if round_runs(table) else []
    parts = {
        "round": table.number,
        "holds": sorted(table.holds),
        "question": table.talk.open[0].words if table.talk is not None and table.talk.open else "",
        "waits for": waits,
        "offers": sorted({word for prompt in table.live for word in prompt.offers}),
        "faults": sorted(f"{device} {code}" for device, codes in table.faults.items() for code in codes),
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items() if value)
