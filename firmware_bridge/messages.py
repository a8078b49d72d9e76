"""What devices and the controller say to each other: the bodies of native protocol frames.

A body is one MessagePack array: a message number, then the fields in the order in which they stand here.  A field with
a default may be missing at the end, so a later version can add fields without breaking older firmware.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
import msgspec.structs

CARDS: Final = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
MOST_CENTS: Final = 100_000_000_000  # on one spot: a thousand million dollars
LONGEST_BADGE: Final = 64  # characters of a badge's number
_CARD: Final = re.compile(r"[2-9TJQKA0][cdhs]", re.IGNORECASE)  # anywhere in a word: rather too much withheld


class Message(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Anything that travels in a frame."""


# ---- identity: kinds HELLO and IDENTITY


class Hello(Message, frozen=True, tag=1):
    """The controller opens a session and says how far it has the device's events in its journal."""

    protocol: int
    epoch: int = 0  # of the event memory it last heard; 0: none
    counter: int = 0  # every event up to this one is durable


class Identity(Message, frozen=True, tag=2):
    """Who the device is, and where its event memory stands."""

    family: str
    model: str
    serial: str
    firmware: str
    epoch: int  # changes when the device loses its event memory
    last: int  # counter of the newest event it has produced
    first: int = 0  # counter of the first event it will send now: the oldest it keeps, or last + 1; 0: not said


class Challenge(Message, frozen=True, tag=3):
    """The controller asks for an encrypted session: the device shall prove that it has its key."""

    protocol: int
    nonce: bytes  # 32 random bytes, new for each session


class Introduction(Message, frozen=True, tag=4):
    """The device's answer to a Challenge.  Without a nonce: it has no key; without a proof: it wants a Challenge."""

    serial: str
    nonce: bytes = b""  # 32 random bytes, new for each Challenge
    proof: bytes = b""


# ---- events: what happened at the device


class Event(Message, frozen=True):
    """Something that happened at a device: the same words on every wire and at the table, whoever made the device."""

    @property
    def defect(self) -> Fault | None:
        """The fault that stands in the place of an event which cannot be true; None when it can."""
        return None

    @property
    def secret(self) -> bool:
        """Whether its text withholds something: a card may lie face down."""
        return False

    @property
    def private(self) -> bool:
        """Whether it is kept nowhere, not even where cards are nobody's secret: it holds somebody's PIN."""
        return False

    def without_cards(self) -> Event:
        """Returns the same event with every card left out, as if none could be read."""
        return self


