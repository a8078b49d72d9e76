"""Trials of sections 3 and 6: what the device does with commands, and with what is none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.conform.bench import QUIET, REPLY, Bench
from firmware_bridge.conform.trial import BrokenPromiseError, UntriedError, trial
from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.messages import (
    LONGEST_NOTE,
    ClearFault,
    FlashBegin,
    Indicate,
    KeepNote,
    KeyLamps,
    Lock,
    Message,
    Pair,
    PairKeep,
    PairReveal,
    ReadBack,
    Reply,
    SelfTest,
    SetLamps,
    ShowPrompts,
    ShowText,
    Snapshot,
    TellNote,
)
from firmware_bridge.session import IN_FLIGHT

_UNKNOWN: Final = b"\x91\x7f"  # message 127, which nobody knows
_KEPT_REPLIES: Final = 32
_MALFORMED: Final[Mapping[str, bytes]] = MappingProxyType(
    {
        "a field too many": b"\x92\x40\x01",
        "a missing field": b"\x91\x41",
        "a field of the wrong type": b"\x92\x41\xa1x",
        "bytes after the array": b"\x91\x40\x00",
        "a text that is not UTF-8": b"\x92\x45\xa1\xff",
        "no array": b"\xa5hello",
        "nothing at all": b"",
    }
)
# What each family must be able to do, and what changes nothing that lasts.
_DONE_BY: Final[Mapping[str, tuple[Message, ...]]] = MappingProxyType(
    {
        "shoe": (Lock(True), Lock(False)),
        "shuffler": (),
        "bet-sensor": (Snapshot(), Indicate("ante", True)),
        "console": (ShowPrompts(("conformance",)), KeyLamps(()), ShowPrompts(())),
        "lamps": (SetLamps(((0, 1),)), SetLamps(((0, 0),))),
        "display": (ShowText(("CONFORM",)),),
        "reader": (),
    }
)


@trial(
    "one-reply",
    "6.4",
    "6.2",
    promised="Every command gets one reply, within 1 s.",
    done="SelfTest.",
)
async def one_reply(bench: Bench) -> str:
    reply = await bench.ask(SelfTest())
    if any(frame.kind is Kind.REPLY for _, frame in await bench.during(QUIET)):
        raise BrokenPromiseError("6.4", "a second reply to one command came")
    return _in_words(reply)


@trial(
    "once-for-one-id",
    "6.3",
    promised="The device does each request id once; one that it has answered gets the same reply again.",
    done="SelfTest, and under the same request id a command that nobody knows; and the other way round.",
)
async def once(bench: Bench) -> str:
    for first, second in ((encode(SelfTest()), _UNKNOWN), (_UNKNOWN, encode(SelfTest()))):
        number = bench.new_request()
        before = await bench.ask(first, number)
        after = await bench.ask(second, number)
        if before != after:
            raise BrokenPromiseError(
                "6.3", f"request id {number} was done twice: {_in_words(before)}, then {_in_words(after)}"
            )
    return "the same reply again, both times"


@trial(
    "replies-kept",
    "6.3",
    "7.4",
    promised=f"The device keeps its last {_KEPT_REPLIES} replies.",
    done=f"{_KEPT_REPLIES} commands, and the first request id once more with another command.",
)
async def replies_kept(bench: Bench) -> str:
    oldest = bench.new_request()
    before = await bench.ask(_UNKNOWN, oldest)
    for _ in range(_KEPT_REPLIES - 1):
        await bench.ask(SelfTest())
    after = await bench.ask(SelfTest(), oldest)
    if before != after:
        raise BrokenPromiseError("6.3", f"the reply {_KEPT_REPLIES} commands ago was forgotten, and the id done again")
    return f"the reply of {_KEPT_REPLIES} commands ago"


@trial(
    "eight-at-once",
    "6.1",
    "6.4",
    promised=f"Up to {IN_FLIGHT} commands are in flight.",
    done=f"{IN_FLIGHT} commands without waiting.",
)
async def eight(bench: Bench) -> str:
    numbers = [bench.new_request() for _ in range(IN_FLIGHT)]
    for number in numbers:
        bench.send(Frame(Kind.COMMAND, number, encode(SelfTest())))
    missing = set(numbers)
    deadline = bench.now + REPLY
    while missing and (frame := await bench.find(Kind.REPLY, None, deadline - bench.now)) is not None:
        missing.discard(frame.number)
    if missing:
        if any(frame.kind is Kind.REPLY for _, frame in await bench.during(2 * REPLY)):
            raise BrokenPromiseError("6.2", f"{len(missing)} of {IN_FLIGHT} replies took more than {REPLY:g} s")
        raise BrokenPromiseError("6.1", f"{len(missing)} of {IN_FLIGHT} commands had no reply within {REPLY:g} s")
    return f"{IN_FLIGHT} replies"


@trial(
    "unknown-command",
    "3.8",
    "10.1",
    promised="A command that the device does not know is refused with a reason.",
    done="Message 127, and an event in the place of a command.",
)
async def unknown(bench: Bench) -> str:
    refusals = [await _refused(bench, body, "a command that nobody knows") for body in (_UNKNOWN, b"\x91\x13")]
    return refusals[0]


@trial(
    "malformed-command",
    "3.8",
    "3.1",
    promised="A command whose body is malformed is refused with a reason.",
    done="Commands with " + ", ".join(_MALFORMED) + ".",
)
async def malformed(bench: Bench) -> str:
    for what, body in _MALFORMED.items():
        await _refused(bench, body, f"a command with {what}")
    return f"{len(_MALFORMED)} refusals"


async def _refused(bench: Bench, body: bytes, what: str) -> str:
    reply = await bench.ask(body, paragraph="3.8")
    if reply.ok:
        raise BrokenPromiseError("3.8", f"{what} was done")
    if not reply.detail:
        raise BrokenPromiseError("3.8", f"{what} was refused without a reason")
    return _in_words(reply)


@trial(
    "commands-of-its-family",
    "3.7",
    promised="A device does the commands that its family is for, and refuses to clear a fault that there is not.",
    done="SelfTest, ClearFault, and what its family can do without changing anything that lasts.",
)
async def family(bench: Bench) -> str:
    cleared = await bench.ask(ClearFault("never-reported"))
    if cleared.ok:
        raise BrokenPromiseError("3.7", "ClearFault was done for a fault that there is not")
    for command in _DONE_BY.get(bench.family, ()):
        reply = await bench.ask(command)
        if not reply.ok:
            raise BrokenPromiseError("3.7", f"{type(command).__name__} was refused: {reply.detail!r}")
    return ", ".join(type(command).__name__ for command in _DONE_BY.get(bench.family, ())) or "nothing more to do"


@trial(
    "keeps-a-note",
    "3.10",
    promised="A device that keeps a note for the controller gives back exactly the newest one; others refuse it.",
    done="TellNote, KeepNote with 104 bytes, TellNote, a note that is too long, TellNote, and the note from before.",
)
async def note(bench: Bench) -> str:
    before = await bench.ask(TellNote())
    if not before.ok:
        raise UntriedError(f"the device keeps no note: {before.detail}")
    tried = bytes(range(104))
    if not (await bench.ask(KeepNote(tried))).ok:
        raise BrokenPromiseError("3.10", "TellNote is done, and KeepNote is refused")
    if (await bench.ask(TellNote())).detail != tried.hex():
        raise BrokenPromiseError("3.10", "TellNote does not give back what KeepNote brought")
    if (await bench.ask(KeepNote(bytes(LONGEST_NOTE + 1)))).ok:
        raise BrokenPromiseError("3.10", f"a note of more than {LONGEST_NOTE} bytes was taken")
    if (await bench.ask(TellNote())).detail != tried.hex():
        raise BrokenPromiseError("3.10", "a refused note replaced the one before")
    try:
        await bench.ask(KeepNote(bytes.fromhex(before.detail)))
    except ValueError:
        raise BrokenPromiseError("3.10", f"the detail is no hexadecimal text: {before.detail!r}") from None
    return "kept and given back"


@trial(
    "shown-again",
    "6.5",
    "3.7",
    promised="To show the same again does no harm; a display tells what it shows, or refuses.",
    done="ShowText twice with two request ids, then ReadBack.",
)
async def shown(bench: Bench) -> str:
    if bench.family != "display":
        raise UntriedError(f"the family is {bench.family}, not display")
    for _ in range(2):
        if not (await bench.ask(ShowText(("CONFORM",)))).ok:
            raise UntriedError("the display shows no text")
    reply = await bench.ask(ReadBack())
    if reply.ok and reply.detail != "CONFORM":
        raise BrokenPromiseError("3.7", f"ReadBack says {reply.detail!r}, and CONFORM is to be shown")
    return _in_words(reply)


@trial(
    "firmware-unsigned",
    "9.3",
    promised="Firmware that nobody signed is refused, and nothing is touched.",
    done="FlashBegin with a manifest and a signature of zeros.",
)
async def unsigned(bench: Bench) -> str:
    reply = await bench.ask(FlashBegin(b"\0" * 16, b"\0" * 64))
    if reply.ok:
        raise BrokenPromiseError("9.3", "an image without a signature was begun")
    return _in_words(reply)


@trial(
    "pairing-switch-off",
    "8.12",
    promised="With the pairing switch off, Pair, PairReveal and PairKeep are refused with pairing-switch-off.",
    done="The three commands.",
)
async def switch_off(bench: Bench) -> str:
    for command in (Pair(b"\x09" * 32), PairReveal(b"\1" * 32), PairKeep(b"\1" * 32)):
        reply = await bench.ask(command)
        if reply.ok:
            raise BrokenPromiseError("8.12", f"{type(command).__name__} was done with the switch off")
        if bench.key is not None and reply.detail != "pairing-switch-off":
            raise BrokenPromiseError("8.12", f"{type(command).__name__} was refused with {reply.detail!r}")
    return "refused three times"


@trial(
    "replies-in-full",
    "2.1",
    promised="A reply has the request id of its command.",
    done="Commands with the largest request ids there are.",
)
async def large_ids(bench: Bench) -> str:
    for number in (0x7FFF_FFFF, 0xFFFF_FFFF):
        await bench.ask(SelfTest(), number)
    return "replies with the same ids"


def _in_words(reply: Reply) -> str:
    return "done" if reply.ok else f"refused: {reply.detail!r}"
