"""The table as plain data: it copies, compares and serialises, and says everything there is to say."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from controller.jackpot.ledger import Movement
from controller.jackpot.rules import Award, Prize
from controller.places import JACKPOT, At, Place, Spot, area_of, is_area
from controller.rules import Closed, Outcome, Rank, Result, Role, Rule, RulingKind, Token
from controller.table.causes import AnyCause
from controller.table.deck_book import NO_DECKS, DeckBook
from controller.table.door_access import DoorAccess
from controller.table.facts import AnyFact, Key, Started
from controller.table.floor import NOTHING_TOLD, Floor
from controller.table.history import NOTHING, History
from controller.table.options import NOTHING_CHOSEN, Chosen
from controller.table.play import NOTHING_PLAYED, Flat, Play, flat
from controller.table.protection import NOTHING_RAISED, Protection
from controller.table.shoe import NO_SHOE, ShoeAccount
from controller.table.takes import NO_TAKES, Takes
from controller.table.wall_clock import NO_CLOCK, WallClock

FORM = b"felt-4 "  # before an encoded table; another one whenever older snapshots could be misread


class Struct(msgspec.Struct, omit_defaults=True):
    """State that changes only inside one step, which works on its own copy."""


class Frozen(msgspec.Struct, frozen=True, omit_defaults=True):
    """State that is written once and never changes."""


# ---- one round


class Line(Frozen, frozen=True):
    """One wager's end, and the rule that decides it.

    The newest line of a wager stands: `net` is what the player's chips change by in all because of it.
    """

    place: Place
    spot: Spot
    stake: int
    result: Result
    net: int
    rule: Rule
    surplus: int = 0
    token: Token | Literal[""] = ""
    prize: int = 0  # of a Jackpot wager: all that is handed over

    @property
    def at(self) -> At:
        """Where the wager lies."""
        return self.place, self.spot


class Ruled(Frozen, frozen=True):
    """A ruling on an irregularity."""

    seq: int
    ruling: RulingKind
    rule: Rule
    text: str = ""


class Burn(Frozen, frozen=True):
    """A card that was burned, and whether it was shown."""

    card: str
    shown: bool = False


class Dispute(Frozen, frozen=True):
    """Somebody doubts what was done in a round: about which place, who noted it and when, and what was decided."""

    number: int
    round: int
    opened: int  # sequence number of the fact that opened that round
    place: Place
    what: str
    role: Role
    name: str
    seq: int
    at: int  # the time of day, in microseconds since 1970
    decision: str = ""  # "": it waits for one
    decided_role: Role = "dealer"
    decided_name: str = ""
    decided: int = 0  # sequence number of the fact that decided it
    decided_at: int = 0


class Promotion(Frozen, frozen=True):
    """A promotion that is offered: what its largest prize is worth, and whether winners must be present."""

    value: int
    present: bool = False
    scrutineer: str = ""
    stopped: Literal["", "postponed", "cancelled"] = ""


class Claim(Frozen, frozen=True):
    """A prize of a promotion that was awarded, or the claim to one that was refused: who decided it, and when."""

    seq: int
    promotion: str
    person: str
    amount: int
    role: Role
    name: str
    at: int  # the time of day, in microseconds since 1970
    refused: str = ""  # why
    waits: str = ""  # the key that says that the patron has heard of it; "": nothing is to be done
    how: str = ""  # in which way the patron has heard of it
    until: int = 0  # when a winner must have been notified, in the table's time; 0: at no time


class Voucher(Frozen, frozen=True):
    """A voucher that was exchanged: where, for what, and by whom."""

    seq: int
    place: Place
    what: str
    amount: int
    role: Role
    name: str
    at: int


class Limit(Frozen, frozen=True):
    """What bound a bettor's wagers when betting closed."""

    least: int
    most: int
    warned: bool = False


