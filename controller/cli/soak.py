"""felt sim soak: days of a table in virtual time, faults everywhere, and what must hold checked after every step."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from controller.cli.client import TROUBLE, explained, with_json
from controller.cli.processes import Processes
from controller.counts import many

if TYPE_CHECKING:
    from controller.sim.soak.day import DayPlan
    from controller.sim.soak.soak import Soaked, SoakFailure

NONE = "none"


def _number(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number of rounds", context, option)
    return value


@click.command(name="soak")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed has other days.")
@click.option("--days", type=click.IntRange(1), default=1, show_default=True, help="So many days, a game each in turn.")
@click.option("--day", type=click.IntRange(0), default=0, show_default=True, help="The number of the first day.")
@click.option("--game", "games", multiple=True, help="Only this game; several take turns.  [default: all]")
@click.option("--rounds", type=click.IntRange(1), help="Full-table rounds of a day.  [default: 1096]")
@click.option(
    "--every", type=click.FloatRange(0), callback=_number, help="Rounds for each fault; 0 for none.  [default: 4]"
)
@click.option("--until", type=click.IntRange(1), help="End each day after so many of its rounds.")
@click.option("--set", "options", multiple=True, metavar="OPTION=VALUE", help="Set every table so; the rest is drawn.")
@click.option("--faults", help="Only these of the day's faults, by number: 3,17, or none.")
@click.option(
    "--shrink", type=click.IntRange(0), default=60, show_default=True, help="Attempts to make a failing day smaller."
)
@click.option("--jobs", "-j", type=Processes(), default=1, metavar="N|auto", help="Live through so many days at once.")
@with_json
@explained
def command(
    seed: int,
    days: int,
    day: int,
    games: tuple[str, ...],
    rounds: int | None,
    every: float | None,
    until: int | None,
    options: tuple[str, ...],
    faults: str | None,
    shrink: int,
    jobs: int,
    as_json: bool,
) -> None:
    """Live through days of a table: every fault, every step checked.

    The table, its devices, disk, clock and people run in one process in virtual time; all that is left to chance comes
    from the seed, so the same words always live through the same days, and end with the same head hash.

    Exit status 0: everything held; 1: something did not, and it is said how to see it again.
    """
    from controller.cli.runner.progress import Progress
    from controller.games import GAMES, find
    from controller.sim.soak.faults import NoSuchFault
    from controller.sim.soak.soak import EVERY, ROUNDS, SoakPlan, soak
    from firmware_bridge.extensions import ExtensionError

    try:
        for game in games:
            find(game)
    except ExtensionError as error:
        raise click.UsageError(f"{error.cause}; {error.next_step}") from None
    plan = SoakPlan(
        seed=seed,
        days=days,
        first=day,
        games=games or tuple(GAMES),
        rounds=rounds or ROUNDS,
        every=EVERY if every is None else every,
        until=until,
        faults=_numbers(faults),
        options=tuple(map(_setting, options)),
    )
    progress = Progress(plan.wanted, what="rounds")
    began, used = time.monotonic(), _processor_time()
    try:
        soaked = soak(plan, lambda played: progress.show(played, 0), shrink, jobs)
    except NoSuchFault as error:
        raise click.UsageError(f"{error}; take the other words from where that number was told, too") from None
    finally:
        progress.clear()
    took = (time.monotonic() - began, _processor_time() - used)
    if as_json:
        print(json.dumps(as_data(soaked)))
    else:
        for line in in_lines(soaked, *took):
            print(line)
    sys.exit(TROUBLE if soaked.failure is not None else 0)


def _processor_time() -> float:
    """Returns the seconds of processor time that this process and those that it started have used."""
    return sum(os.times()[:4])


def _numbers(text: str | None) -> tuple[int, ...] | None:
    if text is None or text == NONE:
        return None if text is None else ()
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise click.UsageError("--faults takes numbers with commas between them, or none") from None


def in_lines(soaked: Soaked, seconds: float, used: float) -> Iterator[str]:
    """Yields what came of it, for people."""
    plan = soaked.plan
    yield f"seed {plan.seed}, {many(soaked.days, 'day')} from day {plan.first}"
    rate = soaked.rounds / used if used else 0.0
    yield f"rounds: {soaked.rounds} in {seconds:.0f} s, {rate:.0f} for each second of processor time"
    yield "  " + "; ".join(f"{game} {number}" for game, number in soaked.by_game.items())
    yield f"facts: {soaked.steps}; restarts: {soaked.restarts}; times that somebody had to help: {soaked.helped}"
    yield f"faults: {soaked.faults.total()}"
    yield from _columns(sorted(soaked.faults.items()))
    yield f"checks: {soaked.checks.total()}"
    yield from _columns(sorted(soaked.checks.items()))
    yield f"head: {soaked.head}"
    if soaked.failure is not None:
        yield from _failure(soaked.failure)


def _columns(counts: list[tuple[str, int]]) -> Iterator[str]:
    for start in range(0, len(counts), 4):
        yield "  " + "; ".join(f"{name} {number}" for name, number in counts[start : start + 4])


def _failure(failure: SoakFailure) -> Iterator[str]:
    yield ""
    yield f"DOES NOT HOLD: {failure.invariant}"
    yield f"  {failure.text}"
    yield f"  day {failure.plan.day}, {failure.plan.game}, round {failure.round}, step {failure.step}"
    if failure.options:
        yield f"  set to {' '.join(f'{option}={value}' for option, value in failure.options.items())}"
    if failure.last_faults:
        yield "  the last faults before it:"
        yield from (f"    {fault}" for fault in failure.last_faults)
    yield f"  again: {_again(failure.plan)}"
    if (smaller := failure.smaller) is not None:
        yield f"  smaller, found by {many(smaller.attempts, 'attempt')}: {smaller.text}"
        yield from (f"    {fault}" for fault in smaller.faults)
        yield f"  again: {_again(smaller.plan)}"


def _again(plan: DayPlan) -> str:
    from controller.sim.soak.soak import replay_words

    return " ".join(("felt sim soak", *replay_words(plan)))


def _setting(text: str) -> tuple[str, str]:
    option, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes OPTION=VALUE, not {text!r}")
    return option, value


def as_data(soaked: Soaked) -> dict[str, Any]:
    """Returns what came of it as plain data."""
    failure = soaked.failure
    return {
        "seed": soaked.plan.seed,
        "first_day": soaked.plan.first,
        "days": soaked.days,
        "rounds": soaked.rounds,
        "rounds_by_game": dict(soaked.by_game),
        "facts": soaked.steps,
        "restarts": soaked.restarts,
        "helped": soaked.helped,
        "faults": dict(sorted(soaked.faults.items())),
        "checks": {str(name): number for name, number in sorted(soaked.checks.items())},
        "head": soaked.head,
        "failure": None if failure is None else _failure_data(failure),
    }


def _failure_data(failure: SoakFailure) -> dict[str, Any]:
    smaller = failure.smaller
    return {
        "invariant": str(failure.invariant),
        "text": failure.text,
        "day": failure.plan.day,
        "game": failure.plan.game,
        "round": failure.round,
        "step": failure.step,
        "options": failure.options,
        "again": _again(failure.plan),
        "smaller": None
        if smaller is None
        else {"text": smaller.text, "faults": list(smaller.faults), "again": _again(smaller.plan)},
    }
