"""How fast a serial line runs: which speeds are worth asking for, and how one session gets from one to another.

Pure: times go in, what to do comes out.  docs/protocol.md, paragraphs 6.6 to 6.14.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

FASTER: Final = (1_000_000, 460_800, 230_400)  # what is asked for, the fastest first
TRIES: Final = 2  # failures of one speed until it is not asked for any more
NO_SUCH_SPEED: Final = "no-such-speed"  # the reason of a device that may know a lower one
DAMAGED: Final = 5  # frames within WITHIN seconds: the line is too fast for its cable
WITHIN: Final = 10.0


@runtime_checkable
class Line(Protocol):
    """A transport whose two ends have a speed each, which must be the same."""

    @property
    def speed(self) -> int:
        """The speed of our end, in bits a second."""

    @property
    def low_latency(self) -> bool | None:
        """Whether the kernel hands on each byte at once; False: refused to us, None: there is no such setting."""

    def faster(self) -> tuple[int, ...]:
        """Returns the higher speeds that our end can have, the fastest first; none where they are not wanted."""

    def set_speed(self, baud: int) -> None:
        """Gives our end another speed; one that is gone is reported through `Receiver.lost`."""


@dataclass(frozen=True, slots=True)
class SpeedTiming:
    """Every wait of a change of speed, in seconds."""

    reply: float = 0.5  # for the reply to Speed, which is not sent again
    settle: float = 0.02  # until the device has surely changed
    ping: float = 0.05  # between the PINGs that try the new speed
    proof: float = 0.25  # until one of them is answered
    back_ping: float = 0.1  # between PINGs at the base speed
    back: float = 1.5  # until the device is heard there
    word: float = 0.3  # at a higher speed the device hears something of us that often
    mute: float = 0.8  # we said nothing for so long: the device is about to go back


class Ladder:
    """The speeds that are worth asking for on one line; it outlives sessions, and remembers what failed."""

    def __init__(self) -> None:
        self._failures: Counter[int] = Counter()

    def rungs(self, speeds: Sequence[int]) -> list[int]:
        """Returns those of these speeds that have not failed too often, in their order."""
        return [speed for speed in speeds if self._failures[speed] < TRIES]

    def held(self, speed: int) -> None:
        """Notes that a speed was proved."""
        del self._failures[speed]

    def failed(self, speed: int) -> None:
        """Notes that a speed could not be proved."""
        self._failures[speed] += 1

    def give_up(self, speed: int) -> None:
        """Notes that frames are damaged at this speed: it is not asked for any more."""
        self._failures[speed] = TRIES

    def forget(self) -> None:
        """Begins anew: there may be another cable or another device."""
        self._failures.clear()


Step: TypeAlias = Literal["steady", "asking", "proving", "returning"]


class Pace:
    """The speed of the line in one session.

    While it is not `steady`, nothing is said but PING.  The session says what happened, and has our end set to `speed`
    whenever that has changed.
    """

    def __init__(
        self, base: int, faster: Sequence[int], ladder: Ladder | None = None, timing: SpeedTiming | None = None
    ) -> None:
        self.base = base
        self.speed = base  # of our end
        self.step: Step = "steady"
        self.request = 0  # the number of the command Speed under way
        self.ping = 0  # the number of the PING that tries a speed
        self.since = 0.0  # when the line was last steady
        self.acks_held = False  # an ACK waits for the end of the change
        self._timing = timing or SpeedTiming()
        self._ladder = ladder if ladder is not None else Ladder()
        self._wanted = self._ladder.rungs(faster)
        self._asked = 0  # the speed that was asked for
        self._began = 0.0  # of this step
        self._next_ping = 0.0
        self._damaged: deque[float] = deque(maxlen=DAMAGED)

    @property
    def steady(self) -> bool:
        """Whether both ends have one speed, as far as we know."""
        return self.step == "steady"

    @property
    def fast(self) -> bool:
        """Whether our end has another speed than the base speed."""
        return self.speed != self.base

    @property
    def word(self) -> float:
        """How often the device must hear something of us, in seconds."""
        return self._timing.word if self.fast else float("inf")

    @property
    def mute(self) -> float:
        """For how long we may have said nothing, and still speak at this speed, in seconds."""
        return self._timing.mute if self.fast else float("inf")

    def wants(self) -> int:
        """Returns the speed to ask for now; 0 when the line stays as it is."""
        return self._wanted[0] if self.steady and self._wanted else 0

    def asks(self, request: int, now: float) -> None:
        """Begins a change: the command Speed was sent with this number."""
        self._asked = self._wanted.pop(0)
        self.since = now
        self.request = request
        self._enter("asking", now)

    def answered(self, ok: bool, detail: str, now: float) -> bool:
        """Takes the reply to Speed; True: give our end the speed that was `asked` for, and see whether it holds."""
        if not ok:
            if detail != NO_SUCH_SPEED:
                self._wanted.clear()  # it cannot change its speed at all
            self._enter("steady", now)
            return False
        self.speed = self._asked
        self._enter("proving", now)
        self._next_ping = now + self._timing.settle
        return True

    def proved(self, now: float) -> None:
        """Ends the change, or the way back: a PING was answered at this speed."""
        if self.step == "proving":
            self._ladder.held(self.speed)
            self._wanted.clear()
        self._damaged.clear()
        self._enter("steady", now)

    def retreats(self, now: float) -> None:
        """Goes back, for we were away: the device is about to.  What held before is asked for again."""
        self._wanted = [self.speed]
        self.since = now
        self._go_back(now)

    def damaged(self, now: float) -> None:
        """Notes a damaged frame; after some of them a lower speed is wanted."""
        if not (self.fast and self.steady):
            return
        self._damaged.append(now)
        if len(self._damaged) == DAMAGED and now - self._damaged[0] <= WITHIN:
            self._ladder.give_up(self.speed)
            lower = [speed for speed in FASTER if self.base < speed < self.speed]
            self._wanted = [*self._ladder.rungs(lower)[:1]] or [self.base]

    def lost(self) -> None:
        """Notes that the device fell silent; where frames were damaged before, at a higher speed, that is to blame."""
        if self.fast and self._damaged:
            self._ladder.give_up(self.speed)

    def tick(self, now: float) -> Literal["wait", "ping", "back", "silent"]:
        """Returns what is due by now in a change: a PING, the way back to the base speed, or the end of the link."""
        timing = self._timing
        match self.step:
            case "asking" if now >= self._began + timing.reply:
                return self._fails(now)
            case "proving" if now >= self._began + timing.proof:
                return self._fails(now)
            case "returning" if now >= self._began + timing.back:
                return "silent"
            case "proving" | "returning" if now >= self._next_ping:
                self._next_ping = now + (timing.ping if self.step == "proving" else timing.back_ping)
                return "ping"
        return "wait"

    def due(self) -> float:
        """Returns when `tick` is due."""
        timing = self._timing
        if self.step == "asking":
            return self._began + timing.reply
        limit = timing.proof if self.step == "proving" else timing.back
        return min(self._next_ping, self._began + limit)

    def _fails(self, now: float) -> Literal["back"]:
        if self._asked != self.base:
            self._ladder.failed(self._asked)
        self._go_back(now)
        return "back"

    def _go_back(self, now: float) -> None:
        self.speed = self.base
        self._damaged.clear()
        self._enter("returning", now)
        self._next_ping = now + self._timing.settle

    def _enter(self, step: Step, now: float) -> None:
        self.step = step
        self._began = now
