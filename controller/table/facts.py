"""Facts: what happened at the table, one after the other.  Everything else follows from them.

A *reading* (cards, chips, faults) has happened and is recorded whatever the rules say of it.  A key may be a report,
which is recorded too, or a wish, which the table may refuse.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

import msgspec

from controller.jackpot.rules import Award, Terms


class Fact(msgspec.Struct, frozen=True, tag_field="fact", omit_defaults=True):
    """Anything that goes into the journal."""


Trust: TypeAlias = Literal["synchronised", "unsynchronised", "unknown"]
SYNCHRONISED: Final = "synchronised"  # a time server keeps the clock right, by the kernel's own word
UNSYNCHRONISED: Final = "unsynchronised"
UNKNOWN: Final = "unknown"  # nobody can say


class ClockReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the computer says of its clock: which start of the computer it is, how long ago, and whether it is right."""

    boot: str  # names this start of the computer; "": it cannot be told from another
    boottime: int  # microseconds since it, by a clock that nobody sets
    trust: Trust = UNKNOWN
    error: int = -1  # microseconds by which the time of day may be wrong at most; -1: nobody says
    battery: bool = False  # a clock runs on while the computer has no power
    source: str = ""  # who says so


class Started(Fact, frozen=True, tag="started"):
    """A table starts with this game and these options; `house` holds what is the same on the whole floor."""

    game: str
    options: dict[str, str]
    house: dict[str, str] = {}
    meter: str = ""  # who keeps the prize meter besides the table: own, shared; "": nobody
    announced: dict[str, str] = {}  # what the configuration also says, and the sign has to announce first; "": unset
    players: bool = False  # some were here when the table was set up anew: what the sign announces was told to them
    instead_of: str = ""  # the game that was played here before; "": the same, or none
    version: str = ""  # of the program that starts it
    config: str = ""  # the digest of all that is in force, devices too, as `felt config show --digest` prints it
    clock: ClockReading | None = None  # how far the time of day can be trusted
    kind: str = ""  # live: every device is real; test: a table for tests; "": not known, or devices are simulated
    schema: str = ""  # the digest of the tables of the journal's file; "": of a version before, which did not say

    @property
    def configured(self) -> Started:
        """The configuration itself, whatever of it is in force."""
        unset = {option for option, value in self.announced.items() if not value}
        both = {**self.options, **self.announced}
        options = {option: value for option, value in both.items() if option not in unset}
        return Started(self.game, options, self.house, self.meter)


class Configured(Fact, frozen=True, tag="configured"):
    """A table goes on as it was set up, by another program or with another configuration beside its game."""

    version: str
    config: str  # the digest, as in `Started`
    kind: str = ""  # as in `Started`
    schema: str = ""  # as in `Started`


class ProgramChecked(Fact, frozen=True, tag="program"):
    """The installed files of the program were compared with their signed manifest."""

    version: str
    signature: str  # signed, unsigned, untrusted, unreadable, checkout
    files: int = 0
    digest: str = ""  # of all installed files
    manifest: str = ""  # its digest
    key: str = ""  # the public key that signed it
    differing: int = 0
    first: tuple[str, ...] = ()  # of the differences, each with what is wrong
    code: str = ""  # what is wrong; "": nothing


class ProgramChallenged(Fact, frozen=True, tag="program-challenged"):
    """Somebody gave a seed, and was told these keyed digests over the installed files."""

    seed: str
    program: str  # over the files of feltd's own wheel
    installation: str  # over all installed files
    version: str
    account: int = -1  # of the operating system
    login: str = ""  # its name there


class CardOut(Fact, frozen=True, tag="card"):
    """A card left the shoe; "??" when it could not be read."""

    card: str
    face_up: bool = False


class CardsOut(Fact, frozen=True, tag="cards"):
    """Cards left together, in an order that nobody knows yet."""

    cards: tuple[str, ...]


class CuttingCard(Fact, frozen=True, tag="cutting-card"):
    """The cutting card came out of the shoe."""


class ShoeEmpty(Fact, frozen=True, tag="shoe-empty"):
    """There are no more cards in the shoe."""


class Spot(msgspec.Struct, frozen=True, array_like=True):
    """What lies on one spot: which bettor's, how much, and whether it is a promotional token."""

    spot: str
    bettor: int
    amount: int
    token: bool = False


