"""The words in which rules decide: roles, results of wagers, outcomes of rounds, rulings; and a text with its rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, TypeGuard, get_args

import msgspec

Rule: TypeAlias = str  # a number of the rule document; for people: nothing is decided by it

Rank = Literal["dealer", "supervisor", "area-manager", "assistant-casino-manager", "casino-manager"]  # lowest first
Keyless = Literal["technician", "inspector", "tournament-director", "deputy"]  # without keys of a game
Role = Literal[Rank, Keyless]

Settled = Literal["win", "lose", "stand-off", "surrender"]  # by the cards, or by the player's own word
Unsettled = Literal["carried", "void", "returned"]  # the wager goes back, or on to the next round
Standing = Literal[Settled, Unsettled, "open"]  # how a wager stands; open: at stake
Result = Literal[Standing, "reversed"]  # what a line says; reversed: the wager is at stake again
Token = Literal["kept", "returned"]  # what becomes of a promotional token: the house's, the player's again

Undone = Literal["misdeal", "void"]
Outcome = Literal["settled", Undone]  # of a round
Closed = Literal["", "announced", "dealt"]  # how far betting is closed: announced; or the first card is out
Misdealt = Literal["short", "stray", "late"]  # a place left out, one served by mistake; late: it came after all others
RulingKind = Literal["continue", "misdeal", "void", "reconstructed", "cancelled", "forfeited", "bonus", "dead"]

RANKS: Final[tuple[Rank, ...]] = get_args(Rank)
NO_KEYS: Final[tuple[Keyless, ...]] = get_args(Keyless)
ROLES: Final[tuple[Role, ...]] = get_args(Role)
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)
TOKENS: Final[tuple[Token, ...]] = get_args(Token)
GIVEN_BACK: Final[tuple[Result, ...]] = ("void", "returned")
TAKEN_BACK: Final[tuple[Result, ...]] = (*GIVEN_BACK, "reversed")  # nothing stays settled
WON_OR_LOST: Final[tuple[Result, ...]] = ("win", "lose")
BY_THE_CARDS: Final[tuple[Result, ...]] = (*WON_OR_LOST, "stand-off")
UNDONE: Final[tuple[Undone, ...]] = get_args(Undone)
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
LEFT_OUT: Final[tuple[Misdealt, ...]] = ("short", "late")  # when its turn came


class Cited(msgspec.Struct, frozen=True):
    """Something said to people, with the rule that says so; "" where no rule does."""

    rule: Rule
    text: str


def by(rule: Rule) -> str:
    """Returns the end of a sentence that a rule says; "" where none does.

    >>> by("9.5"), by("")
    (' (9.5)', '')
    """
    return f" ({rule})" if rule else ""


class Objection(msgspec.Struct, frozen=True):
    """What speaks against options of a table as they stand together; the one to change first comes first."""

    options: tuple[str, ...]
    cited: Cited


def first_of(objections: Iterable[Objection]) -> Cited | None:
    """Returns what the first objection says; None when there is none."""
    return next((objection.cited for objection in objections), None)


def is_role(word: str) -> TypeGuard[Role]:
    """Tells whether somebody can be signed in as this.

    >>> is_role("inspector"), is_role("owner")
    (True, False)
    """
    return word in ROLES


def at_least(role: Role, lowest: Rank) -> bool:
    """Tells whether a role may do what the lowest one named may: whoever is above may do what those below may.

    >>> at_least("area-manager", "supervisor"), at_least("inspector", "dealer")
    (True, False)
    """
    return role in RANKS and RANKS.index(role) >= RANKS.index(lowest)


def spoken_role(role: Role) -> str:
    """Returns a role in words.

    >>> spoken_role("casino-manager")
    'casino manager'
    """
    return role.replace("-", " ")
