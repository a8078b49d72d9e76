"""What all device models share: deeds and faults by name, latched fault reports, the self-test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, get_args

from firmware_bridge.messages import (
    LONGEST_NOTE,
    ClearFault,
    Command,
    DoorChanged,
    Event,
    Fault,
    FaultCleared,
    KeepNote,
    Reply,
    SelfTest,
    TellNote,
)
from hw_sim.errors import SimError, unknown

Dealing = Literal["hand", "csm", "shuffler", "batch", "readers"]  # readers: from the hand, onto readers of the layout
DEALINGS: Final[tuple[Dealing, ...]] = get_args(Dealing)
WITH_A_SHOE: Final[tuple[Dealing, ...]] = ("hand", "batch")
WITH_A_SHUFFLER: Final[tuple[Dealing, ...]] = ("csm", "shuffler", "batch")

Events = list[Event]
Answer = tuple[Reply, Events]  # what the controller is told, and what happened because of the command

DONE = Reply(True)
UNKNOWN_COMMAND = Reply(False, "unknown-command")


class Model:
    """Simulates one device: a deed, a fault or a command changes it and yields the events that it reports.

    A subclass names its deeds and faults in DEEDS and FAULTS; each is a method, a fault's with `fault_` before it and
    dashes as underscores.  Only faults that a device can notice itself are reported.  FAULTS says what a tester tells
    with each: CARD, SPOT, KEY or N; in brackets what he may leave out; "" for nothing.
    """

    family: ClassVar[str]  # set by its decorator
    prefix: ClassVar[str]  # of its fault codes
    DEEDS: ClassVar[tuple[str, ...]] = ()
    FAULTS: ClassVar[Mapping[str, str]] = MappingProxyType({})
    tick_every: float | None = None  # seconds; `tick` is due that often while it is set

    def __init__(self) -> None:
        self.note = b""  # what the controller gave it to keep
        self.faults: dict[str, str] = {}  # names of the active ones, in the order they came, with their detail

    @classmethod
    def at_table(cls, seats: int, dealing: Dealing, cards: int) -> dict[str, Model]:
        """Returns the devices of this family at a table, by name; none unless the family says so."""
        return {}

    def do(self, verb: str, *args: Any) -> Events:
        """Does something at the device, and returns what it reports."""
        if verb not in self.DEEDS:
            raise unknown(f"deed of a {self.family}", verb, self.DEEDS)
        return _call(verb, getattr(self, verb.replace("-", "_")), args)

    def fault(self, name: str, *args: Any) -> Events:
        """Lets the device fail so, until `clear`, and returns what it reports."""
        if name not in self.FAULTS:
            raise unknown(f"fault of a {self.family}", name, self.FAULTS)
        return _call(name, getattr(self, "fault_" + name.replace("-", "_")), args)

    def clear(self) -> Events:
        """Ends all its faults, and returns what it reports."""
        ended, self.faults = self.faults, {}
        events: Events = [FaultCleared(f"{self.prefix}.{name}") for name in ended if name not in self.unnoticed]
        if "door" in ended:
            events.insert(0, DoorChanged(False))
        return events

    def execute(self, command: Command) -> Answer:
        """Carries out the controller's command; a subclass knows more of them."""
        if isinstance(command, SelfTest):
            known = [f"{self.prefix}.{name}" for name in self.faults if name not in self.unnoticed]
            return Reply(not known, ", ".join(known)), []
        if isinstance(command, ClearFault):  # a simulated cause goes away only when the tester takes it away
            lasts = command.code in [f"{self.prefix}.{name}" for name in self.faults]
            return Reply(False, "fault-lasts" if lasts else "no-such-fault"), []
        if isinstance(command, KeepNote):
            if len(command.note) > LONGEST_NOTE:
                return Reply(False, "too-long"), []
            self.note = command.note  # where power cuts do not reach
            return DONE, []
        if isinstance(command, TellNote):
            return Reply(True, self.note.hex()), []
        return UNKNOWN_COMMAND, []

    def restart(self) -> None:
        """Forgets what lived in volatile memory: power was cut and came back."""

    def safe(self) -> None:
        """Takes the outputs to their safe state: nobody has talked to it for a while."""

    def tick(self) -> Events:
        """Returns what it reports when `tick_every` seconds have passed."""
        return []

    def view(self) -> dict[str, Any]:
        """Returns what a person standing at the table sees on the device, as plain JSON data."""
        return {}

    unnoticed: ClassVar[frozenset[str]] = frozenset()

    def _latch(self, name: str, detail: str = "") -> Events:
        """Reports a fault once, however often it is injected."""
        again = self.faults.get(name) == detail
        self.faults[name] = detail
        return [] if again or name in self.unnoticed else [Fault(f"{self.prefix}.{name}", detail)]

    def fault_jam(self) -> Events:
        """Jams a card."""
        return self._latch("jam")

    def fault_dark(self) -> Events:
        """Lets the device see, or show, nothing."""
        return self._latch("dark")

    def fault_stuck(self) -> Events:
        """Lets the device stay as it is, whatever happens."""
        return self._latch("stuck")

    def fault_door(self) -> Events:
        """Opens the door."""
        return [DoorChanged(True), *reported] if (reported := self._latch("door")) else []


def _call(name: str, method: Callable[..., Events], args: tuple[Any, ...]) -> Events:
    try:
        return method(*args)
    except TypeError as error:  # too many or too few, or of the wrong type
        raise SimError(_misfit(name, method, len(args)) or f"{name}: wrong arguments: {error}") from error


def _misfit(name: str, method: Callable[..., Events], count: int) -> str:
    """Returns what is missing or too much, in a tester's words; "" when it is neither."""
    taken = list(signature(method).parameters.values())
    needed = [each.name for each in taken if each.default is each.empty and each.kind is not each.VAR_POSITIONAL]
    if count < len(needed):
        words = [_WORDS.get(each, (each, each.upper())) for each in needed]
        missing = " and ".join(what for what, _ in words[count:])
        return f"{name}: {missing} is missing, as in `{' '.join((name, *(example for _, example in words)))}`"
    if count > len(taken) and all(each.kind is not each.VAR_POSITIONAL for each in taken):
        return f"{name} takes {len(taken) or 'no'} word{'s' * (len(taken) != 1)} behind it, not {count}"
    return ""


_WORDS: Final = {  # what a tester tells with a deed or a fault, with an example
    "token": ("the card", "Kh"),
    "card": ("the card", "Kh"),
    "key": ("the key", "no-more-bets"),
    "number": ("the number of the badge", "1234"),
    "digits": ("the PIN", "1234"),
    "spot": ("the spot", "war"),
    "spots": ("what lies where", "war=10"),
    "channel": ("the number of the lamp", "1"),
    "colour": ("the colour of the backs", "red"),
}


def text(value: object) -> str:
    """Returns a word as it will travel; SimError when it is none."""
    if not isinstance(value, str):
        raise SimError(f"{value!r} is not a word")
    return value
