"""Hands of poker in the Poker Hand History format (PHH): TOML that other programs read.

Only public cards are in it: "??" stands for one that nobody turned.  What the format cannot say is refused by name: a
game that has no code there, a hand that a ruling has changed, chips that were posted beside the blinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from controller.cards import UNREAD
from controller.money import cents, short
from controller.table.telling import COMMUNITY
from controller.views.record import Decision, RoundRecord

VARIANTS: Final[Mapping[tuple[str, str], str]] = {  # by game and limit
    ("holdem", "no-limit"): "NT",
    ("holdem", "fixed"): "FT",
    ("omaha", "pot"): "PO",
    ("omaha-hi-lo", "fixed"): "FO/8",
}
FIXED: Final = ("FT", "FO/8")
STREETS: Final = (3, 1, 1)  # cards of flop, turn and river
AGGRESSIVE: Final = ("bet", "raise", "all-in")


class NotInPhh(Exception):
    """Why a round cannot be written in this format."""


class _Hand(msgspec.Struct, frozen=True):
    """A hand whose players are numbered as the format numbers them: from the left of the button."""

    record: RoundRecord
    variant: str
    seats: tuple[str, ...]
    began: tuple[int, ...]  # cents, in the order of the seats
    blinds: tuple[int, ...]

    def player(self, seat: str) -> str:
        """Returns the name of a player in actions."""
        return f"p{self.seats.index(seat) + 1}"

    def cards(self, seat: str) -> str:
        """Returns the cards of a seat, those of nobody's knowledge as "??"."""
        return "".join(card.card for hand in self.record.hands if hand.place == seat for card in hand.cards)

    @property
    def board(self) -> list[tuple[int, str]]:
        """The cards of the board, each with the fact that dealt it."""
        return [(c.dealt.seq, c.card) for hand in self.record.hands if hand.place == COMMUNITY for c in hand.cards]

    @property
    def acts(self) -> list[Decision]:
        """What the players did, without the blinds."""
        return [each for each in self.record.decisions if each.word != "post"]


def phh(record: RoundRecord) -> str:
    """Returns a hand as a PHH file; raises NotInPhh when it cannot be one."""
    return "".join(f"{name} = {value}\n" for name, value in _fields(_hand(record)))


def phhs(records: Iterable[RoundRecord]) -> tuple[str, list[tuple[int, str]]]:
    """Returns hands as one PHHS file, and the numbers of those that are not in it, each with the reason."""
    parts: list[str] = []
    left_out: list[tuple[int, str]] = []
    for record in records:
        try:
            text = phh(record)
        except NotInPhh as why:
            left_out.append((record.number, str(why)))
        else:
            parts.append(f"[{len(parts) + 1}]\n{text}")
    return "\n".join(parts), left_out


# ---- what can be written


def _hand(record: RoundRecord) -> _Hand:
    shared = record.shared
    if shared is None:
        raise NotInPhh("it is no hand of poker")
    variant = VARIANTS.get((record.game, record.options.get("limit", "")))
    if variant is None:
        raise NotInPhh(f"the format has no code for {record.game} with limit {record.options.get('limit', '?')}")
    if record.outcome != "settled":
        raise NotInPhh("only a hand that was settled can be written")
    if record.rulings or record.corrections:
        raise NotInPhh("a ruling or a correction has changed its course")
    if shared.dead:
        raise NotInPhh("chips in the pot were no live bet")
    dealt = {hand.place for hand in record.hands} & set(shared.began)
    seats = _clockwise(dealt, shared.button)
    if len(seats) < 2:
        raise NotInPhh("fewer than two players were dealt in, or their stakes are not on record")
    hand = _Hand(record, variant, seats, tuple(cents(shared.began[seat]) for seat in seats), _blinds(record))
    _check_posts(hand)
    return hand


def _clockwise(seats: Iterable[str], button: str) -> tuple[str, ...]:
    """Returns the seats from the left of the button on; the button comes last.

    >>> _clockwise({"1", "2", "5"}, "2")
    ('5', '1', '2')
    """
    after = int(button or "0")
    return tuple(sorted(seats, key=lambda seat: (int(seat) <= after, int(seat))))


def _blinds(record: RoundRecord) -> tuple[int, ...]:
    return tuple(cents(amount) for amount in record.options["blinds"].split(","))


def _check_posts(hand: _Hand) -> None:
    """Raises NotInPhh unless the blinds were posted where they belong, and nothing else was."""
    due = dict(zip(hand.seats, hand.blinds, strict=False))
    posted = {each.place: cents(each.amount) for each in hand.record.decisions if each.word == "post"}
    if posted != due:
        raise NotInPhh("something else than the whole blinds was posted, or by others")


# ---- what is written


