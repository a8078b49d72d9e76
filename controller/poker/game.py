"""Crown Poker (document 000): seven games that players play against each other.

The course of a hand is in `controller.poker`; this is what the table asks of every game.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Final

from controller.house.layout import (
    COMMUNITY,
    Cards,
    Layout,
    Press,
    Request,
    Script,
    Settle,
    Stake,
    Turn,
    Verdict,
    Wagers,
)
from controller.house.rulings import Dialogue, refuse
from controller.money import cents
from controller.poker.hand.course import HOLE, SIDE, Stage, stage
from controller.poker.keys import CROWN_KEYS
from controller.poker.money.bonus import unknown
from controller.poker.money.commission import per_hand, rate
from controller.poker.room import notice_board, players
from controller.poker.room.blinds import amounts
from controller.poker.room.seats import MOST, MOST_ELSE
from controller.table.facts import AnyFact
from controller.table.state import Line

BOOK: Final = {
    "roles": "1.2",
    "places": "4.1",
    "checked": "5.3.2",
    "first-shuffle": "5.1",
    "missed-shuffle": "5.1",
    "cutting-card": "5.1",
    "cutter": "5.2",
    "abnormal": "5.1",
    "unfit": "5.3.1",
    "count-end": "3.4",
    "empty": "1.1",
    "bad-deck": "9.1.1(h)",
    "unverified": "3.4",
    "lock": "8.15.2",
    "oral": "8.15.2",
    "placed": "8.15.1",
    "chips-only": "6.2",
    "limits": "6.10",
    "higher-minimum": "s66(2)",
    "announce": "8.9.2",
    "finished": "8.20.4",
    "too-late": "13.10",
    "refund": "13.6",
    "sign": "6.1.1",
    "excluded": "13.2.2",
    "close": "13.3",
    "machine": "5.2",
}
AREA_MANAGER: Final = "area-manager"
_CHANGES: Final = ("limit", "bets", "blinds", "straddle", "over-blinds", "buy-in", "min", "max", "chip", "bonus")
_TIMES: Final = ("act-time", "extra-time", "extra-times", "extra-fee")
POWERS: Final = {
    **players.POWERS,
    "invalidate fraud": ("supervisor", "13.5.2"),
    "invalidate disturbance": ("supervisor", "13.5.1"),
    "exclude": ("assistant-casino-manager", "13.2"),
    "close-table": (AREA_MANAGER, "13.3"),
    "confirm-bonus": ("supervisor", "11.3"),
    "reconstruct": ("dealer", "9.1.1(c)"),
    "misdeal": ("dealer", "9.1.1"),
    "dead": ("dealer", "13.14"),
    "replaced": ("dealer", "5.3.1"),
    "shuffled": ("dealer", "5.1"),
    "cut": ("dealer", "5.2"),
    "ask": ("dealer", "9.5"),
    "bonus": ("dealer", "11.3"),
    **{f"set {option}": (AREA_MANAGER, "6.10") for option in (*_CHANGES, *_TIMES)},
    **{f"set {option}": (AREA_MANAGER, "7.3") for option in ("rake", "rake-method", "cap")},
}
LEAST_RATE, MOST_RATE = 20_000, 100_000  # 7.2.1: 2 % to 10 %


class Crown:
    """One of the seven games."""

    spots: ClassVar = SIDE
    opening: ClassVar[tuple[str, ...]] = ()
    required: ClassVar[tuple[str, ...]] = ()
    book: ClassVar = BOOK
    powers: ClassVar = POWERS
    keys: ClassVar = CROWN_KEYS
    late_chips: ClassVar = False
    tokens: ClassVar = False
    each_round: ClassVar = True
    closing: ClassVar = "hands"
    players_cut: ClassVar = False

    def __init__(self, name: str) -> None:
        self.name = name

    def cut_after(self, machine: str) -> bool:
        return True

    def dealer(self, f: Layout) -> Verdict | None:
        return None

    def decks(self, options: dict[str, str]) -> int:
        return 1

    def forbidden(self, options: dict[str, str], house: dict[str, str]) -> tuple[str, str] | None:
        most = MOST.get(self.name, MOST_ELSE)
        if not 2 <= int(options["seats"]) <= most:
            return f"this game has two to {most} players", "4.1"
        try:
            against = self._limits(options) or _commission(options)
            if against is None:
                notice_board.rows_of(options)
        except (KeyError, ValueError) as wrong:
            return f"no sign could say this: {wrong}", "6.1.1"
        return against

    def _limits(self, options: dict[str, str]) -> tuple[str, str] | None:
        blinds = amounts(options["blinds"])
        small, large = amounts(options["bets"])
        first = {"fixed": small, "spread": small}.get(options["limit"], cents(options["min"]))
        if blinds[-1] < first:
            return "the last blind is at least the table minimum of the first betting round", "6.4"
        if small > large:
            return "the smaller of two bets comes first", "6.8" if options["limit"] == "spread" else "6.1.1"
        if any(low > high for low, high in pairwise(blinds)):
            return "the last blind is the largest", "8.9.2"
        if len(blinds) >= int(options["seats"]) + 1:
            return "there are more blinds than seats", "8.9.2"
        button = options["button"]
        if button != "none" and int(button) > int(options["seats"]):
            return "the button lies at a seat of the table", "4.1"
        if name := unknown(options["bonus"]):
            return f"no hand is a {name}: name one such as royal-flush", "11.2"
        return None

    # ---- what the table shows

    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        return Stake(f.wager(place, spot))

    def play(self, f: Layout) -> Script:
        hand = f.round.hand
        if hand is None:
            yield (Wagers("8.15.1", SIDE),)
            return
        f.hands = {seat: list(cards) for seat, cards in hand.cards.items() if cards}
        f.down = {seat for seat in f.hands if seat not in hand.shown}
        if hand.board:
            f.hands[COMMUNITY] = list(hand.board)
        if not f.round.outcome:
            yield (_request(stage(f.table)),)

    def decided(self, f: Layout) -> list[Line]:
        return []

    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        hand = f.round.hand
        return (list(hand.dealt) if hand is not None else []), "8.4"

    def surplus(self, f: Layout) -> tuple[str, str]:
        return "9.1.1(e)", "a card was dealt although none was due"

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        return None

    def irregular(self, f: Layout, fact: AnyFact) -> Dialogue:
        return refuse("9.1.1", "this has no meaning at a poker table")
        yield ()


def _commission(options: dict[str, str]) -> tuple[str, str] | None:
    rake, method = options["rake"], options["rake-method"]
    if method == "percent":
        if not rake.endswith("%") and rake != "0":  # nil may be written either way (7.4)
            return "a percentage is written as 5%", "7.2.1"
        if rate(rake) and not LEAST_RATE <= rate(rake) <= MOST_RATE:
            return "the commission is 2 % to 10 %", "7.2.1"
    elif rake.endswith("%"):
        if rate(rake):
            return f"the fee {method} is an amount", {"per-hand": "7.2.3", "per-person": "7.2.4"}.get(method, "7.2.2")
    else:
        per_hand(rake, 2)
    return None


def _request(at: Stage) -> Request:
    """What the table waits for, in the words of every game."""
    match at.what:
        case "act" | "discard":
            return Turn(at.rule, at.place, at.what)
        case "blinds":
            return Turn(at.rule, at.place, "post")
        case "deal":
            return Cards(at.rule, "hands", at.place)
        case "board":
            return Cards(at.rule, "board", COMMUNITY)
        case "over":
            return Settle(at.rule, ())
        case "ruling":
            return Press(at.rule, "misdeal", "dealer")
    return Press(at.rule, {"shuffle": "shuffled"}.get(at.what, at.what), "dealer")


CROWN: Final = tuple(Crown(name) for name in HOLE)