class Chips(Fact, frozen=True, tag="chips"):
    """What the sensor of an area reads now on these spots."""

    area: int
    spots: tuple[Spot, ...]
    cash: bool = False  # cash chips lie among them, where chips of a tournament are in play
    covered: bool = False  # under a cover: a secret wager of a tournament


class UnknownChip(Fact, frozen=True, tag="unknown-chip"):
    """A chip that the sensor does not know."""

    area: int
    spot: str
    bettor: int = 1


class Pushed(Fact, frozen=True, tag="pushed"):
    """Chips that a player pushes forward, each in cents."""

    area: int
    chips: tuple[int, ...]
    late: bool = False  # pushed before the sensor could be reached again


class CardRead(Fact, frozen=True, tag="read"):
    """A card came to lie on a reader of the layout: a seat's, or that of the board.

    `together`: cards that were opened at once; the first is the one that was due.
    """

    reader: str
    card: str
    face_up: bool = False
    together: tuple[str, ...] = ()


class Key(Fact, frozen=True, tag="key"):
    """A key of the dealer's console."""

    key: str
    args: tuple[str, ...] = ()
    account: int = -1  # of the operating system, when it was not pressed at the console
    person: str = ""  # who pressed it elsewhere; "": whoever is signed in at the console
    role: str = ""  # in which that person is signed in there
    place: str = ""  # where that is: a page, the socket


class Badge(Fact, frozen=True, tag="badge"):
    """Who is signed in at the console from now on, by the word of an older console.  No device is believed so today."""

    role: str
    name: str = ""


class BadgePresented(Fact, frozen=True, tag="badge-read"):
    """A badge was shown at the console: of somebody who is about to sign in, or who signs out."""

    badge: str
    person: str = ""  # as people.toml has it; "": nobody has this badge


class SignedIn(Fact, frozen=True, tag="signed-in"):
    """Somebody's badge and PIN were right."""

    person: str
    badge: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket
    idle: int = 0  # microseconds without a deed after which they are signed out; 0: never


class SignedOut(Fact, frozen=True, tag="signed-out"):
    """Somebody signed out, or was signed out."""

    person: str
    place: str
    why: str = ""  # of the reasons below; "": by themselves
    account: int = -1


IDLE: Final = "idle"  # nothing was done
EXPIRED: Final = "expired"  # the session was old, whatever was done in it
REPLACED: Final = "replaced"  # somebody signed in there after them, or there were too many sessions
REMOVED: Final = "removed"  # people.toml has them, or their role, no more
UNPLUGGED: Final = "unplugged"  # the console was away for longer than a loose cable explains
STOPPED: Final = "stopped"  # the daemon stopped
CUT_OFF: Final = "cut-off"  # the daemon ended without stopping; it is told when it starts again


class SignInFailed(Fact, frozen=True, tag="sign-in-failed"):
    """Somebody tried to sign in, in vain."""

    badge: str
    place: str
    why: str  # of the reasons below
    person: str = ""  # whose badge it is; "": nobody's
    account: int = -1


WRONG_PIN: Final = "wrong"  # counts; so does a badge that nobody has
LOCKED_OUT: Final = "locked"  # too many wrong ones before
NO_BADGE: Final = "no-badge"  # a PIN, and no badge was shown before
NO_ROLE: Final = "no-role"  # the person has not the role that was asked for
UNCHECKED: Final = "unchecked"  # nobody could tell whether the PIN is right
BARRED: Final = "barred"  # it is right, and PAM says that the account may not be used
NO_PEOPLE: Final = "no-people"  # people.toml is missing or cannot be used: nobody can sign in


class Shuffled(Fact, frozen=True, tag="shuffled"):
    """The machine finished a shuffle."""

    count: int
    verified: bool


class DeckIn(Fact, frozen=True, tag="deck-in"):
    """A deck was put into the machine, which tells the colour of its backs."""

    device: str
    colour: str


class DeckDeed(Fact, frozen=True, tag="deck-deed"):
    """A person did something with a deck beside the keys, or found something out about it.

    `deed` is one of `controller.table.deck_deeds`, which says what of this comes with it.
    """

    deed: str
    person: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket
    deck: int = 0  # its number at this table; 0: all that are in play
    colour: str = ""
    serial: str = ""  # or the code on its box
    count: int = -1  # cards; -1: no number was told
    fault: str = ""  # why cards are unfit
    cards: tuple[str, ...] = ()  # which of them
    note: str = ""
    slip: str = ""  # number of the card slip
    seal: str = ""  # and of the seal on the box
    witness: str = ""


