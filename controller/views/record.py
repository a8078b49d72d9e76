"""The record of one round: all that anybody may know of it, as typed data that can be kept, sent and printed.

Only public cards are in it: "??" stands for one that the rules never turned.  Amounts are dollars as text.  Times are
those of the machine's clock, as the journal has them; how long a round lasted is by the table's own time, which no step
of the clock changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

FORGOTTEN: Final = "forgotten"  # the outcome of a round that began and has none
FORM: Final = 1  # of what is kept; another one whenever records must be made anew from the journal

Irregular: TypeAlias = Literal["misdeal", "void", "ruling", "correction", "hold", "fault", "dispute"]


class Plain(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of all parts: written once, and sent as it is."""


class Moment(Plain, frozen=True):
    """When something happened: the fact of the journal, and its time of day."""

    seq: int
    at: str


class Who(Plain, frozen=True):
    """Who did something: the role that was signed in, the person, the account of the operating system."""

    role: str = ""
    name: str = ""
    account: int = -1
    login: str = ""


class Cited(Plain, frozen=True):
    """A text with the rule that says so."""

    text: str
    rule: str = ""


# ---- what lay on the felt


class Wager(Plain, frozen=True):
    """Chips that were accepted on a spot, and when the last of them came."""

    place: str
    spot: str
    amount: str
    at: Moment
    token: bool = False


class Card(Plain, frozen=True):
    """A card of a hand: when it was dealt, and when the rules turned it; one that they never turned is "??"."""

    card: str
    dealt: Moment
    turned: Moment | None = None


class Hand(Plain, frozen=True):
    """The cards of a place; `name` when all of them are public."""

    place: str
    cards: tuple[Card, ...]
    name: str = ""
    qualifies: bool | None = None  # of the dealer's, where that is a question
    rule: str = ""  # by which it does or does not


class CardsDoing(Plain, frozen=True):
    """What was done with the cards of this round, before it or in it; `by` is nobody where it was not said."""

    at: Moment
    text: str
    by: Who = Who()


class Decision(Plain, frozen=True):
    """What a player decided."""

    place: str
    word: str
    in_words: str
    at: Moment
    amount: str = ""  # what then lay in front, where players wager against each other


# ---- how it ended


class Paid(Plain, frozen=True):
    """The end of a wager: what the player's chips change by, the rule, and how it was paid in words."""

    place: str
    spot: str
    stake: str
    result: str
    net: str
    rule: str = ""
    pays: str = ""
    surplus: str = ""
    token: str = ""
    prize: str = ""


class Pot(Plain, frozen=True):
    """Chips that players contested: `amount` before commission, `won` after."""

    amount: str
    eligible: tuple[str, ...]
    won: Mapping[str, str]


class Shared(Plain, frozen=True):
    """How chips were divided that players wagered against each other."""

    pots: tuple[Pot, ...] = ()
    commission: str = ""
    returned: Mapping[str, str] = {}
    net: Mapping[str, str] = {}
    began: Mapping[str, str] = {}  # the stake of each when cards were dealt, what was posted with it
    button: str = ""
    dead: str = ""  # chips in the pot that were no live bet


class Prize(Plain, frozen=True):
    """A prize of the meter."""

    place: str
    hand: str
    amount: str
    rule: str = ""


class Meter(Plain, frozen=True):
    """The prize meter in dollars, to four decimals: when the round opened, at its outcome, and when it was over."""

    before: str
    settled: str
    after: str
    prizes: tuple[Prize, ...] = ()


# ---- what happened beside the cards


class Ruling(Plain, frozen=True):
    """A ruling on an irregularity, and who gave it; nobody: the table itself, by its rules."""

    at: Moment
    ruling: str
    text: str
    rule: str = ""
    by: Who = Who()


class Correction(Plain, frozen=True):
    """A fact that was corrected: what it said, what it says now, what that changed."""

    at: Moment
    target: int
    was: str
    now: str  # "": it was struck out
    by: Who = Who()
    refused: Cited | None = None
    changes: Mapping[str, Any] = {}


class Trouble(Plain, frozen=True):
    """A device that failed, or a reason why the table was held: since when, and until when if it ended in the round."""

    kind: Literal["fault", "hold"]
    code: str
    text: str
    since: Moment
    device: str = ""
    until: Moment | None = None


class Disputed(Plain, frozen=True):
    """A dispute about the round: who noted it, and what was decided by whom; no decision: it waits for one."""

    number: int
    at: Moment
    place: str
    what: str = ""
    by: Who = Who()
    decision: str = ""
    decided: Moment | None = None
    decided_by: Who = Who()


