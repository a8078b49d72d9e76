"""What a house game keeps of a round beside what every table keeps: cards in their order, decisions, what was seen.

Hands are not here: they follow from the tape and the deals.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from controller.places import At, Place
from controller.rules import Misdealt, Rule
from controller.table.play import Flat, flat
from controller.table.requests import Decision, Window
from controller.table.state import Frozen, Limit, Round

# ---- what is decided, and when

FOLD: Final = Decision("fold")
FOLD_ANTE: Final = Decision("fold", ("ante",))  # 001 7.5.2(b): the hand is played on for Pair Plus
UNABLE: Final = Decision("unable")  # the wager that was due could not be placed
CHECK: Final = Decision("check")
SURRENDER: Final = Decision("surrender")
FOLDED: Final = (FOLD, FOLD_ANTE, UNABLE)  # the ways to give up what was wagered first

ONLY: Final = Window("")  # of a game in which everybody decides once
PREFLOP: Final = Window("preflop")
FLOP: Final = Window("flop")
TURN: Final = Window("turn")
RIVER: Final = Window("river")
STREETS: Final = (FLOP, TURN, RIVER)  # also the deals of the community cards


Moment = Literal["announced", "unannounced", "looked", "early", "up_card"]  # what happened once in a round


class Drawn(Frozen, frozen=True):
    """A card on the tape: the order in which cards left the shoe."""

    card: str
    group: int = 0  # cards that left together have one number
    out: Rule = ""  # the rule by which it was taken out of play
    kept: Rule = ""  # the rule by which it waits to be the next one


class Mark(Frozen, frozen=True):
    """What was wrong with a named deal: a place left out, or one that should not have been served."""

    deal: str
    what: Misdealt
    place: Place
    card: int = 0  # which of its cards; 0: all of them


@flat
class HouseRound(Flat, msgspec.Struct, omit_defaults=True):
    """A round of a game against the house."""

    # chips
    sensed: dict[At, int] = {}  # what the sensors read there
    limits: dict[Place, Limit] = {}  # from the moment betting closed
    # cards
    tape: list[Drawn] = []
    marks: list[Mark] = []
    given: dict[tuple[str, Place], tuple[str, ...]] = {}  # deal and place -> its cards, by a supervisor's word
    ordered: list[int] = []  # groups whose order is known
    cutting: int | None = None  # how many cards came before the cutting card
    burning: list[tuple[int, bool]] = []  # after so many cards burns were switched on or off
    rack: list[Place] = []  # whose cards went to the discard rack, in this order
    shown: dict[Place, tuple[int, ...]] = {}  # which of its face-down cards were turned for all to see; (): all
    button: str = ""  # where the deal starts, when an action button is used
    unseen: list[Place] = []  # extra areas, from the moment cards were dealt
    # people
    choices: dict[tuple[Window, Place], Decision] = {}  # in the order in which they were made
    offers: dict[Place, Rule] = {}  # who may still take the wagers back
    announced: bool = False  # the players were told to decide
    unannounced: bool = False  # they were not, when it mattered: also if the deal turns out to be complete
    looked: bool = False  # the players have looked at their cards
    # what went wrong
    early: bool = False  # a card was out, or seen, before everybody had decided
    exposed: list[tuple[Place, int]] = []  # cards that somebody saw: the n-th of a place
    up_card: bool = False  # an exposed card is the one of the dealer's that lies open
    no_hand: Rule = ""  # by which the dealer has no hand
    forfeited: list[Place] = []  # whose wagers, but for a Jackpot wager
    burned: list[Place] = []  # whose stray cards were burned
    deemed: list[tuple[Place, Place]] = []  # seats, and the viewed hands that count as theirs


def own(r: Round) -> HouseRound:
    """Returns what the house game keeps of a round, to be changed in place by a step."""
    kept = r.play.read(HouseRound)
    assert kept is not None, "this is no round of a house game"
    return kept
