"""Trials of sections 4 and 7: before the greeting, the greeting itself, and signs of life."""

from __future__ import annotations

import secrets
from typing import Final

from firmware_bridge.conform.bench import PONG, QUIET, Bench
from firmware_bridge.conform.trial import BrokenPromiseError, Deed, Sight, UntriedError, trial
from firmware_bridge.frame import VERSION, Frame, Kind, encode
from firmware_bridge.messages import Hello, KeyLamps, Message, SelfTest, SetLamps

_LISTEN: Final = 2.0  # seconds: longer than the longest pause between repeats of an event
_PINGS: Final = 10
_PAUSE: Final = 0.1  # seconds between PINGs
_SAFE: Final = 2.5  # seconds of silence after which outputs are safe
_UNKNOWN: Final = b"\x91\x7f"  # message 127, which nobody knows


@trial(
    "before-the-greeting",
    "4.1",
    "7.5",
    promised="Until it has been greeted, the device sends nothing at all, not even PONG.",
    done="A restart if somebody is there, then PING, COMMAND, ACK and RESEND without a greeting.",
    greeted=False,
)
async def before(bench: Bench) -> str:
    restarted = await bench.done(Deed.RESTART)
    if restarted:
        await bench.reopen()
    unasked = await bench.during(_LISTEN)
    number = bench.new_ping()
    bench.expect(Kind.REPLY, 1)
    for frame in (
        Frame(Kind.PING, number),
        Frame(Kind.COMMAND, 1, encode(SelfTest())),
        Frame(Kind.ACK, 0),
        Frame(Kind.RESEND, 1),
    ):
        bench.write(frame.to_wire())
    answers = await bench.during(QUIET)
    frames = [frame for _, frame in (*unasked, *answers)]
    if not frames:
        return "nothing" if restarted else "nothing; nobody restarted it before"
    if not restarted and any(frame.kind is Kind.PONG for frame in frames):
        raise UntriedError("the device is still in a session; restart it before the suite, or with somebody there")
    raise BrokenPromiseError("4.1", f"{frames[0].kind.name} {frames[0].number} came before any HELLO")


@trial(
    "greeting",
    "4.2",
    "2.1",
    "1.6",
    promised="The device answers HELLO with IDENTITY, and the number of both is the nonce.",
    done="HELLO with a random nonce.",
    greeted=False,
)
async def greeting(bench: Bench) -> str:
    await bench.meet()
    identity = await bench.greet()
    return f"{identity.family} {identity.model}, serial number {identity.serial}, firmware {identity.firmware}"


@trial(
    "identity",
    "3.3",
    promised="Identity names a family, a serial number, an epoch that is random and not 0, and the events it keeps.",
    done="Two greetings.",
)
async def identity(bench: Bench) -> str:
    first = await bench.greet()
    again = await bench.greet()
    if (first.family, first.model) != (again.family, again.model):
        raise BrokenPromiseError("3.3", "family or model is another one in the second Identity")
    if findings := bench.watch.findings.get("3.3"):
        raise BrokenPromiseError("3.3", "; ".join(findings))
    return f"the same twice: {first.family}, events {first.first} to {first.last} are kept"


@trial(
    "greeting-again",
    "4.3",
    "4.2",
    promised="A HELLO that is repeated gets the same IDENTITY again.",
    done="HELLO three times with one nonce.",
    link="plain",
)
async def again(bench: Bench) -> str:
    nonce = secrets.randbits(32)
    answers = [await bench.greet(nonce=nonce) for _ in range(3)]
    if len({(answer.serial, answer.epoch) for answer in answers}) > 1:
        raise BrokenPromiseError("4.3", "the answers name different serial numbers or epochs")
    return "IDENTITY three times, with one serial number and one epoch"


@trial(
    "another-protocol",
    "3.3",
    promised="A device answers no greeting with another protocol than 1.",
    done="HELLO with Hello(2).",
    link="plain",
)
async def protocol(bench: Bench) -> str:
    nonce = secrets.randbits(32)
    bench.send(Frame(Kind.HELLO, nonce, encode(Hello(VERSION + 1))))
    await bench.silent("3.3", Kind.IDENTITY, nonce, "a greeting with protocol 2")
    return "nothing"


@trial(
    "new-session",
    "4.2",
    promised="On HELLO the device starts a new session and forgets the replies of the old one.",
    done="Request 1 (SelfTest), HELLO, and another request 1 (a command that nobody knows).",
)
async def new_session(bench: Bench) -> str:
    before = await bench.ask(SelfTest())
    await bench.greet()
    after = await bench.ask(_UNKNOWN)
    if after.ok or (after == before and not before.ok):
        raise BrokenPromiseError("4.2", "request 1 of the new session got the reply to request 1 of the old one")
    return "request 1 was answered anew"


@trial(
    "heartbeat",
    "7.1",
    "2.1",
    "7.4",
    promised="The device answers PING with PONG at once.",
    done=f"{_PINGS} PINGs, one every {_PAUSE * 1000:g} ms.",
)
async def heartbeat(bench: Bench) -> str:
    longest = 0.0
    for count in range(1, _PINGS + 1):
        took = await bench.ping()
        if took is None:
            raise BrokenPromiseError("7.1", f"no PONG to PING {count} of {_PINGS} within {PONG * 1000:g} ms")
        longest = max(longest, took)
        await bench.during(_PAUSE)
    return f"{_PINGS} PONGs; the longest took {longest * 1000:.0f} ms"


@trial(
    "safe-outputs",
    "7.3",
    promised="A device that hears nothing for 2 s takes its outputs to their safe state.",
    done=f"Lamps on, {_SAFE:g} s of silence, then a look at them.",
)
async def safe(bench: Bench) -> str:
    lit: dict[str, Message] = {"lamps": SetLamps(((0, 1), (1, 1))), "console": KeyLamps(("deal",))}
    if bench.family not in lit:
        raise UntriedError(f"the family {bench.family} has no lamps that are lit by command")
    if not (await bench.ask(lit[bench.family])).ok:
        raise UntriedError("the device refused to light its lamps")
    await bench.during(_SAFE)
    dark = await bench.seen(Sight.DARK)
    if dark is None:
        raise UntriedError("nobody looked at its lamps")
    if not dark:
        raise BrokenPromiseError("7.3", f"its lamps were still lit after {_SAFE:g} s of silence")
    return "its lamps went dark"
