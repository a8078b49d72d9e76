"""The displays of the prize meter: each is sent what the meter's face shows, and asked whether it does.

Nothing runs while nothing changes: a timer for the next frame of a roll or of what is shown in turns, and a look at
each display after a change and now and then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

import structlog

from controller.durations import Durations
from controller.jackpot.ledger import Hit
from controller.service.error_place import error_place
from controller.table.facts import AnyFact, DeviceCleared, DeviceFault
from controller.table.state import Table
from controller.views.meter_face import (
    Frame,
    MeterFace,
    MeterStyle,
    follow,
    frame,
    next_frame,
    rolling,
    turning,
    won_elsewhere,
)
from drivers.display import DisplayDriver, agrees, in_words
from drivers.supervisor import Supervisor
from firmware_bridge.link import LinkError
from firmware_bridge.messages import ShowAmount, ShowText

log = structlog.get_logger()

DIFFERS = "display.differs"
WITHIN = 1.0  # seconds after which a display must show what it was told
FIRST_LOOK, LONGEST_PAUSE = 0.02, 5.0  # seconds between looks at a display that differs
LOOK_EVERY = 15.0  # seconds between looks at one that agreed
NO_ANSWER = "no answer"

Wanted: TypeAlias = ShowAmount | ShowText
Submit: TypeAlias = Callable[[AnyFact], object]


def milliseconds() -> int:
    """Returns the time by which everything moves on a display."""
    return round(asyncio.get_running_loop().time() * 1000)


class Displays:
    """What the meter displays of one table show."""

    def __init__(self, devices: Sequence[Supervisor], style: MeterStyle, submit: Submit) -> None:
        self.style = style
        self.face = MeterFace()
        self.listeners: list[Callable[[], None]] = []  # hear that the face, or what is announced, is another one
        self.took = Durations()  # from a change until a display was read back and showed it
        self._displays = {device.name: _Display(device, submit, self.took) for device in devices}
        self._still = all(display.slow for display in self._displays.values())
        self._timer: asyncio.TimerHandle | None = None

    @property
    def at_rest(self) -> bool:
        """Whether no display has a value yet to come."""
        return self._timer is None or self._still or not rolling(self.face, milliseconds())

    def follow(self, table: Table, trouble: bool) -> None:
        """Shows what came of something that happened at the table."""
        for name, display in self._displays.items():
            display.reported(table.faults.get(name, {}))
        face = follow(self.face, table, milliseconds(), self.style, trouble)
        if face != self.face:
            self.face = face
            self._show()

    def wanted(self, table: Table, trouble: bool) -> Frame:
        """Returns the picture that a native display shall show now."""
        now = milliseconds()
        return frame(follow(self.face, table, now, self.style, trouble), now, self.style)

    def won_elsewhere(self, hits: Sequence[Hit]) -> None:
        """Announces what other tables of the system have won; nothing: it was taken back."""
        face = won_elsewhere(self.face, hits, milliseconds(), self.style)
        if face != self.face:
            self.face = face
            self._show()

    def ready(self, device: str) -> None:
        """Checks a display that is back: it was sent what it shall show."""
        if device in self._displays:
            self._displays[device].look_afresh()

    async def stop(self) -> None:
        """Stops the timer and every display; harmless twice."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for display in self._displays.values():
            await display.stop()

    def _show(self) -> None:
        now = milliseconds()
        for display in self._displays.values():
            resting = display.slow or not rolling(self.face, now)
            display.tell(frame(self.face, now, self.style, display.slow), resting, turning(self.face, now))
        if self._timer is not None:
            self._timer.cancel()
        due = next_frame(self.face, now, self.style, self._still)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(due / 1000, self._show) if due is not None else None
        for listener in self.listeners:
            listener()


