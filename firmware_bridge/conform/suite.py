"""Runs all trials on one device, one after the other, and tells how each ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from firmware_bridge.conform import commands, events, frames, greeting, pairing, sealing, speed, watched
from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import TRIALS, BrokenPromiseError, Trial, TrialResult, UntriedError
from firmware_bridge.errors import Coded
from firmware_bridge.transport import TransportError

GREETING: Final = "greeting"
_ROOMS: Final = tuple(
    module.__name__ for module in (greeting, frames, commands, sealing, events, speed, pairing, watched)
)  # in the order in which they are tried
LIMIT: Final = 300.0  # seconds, with nobody to wait for


async def run(
    bench: Bench,
    *,
    begin: Callable[[Trial], None],
    tell: Callable[[TrialResult], None],
    limit: float = LIMIT,
    forget_events: bool = False,
) -> list[TrialResult]:
    """Returns the results of all trials; Coded when the device cannot be tried at all.

    `begin` is called before each trial and `tell` after it.  No trial begins when `limit` seconds have passed; those in
    which somebody at the device was waited for do not count.  A device that keeps events is not tried unless
    `forget_events`: the suite acknowledges them.
    """
    results: list[TrialResult] = []
    stopped = ""
    await bench.open()
    began = bench.now
    try:
        for trial in ordered():
            begin(trial)
            result = await _one(bench, trial, stopped or _too_late(bench, began + limit))
            results.append(result)
            tell(result)
            if trial.name == GREETING:
                stopped = "" if result.outcome == "kept" else "not reached: the device cannot be greeted"
                _check_kept(bench, forget_events)
            elif not bench.opened:
                stopped = "not reached: the wire could not be opened again"
            elif bench.failed_greetings > 1 and not stopped:
                stopped = f"not reached: the device answers no greeting any more, since {results[-2].trial.name}"
        await _leave(bench)
    finally:
        await bench.close()
    return results


def ordered() -> list[Trial]:
    """Returns the trials in the order in which they are made."""
    return sorted(TRIALS.values(), key=lambda trial: _ROOMS.index(trial.run.__module__))


def _too_late(bench: Bench, deadline: float) -> str:
    return "not reached: the time is over" if bench.now - bench.waited > deadline else ""


def _check_kept(bench: Bench, forget_events: bool) -> None:
    identity = bench.watch.identity
    if identity is None or forget_events or not 0 < identity.first <= identity.last:
        return
    count = identity.last - identity.first + 1
    raise Coded("conform.kept", f"the device keeps {count} events that no journal has, and the suite would forget them")


async def _one(bench: Bench, trial: Trial, stopped: str) -> TrialResult:
    began = bench.now

    def ended(outcome: Literal["kept", "broken", "untried"], came: str, paragraph: str = "") -> TrialResult:
        return TrialResult(trial, outcome, paragraph or trial.paragraphs[0], came, bench.now - began)

    if why := _not_for(bench, trial) or ("" if trial.run.__module__ == watched.__name__ else stopped):
        return ended("untried", why)
    try:
        if trial.greeted:
            await bench.greet()
            if not trial.keeps_events:
                await bench.acknowledge_all()
        came = await trial.run(bench)
        await bench.settle()
        return ended("kept", came)
    except BrokenPromiseError as broken:
        return ended("broken", broken.came, broken.paragraph)
    except UntriedError as untried:
        return ended("untried", untried.why)
    except TransportError as lost:
        try:
            await bench.reopen()
        except TransportError:
            pass  # whoever comes next is told
        return ended("broken", f"the wire was lost: {lost.cause}")


def _not_for(bench: Bench, trial: Trial) -> str:
    """Returns why this trial is not for this device; "" when it is."""
    if trial.stream and not bench.stream:
        return "the wire carries whole messages, without byte stuffing"
    if trial.link == "encrypted" and bench.key is None:
        return "the device has no key"
    if trial.link == "plain" and bench.key is not None:
        return "the link is encrypted"
    return ""


async def _leave(bench: Bench) -> None:
    """Takes what the device still keeps of the events that the suite caused."""
    try:
        if bench.watch.identity is not None:
            await bench.greet()
            await bench.acknowledge_all()
    except (BrokenPromiseError, TransportError):
        pass  # it was told already
