"""What happens at the table, told in short sentences as it happens: bets, decisions, settlement, what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from controller.money import MoneyError, cents, on_sign
from controller.places import DEALER, JACKPOT, Place, order, place_of, shared_place
from controller.table.effects import (
    AnyEffect,
    Defective,
    LinesSettled,
    Prompted,
    Refused,
    RoundEnded,
    RoundOpened,
    RulingMade,
)
from controller.table.facts import AnyFact, Chips, DeviceCleared, DeviceReady, Key, Pushed
from controller.table.faults import LOST
from controller.table.rules import Rules
from controller.table.state import Line, Table, cards_lie
from controller.views.device_words import sentence, spoken_device
from controller.views.felt import PublicRound, public_round
from controller.views.felt_words import spoken_place, spot_label, wager_text
from controller.views.round_text import DECIDED
from controller.views.troubles import CALM, trouble

Kind: TypeAlias = Literal["opened", "bets", "decided", "settled", "ended", "told", "refused", "ruling", "fault", "well"]
_ACTS: Final = {
    "post": "posts",
    "check": "checks",
    "fold": "folds",
    "call": "calls",
    "bet": "bets",
    "raise": "raises to",
    "all-in": "is all-in",
}
_OUTCOMES: Final = {"misdeal": "Misdeal: all wagers go back", "void": "The {} is void: all wagers go back"}


class Sentence(msgspec.Struct, frozen=True):
    """One thing that happened: a sentence, its rule, and for a settlement each wager by itself."""

    kind: Kind
    text: str
    place: str = ""
    rule: str = ""
    net: int = 0  # cents
    parts: list[tuple[str, str]] = []  # text and rule


def story(fact: AnyFact, table: Table, rules: Rules, effects: list[AnyEffect], before: Table) -> list[Sentence]:
    """Returns what a fact brought about, in the order of telling; `before`: the table as it was."""
    refused = any(isinstance(effect, Refused) for effect in effects)
    out = [each for effect in effects if isinstance(effect, RoundOpened) for each in _followed(effect, table, rules)]
    out += [] if refused else _done(fact, table, rules, before)
    for effect in _once(effects):
        out += [] if isinstance(effect, RoundOpened) else _followed(effect, table, rules)
    return out


def _once(effects: list[AnyEffect]) -> Iterator[AnyEffect]:
    """Yields them without what is told twice: a prompt to somebody else too, a ruling that is a prompt as well."""
    every = [effect.prompt for effect in effects if isinstance(effect, Prompted)]
    prompted = {(prompt.text, prompt.rule) for prompt in every}
    shown: set[tuple[str, str, str]] = set()
    for effect in effects:
        match effect:
            case Prompted(prompt):
                this = (prompt.text, prompt.rule, prompt.place)
                if this in shown:
                    continue
                shown.add(this)
            case RulingMade(_, ruled) if (ruled.text, ruled.rule) in prompted:
                continue
        yield effect


# ---- what somebody did


def _done(fact: AnyFact, table: Table, rules: Rules, before: Table) -> Iterator[Sentence]:
    match fact:
        case Key("no-more-bets"):
            yield Sentence("bets", "No more bets.")
        case Key("act", (seat, act, *amount)):
            yield Sentence("decided", sentence(f"{spoken_place(seat, rules.called.place)} {_act(act, amount)}"), seat)
        case Key(key, (place, *_)) if key in DECIDED:
            yield Sentence("decided", sentence(f"{spoken_place(place, rules.called.place)} {DECIDED[key]}"), place)
        case Chips(area, spots) if cards_lie(table):
            for spot in spots:
                place = place_of(area, spot.bettor)
                if spot.amount and spot.amount != _lay(before, place, spot.spot):  # a sensor reads the same again
                    what = f"puts {on_sign(spot.amount)} on {spot_label(spot.spot)}"
                    yield Sentence("decided", sentence(f"{spoken_place(place, rules.called.place)} {what}"), place)
        case Pushed(area, chips):
            what = f"pushes {on_sign(sum(chips))} forward"
            yield Sentence("decided", sentence(f"{spoken_place(str(area), rules.called.place)} {what}"), str(area))
        case DeviceReady(device) if LOST in before.faults.get(device, {}):
            yield Sentence("well", sentence(f"{spoken_device(device, rules.called.place)} is back"))
        case DeviceCleared(device, code) if code in before.faults.get(device, {}):
            yield Sentence("well", sentence(f"{spoken_device(device, rules.called.place)} is in order again"))


def _lay(before: Table, place: Place, spot: str) -> int:
    """Returns what was wagered there before."""
    return before.round.wagers.get((place, spot), 0) if before.round is not None else 0


def _act(act: str, amount: list[str]) -> str:
    """Returns what a player did at the turn.

    >>> _act("raise", ["40"]), _act("check", [])
    ('raises to $40', 'checks')
    """
    words = _ACTS.get(act, act.replace("-", " "))
    try:
        return " ".join([words, *(on_sign(cents(each)) for each in amount)])
    except MoneyError:
        return words


# ---- what came of it


def _followed(effect: AnyEffect, table: Table, rules: Rules) -> Iterator[Sentence]:
    match effect:
        case RoundOpened(number):
            yield Sentence("opened", f"{rules.called.round.capitalize()} {number} opens.")
        case LinesSettled(number, _, lines):
            yield from _settled(number, lines, table, rules)
        case RoundEnded(_, outcome, rule):
            yield from _ended(outcome, rule, table, rules)
        case Prompted(prompt):
            note = trouble(prompt, table, rules.called.place)
            kind: Kind = "told" if note.severity in CALM else "fault"
            who = f"{spoken_place(prompt.place, rules.called.place)}: " if prompt.place and kind == "told" else ""
            yield Sentence(kind, f"{who}{note.text}", prompt.place, prompt.rule)
        case Refused(rule, why):
            yield Sentence("refused", sentence(f"refused: {why}"), rule=rule)
        case RulingMade(_, ruled):
            what = ruled.text or f"the ruling is {ruled.ruling}"
            yield Sentence("ruling", sentence(what), rule=ruled.rule)
        case Defective():
            yield Sentence("fault", "The table met a mistake of its own; a technician has to look.")


def _settled(number: int, lines: tuple[Line, ...], table: Table, rules: Rules) -> Iterator[Sentence]:
    """Yields the dealer's hand, then each place with its hand, what it won, and each wager with its rule."""
    r = table.round
    played = public_round(table, r, rules) if r is not None and r.number == number else PublicRound()
    dealer = played.hand(DEALER)
    judged = any(line.spot != JACKPOT for line in lines)  # a Jackpot wager does not play against the dealer
    if dealer is not None and dealer.name and judged:
        what = ", ".join(part for part in (dealer.name, dealer.verdict) if part)
        yield Sentence("settled", f"Dealer: {what}.", DEALER, dealer.rule)
    pays = {line.at: text for line, text in zip(played.settled.lines, played.words.pays, strict=False)}
    for place in sorted({line.place for line in lines}, key=order):
        ours = [line for line in lines if line.place == place]
        net = sum(line.net for line in ours)
        name = played.words.names.get(shared_place(place), "")
        what = ", ".join(part for part in (name, _in_all(net)) if part)
        parts = [(wager_text(line, pays.get(line.at, "")), line.rule) for line in ours]
        yield Sentence("settled", f"{spoken_place(place, rules.called.place)}: {what}.", place, net=net, parts=parts)


