"""The Angel Eye II-EX card shoe: what its reports mean, and how it is locked.

It repeats a report up to three times and then forgets it.  Nothing brings back what it said while the wire was cut; the
sequence numbers tell that something was.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Final, Literal

from drivers.vendors.link import NOTHING, VendorLink
from drivers.vendors.memory import Memory
from drivers.vendors.register import SettingsError, vendor
from firmware_bridge import messages as m
from firmware_bridge.diagnostics import Note
from firmware_bridge.errors import declare
from firmware_bridge.frame import FrameError
from firmware_bridge.link import LinkError, LinkListener, MakeLink
from firmware_bridge.transport import Transport
from firmware_bridge.vendors import angel_eye as wire

ANSWER_WAIT: Final = 0.4  # seconds; at 4800 baud a command and three reports need a fifth of that
TRIES: Final = 3
BUSY_PAUSE: Final = 0.15
REPEATED_WITHIN: Final = 10.0  # seconds; a later report with the same number is another one
PASSING: Final = (0x01, 0x02, 0x03, 0x21, 0x22)  # refusals that may be over when asked again
SILENT: Final = "the shoe does not answer: is it switched on, is the speed right?"

UNREADABLE: Final = 1
ERRORS: Final = {
    UNREADABLE: ("shoe.unreadable", "a card could not be read: clear the error at the shoe"),
    2: ("shoe.overdraw", "more cards were drawn than the shoe allows: put the last card aside and call a supervisor"),
    3: ("shoe.button", "a button of the shoe was pressed at the wrong moment: clear the error at the shoe"),
    4: ("shoe.reversed", "a card was pushed back at the mouth of the shoe: draw it again"),
    5: ("shoe.reversed-midway", "a card was pushed back while it was being read: draw it again"),
    6: ("shoe.code", "the code on a card is not one of this shoe: put the card aside and call a supervisor"),
    7: ("shoe.timeout", "a card stopped half-way out of the shoe: draw it out"),
}
declare(
    __name__,
    "an Angel Eye shoe",
    {
        "shoe.unreadable": ("A card could not be read.", "Clear the error at the shoe; tell the card at the console."),
        "shoe.overdraw": (
            "More cards were drawn than the shoe allows.",
            "Put the last card aside and call a supervisor.",
        ),
        "shoe.button": ("A button of the shoe was pressed at the wrong moment.", "Clear the error at the shoe."),
        "shoe.reversed": ("A card was pushed back at the mouth of the shoe.", "Draw it again."),
        "shoe.reversed-midway": ("A card was pushed back while it was being read.", "Draw it again."),
        "shoe.code": (
            "The code on a card is not one of this shoe.",
            "Put the card aside and call a supervisor.",
        ),
        "shoe.timeout": ("A card stopped half-way out of the shoe.", "Draw it out."),
        "shoe.error-*": (
            "The shoe reports an error with this number.",
            "Look the number up in the shoe's manual; clear the error at the shoe.",
        ),
        "shoe.gap": (
            "Reports of the shoe are missing.",
            "Compare the cards on the table with the display; a supervisor rules if they differ.",
        ),
        "shoe.sent-again": (
            "The shoe told of a card late.",
            "Compare the order of the cards with the display; a supervisor rules if it differs.",
        ),
        "shoe.report": (
            "A report of the shoe was not understood.",
            "Nothing, if it is rare; else keep what the shoe says: `felt device NAME trace --save FILE`.",
        ),
        **{
            f"shoe.{reason}": (
                f"The shoe was to be locked or unlocked: {words}.",
                "Nothing, if it passes; else look at the shoe, its cable and its settings in table.toml.",
            )
            for reason, words in wire.NAKS.values()
        },
    },
)
CARDS: Final = "DdR"
NAMES: Final = {"S": "start", "P": "standby", "G": "result", "L": "lock state", "M": "preset", "C": "cutting card"}


@dataclass(frozen=True, slots=True)
class AngelEye:
    """The settings of a shoe."""

    bcc: Literal["with-stx", "without-stx"] = "with-stx"  # of commands: the maker's example and text disagree
    sequence: str = "0-9"  # first and last sequence number of reports; "any": gaps are not noticed
    look: int = 5  # seconds between questions whether the shoe is still there

    def __post_init__(self) -> None:
        mistakes: list[tuple[tuple[str, ...], str]] = []
        if self.sequence != "any" and not (len(self.sequence) == 3 and self.sequence[1] == "-" and self._span > 1):
            mistakes.append((("sequence",), 'must be first and last number, as in "0-9", or "any"'))
        if not 1 <= self.look <= 60:
            mistakes.append((("look",), "must be 1 to 60 seconds"))
        if mistakes:
            raise SettingsError(*mistakes)

    @property
    def _span(self) -> int:
        return ord(self.sequence[2]) - ord(self.sequence[0]) + 1

    def missing(self, before: int, now: int) -> int:
        """Returns how many reports are missing between two that came.

        More than one turn of the numbers cannot be seen.
        """
        if self.sequence == "any":
            return 0
        first = ord(self.sequence[0])
        if not (first <= before < first + self._span and first <= now < first + self._span):
            return 1  # not a number that this shoe counts with
        return (now - before - 1) % self._span


@dataclass(slots=True)
class _ShoeMemory(Memory):
    """What outlives a session with the shoe; it tells after a cut wire whether reports are missing."""

    last_report: wire.Report | None = None
    at: float = 0.0  # when it came
    errors: set[str] = field(default_factory=set)  # fault codes that are not over
    cards: deque[bytes] = field(default_factory=lambda: deque(maxlen=16))  # the latest, to know one that is sent again


@vendor("angel-eye", families=("shoe",), settings=AngelEye, line={"baud": "4800"})
class AngelEyeLink(VendorLink[AngelEye]):
    """The link to the shoe, as a dealing shoe."""

    @classmethod
    def links(cls, settings: AngelEye) -> MakeLink:
        memory = _ShoeMemory()
        return lambda transport, listener: cls(transport, listener, memory, settings)

    def __init__(self, transport: Transport, listener: LinkListener, memory: _ShoeMemory, settings: AngelEye) -> None:
        super().__init__(transport, listener, memory, settings)
        self.look_every = settings.look
        self._remembered = memory
        self._framer = wire.Framer()

    async def greet(self) -> tuple[str, str, str]:
        self._framer = wire.Framer()
        await self.look()
        return "angel-eye-ii-ex", "", ""

    async def look(self) -> None:
        await self._operate(wire.query())  # any answer will do

    async def carry_out(self, command: m.Command) -> m.Reply:
        match command:
            case m.Lock(locked):
                return await self._operate(wire.lock(locked))
            case m.SelfTest():
                return await self._operate(wire.query())
            case m.ClearFault(code):
                number = _number(code)
                return await self._operate(wire.clear_error(number)) if number else m.Reply(False, "no-such-fault")
        return NOTHING

    async def _operate(self, operation: wire.Operation) -> m.Reply:
        """Sends an operation up to three times and returns the answer: carrying one out twice does no harm."""
        data = operation.to_wire(with_stx=self._settings.bcc == "with-stx")
        refused: wire.Refused | None = None
        for attempt in range(TRIES):
            answer = await self.exchange(data, f"operation {operation.kind} {operation.data}", ANSWER_WAIT)
            if isinstance(answer, wire.Acked):
                if attempt:  # the answer to an earlier attempt may still come, and must not pass for the next one's
                    await asyncio.sleep(ANSWER_WAIT)
                return m.Reply(True)
            if isinstance(answer, wire.Refused):
                refused = answer
                if answer.code not in PASSING:
                    break
                await asyncio.sleep(BUSY_PAUSE)
        if refused is None:
            raise LinkError("link.silent", SILENT)
        reason, words = wire.NAKS.get(refused.code, ("refused", f"the shoe refuses with code {refused.code:02X}"))
        return m.Reply(False, f"{reason} {words}")

    # ---- reports

    def received(self, data: bytes) -> None:
        for item in self._framer.feed(data):
            match item:
                case FrameError():
                    self.record(item)
                case wire.Report():
                    self.record(Note(_words(item)))
                    self._report(item)
                case wire.Acked():
                    self.record(Note("acknowledged"))
                    self.answer(item)
                case wire.Refused(code):
                    self.record(Note(f"refused {code:02X}"))
                    self.answer(item)

    def _report(self, report: wire.Report) -> None:
        now = asyncio.get_running_loop().time()
        before, self._remembered.last_report = self._remembered.last_report, report
        since, self._remembered.at = now - self._remembered.at, now
        if report == before and since < REPEATED_WITHIN:
            self._listener.stats.duplicates += 1
            return
        if report.kind == "S":  # it starts anew: its lock is forgotten, and so is its count
            self._errors_over()
            if self._identified:
                self.lose(LinkError("device.restarted", "the shoe was switched off and on"))
            return
        if before is not None and (missing := self._settings.missing(before.seq, report.seq)):
            self._gap(missing)
        self._interpret(report)

    def _gap(self, missing: int) -> None:
        """Reports that reports are missing, and at once that this is over: nothing at the shoe would ever end it."""
        text = f"{missing} or more reports of the shoe are missing: compare the cards on the table with the display"
        self.emit(m.Fault("shoe.gap", text))
        self.emit(m.FaultCleared("shoe.gap"))

    def _interpret(self, report: wire.Report) -> None:
        if report.kind in "DP":
            self._errors_over()  # it deals, or waits for a game: whatever was wrong is over, even if we missed the word
        match report.kind, report.data:
            case (("D" | "d" | "R"), data) if len(data) == 2:
                self._card(report)
            case "C", b"":
                self.emit(m.CuttingCardSeen())
            case (("E" | "e"), data) if len(data) == 1:
                self._error(data[0] & 0x3F, began=report.kind == "E")
            case (("S" | "P" | "G" | "L" | "M"), _):
                pass  # its own view of a game that we follow ourselves
            case _:
                self.emit(m.Fault("shoe.report", f"a report {report.kind!r} of the shoe was not understood"))
                self.emit(m.FaultCleared("shoe.report"))

    def _card(self, report: wire.Report) -> None:
        place, card = report.data
        if report.kind != "d" and wire.place_of(place)[0] == wire.BURN_COUNT:
            return  # how many to burn; no card moved
        if report.kind == "R":
            if report.data in self._remembered.cards:
                self._listener.stats.duplicates += 1
                return
            self.emit(m.Fault("shoe.sent-again", "a card came late: compare the order of the cards with the display"))
            self.emit(m.FaultCleared("shoe.sent-again"))
        self._remembered.cards.append(report.data)
        # An impossible code is handed on as what it is: to the table that is a card which nobody could read.
        self.emit(m.CardDrawn(wire.card_of(card) or "?"))

    def _error(self, number: int, *, began: bool) -> None:
        code, words = ERRORS.get(number, (f"shoe.error-{number}", "the shoe reports an error that its manual lists"))
        if not began:
            self._remembered.errors.discard(code)
            self.emit(m.FaultCleared(code))
            return
        self._remembered.errors.add(code)
        self.emit(m.Fault(code, words))
        if number == UNREADABLE:
            self.emit(m.CardDrawn(""))

    def _errors_over(self) -> None:
        for code in sorted(self._remembered.errors):
            self.emit(m.FaultCleared(code))
        self._remembered.errors.clear()


def _number(code: str) -> int | None:
    """Returns the shoe's own number of an error; None for a fault that is not the shoe's."""
    named = next((number for number, (name, _) in ERRORS.items() if name == code), None)
    other = re.fullmatch(r"shoe\.error-([0-9]{1,2})", code)
    return int(other[1]) if named is None and other else named


def _words(report: wire.Report) -> str:
    """Returns a report in words for people; cards are withheld."""
    if report.kind in CARDS:
        return f"report {chr(report.seq)!r} card (withheld)"
    return f"report {chr(report.seq)!r} {NAMES.get(report.kind, report.kind)} {report.data.hex()}".rstrip()