@flat
class Round(Flat, msgspec.Struct, omit_defaults=True):
    """What a table keeps of a round, whatever is played; the rest is the game's own, in `play`."""

    number: int
    opened: int  # sequence number of the fact that opened it
    wagers: dict[At, int] = {}  # what was accepted
    tokens: list[At] = []  # which wagers were made in promotional tokens
    closed: Closed = ""
    lines: list[Line] = []  # settled, append only
    settlements: int = 0
    rulings: list[Ruled] = []
    burns: list[Burn] = []
    outcome: Outcome | Literal[""] = ""  # "": it is running
    rule: Rule = ""
    meter_before: int = 0  # the prize meter when the round opened
    meter_settled: int | None = None  # and when its outcome was recorded
    prizes: list[Prize] = []
    award: Award | None = None
    meter_after: int | None = None  # and when the round was over
    carried: list[Place] = []  # whose Jackpot wager came over from the round before
    disputes: list[Dispute] = []  # about it
    play: Play = NOTHING_PLAYED  # what the game keeps of it beside this


# ---- between rounds


class Waiting(Frozen, frozen=True):
    """Prizes of the meter that a person has to decide: the outcome is recorded, the money not yet paid."""

    round: int
    settlement: int
    stake: int
    prizes: tuple[Prize, ...]
    number: int = 0  # of the movement by which a shared system was asked; no prizes: it has not answered yet
    asked: tuple[str, ...] = ()  # the places of these hands

    @property
    def places(self) -> tuple[str, ...]:
        """Where a prize is due."""
        return self.asked or tuple(prize.place for prize in self.prizes)


class Entered(Frozen, frozen=True):
    """What a registered wager added to the meter, and in which round."""

    round: int
    ticks: int
    resets: int = 0  # how often the meter had begun anew before


Keeper: TypeAlias = Literal["", "own", "shared"]  # of a meter: nobody else, a store of this table, one that also judges
KEEPERS: Final[Mapping[str, Keeper]] = {keeper: keeper for keeper in get_args(Keeper)}  # as facts name them


class JackpotGame(Struct):
    """The Jackpot wagers that take part, and what the prize meter holds, in ten-thousandths of a dollar."""

    meter: int = 0
    registered: list[str] = []
    increment: int = 0  # what each of these added to the meter
    carried: dict[str, int] = {}  # place -> stake that is valid for the next round
    pending: list[Waiting] = []
    cancelled: bool = False  # the last jackpot game was cancelled and none has begun since
    closed: bool = False  # the prize meter system was closed
    entered: dict[str, Entered] = {}  # place -> what it added; until the next round also of wagers that are settled
    keeper: Keeper = ""  # who else keeps the meter
    joined: bool = False  # the keeper has said what the meter holds, on the terms that are in force
    numbered: int = 0  # movements written so far
    recorded: int = 0  # the last one that the keeper has recorded
    outbox: list[Movement] = []  # those behind it
    resets: int = 0  # how often the meter has begun anew, after prizes that still stand
    ledger: tuple[int, str] = (0, "")  # of the keeper, when it was heard last: movements, and the hash they end with


class Person(Struct):
    """Somebody who plays here: what passes from round to round."""

    arrived: int
    warned: bool = False  # of wagers under the minimum
    unable: bool = False  # to place a wager that was due: the next time the first one is forfeited
    excluded: bool = False
    idle: int = 0
    least: int | None = None  # personal limits, shown by a marker
    most: int | None = None

    @property
    def has_limits(self) -> bool:
        """Whether a marker shows limits of their own."""
        return self.least is not None or self.most is not None


FirstToCut = Literal["arrival", "right", "dealer"]  # who came first, who sits furthest right, or no player at all


