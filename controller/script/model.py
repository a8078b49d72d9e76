"""What a script says, as frozen data: a struct for each verb and for each form of `expect`."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.rules import Outcome, Role, Standing
from controller.rules import Token as Handed
from controller.table.requests import GateName
from controller.table.state import Closing
from controller.tournament.ranking import State
from controller.tournament.record import Stage
from controller.tournament.terms import TermsSheet

# ---- parts of lines


class Place(msgspec.Struct, frozen=True):
    """Where at the table: "3", "dealer", "flop"...; `bettor` is the Nth person who bets on that area."""

    name: str
    bettor: int = 1

    def __str__(self) -> str:
        return self.name if self.bettor == 1 else f"{self.name}.{self.bettor}"


class Drawn(msgspec.Struct, frozen=True):
    """A card that was read, as "Kh"."""

    card: str


class Unreadable(msgspec.Struct, frozen=True):
    """A card that could not be read: `??`."""


class FaceUp(msgspec.Struct, frozen=True):
    """A card that lay face up in the shoe: `^5c`."""

    card: str


class CuttingCard(msgspec.Struct, frozen=True):
    """The cutting card: `cut`."""


Single = Drawn | Unreadable | FaceUp


class Together(msgspec.Struct, frozen=True):
    """Cards that come or are opened together: `7d+7c`."""

    cards: tuple[Single, ...]


Token = Single | CuttingCard | Together


class Setting(msgspec.Struct, frozen=True):
    """`option=value`: `text` is the value as the script writes it, `plain` in the one way to write it."""

    name: str
    text: str
    plain: str

    def __str__(self) -> str:
        return f"{self.name}={self.text}"


class Reading(msgspec.Struct, frozen=True):
    """What lies on one spot: cents in chips, or in promotional tokens."""

    spot: str
    cents: int
    token: bool = False
    cash: bool = False


class Device(msgspec.Struct, frozen=True):
    """A device of the table; `place` is the area of a sensor, the seat or `board` of a reader, else ""."""

    family: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.family}.{self.place}" if self.place else self.family


# ---- lines


class Line(msgspec.Struct, frozen=True):
    """A statement: its line in the file, the table it is for ("" without a name), and how it was written."""

    number: int
    table: str
    text: str


class TableLine(Line, frozen=True):
    """A table starts with a game and its options."""

    game: str
    options: tuple[Setting, ...]
    tournament: str = ""


class SeatLine(Line, frozen=True):
    """People sit down, with a stack or not; or, at one seat, `add` or `take` changes the stake."""

    places: tuple[Place, ...]
    stack: int | None = None
    player: str = ""
    add: int | None = None
    take: int | None = None


class LeaveLine(Line, frozen=True):
    """Somebody leaves a place for good."""

    place: Place


class MeterLine(Line, frozen=True):
    """The prize meter is set to an amount."""

    ten_thousandths: int


class BetLine(Line, frozen=True):
    """A sensor reads chips on some spots of a place."""

    place: Place
    readings: tuple[Reading, ...]


class DrawLine(Line, frozen=True):
    """Cards leave the shoe, or come to lie on the readers."""

    tokens: tuple[Token, ...]


class KeyLine(Line, frozen=True):
    """A key of the console; the arguments are checked, and written as the console sends them."""

    key: str
    args: tuple[str, ...] = ()


class ActLine(Line, frozen=True):
    """A player acts at his turn, with an amount or without one."""

    seat: Place
    act: str
    cents: int | None = None


class ChipsLine(Line, frozen=True):
    """Chips pushed forward, each in cents; `say` is "" when silent."""

    seat: Place
    chips: tuple[int, ...]
    say: str = ""


class DiscardLine(Line, frozen=True):
    """A player discards a card."""

    seat: Place
    card: str


class PlayLine(Line, frozen=True):
    """Plain rounds; no places means all that are taken."""

    rounds: int
    places: tuple[Place, ...] = ()


class RoleLine(Line, frozen=True):
    """Somebody signs in at the console."""

    role: Role


class FaultLine(Line, frozen=True):
    """A device fails; the fault `clear` ends all it has. The arguments are checked, and as written."""

    device: Device
    fault: str
    args: tuple[str, ...] = ()


class WaitLine(Line, frozen=True):
    """Time passes."""

    milliseconds: int


# ---- tournaments


class TournamentLine(Line, frozen=True):
    """A tournament is announced with its terms: those of a file or the defaults, changed by items, less some."""

    game: str
    items: dict[str, str] = {}
    without: tuple[str, ...] = ()
    base: TermsSheet | None = None


class EnterLine(Line, frozen=True):
    """People enter a tournament."""

    people: tuple[str, ...]
    employee: bool = False


class WithdrawLine(Line, frozen=True):
    """Somebody withdraws from a tournament."""

    person: str


class SubstituteLine(Line, frozen=True):
    """Another person takes over."""

    person: str
    other: str


class SecretLine(BetLine, frozen=True):
    """A sensor reads chips under a cover."""


class MarkerLine(Line, frozen=True):
    """A player uses a marker."""

    place: Place
    marker: str


# ---- expectations; `by` holds the rules of which one must be cited, () when none is asked for


class ExpectLine(Line, frozen=True):
    """Any `expect`."""


class ExpectAccepted(ExpectLine, frozen=True):
    """The line before was not refused."""


class ExpectRefused(ExpectLine, frozen=True):
    """The line before was refused."""

    by: tuple[str, ...] = ()


class ExpectPrompt(ExpectLine, frozen=True):
    """A prompt that was shown, or that was not.

    `shown` is False for `no prompt`; role and offers are "" when not asked for.
    """

    shown: bool
    role: Role | Literal[""] = ""
    place: Place | None = None
    offers: str = ""
    by: tuple[str, ...] = ()


class ExpectWager(ExpectLine, frozen=True):
    """How a wager of the last round stands; None or "" where nothing is asked."""

    place: Place
    spot: str
    result: Standing | Literal["none"]
    net: int | None = None
    stake: int | None = None
    surplus: int | None = None
    prize: int | None = None
    token: Handed | Literal[""] = ""
    by: tuple[str, ...] = ()


class ExpectRound(ExpectLine, frozen=True):
    """How a round ended; `round` is None for the last one."""

    round: int | None
    outcome: Outcome | Literal["open"]
    by: tuple[str, ...] = ()


class ExpectDealer(ExpectLine, frozen=True):
    """Whether the dealer's hand qualifies: `qualifies` or `no-hand`."""

    state: str
    by: tuple[str, ...] = ()


