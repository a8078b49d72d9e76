"""What the documents of games against the house say: beside this, one file for each document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from controller.table.documents import Citations, Document, Policy


class HouseCitations(Citations, frozen=True, kw_only=True):
    """The rule numbers that people are told at a game against the house; "" where a document says nothing of it."""

    # wagers
    per_area: str  # how many bettors
    offer: str  # of a wager after the deal
    offer_on: Mapping[str, str] = {}  # spot -> the rule that offers it, where it is another
    amount_on: Mapping[str, str] = {}  # spot -> the rule on its size, where the offer's own does not say
    stands: str = ""  # a decision made with chips is made once
    stands_river: str = ""  # the same, when all community cards lie open
    lock_machine: str = ""  # after a machine's first set
    under: str
    advise_under: str
    advise_over: str
    advise_odd: str = ""
    payable: str = ""  # exactly in chips
    found_under: str = ""  # when the cards are out
    found_over: str = ""
    # cards
    no_wagers: str
    count: str
    together: str
    together_machine: str = ""
    together_in: Mapping[str, str] = {}  # deal -> the rule on cards that left together in it, where it is another
    early: str = ""
    face_up: str = ""
    joint_count: str = ""
    joint_count_dealer: str = ""


class HousePolicy(Policy, frozen=True, kw_only=True):
    """What documents do differently in games against the house."""

    late_chips: bool  # between the announcement and the first card chips are wagers, with a word to the dealer
    no_wagers: Literal["void", "misdeal"] = "misdeal"  # what a round is that was dealt without a wager
    tops_up: bool = False  # a wager outside the limits is put right before the first card, and counts then as it lies
    odd_amounts: Literal["unsaid", "paid up", "refused"] = "unsaid"  # when a win cannot be paid exactly in chips
    early_cards: bool = False  # a card that is out before everybody has decided lies, and they still decide
    discards_face_up: bool = False  # a card that lay face up in the shoe
    leaves_the_deal: bool = False  # who takes the wagers back is left out when the cards are laid again
    joint_count: bool = False  # one count rules on every wrong number that was reported before it
    claims_bind: bool = False  # whoever names the cards in the rack wrongly has no claim to the only ones there


class HouseDocument(Document, frozen=True):
    """A rule document, as far as it speaks of one game against the house."""

    citations: HouseCitations
    policy: HousePolicy