class DeviceFault(Fact, frozen=True, tag="fault"):
    """A device reports that something is wrong with it."""

    device: str
    code: str
    detail: str = ""


class DeviceCleared(Fact, frozen=True, tag="cleared"):
    """A fault of a device is over."""

    device: str
    code: str


class DeviceLost(Fact, frozen=True, tag="lost"):
    """A device cannot be reached."""

    device: str
    code: str
    cause: str = ""


class DeviceReady(Fact, frozen=True, tag="ready"):
    """A device can be reached, is identified and in step."""

    device: str


CARDS_LOW: Final = "CardsLow"  # what a fact says of few cards that are left


class Noted(Fact, frozen=True, tag="noted"):
    """Something a device reports that changes nothing at the table, but belongs into the record."""

    device: str
    what: str
    account: int = -1  # of the operating system, when somebody did it through the API


class Serviced(Fact, frozen=True, tag="serviced"):
    """A technician begins to work on a device: an entry of the service log.  What came of it is noted after it."""

    device: str
    deed: str
    name: str
    licence: str
    time: str  # as the technician says, ISO 8601
    reason: str  # and the component
    asset: str
    account: int = -1  # of the operating system


class Hold(Fact, frozen=True, tag="hold"):
    """The service stops the table for a named reason, until a person rules."""

    code: str
    text: str
    device: str = ""


class Released(Fact, frozen=True, tag="released"):
    """The service takes such a reason back: it was none, or it is gone."""

    code: str
    device: str = ""


class Missed(Fact, frozen=True, tag="missed"):
    """A device no longer has events that the journal never got: from now on all up to `counter` are accounted for.

    With a `code` the table is held for it until a person rules; without one it is only on record.
    """

    device: str
    epoch: int
    counter: int
    code: str = ""
    text: str = ""


class Snapped(Fact, frozen=True, tag="snapped"):
    """A snapshot of the table after fact `seq` was taken; only one with this digest is believed."""

    seq: int
    digest: bytes
    version: str = ""  # of the program that took it


class HouseChanged(Fact, frozen=True, tag="house"):
    """A choice that holds for the whole floor was changed at another table."""

    option: str
    value: str


class MeterIs(Fact, frozen=True, tag="meter"):
    """The prize meter system says what it holds, in ten-thousandths of a dollar."""

    value: int
    group: str | None = None  # which system it is, where a table can change from one to another
    resets: int | None = None  # how often it has begun anew; None when it does not say


class MeterTold(Fact, frozen=True, tag="meter-told"):
    """The prize meter system has recorded what this table told it up to number `last`, and holds `value` now.

    `awards`: what it judged, by the number under which it was asked.  `ledger`: how many movements of all tables its
    ledger had then, and the hash of the entry that ended there, so that this journal witnesses that ledger.
    """

    group: str
    last: int
    value: int
    terms: Terms
    awards: tuple[tuple[int, Award], ...] = ()
    ledger: tuple[int, str] = (0, "")


class TournamentSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who plays at one place of a tournament's table, or has played there: what the table has to know of them."""

    place: str
    person: str
    bank: int  # cents
    out: str = ""  # the rule by which the person is out; "": in
    left: dict[str, int] = {}  # secret wagers and markers that the person may still use in this session


class TournamentTold(Fact, frozen=True, tag="tournament-told"):
    """The record of a tournament says how it stands, as far as this table is concerned; "" as its name: it is freed.

    No new round opens while `shut` is not empty.
    """

    tournament: str
    session: int = 0
    level: int = 1
    least: int = 0  # of a wager, or the first blind; cents
    most: int = 0  # or the last blind
    practice: bool = False
    shut: bool = False
    rule: str = ""  # why it is shut
    why: str = ""
    seats: tuple[TournamentSeat, ...] = ()
    forfeits: bool = False  # who is absent loses the compulsory wager
    recorded: int = 0  # the last report of this table that the record has
    blinds: tuple[int, ...] = ()  # of the level, in the order of posting; none on record: the first and the last
    refused: str = ""  # why the record does not grant what somebody at the table asked of it
    refused_rule: str = ""
    answered: int = 0  # the fact at this table whose wish is answered, with all before it; 0: none