class _Display:
    """One display, and what it was sent."""

    def __init__(self, device: Supervisor, submit: Submit, took: Durations) -> None:
        assert isinstance(device.driver, DisplayDriver)
        self._device = device
        self._driver = device.driver
        self._submit = submit
        self._took = took
        self._sent: deque[tuple[float, Wanted]] = deque(maxlen=64)  # newest last
        self._turning = False  # several things are shown in turns
        self._behind: float | None = None  # since when it does not show the newest
        self._accused: str | None = None  # what it showed instead; that it differs is on record, or will be
        self._excused = False  # it is lost, or reports a fault of its own
        self._chances = 0  # how often it was given a second anew
        self._looking: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None

    @property
    def slow(self) -> bool:
        """Whether it takes a large part of a second for one picture, as a vendor's display does."""
        return not self._device.native

    def tell(self, picture: Frame, resting: bool, turning: bool) -> None:
        """Sends what it shall show, if that is new; checks it once it rests."""
        wanted = ShowAmount(picture) if isinstance(picture, int) else ShowText(picture)
        self._turning = turning
        if not self._sent or self._sent[-1][1] != wanted:
            now = _now()
            self._sent.append((now, wanted))
            self._behind = now if self._behind is None else self._behind
            if isinstance(wanted, ShowAmount):
                self._driver.show_amount(wanted.amount)
            else:
                self._driver.show_text(wanted.lines)
        if resting and self._behind is not None:
            self._look()

    def reported(self, faults: dict[str, str]) -> None:
        """Notes its faults; one that says itself that it is dark is not accused of showing nothing."""
        if DIFFERS in faults and not self._sent:
            self._accused = ""  # before a restart
        excused, self._excused = self._excused, any(code != DIFFERS for code in faults)
        if excused and not self._excused:
            self.look_afresh()

    def look_afresh(self) -> None:
        """Checks a display that had no chance until now."""
        self._give_time()
        self._look()

    def _give_time(self) -> None:
        self._behind = _now()
        self._chances += 1

    async def stop(self) -> None:
        """Stops checking it."""
        self._no_later()
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
            await asyncio.wait([looking])

    # ---- looking

    def _look(self) -> None:
        """Checks whether it shows what it was sent, until it does."""
        self._no_later()
        if self._sent and (self._looking is None or self._looking.done()):
            loop = asyncio.get_running_loop()
            self._looking = loop.create_task(self._until_it_agrees(), name=f"look at {self._device.name}")
            self._looking.add_done_callback(self._looked)

    def _looked(self, looking: asyncio.Task[None]) -> None:
        if not looking.cancelled() and (bug := looking.exception()) is not None:
            log.error("display.defect", device=self._device.name, what=error_place(bug))

    def _no_later(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    async def _until_it_agrees(self) -> None:
        pause = FIRST_LOOK
        while True:
            wanted, chances = self._sent[-1][1], self._chances
            await asyncio.sleep(pause)
            shown = await self._shown()
            if self._driver.identifying:
                self._give_time()
            if self._excused or self._device.state.phase != "ready":
                return  # looked at again when it is there
            if shown is None:
                return  # it cannot say
            if chances != self._chances:
                continue  # it was asked before it had its chance
            if agrees(self._sent[-1][1], shown):
                self._agreed(shown)
                return
            self._judge(shown)
            if wanted == self._sent[-1][1] and self._driver.settled:
                self._driver.show_again()
            pause = FIRST_LOOK if wanted != self._sent[-1][1] else min(pause * 2, LONGEST_PAUSE)

    async def _shown(self) -> str | None:
        try:
            return await self._driver.read_back()
        except LinkError:
            return NO_ANSWER  # if it is lost, its supervisor will know

    def _agreed(self, shown: str) -> None:
        if self._behind is not None:
            self._took.add(_now() - self._behind)
        self._behind = None
        self._later = asyncio.get_running_loop().call_later(LOOK_EVERY, self._look)
        if self._accused is not None and not (self._turning and shown == self._accused):  # not just its turn again
            self._accused = None
            log.info("display.agrees", device=self._device.name)
            self._submit(DeviceCleared(self._device.name, DIFFERS))

    def _judge(self, shown: str) -> None:
        """Records that it shows something else; for a second it may show what was replaced."""
        now, sent = _now(), list(self._sent)
        replaced = [after for (_, wanted), (after, _) in pairwise(sent) if agrees(wanted, shown)]
        self._behind = now if self._behind is None else max([self._behind, *replaced[-1:]])
        if now - self._behind >= WITHIN and self._accused is None:
            self._accused = shown
            detail = f"it should show {in_words(sent[-1][1])} and shows {shown.replace(chr(10), ' / ') or 'nothing'}"
            log.warning(DIFFERS, device=self._device.name, detail=detail)
            self._submit(DeviceFault(self._device.name, DIFFERS, detail))


def _now() -> float:
    return asyncio.get_running_loop().time()