class _Cards(Event, frozen=True):
    """An event with cards in it; every way of printing it leaves them out."""

    @property
    def faces(self) -> tuple[str | None, ...]:
        """The cards; None for one that could not be read, or that no deck has."""
        raise NotImplementedError

    @property
    def secret(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{type(self).__name__}(withheld)"

    def __rich_repr__(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("withheld",)


class _SeveralCards(_Cards, frozen=True):
    """An event with any number of cards in it."""

    cards: tuple[str, ...]  # each as in CardDrawn

    @property
    def faces(self) -> tuple[str | None, ...]:
        return tuple(map(_face, self.cards))

    def without_cards(self) -> Event:
        return msgspec.structs.replace(self, cards=("",) * len(self.cards))


def _face(card: str) -> str | None:
    return card if card in CARDS else None


class Fault(Event, frozen=True, tag=10):
    """Something is wrong with the device; it lasts until FaultCleared with the same code."""

    code: str
    detail: str = ""


UNSTORABLE: Final = "device.unstorable"  # the fault in the place of what no journal could hold
TAMPERED = "tampered"  # the fault of a device that was sent frames which the controller did not encrypt


class FaultCleared(Event, frozen=True, tag=11):
    """The fault with this code is over."""

    code: str


class DoorChanged(Event, frozen=True, tag=12):
    """The device's door was opened or shut."""

    open: bool


class CardDrawn(_Cards, frozen=True, tag=16):
    """One card left the shoe.  `card` is rank and suit ("Td"), or empty when it could not be read.

    >>> CardDrawn("Td"), CardDrawn("Td").faces, CardDrawn("1x").faces
    (CardDrawn(withheld), ('Td',), (None,))
    """

    card: str
    face_up: bool = False  # it lay face up inside the shoe

    @property
    def faces(self) -> tuple[str | None, ...]:
        return (_face(self.card),)

    def without_cards(self) -> Event:
        return msgspec.structs.replace(self, card="")


class CardsTogether(_SeveralCards, frozen=True, tag=17):
    """Cards left at the same time; their order is not known."""


class CuttingCardSeen(Event, frozen=True, tag=18):
    """The cutting card left the shoe."""


class CardsLow(Event, frozen=True, tag=19):
    """Few cards are left."""


class ShoeEmpty(Event, frozen=True, tag=20):
    """No card is left."""


class DeckInserted(Event, frozen=True, tag=24):
    """A deck was put into the shuffler; the colour of its backs."""

    colour: str


class ShuffleStarted(Event, frozen=True, tag=25):
    """A shuffle began."""


class ShuffleComplete(Event, frozen=True, tag=26):
    """A shuffle ended with so many cards; verified: exactly the expected ones."""

    count: int
    verified: bool


class SetDispensed(_SeveralCards, frozen=True, tag=27):
    """The shuffler dispensed a set, in this order."""


class Spot(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Chips on one spot of the area: how many of each denomination, in cents."""

    spot: str
    chips: tuple[tuple[int, int], ...]
    bettor: int = 1
    token: bool = False

    @property
    def cents(self) -> int:
        """What the chips are worth together.

        >>> Spot("ante", ((500, 2), (2500, 1))).cents
        3500
        """
        return sum(value * count for value, count in self.chips)

    @property
    def defect(self) -> str:
        """Why no spot can hold this; empty when it can."""
        if self.bettor < 1 or any(value <= 0 or count < 0 for value, count in self.chips):
            return f"impossible chips on spot {self.spot!r}"
        if self.cents > MOST_CENTS:
            return f"more chips than there can be on spot {self.spot!r}"
        return ""


class BetChanged(Event, frozen=True, tag=32):
    """What the sensor now reads on these spots."""

    spots: tuple[Spot, ...]

    @property
    def defect(self) -> Fault | None:
        why = next((spot.defect for spot in self.spots if spot.defect), "")
        return Fault("sensor.chips", why) if why else None


class CashBet(BetChanged, frozen=True, tag=35):
    """The same, where chips that are cash lie among them: a sensor knows them from those of a tournament."""


class CoveredBet(BetChanged, frozen=True, tag=36):
    """The same, under a cover: a secret wager, which nobody may see before betting closes.

    >>> CoveredBet((Spot("ante", ((500, 2),)),)), CoveredBet((Spot("ante", ((500, 2),)),)).without_cards().spots
    (CoveredBet(withheld), ())
    """

    @property
    def secret(self) -> bool:
        return True

    def without_cards(self) -> CoveredBet:
        return CoveredBet(())

    def __repr__(self) -> str:
        return "CoveredBet(withheld)"

    def __rich_repr__(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("withheld",)


class UnknownChip(Event, frozen=True, tag=33):
    """Something lies on the spot that is not a known chip."""

    spot: str
    bettor: int = 1


class ChipsPushed(Event, frozen=True, tag=34):
    """Chips that were pushed forward now: the value of each in cents.

    How many and how large they are decides what was meant.
    """

    chips: tuple[int, ...]

    @property
    def defect(self) -> Fault | None:
        if not self.chips or min(self.chips) <= 0 or sum(self.chips) > MOST_CENTS:
            return Fault("sensor.chips", "impossible chips were pushed forward")
        return None


class KeyPressed(Event, frozen=True, tag=40):
    """A key of the dealer's console, with what was entered with it.  A dealer may tell a card so.

    >>> KeyPressed("fold", ("3",)), KeyPressed("card", ("Kh",))
    (KeyPressed(key='fold', args=('3',)), KeyPressed(key='card', withheld))
    """

    key: str
    args: tuple[str, ...] = ()

    @property
    def secret(self) -> bool:
        return any(map(_CARD.search, self.args))

    def without_cards(self) -> Event:
        return msgspec.structs.replace(self, args=tuple("" if _CARD.search(word) else word for word in self.args))

    def __repr__(self) -> str:
        return f"KeyPressed(key={self.key!r}, {'withheld' if self.secret else f'args={self.args!r}'})"


class BadgeRead(Event, frozen=True, tag=42):
    """Somebody showed a badge at the console: its number, and nothing that the device knows of its owner."""

    number: str

    @property
    def defect(self) -> Fault | None:
        return None if 0 < len(self.number) <= LONGEST_BADGE else Fault("console.badge", "a badge without a number")


class PinEntered(Event, frozen=True, tag=43):
    """The PIN that goes with the badge shown before; every way of printing or keeping it leaves it out.

    >>> PinEntered("2580"), PinEntered("2580").without_cards().pin
    (PinEntered(withheld), '')
    """

    pin: str

    @property
    def secret(self) -> bool:
        return True

    @property
    def private(self) -> bool:
        return True

    def without_cards(self) -> PinEntered:
        return PinEntered("")

    def __repr__(self) -> str:
        return "PinEntered(withheld)"

    def __rich_repr__(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("withheld",)


def may_be_private(body: bytes) -> bool:
    """Tells whether the body of an event may hold a PIN, from its first bytes: readable or not.

    >>> may_be_private(_encoder.encode(PinEntered("2580"))), may_be_private(_encoder.encode(BadgeRead("7")))
    (True, False)
    """
    plain = len(body) > 1 and 0x90 <= body[0] < 0xA0 and body[1] < 0x80  # a short array, then a small number
    return not plain or body[1] == PinEntered.__struct_config__.tag


class CardsLaid(_SeveralCards, frozen=True, tag=48):
    """A card came to lie on the reader, or several that were opened together: the first is the one that was due."""

    face_up: bool = False  # it lay face up in the deck

    @property
    def defect(self) -> Fault | None:
        return None if self.cards else Fault("reader.cards", "no card at all")


class CardsLifted(Event, frozen=True, tag=49):
    """Cards were taken away; so many still lie there."""

    left: int


AnyEvent: TypeAlias = (
    Fault
    | FaultCleared
    | DoorChanged
    | CardDrawn
    | CardsTogether
    | CuttingCardSeen
    | CardsLow
    | ShoeEmpty
    | DeckInserted
    | ShuffleStarted
    | ShuffleComplete
    | SetDispensed
    | BetChanged
    | CashBet
    | CoveredBet
    | UnknownChip
    | ChipsPushed
    | KeyPressed
    | BadgeRead
    | PinEntered
    | CardsLaid
    | CardsLifted
)  # what a native device can send


_encoder: Final = msgspec.msgpack.Encoder()


@cache
def _decoder(kind: type[Event]) -> msgspec.msgpack.Decoder[Event]:
    return msgspec.msgpack.Decoder(kind)


def as_sent(event: Event) -> Event:
    """Returns an event as a wire would bring it, or a fault in its place when its fields are not as declared.

    >>> as_sent(BadgeRead("17")), as_sent(FaultCleared(5))
    (BadgeRead(number='17'), Fault(code='device.unstorable', detail='FaultCleared: ValidationError'))
    """
    if not isinstance(event, Event):
        return event  # no event at all: the driver of its family says so
    try:
        return _decoder(type(event)).decode(_encoder.encode(event))
    except (OverflowError, UnicodeError, TypeError, msgspec.ValidationError) as wrong:
        return Fault(UNSTORABLE, f"{type(event).__name__}: {type(wrong).__name__}")


# ---- commands: what the controller asks for; each gets one Reply


class SelfTest(Message, frozen=True, tag=64):
    """The device shall check itself."""


class Lock(Message, frozen=True, tag=65):
    """The shoe shall hold its cards back, or let them be drawn."""

    locked: bool


class Pair(Message, frozen=True, tag=66):
    """The device shall agree on a new key; only while its pairing switch is on.

    The reply's detail is the device's half and its commitment to a nonce, in hex.
    """

    half: bytes


class PairReveal(Message, frozen=True, tag=67):
    """The controller's nonce for the comparison code; the device shows that now.  The reply's detail is its own."""

    nonce: bytes


class PairKeep(Message, frozen=True, tag=68):
    """The device shall keep the new key: the codes are the same."""

    proof: bytes


class ClearFault(Message, frozen=True, tag=69):
    """The device shall go on: somebody has put the fault right.  Refused while its cause is still there."""

    code: str


class KeepNote(Message, frozen=True, tag=70):
    """The device shall keep these bytes for the controller, through power cuts, in place of those that it had."""

    note: bytes


class TellNote(Message, frozen=True, tag=71):
    """The device shall give them back: the reply's detail has them in hex, nothing when it has none yet."""


class Shuffle(Message, frozen=True, tag=72):
    """The shuffler shall begin to shuffle."""


class Dispense(Message, frozen=True, tag=73):
    """The shuffler shall dispense one set of so many cards."""

    cards: int


class Eject(Message, frozen=True, tag=74):
    """The shuffler shall give its cards back."""


class Snapshot(Message, frozen=True, tag=80):
    """The sensor shall tell what lies on every spot; the reply has it in `spots`."""


class Indicate(Message, frozen=True, tag=81):
    """The sensor shall show at the spot that the bet is accepted or refused."""

    spot: str
    accepted: bool
    bettor: int = 1


class ShowPrompts(Message, frozen=True, tag=88):
    """The whole list of what the console shows now, most urgent first."""

    lines: tuple[str, ...]


class KeyLamps(Message, frozen=True, tag=89):
    """The keys of the console that shall be lit; all others are dark."""

    lit: tuple[str, ...]


class SetLamps(Message, frozen=True, tag=96):
    """The lamps that shall change, each with its channel and state (0 off, 1 on, 2 blinking)."""

    lamps: tuple[tuple[int, int], ...]


class ShowAmount(Message, frozen=True, tag=104):
    """An amount that the display shall show, in ten-thousandths of a dollar."""

    amount: int


class ShowText(Message, frozen=True, tag=105):
    """Lines of text that the display shall show."""

    lines: tuple[str, ...]


class ReadBack(Message, frozen=True, tag=106):
    """The display shall tell what it shows now; the reply has it in `detail`."""


class FlashBegin(Message, frozen=True, tag=112):
    """New firmware for the slot that does not run.  The reply's detail says how many bytes of it are there already."""

    manifest: bytes
    signature: bytes
    downgrade: bool = False  # an older version is wanted


class FlashWrite(Message, frozen=True, tag=113):
    """Bytes of the firmware, taken only where the last ones ended.  The reply's detail says how many are there now."""

    offset: int
    data: bytes


class FlashFinish(Message, frozen=True, tag=114):
    """The device shall check that all of the firmware is there and is what was signed."""


class FlashSwitch(Message, frozen=True, tag=115):
    """The device shall restart with the new firmware, on trial: without FlashConfirm the next restart goes back."""


class FlashConfirm(Message, frozen=True, tag=116):
    """The device shall keep the new firmware: it works."""


class Speed(Message, frozen=True, tag=120):
    """Both ends of a serial line shall have this speed from the reply on; docs/protocol.md, paragraph 6.6."""

    baud: int  # 0: the base speed


Command: TypeAlias = (
    SelfTest
    | Lock
    | Pair
    | PairReveal
    | PairKeep
    | ClearFault
    | KeepNote
    | TellNote
    | Shuffle
    | Dispense
    | Eject
    | Snapshot
    | Indicate
    | ShowPrompts
    | KeyLamps
    | SetLamps
    | ShowAmount
    | ShowText
    | ReadBack
    | FlashBegin
    | FlashWrite
    | FlashFinish
    | FlashSwitch
    | FlashConfirm
    | Speed
)


class Reply(Message, frozen=True, tag=128):
    """The end of a command: done, or refused with a reason."""

    ok: bool
    detail: str = ""
    spots: tuple[Spot, ...] = ()


_SHOE: Final = (CardDrawn, CardsTogether, CuttingCardSeen, CardsLow, ShoeEmpty, DoorChanged)
SENT_BY_ALL: Final[tuple[type[Event], ...]] = (Fault, FaultCleared)
SENT_BY: Final[Mapping[str, tuple[type[Event], ...]]] = MappingProxyType(
    {
        "shoe": _SHOE,
        "shuffler": (*_SHOE, DeckInserted, ShuffleStarted, ShuffleComplete, SetDispensed),
        "bet-sensor": (BetChanged, CashBet, CoveredBet, UnknownChip, ChipsPushed),
        "console": (KeyPressed, BadgeRead, PinEntered, DoorChanged),
        "lamps": (DoorChanged,),
        "display": (),
        "reader": (CardsLaid, CardsLifted),
    }
)  # by family, beside what every family sends
FAMILIES: Final = tuple(SENT_BY)
LONGEST_NOTE: Final = 128  # bytes that a device keeps for the controller
