"""What an approved rule document says to the table: where it says it, what it does in its own way, and who may do what.

A citation is for people: it stands beside what the table tells them, and nothing is decided by it.  What a document
does differently is a `Policy`; who may press a key or change an option is in `Powers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from controller.jackpot.rules import Jurisdiction
from controller.rules import Rank
from controller.table.options import Shoe

When: TypeAlias = Literal["any time", "before the close", "between rounds"]
Cause: TypeAlias = Literal["fraud", "disturbance"]  # for which an outcome is invalid
CAUSES: Final[Mapping[str, Cause]] = {cause: cause for cause in get_args(Cause)}  # as the key says them


# ---- where it says it


class Citations(msgspec.Struct, frozen=True, kw_only=True):
    """The rule numbers that people are told at every table; "" where a document says nothing of it."""

    roles: str  # who may act as whom
    places: str  # how many there are
    # the cards
    checked: str
    first_shuffle: str
    cutting_card: str  # a shuffle after it
    missed_shuffle: str  # cards were dealt although one was due
    abnormal: str  # a shuffle that was not due
    cutter: str
    by_hand: str = ""  # cards are dealt from the hand, never from a shoe or a machine
    no_cut: str = ""  # after a machine has shuffled
    never_cut: str = ""  # players do not
    last_cutter: str = ""  # every player has declined
    cut_depth: str = ""
    cutting_card_back: str = ""  # how far from the back it goes
    no_cutting_card: str = ""  # with a machine
    machine_shuffles: str = ""  # by itself
    burn: str = ""
    call_bets: str = ""  # when the burn card is out
    backs: str = ""  # of one colour
    unfit: str  # cards are changed when the hand is over
    empty: str  # the shoe
    machine: str  # it fails
    jam: str = ""  # of a machine that does not deal
    unverified: str  # a machine could not verify its cards
    bad_deck: str  # a count was wrong
    bad_machine: str = ""  # a count that a machine asked for was wrong
    bad_after: str = ""  # a count after a hand with a wrong number of cards was wrong
    count_end: str  # when the table closes
    one_deck: str = ""  # how many cards it has, and backs of one colour, where `backs` does not say it
    two_decks: str = ""  # in a machine, one at a time, of different colours
    box: str = ""  # cards with a wrong number of them: into a box, with a slip and a seal
    taken_off: str = ""  # cards that leave the table without a reason are checked
    # wagers
    chips_only: str
    placed: str
    oral: str  # after the announcement
    lock: str  # after the first card
    announce: str
    finished: str  # when a round is settled
    settled_first: str = ""  # before the next cards
    too_late: str  # to rule on a round that is over
    refund: str  # of an outcome that is invalid
    invalid_fraud: str = ""  # where another rule than the power's own says it
    invalid_disturbance: str = ""
    # people and the sign
    extra: str = ""  # areas for one player
    extra_seat: str = ""  # only where nobody else sits
    one_hand: str = ""
    idle: str = ""
    exclude: str
    exclude_void: str  # the wagers of who is excluded
    excluded: str
    limits: str
    sign: str  # what it says beside the limits
    higher_minimum: str
    house_method: str = ""
    close: str

    def invalid(self, cause: Cause) -> str:
        """Returns the rule by which an outcome is invalid, where it is not the one that gives the power."""
        return self.invalid_fraud if cause == "fraud" else self.invalid_disturbance


class Judged(msgspec.Struct, frozen=True):
    """The rules by which a game's Jackpot wager wins and loses, under method A and B."""

    win_a: str
    win_b: str
    lose_a: str
    lose_b: str
    fold: str


class JackpotCitations(msgspec.Struct, frozen=True, kw_only=True):
    """The rule numbers on Jackpot wagers and their prize meter system."""

    kind: Jurisdiction  # whose prizes and increments
    offer: str
    equipment: str  # it does not work
    hand: str  # a Jackpot wager needs one
    cost: str
    dealer: str  # decides the fixed prizes
    start: str  # also: cancelled and started again
    retract: str
    carry: str  # to the next round
    carry_leave: str
    carry_join: str
    display: str
    link: str
    close: str
    transfer: str
    change: str  # of the system's terms
    judged: Judged


class TournamentRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a document says of tournaments: its chapter, how that is numbered, and what it does in its own way."""

    chapter: str  # its number in the document
    numbered: Jurisdiction  # whose numbers the chapter has
    available: str = ".2.2(a)"  # below the chapter: the terms, before entries are taken
    advised: bool = True  # the inspectorate is, before entries are taken: .2.2(b)
    deputies: str = ".2.3(a)"  # below the chapter: deputies may act for the director
    deputies_stand_in: bool = False  # and be present in the director's place
    markers: bool = False  # the terms may offer them
    employees_win: bool = False  # no rule passes them over
    final: str = ".4.8(h)"  # below the chapter: the director's decision
    blinds: bool = False  # levels are blinds, and the last one who has chips wins; else least and most of a wager

    def at(self, below: str) -> str:
        """Returns the number of a rule in this chapter.

        >>> TournamentRules(chapter="10", numbered="vic").at(".2.3")
        '10.2.3'
        """
        return f"{self.chapter}{below}"


# ---- what it does in its own way


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What documents do differently at every table."""

    each_round: bool  # the cards are shuffled before every round
    cards: Literal["drawn", "laid"] = "drawn"  # read on their way out of a shoe or a machine, or where they lie
    cut_after: tuple[Shoe, ...]  # the shoes whose cards are cut
    players_cut: bool = False  # not the dealer
    cutting_card_with_machine: bool = True
    one_colour: bool = False  # backs of two colours make no deck, whatever their number
    burn_first: bool = False  # a card is burned after every shuffle, where the option is on
    bets_after_burn: bool = False  # no bets are called before that
    tokens: bool = False  # promotional tokens are accepted
    one_hand: bool = False  # for one player
    unseen_extras: bool = False  # a player's further areas are played unseen, and only where nobody else sits
    idle_rounds: int | None = None  # after which a seat may be asked back at a full table
    free_when_empty: bool = False  # without players the minimum rises at once
    house_method: bool = False  # all tables of the floor play by one method
    face_up: bool = False  # every card is dealt face up: no round leaves a secret, but for burns
    unshown: Literal["told", "secret"] = "told"  # to testers, of a hand that nobody had to show when its round is over
    closing: Literal["hands", "minutes"]  # what the closing of a table is announced before: three, or twenty


# ---- who may do what


class Power(msgspec.Struct, frozen=True):
    """The lowest role that may do it, and the rule that says so."""

    role: Rank
    rule: str


class Setting(Power, frozen=True):
    """Who may change an option at an open table, and when."""

    when: When = "any time"
    announced: bool = False  # players who are here hear of it before
    hands: bool = False  # and three of them are played meanwhile, unless the players agree


class Powers(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do what; a key says itself which of these it takes.  A game adds those of its own keys in a subclass."""

    shuffled: Power | None = None
    cut: Power | None = None
    replaced: Power
    order_count: Power = Power("supervisor", "")  # of all cards, at any time
    unfit: Power = Power("supervisor", "")  # to say that cards are unfit for further use
    reconstruct: Power
    exclude: Power
    invalidate_fraud: Power
    invalidate_disturbance: Power
    close_table: Power
    shuffled_early: Power = Power("area-manager", "")  # although none is due
    marker: Power | None = None
    misdeal: Power | None = None
    void: Power | None = None
    void_machine: Power | None = None  # void, when a machine stopped in mid-round; None: as any other
    order: Power | None = None
    burn: Power | None = None
    refuse: Power | None = None
    forfeit: Power | None = None  # to take the wagers of who has exchanged information
    dispute: Power | None = None  # to decide one
    promotions: Power | None = None  # to offer them
    confirm_jackpot: Power | None = None
    cancel_jackpot: Power | None = None
    close_jackpot: Power | None = None
    settings: Mapping[str, Setting]  # option -> who may change it; others stay as they are at an open table

    def invalidate(self, cause: Cause) -> Power:
        """Returns who may declare an outcome invalid."""
        return self.invalidate_fraud if cause == "fraud" else self.invalidate_disturbance


class Document(msgspec.Struct, frozen=True):
    """An approved rule document, as far as it speaks of one game."""

    number: str
    citations: Citations
    policy: Policy
    powers: Powers
    jackpot: JackpotCitations | None = None  # where a game has one
    tournaments: TournamentRules | None = None  # where the document knows any
