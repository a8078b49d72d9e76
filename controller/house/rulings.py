"""Rulings on irregularities: what a dialogue returns, and what it may change, as data.

A dialogue is a generator that never writes the round.  It may ask several people at once and is sent their answers
(place -> key) when all have answered; it is run again from its start after every answer, so it depends on nothing but
the round and the answers.  Changes beside the questions are carried out when these are first asked: the deal is read
anew, or somebody is told, before anybody answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from controller.house.state import Mark, Moment
from controller.places import Place
from controller.rules import Rank, Rule, RulingKind, Undone
from controller.table.facts import Key
from controller.table.requests import Decision, Window
from controller.table.state import Answer, Question

UNKNOWN_ORDER: Final = (Answer("order", ("unknown",)), Answer("misdeal"))  # answers by which nobody knows the order


class Change(msgspec.Struct, frozen=True):
    """One thing that a ruling does to the round."""


class End(Change, frozen=True):
    """The round is over: what is open goes back; with `reverse` also what was already settled."""

    outcome: Undone
    rule: str  # cited by the returned wagers
    reverse: bool = False
    jackpot_stays: bool = False  # Jackpot wagers are judged first, on the cards that lie there in order


class GiveBack(Change, frozen=True):
    """These wagers of a place end without a result."""

    place: str
    result: Literal["void", "returned"]
    rule: str
    spots: tuple[str, ...] = ()  # all that are open when none is named
    withdraw: bool = False  # the place is not dealt to for them


class MarkDeal(Change, frozen=True):
    """The deal is read anew with this mark."""

    mark: Mark


class Unmark(Change, frozen=True):
    """The deal is read as it should have been, or with these cards."""

    deal: str
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()


class TakeOut(Change, frozen=True):
    """The last `count` undealt cards leave the game; burned ones are counted as burns."""

    count: int
    rule: str
    burned: bool = False


class Kept(Change, frozen=True):
    """The last `count` cards wait: they are used as the next ones, and not before they are due."""

    count: int
    rule: str


class Given(Change, frozen=True):
    """What somebody who sees the cards says they are: place -> cards of this deal."""

    deal: str
    given: tuple[tuple[str, tuple[str, ...]], ...]


class CountDue(Change, frozen=True):
    """All cards must be counted before the next deal."""

    rule: str


class Ordered(Change, frozen=True):
    """The cards that left together came in the order in which they were read."""

    group: int


class Happened(Change, frozen=True):
    """Something happened that later rules ask about."""

    what: Moment


class Exposed(Change, frozen=True):
    """Everybody has seen this card: the n-th of a place."""

    place: Place
    n: int


class Burned(Change, frozen=True):
    """The stray cards of a place were burned."""

    place: Place


class Forfeited(Change, frozen=True):
    """The hand of a place plays on for nothing but a Jackpot wager."""

    place: Place


class Deemed(Change, frozen=True):
    """A hand that was viewed counts as the one dealt to its player's seat."""

    seat: Place
    viewed: Place


class NoHand(Change, frozen=True):
    """The dealer has no hand."""

    rule: Rule


class CountAfter(Change, frozen=True):
    """All cards must be counted when the round is over."""

    rule: Rule


class Offer(Change, frozen=True):
    """These places may take their wagers back; whoever goes on has kept them."""

    places: tuple[str, ...]
    rule: str


class Decide(Change, frozen=True):
    """A ruling takes the decision."""

    window: Window
    place: str
    decision: Decision


class Warn(Change, frozen=True):
    """Whoever plays there was told that a wager which is due and not placed costs the first one the next time."""

    place: str


class Racked(Change, frozen=True):
    """The cards of a place are in the discard rack, or are back from it."""

    place: str
    back: bool = False


class Lose(Change, frozen=True):
    """These wagers of a place are forfeited."""

    place: str
    rule: str
    spots: tuple[str, ...] = ()  # all that are open when none is named


class ShoeVoid(Change, frozen=True):
    """The cards are out of play until they are replaced."""

    rule: str


class Covers(Change, frozen=True):
    """These reports came before the answer and are ruled on by it too: they wait no more."""

    facts: tuple[Key, ...]


class AlsoRuled(Change, frozen=True):
    """The same answer rules on this too."""

    rule: str
    text: str


class Tell(Change, frozen=True):
    """Somebody has to know, and may press something."""

    role: Rank
    text: str
    rule: str
    place: str = ""
    offers: tuple[str, ...] = ()


class Ruling(msgspec.Struct, frozen=True):
    """How an irregularity ends."""

    rule: str
    text: str
    ruling: RulingKind | Literal[""] = "continue"  # "" : nothing was ruled, somebody was only told
    changes: tuple[Change, ...] = ()
    refused: bool = False


def refuse(rule: str, why: str) -> Ruling:
    """Returns the answer to a wish that is not granted: nothing has changed."""
    return Ruling(rule, why, refused=True)


def only_tell(rule: str, text: str, *, role: Rank = "dealer", place: str = "", offers: tuple[str, ...] = ()) -> Ruling:
    """Returns the answer to a report that needs no ruling: somebody is told."""
    return Ruling(rule, text, ruling="", changes=(Tell(role, text, rule, place, offers),))


Asked: TypeAlias = tuple[Question | Change, ...]
Answers: TypeAlias = dict[Place, Answer]
Dialogue: TypeAlias = Generator[Asked, Answers, Ruling]
Irregularity: TypeAlias = Callable[..., Ruling | Dialogue]


def rule_by_key(irregularities: Mapping[str, Irregularity], fact: Key, *known: object, otherwise: Ruling) -> Dialogue:
    """Leads the dialogue that a document's table names for a key; `otherwise` is the ruling on any other key.

    The function of a key is handed what is `known` (the layout, the game) and the words of the key, whose form was
    checked when it was pressed.
    """
    irregularity = irregularities.get(fact.key)
    if irregularity is None:
        return otherwise
    ruling = irregularity(*known, *fact.args)
    if isinstance(ruling, Ruling):
        return ruling
    return (yield from ruling)
