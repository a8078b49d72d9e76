"""Trials of section 8: a device with a key believes only who has it too, and one without says so."""

from __future__ import annotations

import secrets
from typing import Final

from firmware_bridge.conform.bench import EVENT, QUIET, Bench
from firmware_bridge.conform.trial import BrokenPromiseError, trial
from firmware_bridge.frame import VERSION, Frame, Kind, decode_answer, decode_event, encode
from firmware_bridge.messages import TAMPERED, Challenge, Fault, FaultCleared, Hello, Introduction

_NONCE: Final = 32


@trial(
    "challenge-without-key",
    "8.7",
    promised="A device without a key answers a Challenge with Introduction(serial): no nonce.",
    done="A Challenge.",
    link="plain",
)
async def without_key(bench: Bench) -> str:
    challenged = await bench.challenge()
    if challenged is None:
        raise BrokenPromiseError("8.7", "no answer to a Challenge")
    answer = challenged[1]
    if answer.nonce or answer.proof:
        raise BrokenPromiseError("8.7", "the Introduction has a nonce or a proof, and the device uses no key")
    return f"Introduction of {answer.serial}, without a nonce"


@trial(
    "greeting-in-plain",
    "8.7",
    "8.1",
    promised="A device with a key answers a plain HELLO with Introduction(serial, D), and never goes on without.",
    done="A plain HELLO, and a plain PING after it.",
    link="encrypted",
    greeted=False,
)
async def in_plain(bench: Bench) -> str:
    await bench.reopen()
    nonce = secrets.randbits(32)
    bench.expect(Kind.IDENTITY, nonce)
    bench.write(Frame(Kind.HELLO, nonce, encode(Hello(VERSION))).to_wire())
    frame = await bench.find(Kind.IDENTITY, nonce, QUIET)
    if frame is None:
        raise BrokenPromiseError("8.7", "no answer to a plain HELLO")
    answer = decode_answer(frame.body)
    if not isinstance(answer, Introduction):
        raise BrokenPromiseError("8.1", "a plain session began, although the device has a key")
    if len(answer.nonce) != _NONCE or answer.proof:
        raise BrokenPromiseError("8.7", "the Introduction has no nonce of 32 bytes, or it has a proof")
    number = bench.new_ping()
    bench.write(Frame(Kind.PING, number).to_wire())
    await bench.silent("8.1", Kind.PONG, number, "a plain PING")
    return "an Introduction without a proof, and nothing more"


@trial(
    "introductions",
    "8.5",
    promised="D is new for each Challenge; the same C with the same number gets the same Introduction.",
    done="A Challenge twice, and another one.",
    link="encrypted",
)
async def introductions(bench: Bench) -> str:
    first = await _challenged(bench)
    number, answer, nonce = first
    again = await bench.challenge(number, nonce)
    if again is None or again[1] != answer:
        raise BrokenPromiseError("8.5", "the same Challenge got another Introduction")
    other = await _challenged(bench)
    if other[1].nonce == answer.nonce:
        raise BrokenPromiseError("8.5", "two Challenges got the same nonce of the device")
    if len(answer.nonce) != _NONCE:
        raise BrokenPromiseError("8.5", f"the nonce of the device has {len(answer.nonce)} bytes")
    return "the same twice, and another one"


async def _challenged(bench: Bench) -> tuple[int, Introduction, bytes]:
    challenged = await bench.challenge()
    if challenged is None:
        raise BrokenPromiseError("8.4", "no answer to a Challenge")
    return challenged


@trial(
    "proof",
    "8.3",
    "8.2",
    promised="The proof is made with the key of the session, the number of the HELLO and the serial number.",
    done="Two Challenges with one C and two numbers.",
    link="encrypted",
)
async def proof(bench: Bench) -> str:
    from firmware_bridge.encryption import proves, session_keys

    assert bench.key is not None
    number, _, nonce = await _challenged(bench)
    for asked in (number, number ^ 1):
        challenged = await bench.challenge(asked, nonce)
        if challenged is None:
            raise BrokenPromiseError("8.4", "no answer to a Challenge")
        answer = challenged[1]
        if not proves(session_keys(bench.key, nonce, answer.nonce), asked, answer.serial, answer.proof):
            raise BrokenPromiseError("8.3", f"the proof of Introduction {asked} is not that of the key")
    return "two proofs, both right"


@trial(
    "short-nonce",
    "8.5",
    promised="A nonce that does not have 32 bytes is refused.",
    done="A Challenge with a nonce of 16 bytes.",
    link="encrypted",
)
async def short_nonce(bench: Bench) -> str:
    number = secrets.randbits(32)
    bench.write(Frame(Kind.HELLO, number, encode(Challenge(VERSION, b"\1" * 16))).to_wire())
    await bench.silent("8.5", Kind.IDENTITY, number, "a Challenge with a nonce of 16 bytes")
    return "nothing"


