"""A poker table as plain data: who sits where with which stake, and the hand that is being played."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from controller.poker.words import (
    STRUCTURED,
    Act,
    Agreement,
    BoardFault,
    Button,
    Declared,
    Ended,
    Limit,
    Misdeal,
    Owing,
    Street,
    Waiting,
)
from controller.table.state import Round, Table


class Struct(msgspec.Struct, omit_defaults=True):
    """The base of poker state: mutable only inside one step, which works on its own copy.  Amounts are cents."""


# ---- one betting round (rule 6)


class Structure(msgspec.Struct, frozen=True):
    """The betting limits of one round."""

    kind: Limit
    least: int  # the smallest bet; in a fixed game the only one
    most: int = 0  # spread: the largest
    chip: int = 1  # ratio to the pot: half of it is no more than chips can make

    @property
    def limited(self) -> bool:
        """Whether the game has a structured bet and a limit of raises: fixed and spread games."""
        return self.kind in STRUCTURED


class Betting(Struct):
    """One betting round.  `order` is clockwise from the seat that acts first; amounts "to" are a seat's total in it."""

    structure: Structure
    order: list[str]  # seats in the hand when the round began, all-in ones too
    stacks: dict[str, int]  # behind
    bets: dict[str, int] = {}  # in front
    pot: int = 0  # from the rounds before
    level: int = 0  # the highest bet
    full: int = 0  # the highest bet that was a whole bet or raise
    step: int = 0  # how much the last whole bet or raise added
    raises: int = 0
    folded: list[str] = []
    acted: list[str] = []  # since betting was last opened by a whole bet or raise
    seen: list[str] = []  # every act of the round, by seat
    bound: list[str] = []  # seats that may not bet or raise any more (6.18.3)


# ---- one hand


class Pot(msgspec.Struct, frozen=True):
    """Chips that the same seats contest."""

    amount: int
    eligible: tuple[str, ...]


class Won(msgspec.Struct, frozen=True):
    """How one pot was divided: `won` is after commission, `amount` before."""

    amount: int
    eligible: tuple[str, ...]
    won: dict[str, int]
    rake: int = 0


class PendingAct(msgspec.Struct, frozen=True):
    """An act out of turn that waits for its turn (6.18): the chips lie in front."""

    word: Waiting
    to: int
    stays: bool = False  # all-in for less than the call: never taken back (6.18.4)
    over: int = 0  # the bet that an under-call was short of


class Done(NamedTuple):
    """An act that counts for substantial action."""

    street: Street
    seat: str
    word: Act


class Turn(NamedTuple):
    """One turn of a seat; what others do meanwhile makes it no other one."""

    street: Street
    seat: str
    number: int  # how often the seat has acted before


class Overdue(NamedTuple):
    """A turn whose time was over, which the dealer knows; who buys time gets another end."""

    since: int
    seat: str
    extensions: int


class ReadLater(NamedTuple):
    """Cards on a reader that wait, because the reader before it is cut off."""

    reader: str
    cards: list[str]
    face_up: bool