def _fields(hand: _Hand) -> Iterator[tuple[str, str]]:
    """Yields the fields of a file, with their values as TOML has them."""
    record, count = hand.record, len(hand.seats)
    assert record.shared is not None
    yield "variant", _quoted(hand.variant)
    yield "antes", _list(["0"] * count)
    blinds = [short(each) for each in (*hand.blinds, *[0] * count)][:count]
    # The format gives two players their blinds the other way round; here the button posts the second one (8.9.2).
    yield "blinds_or_straddles", _list(blinds[::-1] if count == 2 else blinds)
    if hand.variant in FIXED:
        small, big = (cents(amount) for amount in record.options["bets"].split(","))
        yield from (("small_bet", short(small)), ("big_bet", short(big)))
    else:
        yield "min_bet", short(hand.blinds[-1])
    yield "starting_stacks", _list([short(each) for each in hand.began])
    yield "actions", f"[\n{''.join(f'  {_quoted(action)},{chr(10)}' for action in _actions(hand))}]"
    day, _, rest = record.opened.at.partition("T")
    year, month, date = (str(int(part)) for part in day.split("-"))
    yield from (("time", rest.partition(".")[0]), ("time_zone", _quoted("UTC")))
    yield from (("day", date), ("month", month), ("year", year))
    yield from (("hand", str(record.number)), ("table", _quoted(record.table)))
    yield from (("seats", _list(hand.seats)), ("seat_count", record.options["seats"]))
    nets = [cents(record.shared.net.get(seat, "0")) for seat in hand.seats]
    yield "finishing_stacks", _list([short(a + b) for a, b in zip(hand.began, nets, strict=True)])
    yield "_commission", _quoted(record.shared.commission or "0.00")
    yield "_journal", _quoted(record.anchor)


def _actions(hand: _Hand) -> Iterator[str]:
    """Yields what happened, in its order: hole cards, acts, cards of the board, hands that were shown."""
    for seat in hand.seats:
        yield f"d dh {hand.player(seat)} {hand.cards(seat)}"
    streets = list(_streets(hand.board))
    chips = _Chips(dict(zip(hand.seats, hand.began, strict=True)))
    for each in hand.record.decisions:
        if each.word == "post":
            chips.put(each.place, cents(each.amount))
    for act in hand.acts:
        while streets and streets[0][0] < act.at.seq:
            yield f"d db {streets.pop(0)[1]}"
            chips.gather()
        yield f"{hand.player(act.place)} {_act(act, chips)}"
        chips.act(act)
    yield from (f"d db {cards}" for _, cards in streets)
    yield from _shown(hand)


class _Chips:
    """The chips of a hand while it is told, in cents: behind and in front of each who is in it."""

    def __init__(self, began: dict[str, int]) -> None:
        self._stakes = began  # at the beginning of the betting round
        self._front = dict.fromkeys(began, 0)

    @property
    def level(self) -> int:
        """The highest bet of the betting round."""
        return max(self._front.values())

    def put(self, seat: str, to: int) -> None:
        """Lets so much lie in front of a seat, if it is more than before."""
        self._front[seat] = max(self._front[seat], to)

    def act(self, act: Decision) -> None:
        """Lets a player act: who folds can answer no bet any more."""
        self.put(act.place, cents(act.amount))
        if act.word == "fold":
            self._stakes[act.place] = 0

    def gather(self) -> None:
        """Ends the betting round."""
        self._stakes = {seat: max(0, stake - self._front[seat]) for seat, stake in self._stakes.items()}
        self._front = dict.fromkeys(self._stakes, 0)

    def answered(self, seat: str) -> bool:
        """Tells whether anybody else has chips for more than the highest bet."""
        return any(stake > self.level for other, stake in self._stakes.items() if other != seat)


def _streets(board: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yields the cards of each street, with the fact that completed it."""
    for count in STREETS:
        cards, board = board[:count], board[count:]
        if len(cards) == count:
            yield cards[-1][0], "".join(card for _, card in cards)


def _act(act: Decision, chips: _Chips) -> str:
    """Returns an act in the words of the format.

    All-in is a raise where it is more than the highest bet; a raise that nobody has the chips to answer is a call.
    """
    if act.word == "fold":
        return "f"
    if act.word not in AGGRESSIVE or cents(act.amount) <= chips.level:
        return "cc"
    return f"cbr {short(cents(act.amount))}" if chips.answered(act.place) else "cc"


def _shown(hand: _Hand) -> Iterator[str]:
    """Yields who showed which hand at the end, from the last who bet on, else from the left of the button."""
    folded = {act.place for act in hand.acts if act.word == "fold"}
    live = [seat for seat in hand.seats if seat not in folded]
    if len(live) < 2:
        return
    board = [seq for seq, _ in _streets(hand.board)]
    last = [act.place for act in hand.acts if act.word in AGGRESSIVE and act.at.seq > (board[-1] if board else 0)]
    first = live.index(last[-1]) if last and last[-1] in live else 0
    for seat in (*live[first:], *live[:first]):
        cards = hand.cards(seat)
        yield f"{hand.player(seat)} sm" + ("" if UNREAD in cards else f" {cards}")


def _quoted(text: str) -> str:
    return f'"{text}"'


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"