class ExpectHand(ExpectLine, frozen=True):
    """The cards at a place, as "Kh", or "??" face down; () for `none`."""

    place: Place
    cards: tuple[str, ...]


class ExpectCommunity(ExpectLine, frozen=True):
    """The community cards; () for `none`."""

    cards: tuple[str, ...]


class ExpectBurns(ExpectLine, frozen=True):
    """How many cards were burned, and those among them that were shown."""

    count: int
    cards: tuple[str, ...] = ()


class ExpectHeld(ExpectLine, frozen=True):
    """How many cards are kept for the next round."""

    count: int


class ExpectMeter(ExpectLine, frozen=True):
    """What the prize meter holds."""

    ten_thousandths: int


class ExpectLamp(ExpectLine, frozen=True):
    """A lamp is lit or dark; without a place it is the lamp of the whole table."""

    lamp: str
    place: Place | None = None
    on: bool = True


class ExpectGate(ExpectLine, frozen=True):
    """Wagers, cards or Jackpot wagers may come now, or may not."""

    gate: GateName
    place: Place | None
    open: bool
    by: tuple[str, ...] = ()


class ExpectSign(ExpectLine, frozen=True):
    """Options that are in force."""

    settings: tuple[Setting, ...]


class ExpectNotice(ExpectLine, frozen=True):
    """What the sign announces: settings, or what closes."""

    settings: tuple[Setting, ...] = ()
    closing: Closing = ""


class ExpectTable(ExpectLine, frozen=True):
    """The table is open or closed."""

    open: bool


class ExpectBet(ExpectLine, frozen=True):
    """The chips in front of a seat."""

    seat: Place
    cents: int


class ExpectStack(ExpectLine, frozen=True):
    """The chips that a seat has behind."""

    seat: Place
    cents: int


class ExpectPot(ExpectLine, frozen=True):
    """All chips that are in play."""

    cents: int


class ExpectWon(ExpectLine, frozen=True):
    """What a seat won from the pots of the last hand."""

    seat: Place
    cents: int


class ExpectNet(ExpectLine, frozen=True):
    """The change of a seat's chips in the last hand."""

    seat: Place
    cents: int


class ExpectRake(ExpectLine, frozen=True):
    """The commission of the last hand."""

    cents: int


class ExpectSlide(ExpectLine, frozen=True):
    """The commission that lies on the slide."""

    cents: int


class ExpectDrop(ExpectLine, frozen=True):
    """The commission that was dropped since the table opened."""

    cents: int


class ExpectList(ExpectLine, frozen=True):
    """The waiting list in order; with a seat, who comes first for it."""

    names: tuple[str, ...]
    seat: Place | None = None


class ExpectBank(ExpectLine, frozen=True):
    """Somebody's bank after the last round."""

    person: str
    cents: int


class ExpectPlayer(ExpectLine, frozen=True):
    """How somebody stands in a tournament, and where they sit; table and seat are "" and None when not asked for."""

    person: str
    state: State
    at: str = ""
    seat: int | None = None
    by: tuple[str, ...] = ()


class ExpectPlacing(ExpectLine, frozen=True):
    """Which place somebody has; None for `none`."""

    person: str
    place: int | None


class ExpectPrize(ExpectLine, frozen=True):
    """What somebody wins, or gets back."""

    person: str
    cents: int
    refund: bool = False


class ExpectPool(ExpectLine, frozen=True):
    """The prize pool."""

    cents: int


class ExpectLevel(ExpectLine, frozen=True):
    """The level of a tournament."""

    level: int


class ExpectTournament(ExpectLine, frozen=True):
    """How far a tournament is."""

    stage: Stage


class ExpectSecret(ExpectLine, frozen=True):
    """A secret wager lies there unseen."""

    place: Place
    spot: str


# ---- whole scripts


class Run(msgspec.Struct, frozen=True):
    """One run of a script on fresh tables; `case` is None in a script without cases."""

    case: str | None
    lines: tuple[Line, ...]
    line: int = 1  # where it begins: that of its `case`


class Script(msgspec.Struct, frozen=True):
    """A script by its name, with all its runs."""

    name: str
    runs: tuple[Run, ...]
