"""The decks of a table, each with a record of its own, and what is done with them: plain data that is never changed.

A deck has a number at its table from the day it comes.  One whose box nobody named is as valid as any other.  The
newest records are kept here; the journal has them all.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.places import Place
from controller.rules import Rule

Standing: TypeAlias = Literal["reserve", "play", "out", "sealed"]  # waits here, is played with, left, is in its box
LEFT: Final[tuple[Standing, ...]] = ("out", "sealed")
Leaving: TypeAlias = Literal["replaced", "unfit", "wrong count", "two colours"]  # why a deck leaves play
InspectedFor: TypeAlias = Literal[
    "gaming", "close", "order", "misdeal", "machine", "changed", "round", "between", "reserve", "left"
]
Unfitness: TypeAlias = Literal["marked", "bent", "torn", "soiled", "misprinted", "other"]  # of a card that is unfit
Doing: TypeAlias = Literal[
    "checked", "counted", "replaced", "unfit", "changed", "shuffled", "offered", "declined", "cut", "placed", "out"
]

CARDS_OF_A_DECK: Final = 52
MOST_DECKS: Final = 48  # whose records are kept; those in play and in reserve always are
MOST_INSPECTIONS: Final = 64
MOST_DEEDS: Final = 24  # of one shoe's story
MOST_WAITING: Final = 24  # decks in reserve
MOST_UNFIT: Final = 16  # entries of one deck
BEFORE_THE_SHUFFLE: Final[tuple[Doing, ...]] = ("checked", "counted", "replaced", "unfit", "changed")


class DeckEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something in the book: written once."""


class ByWhom(DeckEntry, frozen=True):
    """Who did something, where and when; nobody's name where no person told it."""

    seq: int  # of the fact
    at: int  # by the machine's clock, in microseconds since 1970
    person: str = ""
    role: str = ""
    place: str = ""
    device: bool = False  # a machine tells it


class UnfitCards(DeckEntry, frozen=True):
    """Somebody's word that cards are unfit for further use."""

    fault: Unfitness
    rule: Rule
    by: ByWhom
    cards: tuple[str, ...] = ()  # none: no single ones are named
    note: str = ""
    changed: bool = False  # these cards were changed one by one, and the deck stays


class Sealing(DeckEntry, frozen=True):
    """A deck in its box: what the card slip says."""

    slip: str
    seal: str
    witness: str
    by: ByWhom
    rule: Rule = ""
    seen: ByWhom | None = None  # the witness, who signed in and said so


class Departure(DeckEntry, frozen=True):
    """Why and when a deck left play, and by which rule."""

    why: Leaving
    by: ByWhom
    rule: Rule = ""


class DeckRecord(DeckEntry, frozen=True):
    """What is known of one deck at this table."""

    number: int
    came: ByWhom
    colour: str = ""  # of its backs; "": nobody said
    serial: str = ""  # or the code on its box; "": nobody said
    named: ByWhom | None = None  # who said so later, of a deck that came without a name
    colour_named: bool = False  # and its colour with it
    standing: Standing = "play"
    inspected: int = 0  # the last inspection since it came into play, or since the table opened; 0: none
    shuffles: int = 0
    hands: int = 0  # rounds dealt while it was in play, which is one deck of two where the machine tells colours
    unfit: tuple[UnfitCards, ...] = ()
    left: Departure | None = None
    sealed: Sealing | None = None

    @property
    def is_unfit(self) -> bool:
        """Whether somebody said that it must leave play."""
        return any(not each.changed for each in self.unfit)


