"""The house's edge of a wager by name, by the computation that its game declares."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from controller.errors import FeltError
from controller.games import find
from controller.odds.progress import Progress, silent
from controller.odds.rounds import Rounds
from firmware_bridge.errors import Coded
from firmware_bridge.extensions import place_of, words

Computation: TypeAlias = Callable[[Rounds, Progress], Fraction]

STAKE = 100_00


def edge(
    game: str,
    wager: str,
    options: Mapping[str, str] | None = None,
    *,
    stake: int = STAKE,
    progress: Progress = silent,
) -> Fraction:
    """Returns what the house keeps in the long run of each unit of this wager, when everything after it is played best.

    >>> edge("casino-war", "tie")
    Fraction(58, 311)
    """
    expected = _computation(game, wager)
    try:
        net = Fraction(expected(Rounds(game, options, stake), progress))
    except Coded:
        raise
    except Exception as error:  # the game's own code, whoever wrote it
        cause = f"the odds of {wager} at {game} cannot be computed: {words(error)}, at {place_of(error)}"
        raise FeltError("odds.failed", cause) from error
    progress(1, 1)
    return -net


def _computation(game: str, wager: str) -> Computation:
    """Returns what computes this wager's edge; FeltError when it cannot be loaded."""
    name = find(game).odds[wager].computed_by
    module, _, function = name.partition(":")
    try:
        computation: Computation = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        if isinstance(error, ImportError) and error.name == "numpy":
            raise FeltError("odds.numpy", "this takes numpy, which is not installed") from None
        cause = f"the odds of {game} are computed by {name}, which cannot be loaded: {error}"
        raise FeltError("odds.computation", cause) from error
    return computation


def decimals(number: Fraction, places: int = 12) -> str:
    """Returns a number rounded to so many places, never through a float.

    >>> decimals(Fraction(-1, 3), 4), decimals(Fraction(58, 311))
    ('-0.3333', '0.186495176849')
    """
    scaled = round(abs(number) * 10**places)
    sign = "-" if number < 0 and scaled else ""
    return f"{sign}{scaled // 10**places}.{scaled % 10**places:0{places}}"