class Deck(Struct):
    """The cards and what has to be done with them before the next deal."""

    checked: bool = False
    due: str = ""  # the rule that asks for a shuffle
    through: bool = False  # the shuffle is due because the cutting card is out, or the shoe is empty
    cut_due: bool = False
    begin: FirstToCut | int = "arrival"  # a number: the player at this area
    declined: list[str] = []
    bad: str = ""  # the rule that took these cards out of play
    two_colours: bool = False  # they are out of play because their backs are not of one colour
    unverified: str = ""  # the rule by which they must be counted first
    after_misdeal: bool = False  # they must be counted because a hand had a wrong number of cards, not for a machine
    refill: bool = False  # the shoe ran empty in mid-round
    missed: bool = False  # cards were dealt although a shuffle was due
    burn_due: bool = False
    burns: list[Burn] = []  # burned before the round opened
    cut_out: bool = False  # the cutting card came out in the round that is running: a shuffle is due after it
    count_after: Rule = ""  # by which all cards are counted when the round is over
    next_bad: Rule = ""  # by which the cards that come next are out of play: their backs are not of one colour
    seen: dict[str, int] = {}

    def cutting_card_at(self, place: Place) -> None:
        """Keeps that who got the cutting card cuts next: who sits furthest right when no player got it."""
        self.begin = area_of(place) if is_area(place) else "right"

    def must_be_counted(self, rule: str, *, after_misdeal: bool = False) -> None:
        """Keeps the rule by which the cards are to be counted before the next deal."""
        self.unverified, self.after_misdeal = rule, after_misdeal

    def counted(self) -> None:
        """Keeps that the cards were counted."""
        self.unverified, self.after_misdeal = "", False


Closing = Literal["", "table", "jackpot"]


class Notice(Frozen, frozen=True):
    """Announced on the sign: a change of options, or a closing."""

    changes: dict[str, str]  # of options; none for a closing
    shown: int  # table time
    round: int  # number of the round running or ended last when it was shown
    closing: Closing = ""  # what will close
    players: bool = False  # some were here, and the table was set up anew since: it does not know that they are gone


class Prompt(Frozen, frozen=True):
    """What the table tells somebody, and what they may press."""

    seq: int
    round: int
    role: Role
    text: str
    rule: Rule
    place: Place = ""
    offers: tuple[str, ...] = ()
    cause: AnyCause | None = None  # what must end for it to vanish; None: it goes by the keys that it offers
    since: int = 0  # the time of day at which its cause began, in microseconds since 1970; 0: not known
    times: int = 1  # how often its cause came since the round opened


class Question(Frozen, frozen=True):
    """Part of a dialogue: one person answers with one of some keys."""

    role: Rank
    text: str
    words: tuple[str, ...]
    rule: Rule
    place: Place = ""
    by: Rank | None = None  # the lowest role that may press the answer, when it is not `role`


class Answer(Frozen, frozen=True):
    """A key that answers a question, without the place if the question names it."""

    key: str
    args: tuple[str, ...] = ()


class Talk(Struct):
    """A dialogue about an irregularity that waits for answers."""

    about: Key
    seq: int
    open: list[Question]
    answers: list[dict[Place, Answer]] = []  # complete ones, one for each poll
    partial: dict[Place, Answer] = {}
    later: list[Key] = []  # what was reported meanwhile
    asked: int = 0  # sequence number of the fact after which the open questions were asked


class Seen(Frozen, frozen=True):
    """A fact of the open round, kept so that the round can be told again with a correction."""

    seq: int
    at: int
    fact: AnyFact


class Held(Frozen, frozen=True):
    """A named reason why the table does not go on until a person rules."""

    code: str
    text: str
    device: str = ""
    rule: str = ""
    place: str = ""
    since: int = 0  # sequence number of the fact that brought it


class Signed(Frozen, frozen=True):
    """Who is signed in at the console by badge and PIN; their name and role stand with the table."""

    badge: str
    idle: int = 0  # microseconds without a deed after which they are signed out; 0: never
    deed: int = 0  # when they did something last


class AskedPin(Frozen, frozen=True):
    """Whose PIN the console waits for."""

    badge: str
    person: str = ""  # "": nobody has this badge
    failed: str = ""  # why the one that was entered last was of no use


class Elsewhere(Frozen, frozen=True):
    """Somebody who is signed in on a page or over the socket."""

    person: str
    place: str
    account: int


class Attempts(Frozen, frozen=True):
    """How often a PIN was wrong since the last right one, and when the last time."""

    wrong: int
    last: int
    known: bool = False  # it is the badge of somebody