@trial(
    "challenge-used",
    "8.5",
    promised="A Challenge with the C of the running session is not answered.",
    done="The Challenge of this session, once more.",
    link="encrypted",
)
async def used(bench: Bench) -> str:
    number, nonce = bench.challenged
    bench.write(Frame(Kind.HELLO, number, encode(Challenge(VERSION, nonce))).to_wire())
    await bench.silent("8.5", Kind.IDENTITY, number, "the Challenge of the running session")
    return "nothing"


@trial(
    "challenge-beside",
    "8.4",
    promised="A Challenge runs beside the session that the device may have, and does not end it.",
    done="A Challenge in a session, then a PING in that session.",
    link="encrypted",
)
async def beside(bench: Bench) -> str:
    await _challenged(bench)
    await bench.alive("8.4", "a Challenge in the session")
    return "an Introduction, and the session went on"


@trial(
    "plain-frame",
    "8.10",
    "8.1",
    promised="In a session, a frame that is not encrypted is dropped; the device reports Fault tampered, once.",
    done="Two plain PINGs in an encrypted session.",
    link="encrypted",
)
async def plain_frame(bench: Bench) -> str:
    for _ in range(2):
        number = bench.new_ping()
        bench.write(Frame(Kind.PING, number).to_wire())
        await _dropped(bench, number, "a plain PING")
    return await _reported(bench)


@trial(
    "frame-again",
    "8.10",
    promised="A frame that comes again is dropped; its counter must be greater than every one before.",
    done="One encrypted PING, sent twice.",
    link="encrypted",
)
async def replayed(bench: Bench) -> str:
    number = bench.new_ping()
    wire = bench.encrypted(Frame(Kind.PING, number)).to_wire()
    bench.write(wire)
    if await bench.find(Kind.PONG, number, QUIET) is None:
        raise BrokenPromiseError("8.10", "no PONG to an encrypted PING")
    bench.write(wire)
    await _dropped(bench, number, "a PING that was sent again")
    return await _reported(bench)


@trial(
    "frame-altered",
    "8.10",
    "8.9",
    promised="A frame that passes the check but does not open is dropped.",
    done="An encrypted PING with one bit changed and the check renewed; the same with another number.",
    link="encrypted",
)
async def altered(bench: Bench) -> str:
    for change in ("body", "number"):
        number = bench.new_ping()
        frame = bench.encrypted(Frame(Kind.PING, number))
        if change == "body":
            frame = Frame(frame.kind, number, frame.body[:-1] + bytes([frame.body[-1] ^ 1]), frame.flags)
        else:
            number = bench.new_ping()
            frame = Frame(frame.kind, number, frame.body, frame.flags)
        bench.write(frame.to_wire())
        await _dropped(bench, number, f"an encrypted PING with another {change}")
    return await _reported(bench)


@trial(
    "gap-in-counters",
    "8.10",
    "8.8",
    promised="Gaps between counters are lost frames, and no tampering.",
    done="An encrypted PING after ten that were never sent.",
    link="encrypted",
)
async def gap(bench: Bench) -> str:
    for _ in range(10):
        bench.encrypted(Frame(Kind.PING, 0))
    await bench.alive("8.10", "ten frames that were lost")
    return "PONG"


async def _dropped(bench: Bench, number: int, what: str) -> None:
    frames = [frame for _, frame in await bench.during(QUIET)]
    if any(frame.kind is Kind.PONG and frame.number == number for frame in frames):
        raise BrokenPromiseError("8.10", f"{what} was answered")


async def _reported(bench: Bench) -> str:
    """Checks that the device told of it once, and that the session goes on."""
    await bench.alive("8.10", "frames that were dropped")
    await bench.greet()
    by_counter = {frame.number: _tampering_of(frame) for _, frame in await bench.during(EVENT / 2)}
    tampering = [by_counter[counter] for counter in sorted(by_counter) if by_counter[counter]]
    if tampering != ["Fault", "FaultCleared"]:
        words = ", ".join(tampering) or "nothing"
        raise BrokenPromiseError("8.10", f"the device told {words}; Fault and FaultCleared tampered were due, once")
    await bench.acknowledge_all()
    return "dropped; Fault and FaultCleared tampered were told once"


def _tampering_of(frame: Frame) -> str:
    if frame.kind is not Kind.EVENT:
        return ""
    event = decode_event(frame.body)
    return type(event).__name__ if isinstance(event, Fault | FaultCleared) and event.code == TAMPERED else ""
