"""How the demo's table is shown: its pace, and what visitors do to it with the buttons on the felt page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Final, NamedTuple

from aiohttp import web

from controller.games import laid_on_readers
from controller.service.engine import Engine
from controller.service.routes import Json, Route
from controller.web.server import Extension
from hw_sim.table import SimTable

PACES: Final = (0.05, 0.25, 0.6, 1.2, 2.5)  # seconds for each thing that the dealer does
USUAL: Final = 0.6
AFTER_ROUND: Final = 5  # paces in which people read what was won
LOOK: Final = 0.03
SHOWN: Final = (
    "casino-war",
    "caribbean-stud",
    "ultimate-texas-holdem-vic",
    "three-card-poker",
    "mississippi-stud",
    "wsop-bonus-holdem",
    "holdem",
    "omaha",
)
BOARD: Final = "reader.board"
DEMO: Final = Route("GET", "/demo", "Tells the buttons of the demo.", Json)
DEMO_PRESS: Final = Route("POST", "/demo/{deed}", "Presses a button of the demo.", Json)


class Button(NamedTuple):
    """One button as the page draws it."""

    name: str
    label: str
    pressed: bool = False


class Show:
    """What the visitors of a demo want, and the device that they break and mend."""

    def __init__(self, pace: float, games: Sequence[str] = ()) -> None:
        self.pace = pace
        self.plays = True  # the table deals by itself
        self.paused = False
        self.royal = False  # wished for in the next round
        self.next_game = ""  # wished for after this round
        self._games = games
        self._steps = 0
        self._seq = 0  # the last fact that was waited for
        self._jammed = self._unplugged = self._broken = False
        self._sim: SimTable | None = None
        self._engine: Engine | None = None
        self._deeds: Mapping[str, Callable[[], None]] = {
            "pause": self._pause,
            "step": self._step,
            "slower": lambda: self._change_pace(1),
            "faster": lambda: self._change_pace(-1),
            "jam": self._jam,
            "cable": self._pull,
            "royal": self._wish_royal,
            "next": self._wish_game,
        }

    def begin(self, sim: SimTable, engine: Engine) -> None:
        """Shows this table from now on."""
        self._sim, self._engine, self._seq = sim, engine, engine.seq
        self._jammed = self._unplugged = self._broken = False
        self.next_game = ""

    # ---- pace

    async def wait(self, stop: asyncio.Event, paces: float = 1) -> bool:
        """Waits as long as the pace says, while it is paused, and until what was broken is mended.

        Returns whether something was broken meanwhile.  When the show ends, it is mended at once.
        """
        assert self._engine is not None
        if self._engine.seq == self._seq and paces == 1:
            return False
        self._seq = self._engine.seq
        loop = asyncio.get_running_loop()
        begun, broken = loop.time(), False
        while not self._goes_on(loop.time() - begun, paces, stop):
            broken = broken or self._broken
            await asyncio.sleep(LOOK)
        return broken

    def _goes_on(self, waited: float, paces: float, stop: asyncio.Event) -> bool:
        if stop.is_set() and (self._jammed or self._unplugged):
            self._mend()
        if self._troubled():
            return False
        if stop.is_set():
            return True
        if self._steps:
            self._steps -= 1
            return True
        return not self.paused and waited >= self.pace * paces

    def _troubled(self) -> bool:
        """Tells whether what a visitor broke is not in order again."""
        if not self._broken or self._engine is None:
            return False
        table = self._engine.table
        self._broken = self._jammed or self._unplugged or self._device in table.faults or bool(table.holds)
        return self._broken

    def _change_pace(self, by: int) -> None:
        nearest = min(range(len(PACES)), key=lambda n: abs(PACES[n] - self.pace))
        self.pace = PACES[min(max(nearest + by, 0), len(PACES) - 1)]

    def _pause(self) -> None:
        self.paused = not self.paused

    def _step(self) -> None:
        self.paused, self._steps = True, 1

    # ---- luck

    def take_royal(self) -> bool:
        """Tells whether somebody wished for a royal flush; it is granted once."""
        royal, self.royal = self.royal, False
        return royal

    @property
    def _device(self) -> str:
        """The device that the cards come from."""
        assert self._sim is not None and self._engine is not None
        return BOARD if laid_on_readers(self._engine.game) else self._sim.cards_from.name

    def _jam(self) -> None:
        if self._jammed:
            self._mend()
        else:
            self._break("dark" if self._device == BOARD else "jam")
            self._jammed = True

    def _pull(self) -> None:
        if self._unplugged:
            self._mend()
        else:
            self._break("unplug")
            self._unplugged = True

    def _break(self, fault: str) -> None:
        assert self._sim is not None
        self._sim.device(self._device).fault(fault)
        self._broken = True

    def _mend(self) -> None:
        assert self._sim is not None
        self._sim.device(self._device).clear()
        self._jammed = self._unplugged = False

    def _wish_royal(self) -> None:
        self.royal = True

    def _wish_game(self) -> None:
        assert self._engine is not None
        game = self._engine.game.name
        after = self._games.index(game) + 1 if game in self._games else 0
        self.next_game = self._games[after % len(self._games)]
        self.paused = False

    # ---- the page

    def extension(self) -> Extension:
        """Returns what the demo adds to the felt page."""
        folder = files("controller.cli") / "static"
        assets = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
        return Extension(assets, [(DEMO, self._state), (DEMO_PRESS, self._press)])

    async def _state(self, _request: web.Request) -> web.Response:
        return web.json_response({"plays": self.plays, "buttons": [button._asdict() for button in self.buttons()]})

    async def _press(self, request: web.Request) -> web.Response:
        deed = request.match_info["deed"]
        if deed not in {button.name for button in self.buttons()}:
            raise web.HTTPNotFound
        self._deeds[deed]()
        return await self._state(request)

    def buttons(self) -> list[Button]:
        """Returns the buttons as they are now; where nobody deals, only those that break a device and mend it."""
        if self._sim is None:
            return []
        reader = self._device == BOARD
        break_it = "Cover the board's reader" if reader else "Jam the shoe"
        mend_it = "Uncover the reader" if reader else "Clear the jam"
        more = [Button("next", "Next game", bool(self.next_game))] if self._games else []
        faults = [
            Button("jam", mend_it if self._jammed else break_it, self._jammed),
            Button("cable", "Plug it in" if self._unplugged else "Pull its cable", self._unplugged),
        ]
        if not self.plays:
            return faults
        return [
            Button("pause", "Go on" if self.paused else "Pause", self.paused),
            Button("step", "Step"),
            Button("slower", "Slower"),
            Button("faster", "Faster"),
            *faults,
            Button("royal", "Deal a royal flush", self.royal),
            *more,
        ]
