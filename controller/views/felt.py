"""The felt as a picture: who has which chips and cards where, what is waited for, what was won, what is wrong.

It is made for pages that draw it and for people who hear it read: each hand, wager and trouble has its words with it.
Everything is what a person who stands at the table sees; no names, no codes, no card that the rules have not turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from controller.money import cents, on_sign
from controller.places import DEALER, JACKPOT, order, shared_place
from controller.rules import Cited
from controller.table import holds
from controller.table.requests import GateName
from controller.table.rules import Rules
from controller.table.state import Line, Round, Table
from controller.table.telling import COMMUNITY, Hands, InWords, Lying, Settlement
from controller.table.view import gate, lamps, meter_shown
from controller.views.cards import seen
from controller.views.device_words import sentence
from controller.views.felt_words import signed, spoken_cards, spot_label, wager_text
from controller.views.presenter import presenter
from controller.views.round_text import decision
from controller.views.status import GATES
from controller.views.together import NO_TRUNKS, Trunks
from controller.views.troubles import RESUME, Concern, troubles
from controller.views.words import phase, waiting

Json: TypeAlias = dict[str, Any]
TICKS: Final = 100  # ten-thousandths of a dollar in a cent
FOLD: Final = "fold"  # the decision after which a hand is out
NOTHING: Final = Settlement([])


class Picture(msgspec.Struct, frozen=True):
    """The base of what a picture is made of."""


class Hand(Picture, frozen=True):
    """Cards of one place, "??" where the back is up; `words` for people who hear them."""

    cards: list[str]
    name: str
    words: str
    verdict: str = ""  # whether the dealer's hand qualifies, in words
    rule: str = ""


class WagerShown(Picture, frozen=True):
    """Chips on a spot, and what became of them."""

    spot: str
    label: str
    cents: int
    amount: str
    result: str  # "open": at stake
    net: str  # signed; "" while it is at stake
    text: str  # the whole of it in words
    rule: str


class Bettor(Picture, frozen=True):
    """One of those who wager at an area."""

    place: str
    wagers: list[WagerShown]
    decided: str
    folded: bool
    net: str  # of all wagers that are settled, signed; "" while none is
    won: int  # the same in cents


class Seat(Picture, frozen=True):
    """What a player against players has: chips behind and in front, and how the seat stands in the hand."""

    stack: str
    bet: str
    bet_cents: int
    state: str
    buttons: list[str]


class Area(Picture, frozen=True):
    """A betting area or a seat."""

    place: str
    label: str
    hand: Hand | None
    bettors: list[Bettor]
    lamps: list[str]
    seat: Seat | None = None


class Pot(Picture, frozen=True):
    """Chips in the middle; `text` says who won them."""

    amount: str
    cents: int
    text: str


class GateShown(Picture, frozen=True):
    """Whether chips or cards may come."""

    open: bool
    rule: str


class Felt(Picture, frozen=True):
    """The table at one look."""

    game: str
    title: str
    place_called: str
    round_called: str
    open: bool
    number: int
    phase: str
    outcome: str
    limits: list[tuple[str, str]]
    spots: list[tuple[str, str]]  # printed in every area: name and label
    areas: list[Area]
    dealer: Hand | None
    board: Hand | None
    pots: list[Pot]
    button: str
    waiting: list[Cited]
    gates: dict[str, GateShown]
    lamps: list[str]  # of the whole table
    troubles: list[Concern]
    meter: str


def felt(table: Table, rules: Rules, stopped: str = "", trunks: Trunks = NO_TRUNKS, offset: int = 0) -> Felt:
    """Returns the picture of a table; `stopped`: why nothing can be recorded, or followed, in words.

    `trunks`: what the devices share on their way; `offset`: seconds from UTC to the clock on the wall.
    """
    played = _round(table, rules)
    lit = {} if stopped else lamps(table, rules)
    room = presenter(rules).room(table, rules)
    label = f"{rules.called.place.capitalize()} {{}}".format
    areas = [
        Area(place, label(place), played.hand(place), played.bettors(place), _lit(lit, place), _seat(room, place))
        for place in map(str, range(1, table.options.typed.seats + 1))
    ]
    meter = meter_shown(table)
    return Felt(
        game=rules.name,
        title=rules.title,
        place_called=rules.called.place,
        round_called=rules.called.round,
        open=table.open and not stopped,
        number=table.number,
        phase="out of service" if stopped else phase(table, rules),
        outcome=played.outcome,
        limits=[(name, value) for name, value in presenter(rules).sign(table, rules, 0)["large"]],
        spots=_printed(table, rules),
        areas=areas,
        dealer=played.hand(DEALER),
        board=played.hand(COMMUNITY),
        pots=_pots(room, played, rules),
        button=str(room["button"]) if room is not None else table.button,
        waiting=[] if stopped else _waits(table, rules),
        gates={name: _gate(table, rules, name, stopped) for name in GATES},
        lamps=[name for name, places in lit.items() if "" in places],
        troubles=troubles(table, rules, stopped, trunks, offset),
        meter=on_sign(meter // TICKS) if meter is not None else "",
    )


# ---- a round


class PublicRound(msgspec.Struct, frozen=True):
    """A round as its game tells it, with no card in it that is not public."""

    outcome: str = ""
    cards: Hands = {}
    lying: Lying = Lying()
    words: InWords = InWords()
    settled: Settlement = NOTHING

    def hand(self, place: str) -> Hand | None:
        """Returns the cards of a place; None where none lie."""
        cards = self.cards.get(place, [])
        if not cards:
            return None
        name, verdict, rule = self.words.names.get(place, ""), "", ""
        if place == DEALER and name and self.lying.verdict is not None:
            verdict = "qualifies" if self.lying.verdict.qualifies else "does not qualify"
            rule = self.lying.verdict.rule
        return Hand(cards, name, spoken_cards(cards), verdict, rule)

    def bettors(self, area: str) -> list[Bettor]:
        """Returns who wagers at an area, the first one first."""
        shared = self.settled.shared
        net = shared.net if shared is not None else {}
        lines = [(line, pays) for line, pays in zip(self.settled.lines, self.words.pays, strict=False)]
        places = {line.place for line, _ in lines} | {*net, *self.words.decisions}
        ours = sorted((place for place in places if shared_place(place) == area), key=order)
        return [
            self._bettor(place, [pair for pair in lines if pair[0].place == place], net.get(place)) for place in ours
        ]

    def _bettor(self, place: str, lines: Sequence[tuple[Line, str]], net: int | None) -> Bettor:
        words = self.words.decisions.get(place, [])
        decided = ", ".join(map(decision, words))
        over = [line.net for line, _ in lines if line.result != "open"]
        won = sum(over) + (net or 0)
        shown = signed(won) if over or net is not None else ""
        return Bettor(place, [wager(line, pays) for line, pays in lines], decided, FOLD in words, shown, won)


def _round(table: Table, rules: Rules) -> PublicRound:
    r = table.round
    if r is None:
        return PublicRound()
    try:
        return public_round(table, r, rules)
    except Exception:  # a round that was struck out because its books cannot be read
        return PublicRound(r.outcome)


def public_round(table: Table, r: Round, rules: Rules) -> PublicRound:
    """Returns a round as everybody may know it."""
    lying = rules.cards(table)
    cards = seen(lying)
    return PublicRound(r.outcome, cards, lying, rules.in_words(table, r, cards), rules.settled(table, r))


def wager(line: Line, pays: str) -> WagerShown:
    """Returns one wager with what became of it."""
    shown = "" if line.result == "open" else signed(line.net)
    return WagerShown(
        line.spot,
        spot_label(line.spot),
        line.stake,
        on_sign(line.stake),
        line.result,
        shown,
        wager_text(line, pays),
        line.rule,
    )


def _printed(table: Table, rules: Rules) -> list[tuple[str, str]]:
    """Returns the spots of every area; where nobody has to wager on one, none is printed."""
    if not rules.required:
        return []
    offered = [JACKPOT] if table.options.typed.terms is not None else []
    later = [spot for spot in rules.spots if spot not in rules.opening and spot not in rules.without_chips]
    return [(spot, spot_label(spot)) for spot in (*rules.opening, *later, *offered)]


# ---- players against players


def _seat(room: Json | None, place: str) -> Seat | None:
    held = room["seats"].get(place) if room is not None else None
    if held is None:
        return None
    bet = cents(held["bet"])
    return Seat(on_sign(cents(held["stack"])), on_sign(bet) if bet else "", bet, held["state"], held["buttons"])


def _pots(room: Json | None, played: PublicRound, rules: Rules) -> list[Pot]:
    """Returns the chips in the middle: of the hand that is played, or with who won them."""
    shared = played.settled.shared
    if room is None or shared is None:
        return []
    if not played.outcome:
        pots = (room["hand"] or {}).get("pots", [])
        amounts = [cents(pot["amount"]) for pot in pots]
        return [Pot(on_sign(amount), amount, "") for amount in amounts if amount]
    return [Pot(on_sign(pot.amount), pot.amount, _won(pot.won, played.words.names, rules)) for pot in shared.pots]


def _won(won: Mapping[str, int], names: Mapping[str, str], rules: Rules) -> str:
    """Returns who won a pot, with which hand."""
    parts = []
    for place, amount in won.items():
        hand = f" with {names[place]}" if names.get(place) else ""
        parts.append(f"{rules.called.place} {place} wins {on_sign(amount)}{hand}")
    return ", ".join(parts)


# ---- what is due


def _waits(table: Table, rules: Rules) -> list[Cited]:
    """Returns what is due, as sentences; what holds a table is told among the troubles."""
    held = holds.why(table)
    if held is not None and table.open:
        return [Cited(held.rule, RESUME)]
    return [Cited(each.rule, sentence(each.text)) for each in waiting(table, rules)]


def _gate(table: Table, rules: Rules, name: GateName, stopped: str) -> GateShown:
    if stopped:
        return GateShown(False, "")
    at = gate(table, rules, name)
    return GateShown(at.open, at.rule)


def _lit(lit: Mapping[str, list[str]], place: str) -> list[str]:
    return [name for name, places in lit.items() if any(p and shared_place(p) == place for p in places)]
