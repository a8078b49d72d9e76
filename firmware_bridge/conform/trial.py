"""What a trial is: a promise of docs/protocol.md, what is done to see it kept, and how it can end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from firmware_bridge.conform.bench import Bench

Link: TypeAlias = Literal["any", "plain", "encrypted"]
Run: TypeAlias = Callable[["Bench"], Awaitable[str]]


class Deed(Enum):
    """What somebody at the device is asked to do; the value says it to a person."""

    RESTART = "Switch the device off and on again"
    EVENT = "Let one thing happen at the device that it reports"
    EVENTS = "Let twenty things happen at the device, one after the other"
    PAIRING_ON = "Put the device's pairing switch on"
    PAIRING_OFF = "Put the device's pairing switch off"


class Sight(Enum):
    """What somebody at the device is asked to look at; the value asks a person, with a detail behind it."""

    DARK = "Are the lamps of the device dark"
    CODE = "Does the device show the code"


class Operator(Protocol):
    """Somebody at the device, or nobody."""

    async def do(self, deed: Deed, family: str) -> bool:
        """Does this at a device of this family; False when nobody is there, or it cannot be done."""

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        """Tells whether this can be seen at the device; None when nobody is there to look."""


class BrokenPromiseError(Exception):
    """A promise that the device did not keep."""

    def __init__(self, paragraph: str, came: str) -> None:
        super().__init__(came)
        self.paragraph = paragraph
        self.came = came


class UntriedError(Exception):
    """A trial that cannot be made here, and why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial.  `run` returns what came; it raises BrokenPromiseError or UntriedError."""

    name: str
    paragraphs: tuple[str, ...]  # of docs/protocol.md, the one that fails as a rule first
    promised: str
    done: str
    run: Run
    link: Link = "any"  # the kind of link for which this is promised
    stream: bool = False  # only for wires that carry a stream of bytes
    greeted: bool = True  # a new session is begun before it
    keeps_events: bool = False  # it wants the events that nobody has acknowledged


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The end of one trial: what came; `paragraph` is the one that was broken, or the trial's own."""

    trial: Trial
    outcome: Literal["kept", "broken", "untried"]
    paragraph: str
    came: str
    seconds: float


TRIALS: Final[dict[str, Trial]] = {}


def trial(
    name: str,
    *paragraphs: str,
    promised: str,
    done: str,
    link: Link = "any",
    stream: bool = False,
    greeted: bool = True,
    keeps_events: bool = False,
) -> Callable[[Run], Run]:
    """Returns a decorator that adds a trial to those of the suite."""

    def declared(run: Run) -> Run:
        TRIALS[name] = Trial(name, paragraphs, promised, done, run, link, stream, greeted, keeps_events)
        return run

    return declared