class KeptAlert(Frozen, frozen=True):
    """An alert of a table that is watched from here: kept until its reason is gone and somebody has acknowledged it."""

    table: str
    kind: str
    about: str
    text: str
    since: int  # by the clock of that table, in microseconds since 1970
    step: str = ""
    times: int = 1  # how often it came without being acknowledged
    over: int = 0  # when its reason went, by the clock of this computer; 0: it stands
    by: str = ""  # who acknowledged it
    acknowledged: int = 0  # and when

    @property
    def subject(self) -> tuple[str, str, str]:
        """What it is about: the same when it comes again."""
        return self.table, self.kind, self.about


class TableFloat(Frozen, frozen=True):
    """Between which counts of the float the table is: the facts that counted it at the beginning; 0: none."""

    opened: int = 0  # of the shift that runs
    before: tuple[int, ...] = ()  # of those that were closed last, the newest at the end


NO_FLOAT: Final = TableFloat()
Alerts: TypeAlias = dict[int, KeptAlert]  # by the number of the fact that raised it; never changed in place


class Table(Struct, dict=True):
    """All that the table knows."""

    game: str = ""
    begun: Started | None = None  # the configuration it started with
    options: Chosen = NOTHING_CHOSEN  # in force now
    house: Floor = NOTHING_TOLD  # what holds on the whole floor
    house_next: dict[str, str] = {}  # options that the house has set while a round was running: for the next one
    now: int = 0  # the table's own time in microseconds; only moves on
    ahead: int = 0  # by how much the times of facts are ahead of it, since the machine's clock was set
    open: bool = False
    role: Role = "dealer"
    name: str = ""
    signed: Signed | None = None  # at the console
    asked: AskedPin | None = None
    attempts: dict[str, Attempts] = {}  # wrong PINs, by badge and by place
    elsewhere: tuple[Elsewhere, ...] = ()  # once for each session; they end with the daemon
    number: int = 0  # rounds opened so far
    before: int = 0  # sequence number of the fact that opened the round before this one; 0: not known
    disputed: int = 0  # disputes noted so far
    disputes: dict[int, Dispute] = {}  # those that wait for a decision
    promotions: dict[str, Promotion] = {}
    claims: list[Claim] = []  # prizes of promotions, and refused claims; the newest last
    vouchers: list[Voucher] = []
    round: Round | None = None  # the one running, or the last one
    people: dict[str, Person] = {}
    seats: dict[str, str] = {}  # place -> who plays there
    unseen: dict[Place, Place] = {}  # extra area, whose hand nobody looks at -> where its player sits
    button: str = ""
    deck: Deck = msgspec.field(default_factory=Deck)
    held: list[str] = []  # surplus cards for the next round
    notices: list[Notice] = []
    faults: dict[str, dict[str, str]] = {}  # device -> code -> detail
    misread: dict[tuple[int, str, int], str] = {}  # area, spot and bettor with chips that cannot lie there -> why
    prompts: list[Prompt] = []  # shown since the last round opened
    live: list[Prompt] = []  # those whose cause still stands
    talk: Talk | None = None
    jackpot: JackpotGame = msgspec.field(default_factory=JackpotGame)
    play: Play = NOTHING_PLAYED  # what the game keeps from round to round
    mode: Play = NOTHING_PLAYED  # what a mode around the game keeps, such as a tournament; nothing: there is none
    wishes: Play = NOTHING_PLAYED  # what a mode asks of somebody elsewhere, until it is answered; a new one each time
    opening: bytes = b""  # the table as it was when the round opened
    history: History = NOTHING
    holds: dict[str, Held] = {}  # why the table does not go on, by code and device
    kept: list[AnyFact] = []  # chips that were read meanwhile
    encrypted: dict[str, str] = {}  # device whose link was encrypted -> its serial number: it is never accepted plain
    accounted: dict[str, tuple[int, int]] = {}  # device -> epoch and counter: what misses up to there is on record
    alerts: Alerts = {}  # of the tables that are watched from here
    decks: DeckBook = NO_DECKS  # which decks are here, and what was done with them; never changed in place
    protection: Protection = NOTHING_RAISED  # alerts of this table's own, until somebody clears them
    shoe: ShoeAccount = NO_SHOE  # the cards that left it since they were mixed
    chips: TableFloat = NO_FLOAT  # what the table pays with, as people count it
    doors: dict[str, DoorAccess] = {}  # of devices, that two people have allowed to be opened
    takes: Takes = NO_TAKES  # what is to be taken and paid, where that is watched
    clock: WallClock = NO_CLOCK  # what is known of the computer's clock

    @cached_property
    def derived(self) -> dict[str, Any]:
        """What was derived from this table once its step was over; never stored, and never copied with it."""
        return {}


