"""The house's edge of a wager by name: which computation belongs to it, and what it counts."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from controller.errors import FeltError
from controller.odds.progress import Progress, silent
from controller.odds.rounds import Rounds

STAKE = 100_00


class Wager(NamedTuple):
    """An opening wager, and what its edge takes in."""

    module: str  # in controller.odds; its function has the name of the wager
    covers: str


_ULTIMATE = {
    "ante": Wager("ultimate", "Ante with an equal Blind and the best Play; a unit is the Ante alone"),
    "trips": Wager("ultimate", "Trips by itself, of a hand that is not folded"),
}
WAGERS: Mapping[str, Mapping[str, Wager]] = {
    "casino-war": {
        "war": Wager("casino_war", "with the better of surrender and Go to War"),
        "tie": Wager("casino_war", "by itself"),
    },
    "three-card-poker": {
        "ante": Wager("three_card_poker", "with Play and Ante Bonus"),
        "pair-plus": Wager("three_card_poker", "by itself"),
    },
    "caribbean-stud": {"ante": Wager("caribbean_stud", "with Bet, knowing the up card")},
    "mississippi-stud": {"ante": Wager("mississippi_stud", "with 3rd, 4th and 5th Street")},
    "ultimate-texas-holdem-nsw": _ULTIMATE,
    "ultimate-texas-holdem-vic": _ULTIMATE,
    "wsop-bonus-holdem": {"ante": Wager("wsop_bonus", "with Flop, Turn and River")},
}


def edge(
    game: str,
    wager: str,
    options: Mapping[str, str] | None = None,
    *,
    stake: int = STAKE,
    progress: Progress = silent,
) -> Fraction:
    """What the house keeps in the long run of each unit of this wager, when everything after it is played best.

    >>> edge("casino-war", "tie")
    Fraction(58, 311)
    """
    module = f"controller.odds.{WAGERS[game][wager].module}"
    try:
        expected = getattr(importlib.import_module(module), wager.replace("-", "_"))
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise FeltError("odds.numpy", "this takes numpy, which is not installed", "pip install 'feltd[odds]'") from None
    net = expected(Rounds(game, options, stake), progress)
    progress(1, 1)
    return -Fraction(net)


def decimals(number: Fraction, places: int = 12) -> str:
    """Rounded to so many places, never through a float.

    >>> decimals(Fraction(-1, 3), 4), decimals(Fraction(58, 311))
    ('-0.3333', '0.186495176849')
    """
    scaled = round(abs(number) * 10**places)
    sign = "-" if number < 0 and scaled else ""
    return f"{sign}{scaled // 10**places}.{scaled % 10**places:0{places}}"
