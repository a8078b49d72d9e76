"""The shapes of the API's answers: plain data, by name, so that programs can rely on it.

The views make this data; a test holds every real answer against its shape.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict

from controller.service.routes import ErrorCause
from controller.views.float_form import FloatReport
from controller.views.inspected import RecordShown
from controller.views.numbers_form import Numbers
from controller.views.record import RoundRecord, Summary
from controller.views.report import GameReport

Json: TypeAlias = dict[str, Any]


# ---- the table


class DatedCause(ErrorCause):
    """What went wrong with a device, and when."""

    since: str | None


class CauseShown(ErrorCause, total=False):
    """What is wrong: since when, on which devices; of a lost device also its first and its latest cause."""

    since: str | None
    devices: list[str]
    first: DatedCause | None
    latest: DatedCause | None


class HoldShown(ErrorCause):
    """Why the table does not go on, and what frees it."""

    device: str
    since: int


class GateState(TypedDict):
    """Whether something may come now, and by which rule."""

    open: bool
    rule: str
    why: NotRequired[str]


class ShownPrompt(TypedDict):
    """What one role is told, with the keys that answer it."""

    role: str
    text: str
    rule: str
    place: str
    offers: list[str]


class ShownNotice(TypedDict):
    """What people are told of one cause, as long as it stands."""

    roles: list[str]
    text: str
    rule: str
    place: str
    offers: list[str]
    code: str
    devices: list[str]
    since: str | None
    times: int


class RoundPhase(TypedDict):
    """The number of the round and how far it is, in words."""

    number: int
    phase: str


class AtConsole(TypedDict):
    """Who is signed in at the console."""

    role: str
    person: str


class ClockShown(TypedDict):
    """What the time of day of the table's computer is worth."""

    trust: str  # synchronised, unsynchronised, unknown
    confirmed: bool  # by a time server, or by a person
    person: str  # who; "": no person did
    error_ms: float | None  # by how much it may be wrong, as the kernel says
    battery: bool
    source: str  # who tells all this: kernel, systemd-timesyncd, simulated
    code: str  # why it cannot be believed; "": nothing speaks against it


class HeadShown(TypedDict):
    """The newest record of the journal, and how many facts wait for theirs."""

    seq: int
    hash: str
    pending: int


class StatusShown(TypedDict):
    """Everything that one look at the table tells; of a table whose game is missing it has no faults and nobody."""

    table: str
    game: str
    called: dict[str, str]
    open: bool
    signed_in: NotRequired[AtConsole]
    round: RoundPhase
    running: bool  # a round is: also while the table is held, or asks a question
    waiting: list[Json]
    current: Json | None
    last: Json | None
    in_lines: list[str]
    room: NotRequired[Json]
    prompts: list[ShownPrompt]
    notices: list[ShownNotice]
    lamps: dict[str, Any]
    gates: dict[str, GateState]
    faults: NotRequired[dict[str, dict[str, str]]]
    cards: NotRequired[str]  # named decks and what is to be done with them, in words
    holds: list[HoldShown]
    protection: int  # alerts of game protection that nobody has cleared
    insecure: list[str]  # devices whose link is plain because table.toml says so
    clock: ClockShown
    doors: list[str]  # those that are open, or may be opened, in words
    program: str  # how the installed files fit their signed manifest, in words
    test: bool  # in test mode: nothing that happens here counts
    trouble: list[CauseShown]
    journal: HeadShown
    storage: ErrorCause | None
    defect: ErrorCause | None
    uptime: float
    versions: dict[str, str]


class DisplaysShown(TypedDict):
    """What stands on the limit sign and on the meter, in ten-thousandths of a dollar."""

    sign: list[Any]
    meter: int | None


class WhoMay(TypedDict):
    """The lowest role that may press a key, by which rule; with the option or word that makes a difference."""

    word: str
    role: str
    rule: str


class KeyDeclared(TypedDict):
    """One key of the table: how it is written, who may press it, what it says."""

    key: str
    forms: list[str]
    manner: str
    who: list[WhoMay]
    says: str
    used: bool  # whether it may ever mean something in this game


class LitKey(TypedDict):
    """A key that whoever is signed in at the console may press now."""

    key: str
    says: str
    forms: tuple[str, ...]
    due: bool
    presses: tuple[str, ...]


class Keys(TypedDict):
    """The keys of the table, and those that may be pressed now."""

    game: str
    keys: list[KeyDeclared]
    now: NotRequired[list[LitKey]]  # which may be pressed now: only a running table knows