class Tick(Fact, frozen=True, tag="tick"):
    """Time has passed."""


class ClockStepped(Fact, frozen=True, tag="clock-stepped"):
    """The machine's clock was set: it would have said `before` and says `after`, in microseconds since 1970.

    The times of this fact and of those after it are by the new setting; the table's own time runs on as if nothing
    had happened.
    """

    before: int
    after: int
    boottime: int = 0  # microseconds since the computer started, by a clock that nobody sets; 0: not told
    away: bool = False  # the computer was started anew, and nobody can say how long it was off: no time counts


class ClockChecked(Fact, frozen=True, tag="clock"):
    """The computer was started anew, or its clock is trusted otherwise than before."""

    reading: ClockReading


class ClockConfirmed(Fact, frozen=True, tag="clock-confirmed"):
    """A person has compared the computer's clock with another one, and says that it is right."""

    reason: str
    person: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket


class Amend(Fact, frozen=True, tag="amend"):
    """An earlier fact of this round is corrected: `to` takes the place of fact `target`; None strikes it out."""

    target: int
    to: AnyFact | None
    by: str = ""
    account: int = -1  # of the operating system
    login: str = ""  # its name there
    person: str = ""  # who was signed in
    role: str = ""
    place: str = ""


class DoorAllowed(Fact, frozen=True, tag="door-allowed"):
    """Two people allow the door of a device to be opened, for some minutes or until it is shut again."""

    device: str
    minutes: int
    reason: str
    people: tuple[str, ...]


class DoorLocked(Fact, frozen=True, tag="door-locked"):
    """The minutes for which the door of a device may be opened are over."""

    device: str


class LinkSealed(Fact, frozen=True, tag="link-sealed"):
    """The link of a device is encrypted from now on; not `sealed`: a technician has said that it is plain again."""

    device: str
    serial: str
    sealed: bool = True
    account: int = -1  # of the operating system


class Turned(Fact, frozen=True, tag="turned"):
    """A round is over: of the cards in the facts up to `upto` these are public for good, and no others.

    `cards`: the number of the fact, and which of its cards; 0: all of them.  `secrets`: what opens those that are
    stored hidden, so that everybody who has the journal can read them: the fact, the card and its secret.  `rules`: by
    which rule each of `cards` was turned or compared, or lay open from the start; "" where no rule has a number.
    """

    round: int
    upto: int
    cards: tuple[tuple[int, int], ...] = ()
    secrets: tuple[tuple[int, int, bytes], ...] = ()
    rules: tuple[str, ...] = ()  # (): of a version before, which did not say


class HiddenCard(msgspec.Struct, frozen=True, array_like=True):
    """One secret of a hidden fact: what proves later which one it was, and the secret itself, encrypted."""

    commitment: bytes
    cipher: bytes


class Hidden(Fact, frozen=True, tag="hidden"):
    """A fact with cards, as it is stored: nothing in it tells a card to somebody without the key.

    Whoever reads the journal with its keys gets the fact itself; nobody follows this one in its place.
    """

    day: bytes  # the name of the day's key
    salt: bytes  # with which the secrets of its cards are derived from that key
    shown: AnyFact  # as anybody may see it
    cards: tuple[HiddenCard, ...]
    whole: bool = False  # the one secret is the fact as it was told, and not a card of it


class CardsOpened(Fact, frozen=True, tag="cards-opened"):
    """Somebody was told the cards of a round that were never turned, with a reason.  They stay hidden from others."""

    round: int
    reason: str
    person: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket


class CardKeysDestroyed(Fact, frozen=True, tag="card-keys-destroyed"):
    """Keys of days are destroyed, by their names: what was never turned on these days can be read by nobody again."""

    days: tuple[bytes, ...]
    retention: int  # days after which that is done


class Archived(Fact, frozen=True, tag="archived"):
    """Records were brought into a sealed file, by which they can leave the journal; this proves which file it is."""

    first: int
    last: int
    file: str
    digest: bytes  # SHA-256 of the whole file
    hash: bytes  # of record `last`, in the chain
    root: bytes  # of the tree over the first `last` records
    devices: bytes  # digest of what was heard of every device up to there
    origin: bytes  # hash of record 1
    earlier: bytes  # stands for all archives before this one
    account: int = -1  # of the operating system, who asked for it; the daemon did by itself
    login: str = ""