class Hand(Struct):
    """The hand that is being played; it ends when the pot is pushed."""

    button: str
    due: dict[str, int] = {}  # blinds that must be posted: seat -> amount, in the order of posting
    posted: dict[str, int] = {}  # live blinds, straddles too, in the order of posting
    dead: dict[str, int] = {}  # chips in the pot that are no live bet
    straddles: list[str] = []
    dealt: list[str] = []  # who gets cards, clockwise from the left of the button; fixed by the first card
    began: dict[str, int] = {}  # the stake of each when the hand began (table stakes)
    street: Street = Street.DEAL
    betting: Betting | None = None
    paid: dict[str, int] = {}  # in the pot from the rounds that are over
    gathered: dict[str, int] = {}  # of it, the bets of the last one, which lie there until the next card
    cards: dict[str, list[str]] = {}
    board: list[str] = []
    blinds: list[str] = []  # seats of the blinds of this hand, empty ones too
    tape: list[str] = []  # the initial deal, in the order in which the cards were dealt
    missed: list[tuple[str, int]] = []  # seats that did not get their Nth card of it; 0: none of them
    marked: list[str] = []  # seats that got the missed-blind button in this hand
    strays: list[str] = []  # seats that were dealt to although they were not in the hand
    given: dict[str, list[str]] = {}  # hands as the dealer named them
    exposed: list[tuple[str, int]] = []  # cards that the dealer exposed in the initial deal
    replaces: str = ""  # the seat whose exposed card is replaced by the next one (9.7)
    boxed: int = 0
    boxed_at: tuple[str, int] | None = None  # tape or board, and how many cards lay there when one was told
    faceup: bool = False  # the card just read lay face up
    burnt: int = 0  # the last street for which a card was burned, or for which none is due any more
    spare: str = ""  # a card already shown that is the next burn (9.13)
    unburned: BoardFault | None = None  # of a street that was dealt without a burn, while it can be put right
    extra: list[str] = []  # cards read after the deal, unburned and before any act: perhaps those of a hand too many
    aside: list[str] = []  # a fourth card that was turned too soon (9.12)
    shuffle: BoardFault | None = None  # why the rest of the deck is shuffled before the next card
    cut: BoardFault | None = None  # and cut
    mixed: bool = False  # the rest of the deck was shuffled since the last card: a cut is taken, asked for or not
    reported: tuple[Misdeal, str] | None = None  # and its seat: reported while the cards were dealt
    trouble: Misdeal | None = None  # waits for misdeal or reconstruct
    unshuffled: bool = False  # dealt without shuffle or cut
    out: list[str] = []  # folded, dead or mucked: no claim to the pot any more
    pending: dict[str, PendingAct] = {}
    short: dict[str, int] = {}  # under-calls that wait: what lies in front (6.17)
    discarded: list[str] = []
    thrown: list[str] = []  # the cards that were discarded
    acts: list[Done] = []
    aggressor: str = ""  # who was called in the last betting round
    mucked: list[str] = []  # at the showdown
    shown: list[str] = []
    asked: list[str] = []  # mucked hands that came back to life (9.5)
    void: list[str] = []  # hands that never counted: their wagers went back
    ended: dict[str, Ended] = {}
    refund: str = ""  # the rule by which this hand counts for nothing, where it is not the one of the outcome
    claims: dict[str, str] = {}  # seat -> hand for which a bonus prize is claimed
    confirmed: list[str] = []  # seats whose claim a supervisor has confirmed
    later: list[ReadLater] = []
    keyed_chips: dict[str, int] = {}  # of acts that were keyed while the seat's sensor was cut off
    owed: dict[str, int] = {}  # seat -> what came back to a player who has left it, or was won there
    returned: dict[str, int] = {}  # uncalled, or given back by a ruling
    pots: list[Won] = []
    rake: int = 0
    turn: str = ""  # the seat that is to act
    since: int = 0  # table time at which it came to its turn
    overdue: list[Overdue] = []
    extensions: list[Turn] = []  # of the time to act, each for one turn
    fees: dict[str, int] = {}  # seat -> what its extensions cost, collected when the hand is over (6.15.2)

    @property
    def in_deal(self) -> bool:
        """Whether the initial deal is not complete, or not begun."""
        return self.street == Street.DEAL

    @property
    def undealt(self) -> bool:
        """Whether no card was dealt yet."""
        return self.in_deal and not self.tape


# ---- the room


class Room(Struct):
    """What passes from hand to hand."""

    stakes: dict[str, int] = {}  # seat -> chips behind; while a hand runs, of those in it Betting has the rest
    held: dict[str, int] = {}  # side-wager winnings that join the stake after the hand (6.11.1)
    buttons: dict[str, list[Button]] = {}  # that lie in front of a seat
    owing: dict[str, Owing] = {}
    moved: list[str] = []  # newcomers whom the house moved here (8.10)
    button: str = ""  # the dealer button of the next hand, or of the one running; may lie at an empty seat
    blinds: list[str] = []  # seats of the blinds of the last hand, empty ones too; [] before the first hand
    begun: list[str] = []  # a first blind left before the first hand: button and blinds but the last, as they were
    waiting: list[str] = []  # the list, by name
    wishes: dict[str, list[str]] = {}  # seat -> who asks for it, in order
    declared: dict[str, Declared] = {}  # seat -> the word that goes with the chips that come next
    drawing: dict[str, list[str]] = {}  # seat -> contenders for whom cards are being drawn (8.1.1)
    drawn: dict[str, str] = {}  # name -> the card drawn so far for the seat in question
    decided: list[str] = []  # seats that were drawn for: the order of wishes stands
    picked: dict[str, int] = {}  # name -> when picked up (table time)
    secured: dict[str, int] = {}  # name -> chips that were picked up and wait
    paid: list[str] = []  # seats whose player has posted a blind that was due
    slide: int = 0  # commission on the drop slide (2.4)
    dropped: int = 0  # into the box, since the table opened (2.4)
    charge: int = 0  # time charge on the slide that waits to be verified
    verified: bool = False
    collected: bool = False  # the fee per person for the next hand
    charged_at: int | None = None  # when the last hourly charge was collected
    hours: dict[str, int] = {}  # name -> when the hour that is paid for began
    reminded: bool = False  # the dealer was told that the next one is due
    agreed: Agreement = ""  # of the players, to what is changed next


# ---- where the table keeps them


def room_in(t: Table) -> Room | None:
    """Returns the room of a poker table; None at any other."""
    return t.play.read(Room)


def hand_in(r: Round) -> Hand | None:
    """Returns the hand of a round; None before its blinds, and at any other table."""
    return r.play.read(Hand)
