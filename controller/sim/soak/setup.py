"""How the table of a day is set up: options drawn from its seed, as far as the rules take them together."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from controller.errors import FeltError
from controller.games import defaults, find
from controller.jackpot.rules import Jurisdiction
from controller.table.options import Options, read

JACKPOT: Final = "jackpot"
JURISDICTIONS: Final[tuple[Jurisdiction, ...]] = ("nsw", "vic")
REFUSED: Final = "sim.soak-options"
USUAL: Final = 0.4  # how often an option is what it is by default
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {  # of every option that is drawn, where a game has it
    # every table
    "gates": ("manual",),
    # against the house
    "shoe": ("shuffler", "csm", "batch"),
    "announce": ("key",),
    "burn": ("on",),
    "tray": ("on",),
    "decks": ("4", "5", "8"),
    "method": ("B",),
    "players-per-area": ("1", "2"),
    "limits-per": ("area", "player"),
    "max-payout": ("500", "5000"),
    "unit": ("5",),
    "ante-bonus": ("B", "C"),
    "pair-plus": ("B", "C", "D", "E", "F"),
    "ante-pays": ("straight",),
    "action-button": ("1", "3"),
    "preflop": ("4", "4,5,6"),
    "flop": ("2,3", "3"),
    "river": ("1,2",),
    "jackpot-option": ("2",),
    # poker
    "limit": ("pot", "half-pot", "fixed", "spread"),
    "bets": ("5,10", "20,40"),
    "blinds": ("10", "5,10,20"),
    "straddle": ("on",),
    "over-blinds": ("on",),
    "buy-in": ("100",),
    "rake-method": ("per-hand", "per-person", "time"),
    "rake": ("5%", "2:3,5:5", "3"),
    "cap": ("10",),
    "act-time": ("30s",),
    "extra-time": ("30s",),
    "extra-times": ("2",),
    "extra-fee": ("5",),
    "bonus": ("royal-flush:500,four-of-a-kind:50",),
}


def set_up(game: str, chance: Random, seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """Returns the options of a table, `given` among them: others are drawn, and kept where the rules take them.

    A Jackpot is offered where a document knows one, unless `given` says otherwise.  Raises FeltError when the rules do
    not take what is given.
    """
    kept = {"seats": str(seats), **given}
    if not _taken(game, kept):
        words = " ".join(f"{option}={value}" for option, value in given.items())
        raise FeltError(REFUSED, f"no table of {game} can be opened with {words}")
    for jurisdiction in JURISDICTIONS if JACKPOT in defaults(game) and JACKPOT not in given else ():
        if _taken(game, wanted := {**kept, JACKPOT: jurisdiction}):
            kept = wanted
            break
    for option, values in CHOICES.items():
        drawn, usual = chance.sample(values, len(values)), chance.random() < USUAL  # the same draws at every game
        if usual or option in given:
            continue
        kept = next((wanted for value in drawn if _taken(game, wanted := {**kept, option: value})), kept)
    return kept


def _taken(game: str, wanted: Mapping[str, str]) -> bool:
    """Tells whether a table of this game could be opened with these options."""
    typed = read(find(game).options, {**defaults(game), **wanted})
    if not isinstance(typed, Options):
        return False
    return typed.forbidden({}) is None and typed.jackpot_forbidden(game, {}) is None and not any(typed.slips())