class AlertRaised(Fact, frozen=True, tag="alert"):
    """A table of the floor that is watched from here needs somebody, for a reason that was not known before."""

    table: str
    kind: str
    about: str  # the same as long as it is about the same at that table
    text: str
    since: int  # by which clock that table has, in microseconds since 1970
    step: str = ""  # what to do


class AlertOver(Fact, frozen=True, tag="alert-over"):
    """The reason is gone."""

    table: str
    kind: str
    about: str


class AlertAcknowledged(Fact, frozen=True, tag="alert-acknowledged"):
    """Somebody has taken note of an alert, by the number of the fact that raised it."""

    alert: int
    table: str
    kind: str
    text: str
    person: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket


class ProtectionRaised(Fact, frozen=True, tag="protection"):
    """Something at this table is not as it should be: a person looks at it.  It rules nothing and asks nobody."""

    kind: str
    about: str  # the same as long as it is about the same
    text: str  # without cards that lie face down
    round: int = 0
    step: str = ""  # what to do


class ProtectionCleared(Fact, frozen=True, tag="protection-cleared"):
    """Somebody has cleared such an alert, by the number of the fact that raised it."""

    alert: int
    kind: str
    text: str
    reason: str
    person: str
    role: str
    place: str
    account: int = -1  # of the operating system, over the socket


class FloatMoved(Fact, frozen=True, tag="float"):
    """The float of the table was counted, or chips, cash or slips went into it or out of it.

    What each deed is stands in `controller.table.table_float`.  A wrong one is set right by a counter-entry: the same
    deed with a negative amount and a note that says why.
    """

    deed: str
    amount: int  # cents
    person: str
    role: str
    place: str
    about: int = 0  # a drop: the fact that opened the shift it belongs to; 0: the one that was closed last
    slip: str = ""  # the number of the slip that goes with it
    note: str = ""
    witness: str = ""  # who confirmed it, where the house wants two people
    witness_role: str = ""
    witness_place: str = ""
    account: int = -1  # of the operating system, over the socket


AnyFact: TypeAlias = (
    Started
    | CardOut
    | CardsOut
    | CuttingCard
    | ShoeEmpty
    | Chips
    | UnknownChip
    | Pushed
    | CardRead
    | Key
    | Badge
    | BadgePresented
    | SignedIn
    | SignedOut
    | SignInFailed
    | Shuffled
    | DeckIn
    | DeckDeed
    | DeviceFault
    | DeviceCleared
    | DeviceLost
    | DeviceReady
    | Noted
    | Serviced
    | Hold
    | Released
    | Missed
    | Snapped
    | Configured
    | ProgramChecked
    | ProgramChallenged
    | HouseChanged
    | MeterIs
    | MeterTold
    | TournamentTold
    | Tick
    | ClockStepped
    | ClockChecked
    | ClockConfirmed
    | Amend
    | Turned
    | Hidden
    | CardsOpened
    | CardKeysDestroyed
    | Archived
    | LinkSealed
    | DoorAllowed
    | DoorLocked
    | AlertRaised
    | AlertOver
    | AlertAcknowledged
    | ProtectionRaised
    | ProtectionCleared
    | FloatMoved
)

UNREADABLE: Final = "journal.fact"  # a record whose fields are not what its kind of fact has
_KINDS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyFact))
_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[AnyFact] = msgspec.msgpack.Decoder(AnyFact)


class _Kind(msgspec.Struct, frozen=True):
    """What can be known of a record that is no fact: of which kind it should be."""

    fact: str


def encode(fact: AnyFact) -> bytes:
    """Returns a fact as the journal keeps it."""
    return _encoder.encode(fact)


def exact(data: bytes) -> AnyFact:
    """Returns a fact exactly as it was encoded; raises msgspec.DecodeError on anything else."""
    return _decoder.decode(data)


def decode(data: bytes) -> AnyFact:
    """Returns a fact from the journal, or a hold in the place of one whose fields make no sense.

    Raises msgspec.DecodeError when no such kind of fact is known: then a newer version wrote it.
    """
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError:
        kind = msgspec.msgpack.decode(data, type=_Kind).fact
        if kind not in _KINDS:
            raise
    return Hold(UNREADABLE, f'the record of a fact ("{kind}") cannot be read: what it told is not known')