class Corrected(TypedDict):
    """What a correction changes, each with how it was and how it is; `seq` of the correction when it is made."""

    preview: bool
    changes: Json
    seq: NotRequired[int]


# ---- devices


class LinkStats(TypedDict):
    """How the link of a device does."""

    frames_in: int
    frames_out: int
    errors: dict[str, int]
    retries: int
    duplicates: int
    skipped: int
    round_trip_p50_ms: float | None
    round_trip_p99_ms: float | None
    unacknowledged: int
    speed: int | None  # of the serial line, in bits a second
    low_latency: bool | None  # of its port: true: set, false: refused to the daemon, null: it has no such setting


class DoorShown(TypedDict):
    """The door of a device."""

    open: bool
    two_people: bool  # it is opened only while two people have allowed it; else that is an alert
    allowed: list[str]  # who have allowed it
    seconds: int  # for which it may still be opened


class Device(TypedDict):
    """One device and how its link does."""

    name: str
    family: str
    address: str
    phase: str
    link: str
    sealed: bool
    cause: CauseShown | None
    first: CauseShown | None
    latest: CauseShown | None
    faults: list[ErrorCause]
    door: NotRequired[DoorShown]  # where it has one, as far as the running table knows
    identity: Json | None
    stats: LinkStats


class Bus(TypedDict):
    """One CAN bus that devices share."""

    bus: str
    interface: str
    state: str
    cause: ErrorCause | None
    tx_errors: int | None
    rx_errors: int | None
    warnings: int
    passives: int
    bus_offs: int
    losses: dict[str, int]
    since: str | None
    last_recovery: str | None
    frames_in: int
    frames_out: int
    devices: list[str]


class Devices(TypedDict):
    """Every device of the table, and every bus."""

    devices: list[Device]
    buses: list[Bus]


class FrameShown(TypedDict):
    """One frame of a trace; what may hold a card is withheld."""

    n: int
    at: str | None
    way: str
    text: str
    kind: str
    hex: NotRequired[str]
    withheld: NotRequired[bool]
    error: NotRequired[str]
    lost: NotRequired[str]
    blank: NotRequired[str]


class TraceShown(TypedDict):
    """The latest frames of a device."""

    device: str
    frames: list[FrameShown]


class Checked(TypedDict):
    """What a device found when it checked itself."""

    device: str
    ok: bool
    detail: str
    serial: NotRequired[str]
    firmware: NotRequired[str]


class DeviceIdentified(TypedDict):
    """How a device shows which one it is; empty when it has nothing to show it with."""

    device: str
    shows: str
    address: str
    serial: NotRequired[str]
    firmware: NotRequired[str]


class DeviceDone(TypedDict, total=False):
    """What was done to a device."""

    device: str
    cleared: bool
    unpaired: bool
    given: bool


class WorkLine(TypedDict, total=False):
    """One line of a long work: how far it is, at the end what became of it."""

    device: str
    compare: bool
    serial: str
    paired: bool
    have: int
    size: int
    firmware: str
    flashed: bool
    error: ErrorCause


# ---- rounds and the journal


class BehindShown(TypedDict):
    """How many facts are told, of how many."""

    done: int
    all: int


class RoundList(TypedDict):
    """Rounds, the newest first; `next` is the value of `before` for the next page."""

    rounds: list[Summary]
    running: int | None
    next: int | None
    older: bool
    behind: BehindShown | None


class Report(TypedDict):
    """What the rounds of a time span come to, game by game; `older`: some of them are only in the journal."""

    table: str
    since: str
    until: str
    games: list[GameReport]
    older: bool
    behind: BehindShown | None


class NumbersShown(TypedDict):
    """Rounds added up; `zone`: by whose days and shifts, "" that of the table's computer."""

    table: str
    zone: str
    since: str
    until: str
    numbers: Numbers
    older: bool
    behind: BehindShown | None


class FloatShown(TypedDict):
    """The shifts of the float that were opened in a time span."""

    table: str
    since: str
    until: str
    float: FloatReport
    older: bool
    behind: BehindShown | None


class RoundFound(TypedDict):
    """One round, the anchor of its last record, and which facts opened others of the same number."""

    round: RoundRecord
    anchor: str
    others: list[int]


class SearchLine(TypedDict, total=False):
    """One line of a search: how far it is, at the end the round."""

    done: int
    all: int
    round: RoundRecord
    anchor: str
    others: list[int]
    error: ErrorCause


