"""Trials of section 5: no event is lost, none counts twice, whatever happens to wire and power."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from firmware_bridge.conform.bench import QUIET, Bench
from firmware_bridge.conform.trial import BrokenPromiseError, Deed, UntriedError, trial
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.messages import Identity
from firmware_bridge.session import WINDOW

_REPEATS: Final = (0.2, 0.4, 0.8, 1.6)  # seconds
_OBSERVED: Final = sum(_REPEATS) + 0.8
_EARLY: Final = 0.75  # of the time that is promised
_LATE: Final = 1.5
_SLACK: Final = 0.15  # seconds that a busy machine may add


@trial(
    "event-reported",
    "5.1",
    "3.4",
    "3.6",
    promised="Each event gets the next counter.",
    done="One thing happens at the device.",
    keeps_events=True,
)
async def reported(bench: Bench) -> str:
    identity = bench.watch.identity
    assert identity is not None
    was_kept = bool(bench.watch.kept)
    counter = await bench.event()
    if not was_kept and counter != identity.last + 1:
        raise BrokenPromiseError("5.1", f"the event has the counter {counter}, and {identity.last + 1} was next")
    return f"event {counter}"


@trial(
    "event-again",
    "5.3",
    "7.4",
    promised="The oldest unacknowledged event is sent again after 200, 400, 800, 1600 ms.",
    done="No ACK for an event.",
    keeps_events=True,
)
async def again(bench: Bench) -> str:
    counter = await bench.event()
    await bench.greet()
    times = [at for at, frame in await bench.during(_OBSERVED) if frame.kind is Kind.EVENT and frame.number == counter]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    pauses_text = ", ".join(f"{pause * 1000:.0f} ms" for pause in pauses[: len(_REPEATS)]) or "nothing"
    if len(pauses) < len(_REPEATS):
        raise BrokenPromiseError("5.3", f"{len(pauses)} repeats within {_OBSERVED:g} s, after {pauses_text}")
    for pause, due in zip(pauses, _REPEATS, strict=False):
        if not due * _EARLY <= pause <= due * _LATE + _SLACK:
            raise BrokenPromiseError("5.3", f"it was sent again after {pauses_text}; {due * 1000:.0f} ms was due")
    return f"again after {pauses_text}"


@trial(
    "event-on-request",
    "5.5",
    promised="On RESEND n the device sends the events it keeps from n on.",
    done="RESEND with the counter of an event that is kept.",
    keeps_events=True,
)
async def on_request(bench: Bench) -> str:
    counter = await bench.event()
    await bench.during(0.05)
    bench.send(Frame(Kind.RESEND, counter))
    if await bench.find(Kind.EVENT, counter, _REPEATS[0] / 2) is None:
        raise BrokenPromiseError("5.5", f"event {counter} did not come at once")
    return f"event {counter} at once"


@trial(
    "event-after-another-epoch",
    "5.4",
    "4.2",
    promised="Events are forgotten only on ACK, or on HELLO with the device's own epoch.",
    done="HELLO with no epoch and with another one, each with a counter above all events.",
    keeps_events=True,
)
async def another_epoch(bench: Bench) -> str:
    counter, identity = await _kept_event(bench)
    for epoch in (0, identity.epoch ^ 1):
        await bench.greet(epoch, counter + 100)
        await _comes(bench, "5.4", counter, "HELLO with another epoch")
    return f"event {counter} again, both times"


@trial(
    "event-after-reconnection",
    "4.2",
    "5.4",
    promised="After a greeting the device sends the events it keeps, in order.",
    done="The wire closed and opened again, HELLO.",
    keeps_events=True,
)
async def reconnected(bench: Bench) -> str:
    counter = await bench.event()
    await bench.reopen()
    await bench.greet()
    await _comes(bench, "4.2", counter, "the wire was opened again")
    return f"event {counter} again"


@trial(
    "event-after-power-cut",
    "5.1",
    "5.4",
    "4.1",
    promised="Events are stored in memory that survives a power cut, before they are sent.",
    done="A restart of the device, HELLO.",
    keeps_events=True,
)
async def power_cut(bench: Bench) -> str:
    counter = await bench.event()
    await bench.do(Deed.RESTART)
    await bench.reopen()
    early = [frame for _, frame in await bench.during(QUIET)]
    if early:
        raise BrokenPromiseError("4.1", f"{early[0].kind.name} {early[0].number} came before any HELLO")
    await bench.greet()
    await _comes(bench, "5.1", counter, "a restart")
    return f"event {counter} again, and nothing before the greeting"


@trial(
    "events-in-flight",
    "5.2",
    "5.1",
    "5.3",
    "7.4",
    promised=f"At most {WINDOW} unacknowledged events are in flight; younger ones wait.",
    done="Twenty things happen, and only then the first ACK comes.",
)
async def in_flight(bench: Bench) -> str:
    before = bench.watch.next_event
    await bench.do(Deed.EVENTS)
    await bench.during(QUIET)
    await bench.settle()
    came = bench.watch.next_event - before
    if came > WINDOW:
        raise BrokenPromiseError("5.2", f"{came} events came without an ACK")
    if came < WINDOW:
        raise UntriedError(f"only {came} events came")
    bench.acknowledge(before + WINDOW - 1)
    if await bench.find(Kind.EVENT, before + WINDOW, _REPEATS[0]) is None:
        raise BrokenPromiseError("5.2", f"event {before + WINDOW} did not come after the ACK")
    if await bench.find(Kind.EVENT, before + WINDOW, _REPEATS[0] * _LATE + _SLACK) is None:
        raise BrokenPromiseError("5.3", f"event {before + WINDOW} was not sent again 200 ms after the ACK")
    return f"{WINDOW} events, and the next after the ACK, then again"


@trial(
    "event-acknowledged",
    "5.4",
    promised="An event that was acknowledged is forgotten.",
    done="ACK, then HELLO.",
    keeps_events=True,
)
async def acknowledged(bench: Bench) -> str:
    await bench.event()
    await bench.acknowledge_all()
    counter = bench.watch.acknowledged
    identity = await bench.greet(0, 0)
    if identity.first <= counter:
        raise BrokenPromiseError("5.4", f"`first` is {identity.first}, and event {counter} was acknowledged")
    if await bench.find(Kind.EVENT, counter, QUIET) is not None:
        raise BrokenPromiseError("5.4", f"event {counter} came again after its ACK")
    return f"`first` is {identity.first}"


@trial(
    "events-known-by-greeting",
    "4.2",
    "5.4",
    promised="On HELLO with its own epoch the device forgets events up to the counter.",
    done="HELLO with the counter of an event that is kept, in the place of ACK.",
    keeps_events=True,
)
async def known(bench: Bench) -> str:
    counter, identity = await _kept_event(bench)
    after = await bench.greet(identity.epoch, counter)
    if after.first <= counter:
        raise BrokenPromiseError("4.2", f"`first` is {after.first}, and the controller has event {counter} on disk")
    return f"`first` is {after.first}"


async def _kept_event(bench: Bench) -> tuple[int, Identity]:
    """Returns the counter of an event that the device keeps, and who the device is."""
    counter, identity = await bench.event(), bench.watch.identity
    assert identity is not None
    return counter, identity


async def _comes(bench: Bench, paragraph: str, counter: int, after: str) -> None:
    if await bench.find(Kind.EVENT, counter, 2 * QUIET) is None:
        raise BrokenPromiseError(paragraph, f"event {counter} did not come again after {after}")