class ClockStep(Plain, frozen=True):
    """The machine's clock was set within the round: it would have said `before`, and said `after`."""

    at: Moment
    before: str
    after: str


class Prompt(Plain, frozen=True):
    """What the table told somebody."""

    role: str
    text: str
    rule: str = ""
    place: str = ""


class Step(Plain, frozen=True):
    """One fact of the round, what came of it, and what the table then waited for."""

    at: Moment
    text: str
    device: str = ""
    by: Who = Who()
    refused: Cited | None = None
    prompts: tuple[Prompt, ...] = ()
    rulings: tuple[Cited, ...] = ()
    settled: tuple[Cited, ...] = ()
    waits: tuple[Cited, ...] = ()


# ---- the round


class Called(Plain, frozen=True, omit_defaults=False):
    """What people call a place and a round of this game."""

    place: str = "area"
    round: str = "round"


class RoundRecord(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """One round, running or over.

    `opened.seq` names it for good; its number counts anew when the table gets another configuration.
    """

    number: int
    table: str = ""
    game: str
    title: str
    called: Called = Called()
    options: Mapping[str, str] = {}  # in force when it was over
    opened: Moment
    ended: Moment | None = None
    lasted: int = 0  # milliseconds of the table's own time
    outcome: str = "open"  # open, settled, misdeal, void, forgotten
    rule: str = ""
    dealer: str = ""  # who was signed in at the console as a dealer; "": nobody
    tournament: str = ""  # the one that it was played in: its chips are no money
    irregular: tuple[Irregular, ...] = ()
    wagers: tuple[Wager, ...] = ()
    hands: tuple[Hand, ...] = ()
    burned: tuple[str, ...] = ()
    shoe: tuple[CardsDoing, ...] = ()  # the story of its cards: shuffled, offered, cut; none where nobody told it
    decks: tuple[str, ...] = ()  # that it was dealt from, where they have a name
    decisions: tuple[Decision, ...] = ()
    settlement: tuple[Paid, ...] = ()
    shared: Shared | None = None
    meter: Meter | None = None
    rulings: tuple[Ruling, ...] = ()
    corrections: tuple[Correction, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    disputes: tuple[Disputed, ...] = ()
    clock: tuple[ClockStep, ...] = ()
    unconfirmed: bool = False  # no time server and nobody else stood for its times
    steps: tuple[Step, ...] = ()
    left_out: int = 0  # steps of a very long round that are not told
    last: int = 0  # the last fact of the journal that belongs to it
    hash: str = ""  # of that fact's record, in hexadecimal digits

    @property
    def places(self) -> tuple[str, ...]:
        """Where somebody had a wager or a hand."""
        named = (*(w.place for w in self.wagers), *(h.place for h in self.hands), *(p.place for p in self.settlement))
        return tuple(dict.fromkeys(place for place in named if place.partition(".")[0].isdigit()))

    @property
    def unfinished(self) -> bool:
        """Whether something of it is still to be decided: a wager, or a dispute."""
        return any(paid.result == "open" for paid in self.settlement) or any(not d.decision for d in self.disputes)

    @property
    def anchor(self) -> str:
        """The line that `felt journal verify --anchor` takes: the journal up to the end of the round."""
        return f"feltd-anchor-1 {self.last} {self.hash} {self.table}" if self.hash else ""


class Summary(Plain, frozen=True, kw_only=True, omit_defaults=False):
    """A round in a list."""

    number: int
    game: str
    opened: Moment
    ended: Moment | None = None
    lasted: int = 0
    outcome: str = "open"
    rule: str = ""
    places: tuple[str, ...] = ()
    staked: str = "0.00"  # by all players
    net: str = "0.00"  # the change of all players' chips
    irregular: tuple[Irregular, ...] = ()


def cash(records: Iterable[RoundRecord]) -> Iterator[RoundRecord]:
    """Yields the rounds that are over and were played for money, not in a tournament."""
    for record in records:
        if record.ended is not None and not record.tournament:
            yield record


def encode(record: RoundRecord) -> bytes:
    """Returns a record as it is kept and sent: JSON."""
    return msgspec.json.encode(record)


def decode(data: bytes) -> RoundRecord:
    """Returns the record in these bytes; raises msgspec.DecodeError."""
    return msgspec.json.decode(data, type=RoundRecord)