class RefusedFact(TypedDict):
    """Why the table refused a fact, and by which rule."""

    why: str
    rule: str


class FactShown(TypedDict):
    """One fact of the journal, as people may see it."""

    seq: int
    at: str
    device: str
    text: str
    fact: Json
    refused: NotRequired[RefusedFact]
    hash: NotRequired[str | None]


class Tail(TypedDict):
    """Facts, the number of the newest, and behind which to go on; null: there are no more."""

    head: int
    facts: list[FactShown]
    next: int | None


class Verified(TypedDict):
    """The result of a check of the journal; the anchor is the last sound record."""

    ok: bool
    checked: int
    anchor: str
    first_bad: int | None
    code: str
    cause: str
    next_step: str
    notes: list[str]


class AnchorShown(TypedDict):
    """The newest record as an anchor: one line of text."""

    anchor: str


class CheckpointsShown(TypedDict):
    """Checkpoints that the journal keeps, the oldest first, each as a note."""

    checkpoints: list[str]
    witnesses: list[WitnessShown]


class WitnessShown(TypedDict):
    """Somebody who remembers the checkpoints of this table, and how far."""

    name: str
    size: int  # how many records it has seen
    at: str | None  # when it last took a checkpoint; null: never yet
    error: ErrorCause | None  # of the last attempt, where it failed


class RecordsBegin(TypedDict):
    """Behind which record of the journal an export begins, what those before come to, and which archives have them."""

    after: int
    chain: str
    tree: list[str]
    archives: list[str]


class RecordsShown(TypedDict):
    """Records to compute the journal again from, and behind which to go on; null: there are no more."""

    table: str
    head: int
    records: list[RecordShown]
    next: int | None
    begin: NotRequired[RecordsBegin]  # where the first records are in archives


class ProofShown(TypedDict):
    """The proof that a record is in the journal: hashes in hexadecimal, the nearest to the record first."""

    seq: int
    leaf: str
    size: int
    root: str
    path: list[str]
    checkpoint: str  # "": none that is kept is so new


# ---- the prize meter


class MeterShown(TypedDict):
    """Everything that a prize meter keeps; amounts are dollars with four decimals."""

    group: str
    kind: str
    option: int
    reset: Any
    cost: str
    increment: str
    closed: bool
    value: str
    startup: str
    seed: str
    ceiling: str | None
    reserve: str
    wagers: int
    contributions: str
    reversals: str
    overflow: str
    hits: int
    wins: str
    house: str
    adjustments: str
    transfers: str
    movements: int


class Jackpot(TypedDict):
    """The prize meter of this table; `stale` when its store does not answer."""

    group: str
    meter: MeterShown | None
    stale: NotRequired[str]
    table: NotRequired[Json]  # how it stands here; nothing where only the store is read


class HitShown(TypedDict):
    """One prize that was won."""

    at: str
    table: str
    round: int
    area: str
    hand: str
    prize: str
    rule: str
    before: str
    after: str
    undone: bool


class HistoryShown(TypedDict):
    """The latest prizes, the newest first."""

    group: str
    hits: list[HitShown]


class MeterVerified(TypedDict):
    """Whether every movement of the meter adds up, and what its ledger hashes to."""

    group: str
    ok: bool
    problems: list[str]
    movements: int
    entries: int
    head: str
    unbound: int
    checkpoint: str


class MetersShown(TypedDict):
    """All meters of the store, each with its tables and its last prize."""

    meters: list[Json]


class Announced(TypedDict):
    """What the sign announces about the Jackpot: each option with its value, a closing with none."""

    what: dict[str, str]
    since: str
    minutes: int


class Notices(TypedDict):
    """What the sign of this table announces about the Jackpot."""

    table: str
    notices: list[Announced]


class Proposed(TypedDict):
    """A deed that waits for the second person, who gives its code."""

    confirm: str
    minutes: int
    text: str
    by: str
    reason: str


class DoorOpened(TypedDict):
    """A door that two people have allowed to be opened."""

    device: str
    minutes: int
    people: list[str]


class Confirmed(TypedDict):
    """What two people have done to the meter."""

    done: str
    meter: MeterShown
    handed_on: NotRequired[dict[str, str]]


class JackpotPressed(TypedDict):
    """What was pressed."""

    table: str
    done: str


class AuditCleared(TypedDict):
    """The group whose failed audit was looked into."""

    group: str
    cleared: bool