def _write(value: Any) -> object:
    """Returns what a snapshot keeps of a history, of options, and of what a game keeps of its own.

    A plain list, texts, and the bytes that the game makes of it.
    """
    if isinstance(value, Play):
        return value.encoded()
    if isinstance(value, Chosen):
        return dict(value)
    if isinstance(value, History):
        return list(value)
    raise NotImplementedError(f"a table does not hold {type(value).__name__}")


def _read(kind: type, value: Any) -> History | Chosen | Play:
    if kind is Play:
        return Play.decoded(value)
    if kind is Chosen:
        return Chosen.kept(msgspec.convert(value, dict[str, str]))
    return History(msgspec.convert(value, list[Seen]))


_encoder = msgspec.msgpack.Encoder(enc_hook=_write)
_decoder = msgspec.msgpack.Decoder(Table, dec_hook=_read)


def encode(table: Table) -> bytes:
    """Returns a table as snapshots keep it."""
    return FORM + _encoder.encode(table)


def decode(data: bytes) -> Table:
    """Returns the table of a snapshot, whose options' game is still to be named; raises msgspec.DecodeError."""
    if not data.startswith(FORM):
        raise msgspec.DecodeError("this is no snapshot in the form of today")
    return _decoder.decode(data[len(FORM) :])


def opening(table: Table) -> Table:
    """Returns the table as it was when the round opened."""
    t = decode(table.opening)
    t.options.read_as(type(table.options.typed))
    return t


def clone(table: Table) -> Table:
    """Returns an independent copy, which shares what never changes.

    It costs the same however long the round has lasted.
    """
    changing, r = copy(table), table.round
    changing.begun, changing.prompts, changing.live, changing.opening = None, [], [], b""
    changing.options, changing.history, changing.round, changing.play = NOTHING_CHOSEN, NOTHING, None, NOTHING_PLAYED
    changing.mode = changing.wishes = NOTHING_PLAYED
    changing.house, changing.elsewhere, changing.alerts, changing.decks = NOTHING_TOLD, (), {}, NO_DECKS
    changing.protection, changing.shoe, changing.takes = NOTHING_RAISED, NO_SHOE, NO_TAKES
    changing.clock = NO_CLOCK
    new = _decoder.decode(_encoder.encode(changing))
    new.house, new.elsewhere, new.alerts, new.decks = table.house, table.elsewhere, table.alerts, table.decks
    new.protection, new.shoe, new.takes, new.clock = table.protection, table.shoe, table.takes, table.clock
    new.begun, new.prompts, new.live = table.begun, table.prompts.copy(), table.live.copy()
    new.options, new.history, new.opening = table.options, table.history, table.opening
    new.play, new.mode, new.wishes = table.play.copied(), table.mode.copied(), table.wishes
    if r is not None:
        new.round = r.copied()
        new.round.play = r.play.copied()
    return new


# ---- what many ask of a table


def meter_works(t: Table) -> bool:
    """Tells whether the prize meter system operates properly: Jackpot wagers may be taken."""
    return "meter" not in t.faults and (t.jackpot.joined or not t.jackpot.keeper)


def round_runs(t: Table) -> bool:
    """Tells whether a round is running."""
    return t.round is not None and not t.round.outcome


def cards_lie(t: Table) -> bool:
    """Tells whether a card of the round that is running is out."""
    return t.round is not None and not t.round.outcome and t.round.closed == "dealt"


def wagered(r: Round) -> bool:
    """Tells whether something lies there for which cards are dealt: a Jackpot wager alone has no hand."""
    return any(spot != JACKPOT for _, spot in r.wagers)
