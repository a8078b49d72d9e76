"""Trials of a faster line (6.6 to 6.14), which a device need not have: it refuses Speed, and they are not tried."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import BrokenPromiseError, UntriedError, trial
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.messages import SelfTest, Speed
from firmware_bridge.speed import NO_SUCH_SPEED

_SETTLE: Final = 0.02  # seconds until the device has changed
_FIRST_WORD: Final = 0.3  # in which it must hear something at a new speed
_NEXT_WORD: Final = 1.0  # and then again and again
_MARGIN: Final = 0.1  # on both sides of what is promised
_NOBODY_HAS: Final = 1  # baud


@trial(
    "a-faster-line",
    "6.8",
    "6.6",
    "6.7",
    promised="After a Speed that is done both ends have the new speed, and nothing is said before a frame came at it.",
    done="Speed with the fastest speed that both can have, a moment of silence, PING, SelfTest, and Speed(0).",
)
async def faster(bench: Bench) -> str:
    speed = await _change(bench)
    if unasked := await bench.during(_FIRST_WORD / 2):
        frame = unasked[0][1]
        raise BrokenPromiseError("6.8", f"{frame.kind.name} {frame.number} came before any frame at the new speed")
    await bench.alive("6.8", f"the change to {speed}")
    await bench.ask(SelfTest())
    await _go_back(bench)
    return f"{speed} baud, and back"


@trial(
    "a-speed-that-nobody-has",
    "6.7",
    promised="A speed that the device cannot have is refused with no-such-speed, and nothing changes.",
    done=f"Speed with the fastest speed that both can have, PING, Speed(0), Speed({_NOBODY_HAS}), and PING.",
)
async def strange(bench: Bench) -> str:
    await _change_and_back(bench)
    reply = await bench.ask(Speed(_NOBODY_HAS))
    if reply.ok or reply.detail != NO_SUCH_SPEED:
        answer = "was done" if reply.ok else f"was refused with {reply.detail!r}"
        raise BrokenPromiseError("6.7", f"Speed({_NOBODY_HAS}) {answer}")
    await bench.alive("6.7", "a speed that was refused")
    return "refused"


@trial(
    "nobody-at-the-new-speed",
    "6.9",
    promised="Without a valid frame within 300 ms of a change the device is back at its base speed.",
    done="Speed, nothing for 400 ms, and PING at the base speed.",
)
async def unheard(bench: Bench) -> str:
    await _change(bench)
    await _wait_for_base(bench, _FIRST_WORD)
    await bench.alive("6.9", "300 ms in which nothing came at the new speed")
    return "back at its base speed"


@trial(
    "silence-at-a-higher-speed",
    "6.9",
    promised="At a higher speed the device is back at its base speed after 1 s without a valid frame, and no earlier.",
    done="Speed, PING, 900 ms of silence, PING, 1.1 s of silence, and PING at the base speed.",
)
async def left(bench: Bench) -> str:
    await _change(bench)
    await bench.alive("6.8", "the change")
    await bench.during(_NEXT_WORD - _MARGIN)
    await bench.alive("6.9", f"{_NEXT_WORD - _MARGIN:g} s of silence at a higher speed, which are no whole second")
    await _wait_for_base(bench, _NEXT_WORD)
    await bench.alive("6.9", "more than 1 s of silence at a higher speed")
    return "kept for 900 ms, back after 1.1 s"


@trial(
    "greeted-at-the-base-speed",
    "6.10",
    promised="Whoever greets at the base speed a device that was left at a higher one is heard before 2 s are over.",
    done="Speed, PING, and at once a new greeting at the base speed.",
)
async def found_again(bench: Bench) -> str:
    await _change(bench)
    await bench.alive("6.8", "the change")
    began = bench.now
    try:
        await bench.greet()
    except BrokenPromiseError as broken:
        raise BrokenPromiseError("6.10", f"left at a higher speed: {broken.came}") from None
    return f"greeted after {bench.now - began:.1f} s"


@trial(
    "the-base-speed-again",
    "6.14",
    promised="Speed(0) takes the device back to its base speed at once.",
    done="Speed, PING, Speed(0), and PING at the base speed.",
)
async def base(bench: Bench) -> str:
    await _change_and_back(bench)
    return "back at once"


@trial(
    "a-faster-encrypted-line",
    "6.11",
    promised="In an encrypted session a frame that is not encrypted is not valid at the new speed either.",
    done="Speed, a PING that is not encrypted, 400 ms of silence, and PING at the base speed.",
    link="encrypted",
)
async def plain(bench: Bench) -> str:
    await _change(bench)
    await bench.during(_SETTLE)
    bench.write(Frame(Kind.PING, bench.new_ping()).to_wire())
    await _wait_for_base(bench, _FIRST_WORD)
    await bench.alive("6.11", "a change at whose new speed nothing came but a PING that is not encrypted")
    return "back at its base speed"


async def _change(bench: Bench) -> int:
    """Gives both ends the fastest speed that they have, and returns it; UntriedError when they have none."""
    if not bench.faster:
        raise UntriedError("the wire has no higher speed")
    for speed in bench.faster:
        reply = await bench.ask(Speed(speed))
        if reply.ok:
            bench.set_speed(speed)
            await bench.during(_SETTLE)
            return speed
        if reply.detail != NO_SUCH_SPEED:
            break
    raise UntriedError(f"the device keeps its base speed: {reply.detail}")


async def _change_and_back(bench: Bench) -> None:
    await _change(bench)
    await bench.alive("6.8", "the change")
    await _go_back(bench)


async def _wait_for_base(bench: Bench, seconds: float) -> None:
    """Says nothing for longer than the device waits; our end is there first, and hears what it says then."""
    await bench.during(seconds - _MARGIN)
    bench.set_speed()
    await bench.during(2 * _MARGIN)


async def _go_back(bench: Bench) -> None:
    """Gives both ends their base speed."""
    reply = await bench.ask(Speed(0))
    if not reply.ok:
        raise BrokenPromiseError("6.14", f"Speed(0) was refused at a higher speed: {reply.detail!r}")
    bench.set_speed()
    await bench.during(_SETTLE)
    await bench.alive("6.14", "Speed(0)")