def _in_all(net: int) -> str:
    """Returns what somebody won or lost in all.

    >>> _in_all(4000), _in_all(-500), _in_all(0)
    ('wins $40', 'loses $5', 'nothing won or lost')
    """
    if net == 0:
        return "nothing won or lost"
    return f"{'wins' if net > 0 else 'loses'} {on_sign(abs(net))}"


def _ended(outcome: str, rule: str, table: Table, rules: Rules) -> Iterator[Sentence]:
    r = table.round
    if outcome in _OUTCOMES:
        yield Sentence("ended", sentence(_OUTCOMES[outcome].format(rules.called.round)), rule=rule)
    if r is None:
        return
    played = public_round(table, r, rules)
    shared = played.settled.shared
    if shared is None:
        return
    for pot in shared.pots:
        for place, amount in pot.won.items():
            hand = f" with {played.words.names[place]}" if played.words.names.get(place) else ""
            text = f"{spoken_place(place, rules.called.place)} wins {on_sign(amount)}{hand}."
            parts = [(f"pot {on_sign(pot.amount)}", "")] if amount != pot.amount else []
            yield Sentence("settled", text, place, net=amount, parts=parts)
    if shared.rake:
        yield Sentence("ended", f"The house takes {on_sign(shared.rake)} commission.")