class Inspection(DeckEntry, frozen=True):
    """Cards that somebody has looked through or counted."""

    number: int
    why: InspectedFor
    decks: tuple[int, ...]
    by: ByWhom
    expected: int
    counted: int | None = None  # None: they were checked, and no number was told
    rule: Rule = ""
    ordered: ByWhom | None = None
    shuffles: tuple[int, ...] = ()  # of each deck when it was made
    hands: tuple[int, ...] = ()
    game: str = ""  # the title of what was played; "": by an earlier version

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong."""
        return self.counted in (None, self.expected)


class DeckDoing(DeckEntry, frozen=True):
    """One thing that was done with the cards, for the story of a shoe."""

    what: Doing
    by: ByWhom
    round: int  # opened last when it was done
    at: Place = ""  # whose cut it is; where the cutting card came out
    depth: int | None = None  # cards from the nearer end; of the cutting card from the back; cards that were counted
    in_round: bool = False


class DeckBook(DeckEntry, frozen=True):
    """All decks of a table, inspections, and the story of the cards that are dealt now."""

    decks: tuple[DeckRecord, ...] = ()
    numbered: int = 0  # decks so far
    inspections: tuple[Inspection, ...] = ()
    inspected: int = 0  # inspections so far
    story: tuple[DeckDoing, ...] = ()  # since the last shuffle, and what was done before it after the last round
    ordered: ByWhom | None = None  # who told the dealer to count the cards
    ordered_by: Rule = ""
    machine_told: bool = False  # the machine has told of a shuffle since the last round opened
    leaves_after: Rule = ""  # by which unfit cards leave play when the hand is over
    in_machine: int = 0  # the deck that was put into the machine last, where it tells colours
    in_use: int = 0  # the deck of two that is dealt now, where the machine tells colours

    def find(self, number: int) -> DeckRecord | None:
        """Returns the deck with this number; None when it is not among the newest."""
        return next((deck for deck in self.decks if deck.number == number), None)

    def inspection(self, number: int) -> Inspection | None:
        """Returns the inspection with this number; None when it is not among the newest."""
        return next((each for each in self.inspections if each.number == number), None)

    def standing(self, *standings: Standing) -> tuple[DeckRecord, ...]:
        """Returns the decks that stand so."""
        return tuple(deck for deck in self.decks if deck.standing in standings)

    @property
    def plays(self) -> bool:
        """Whether any deck is in play."""
        return any(deck.standing == "play" for deck in self.decks)

    @property
    def in_play(self) -> tuple[DeckRecord, ...]:
        """The decks that are played with."""
        return self.standing("play")

    @property
    def dealt(self) -> tuple[DeckRecord, ...]:
        """The decks whose cards are dealt now: one of two where the machine tells which."""
        return tuple(deck for deck in self.in_play if self.in_use in (0, deck.number))

    @property
    def wrong(self) -> tuple[int, ...]:
        """The decks of the last inspection, if their number of cards was wrong."""
        last = self.inspections[-1:]
        return tuple(number for made in last if not made.is_right for number in made.decks)

    @property
    def all_inspected(self) -> bool:
        """Whether every deck in play was inspected since it came, or since the table opened."""
        return all(deck.inspected for deck in self.in_play)


NO_DECKS: Final = DeckBook()


def with_deck(book: DeckBook, came: ByWhom, colour: str, serial: str, standing: Standing) -> DeckBook:
    """Returns the book with one more deck."""
    number = book.numbered + 1
    deck = DeckRecord(number, came, colour, serial, standing=standing)
    return replace(book, decks=_kept((*book.decks, deck)), numbered=number)


def _kept(decks: tuple[DeckRecord, ...]) -> tuple[DeckRecord, ...]:
    """Returns the records that are kept: of more than enough those go first that left long ago."""
    over = len(decks) - MOST_DECKS
    gone = {deck.number for deck in decks if deck.standing in LEFT}
    forgotten = set(sorted(gone)[: max(0, over)])
    return tuple(deck for deck in decks if deck.number not in forgotten)


def changed(book: DeckBook, *decks: DeckRecord) -> DeckBook:
    """Returns the book with these records in the place of those of the same number."""
    new = {deck.number: deck for deck in decks}
    return replace(book, decks=tuple(new.get(deck.number, deck) for deck in book.decks))


def with_inspection(book: DeckBook, made: Inspection) -> DeckBook:
    """Returns the book with an inspection, which gets the next number, and with it on the decks that were right."""
    number, looked_at = book.inspected + 1, [deck for deck in book.decks if deck.number in made.decks]
    counts = {"shuffles": tuple(d.shuffles for d in looked_at), "hands": tuple(d.hands for d in looked_at)}
    kept = (*book.inspections, replace(made, number=number, **counts))[-MOST_INSPECTIONS:]
    book = replace(book, inspections=kept, inspected=number)
    if not made.is_right:
        return book
    return changed(book, *(replace(deck, inspected=number) for deck in looked_at))


def with_doing(book: DeckBook, doing: DeckDoing) -> DeckBook:
    """Returns the book with the story told on; a shuffle of all cards begins another one."""
    story = book.story
    if doing.what == "shuffled" and not doing.in_round:
        story = tuple(x for x in story if x.what in BEFORE_THE_SHUFFLE and _after_the_round(x, doing))
    return replace(book, story=(*story, doing)[-MOST_DEEDS:])


def _after_the_round(earlier: DeckDoing, later: DeckDoing) -> bool:
    return earlier.round == later.round and not earlier.in_round


def for_table(book: DeckBook, came: ByWhom, backs: tuple[str, ...]) -> DeckBook:
    """Returns the book with decks in play that have these backs, as many of them as there must be.

    Decks without a name that do not fit are forgotten, others wait; what is missing comes from the reserve, or without
    a name.
    """
    wanted = list(backs)
    decks: list[DeckRecord] = []
    for deck in book.decks:
        if deck.standing != "play":
            decks.append(deck)
        elif (fits := _fitting(deck, wanted)) is not None:
            wanted.remove(fits)
            decks.append(replace(deck, inspected=0))
        elif deck.serial:
            decks.append(replace(deck, standing="reserve", inspected=0))
    book = replace(book, decks=tuple(decks), in_machine=0, in_use=0)
    for colour in wanted:
        book = brought_in(book, came, colour)
    return book


def brought_in(book: DeckBook, by: ByWhom, colour: str) -> DeckBook:
    """Returns the book with one more deck in play: of the reserve, which was inspected rather than not, or unnamed."""
    same = book.in_play[0].colour if book.in_play and not colour else colour
    waiting = [deck for deck in book.standing("reserve") if same in ("", deck.colour)]
    if not waiting:
        return with_deck(book, by, colour, "", "play")
    first = min(waiting, key=lambda deck: (not deck.inspected, deck.number))
    return changed(book, replace(first, standing="play"))


def _fitting(deck: DeckRecord, wanted: list[str]) -> str | None:
    """Returns the colour that is wanted and that this deck has; "" is any."""
    return next((colour for colour in wanted if colour in ("", deck.colour)), None)
