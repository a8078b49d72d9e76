"""The words of a poker table: streets, acts, buttons, what is due, kinds of limits, and reasons with their rules."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, Literal, Self, TypeGuard, get_args

Act = Literal["fold", "check", "call", "bet", "raise", "all-in"]
Silent = Literal["fold", "check", "call", "all-in", "take-back", "muck"]  # without an amount
Costing = Literal["bet", "raise", "post", "straddle"]  # with one
Declared = Literal[Silent, Costing]  # what a player may say or do, as the dealer keys it
ChipsAs = Literal[Act, "short"]  # what chips are read as; short: too few, and the player must choose (6.17)
Waiting = Literal[Act, "short", "back"]  # an act out of turn; back: it was taken back (6.18.2)
Button = Literal["absent", "missed-blind", "dealt-out", "walking", "reserved"]
Limit = Literal["no-limit", "pot", "half-pot", "fixed", "spread"]
Due = Literal["blinds", "deal", "ruling", "act", "discard", "shuffle", "cut", "burn", "board", "over"]
Offered = Literal[Act, "post", "discard", "take-back"]  # what the player in turn may do
Agreement = Literal["", "majority", "all"]
Misreported = Literal["short", "excess", "stray"]  # a card too few, a card too many, a hand too many

STRUCTURED: Final[tuple[Limit, ...]] = ("fixed", "spread")  # by bets that the sign tells
NO_MORE_THAN_A_CALL: Final[tuple[Act, ...]] = ("check", "call")
WITH_A_TOTAL: Final[tuple[Act, ...]] = ("bet", "raise")  # the player says how much lies in front then
BETS: Final[tuple[Act, ...]] = (*WITH_A_TOTAL, "all-in")  # perhaps more than the limit, or than the stake
MAKES_UP: Final[tuple[Act, ...]] = ("call", "all-in")  # the difference of an under-call (6.17)
ENDS_UNDER_CALL: Final[tuple[Act, ...]] = (*MAKES_UP, "fold")  # nothing else does
NOT_TO_TAKE_BACK: Final[tuple[Waiting, ...]] = ("check", "back")  # no chips of it lie in front (6.18.2)
FOR_A_HAND: Final[tuple[Declared, ...]] = ("post", "straddle")  # chips for the blinds, before cards are dealt
DECIDES: Final[tuple[Due, ...]] = ("act", "discard")  # a player who has cards
ONTO_A_READER: Final[tuple[Due, ...]] = ("deal", "board")  # goes the next card
NOT_ABOUT_THE_DECK: Final[tuple[Due, ...]] = ("act", "burn")  # its rule does not say what is wrong with the deck
COMES_BEFORE_THE_BURN: Final[tuple[Due, ...]] = ("discard", "shuffle", "cut")
BUTTONS: Final[tuple[Button, ...]] = get_args(Button)
MISREPORTED: Final[tuple[Misreported, ...]] = get_args(Misreported)


def is_act(word: str) -> TypeGuard[Act]:
    """Tells whether this is one of the six acts of a betting round."""
    return word in get_args(Act)


def is_declared(word: str) -> TypeGuard[Declared]:
    """Tells whether this is something that a player says or does with chips."""
    return word in get_args(Declared)


class Street(IntEnum):
    """How far a hand is: the deal, four betting rounds, the showdown."""

    DEAL = -1
    FIRST = 0  # the first betting round
    FLOP = 1
    TURN = 2
    RIVER = 3
    SHOWDOWN = 4


class Reason(Enum):
    """The reason why something is so.  Code compares the reason; people see its rule."""

    rule: str

    def __new__(cls, word: str, rule: str) -> Self:
        """Makes a member that is kept as its word."""
        member = object.__new__(cls)
        member._value_ = word
        member.rule = rule
        return member


class Misdeal(Reason):
    """What is wrong with a hand that may be, or was, misdealt."""

    NOT_DEALT = "not-dealt", "9.1.1(a)"
    UNSHUFFLED = "unshuffled", "9.1.1(b)"
    WRONG_ORDER = "wrong-order", "9.1.1(c)"
    WRONG_HANDS = "wrong-hands", "9.1.1(d)"  # a hand too many or too few
    WRONG_NUMBER = "wrong-number", "9.1.1(e)"  # of cards; and (f), which asks for no proof (AMB-CP-20)
    DEFECTIVE = "defective", "9.1.1(h)"
    EXPOSED = "exposed", "9.1.1(i)"
    NO_BLINDS = "no-blinds", "8.9.2"
    LATE_DISCARDS = "late-discards", "9.15.2"  # of all who are left

    @property
    def by_9_1_1(self) -> bool:
        """Whether 9.1.1 itself lists it."""
        return self not in BEYOND_REPAIR

    @property
    def can_be_rebuilt(self) -> bool:
        """Whether the hands may be rebuilt, instead of a misdeal."""
        return self not in BEYOND_REPAIR


BEYOND_REPAIR: Final = (Misdeal.NO_BLINDS, Misdeal.LATE_DISCARDS)


class BoardFault(Reason):
    """What went wrong with community cards, so that the deck is shuffled, or the street dealt again."""

    CARD_UNBURNED = "card-unburned", "9.4"  # the turn or the river
    FLOP_UNBURNED = "flop-unburned", "9.8"
    FLOP_OVERDEALT = "flop-overdealt", "9.9"
    FLOP_EARLY = "flop-early", "9.10"  # before the betting was complete; discards belong to it (9.15.1)
    RIVER_EARLY = "river-early", "9.11"
    TURN_EARLY = "turn-early", "9.12.3"
    MANY_OPENED = "many-opened", "9.14"

    @property
    def of_the_flop(self) -> bool:
        """Whether the flop does not stand, and so no side wager on it (9.16)."""
        return self in (BoardFault.FLOP_UNBURNED, BoardFault.FLOP_OVERDEALT, BoardFault.FLOP_EARLY)


class Ended(Reason):
    """Why a hand is void or dead although it was not folded."""

    WRONG_NUMBER = "wrong-number", "9.1.1(f)"
    EXCLUDED = "excluded", "13.2.1"
    LATE_DISCARD = "late-discard", "9.15.2"


class Owing(Reason):
    """Why a player gets no cards until the big blind is posted, or due."""

    NEWCOMER = "newcomer", "8.10"
    AVOIDED = "avoided", "8.9.3"  # a blind has passed by
    FAR_MOVE = "far-move", "8.9.5"
