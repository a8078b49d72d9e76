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
    return edge_of(Rounds(game, options, stake), wager, progress)


def edge_of(rounds: Rounds, wager: str, progress: Progress = silent) -> Fraction:
    """Returns the edge of a wager over these rounds."""
    game = rounds.game.name
    expected = _computation(game, wager)
    try:
        net = Fraction(expected(rounds, progress))
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
