"""What people do with decks beside the keys: bring, name, check, have counted, call unfit, change cards, seal.

Each is a wish of a person with a name, who needs the power that the document gives.  The keys stay what they are:
`controller.table.deck_watch` writes into the same book what they tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec.structs import replace

from controller.cards import DECK, veiled
from controller.rules import Rank, Rule, at_least, is_role, spoken_role
from controller.table import causes, deck_watch
from controller.table.deck import void_shoe
from controller.table.deck_book import (
    CARDS_OF_A_DECK,
    MOST_UNFIT,
    MOST_WAITING,
    ByWhom,
    DeckDoing,
    DeckRecord,
    Departure,
    InspectedFor,
    Inspection,
    Sealing,
    Standing,
    UnfitCards,
    Unfitness,
    changed,
    with_deck,
    with_inspection,
)
from controller.table.documents import Power
from controller.table.facts import DeckDeed
from controller.table.state import cards_lie
from controller.table.step import Refusal, Step

Deed: TypeAlias = Literal["bring", "name", "check", "order", "unfit", "change", "seal", "witness"]
DEEDS: Final[Mapping[str, Deed]] = {deed: deed for deed in get_args(Deed)}  # as facts name them
UNFIT: Final[Mapping[str, Unfitness]] = {fault: fault for fault in get_args(Unfitness)}
ELSEWHERE: Final[Mapping[Standing, InspectedFor]] = {"reserve": "reserve", "out": "left"}  # why it is inspected there
LONGEST_NOTE: Final = 120
MOST_CARDS: Final = 9999
_LABEL: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_./:-]{0,39}")  # what stands on a box, a slip or a seal
_COLOUR: Final = re.compile(r"[a-z]{1,20}")
_NAME: Final = re.compile(r"[^\W_][\w .'-]{0,59}")


class DeedKind(NamedTuple):
    """A deed: who may do it, and what it does."""

    power: Callable[[Step], Power]
    does: Callable[[Step, DeckDeed, ByWhom], None]
    says: str


def follow(s: Step, fact: DeckDeed) -> None:
    """Does what a person asks for with a deck; refuses it to whoever has not the power, and when it cannot be."""
    name = DEEDS.get(fact.deed)
    if name is None:
        raise Refusal("", f'nothing is done with decks that is called "{fact.deed[:20]}"')
    kind = KINDS[name]
    _allow(s, fact, kind.power(s))
    s.t.decks = deck_watch.begun(s)
    kind.does(s, fact, ByWhom(s.seq, s.t.now + s.t.ahead, fact.person, fact.role, fact.place))


def _allow(s: Step, fact: DeckDeed, power: Power) -> None:
    if not fact.person:
        raise Refusal(s.cites.roles, "somebody has to sign in first: decks are handled by name")
    if not is_role(fact.role) or not at_least(fact.role, power.role):
        raise Refusal(power.rule or s.cites.roles, f"this needs the {spoken_role(power.role)}")


# ---- a deck comes


def _bring(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Puts a deck into the reserve of the table: it comes into play when cards are replaced."""
    _check_colour(s, fact.colour)
    _check_serial(s, fact.serial)
    if len(s.t.decks.standing("reserve")) >= MOST_WAITING:
        raise Refusal(s.cites.checked, f"{MOST_WAITING} decks wait here already")
    s.t.decks = with_deck(s.t.decks, by, fact.colour, fact.serial, "reserve")


def _name(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Says which deck one is that came without a name."""
    deck = _deck(s, fact)
    if deck.serial:
        raise Refusal(s.cites.checked, f"deck {deck.number} is {deck.serial} already")
    if not fact.serial:
        raise Refusal(s.cites.checked, "say the serial number or the code on the box")
    _check_serial(s, fact.serial)
    colour = fact.colour or deck.colour
    if fact.colour and deck.colour not in ("", fact.colour):
        raise Refusal(backs_rule(s), f"deck {deck.number} has {deck.colour} backs")
    _check_colour(s, colour)
    _check_like_the_others(s, deck, colour)
    named = replace(deck, serial=fact.serial, colour=colour, named=by, colour_named=not deck.colour and bool(colour))
    s.t.decks = changed(s.t.decks, named)


def _check_serial(s: Step, serial: str) -> None:
    """Refuses a serial number that cannot be one, and a deck that is here, or that left play and may not come back."""
    if not serial:
        return
    if not _LABEL.fullmatch(serial):
        raise Refusal(s.cites.checked, "a serial number has letters, digits and -_./: only, at most 40")
    same = serial.casefold()
    known = next((deck for deck in s.t.decks.decks if deck.serial.casefold() == same), None)
    if known is None:
        return
    if known.left is not None:
        why = f"{serial} left play as deck {known.number} ({known.left.why}): it does not come back"
        raise Refusal(known.left.rule, why)
    raise Refusal(s.cites.checked, f"{serial} is here already, as deck {known.number}")


def _check_colour(s: Step, colour: str) -> None:
    if colour and not _COLOUR.fullmatch(colour):
        raise Refusal(backs_rule(s), "a colour is one word in small letters")
    backs = s.t.options.typed.deck_backs
    if "" in backs or colour in backs:
        return
    raise Refusal(s.cites.two_decks or backs_rule(s), f"this table plays with {' and '.join(backs)} backs")


def _check_like_the_others(s: Step, deck: DeckRecord, colour: str) -> None:
    """Refuses a colour that the other decks in play have not, where all are played with together."""
    others = {each.colour for each in s.t.decks.in_play if each.number != deck.number} - {""}
    together = deck.standing == "play" and "" in s.t.options.typed.deck_backs
    if together and colour and others and colour not in others:
        raise Refusal(backs_rule(s), f"the other decks in play have {' and '.join(sorted(others))} backs")


def backs_rule(s: Step) -> Rule:
    """Returns the rule on the backs of a deck."""
    return s.cites.backs or s.cites.one_deck


# ---- it is looked through


def _check(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Records an inspection: the cards were looked through, and counted where a number is told."""
    _no_hand(s, s.cites.checked, "press count")
    if fact.count > MOST_CARDS:
        raise Refusal(s.cites.checked, f"nobody counts more than {MOST_CARDS} cards here")
    decks = _decks(s, fact)
    in_play = all(deck.standing == "play" for deck in decks)
    why = deck_watch.inspected_for(s.t) if in_play else ELSEWHERE[decks[0].standing]
    expected = CARDS_OF_A_DECK * len(decks)
    counted = None if fact.count < 0 else fact.count
    rule = s.cites.count_end if why == "close" else s.cites.checked
    numbers, ordered = tuple(d.number for d in decks), s.t.decks.ordered if in_play else None
    made = Inspection(0, why, numbers, by, expected, counted, rule, ordered, game=s.game.title)
    s.t.decks = with_inspection(s.t.decks, made)
    if in_play:
        deck_watch.note(s, DeckDoing("checked" if counted is None else "counted", by, s.t.number, depth=counted))
    if not made.is_right:
        _wrong(s, decks, by)
    elif in_play:
        _opens_the_gate(s, made)


def _opens_the_gate(s: Step, made: Inspection) -> None:
    """Keeps that cards in play are checked, when all of them are; and counted, when all that are dealt were."""
    if s.t.open and s.t.decks.all_inspected:
        s.t.deck.checked = True
    if made.counted is not None and {deck.number for deck in s.t.decks.dealt} <= set(made.decks):
        s.t.deck.counted()
        s.t.decks = replace(s.t.decks, ordered=None, ordered_by="")


def _wrong(s: Step, decks: tuple[DeckRecord, ...], by: ByWhom) -> None:
    """Takes decks with a wrong number of cards out of play: those of the reserve leave at once."""
    rule = s.cites.box or s.cites.bad_deck
    waiting = (deck for deck in decks if deck.standing == "reserve")
    gone = (replace(deck, standing="out", left=Departure("wrong count", by, rule)) for deck in waiting)
    s.t.decks = changed(s.t.decks, *gone)
    if any(deck.standing == "play" for deck in decks):
        s.t.deck.counted()
        void_shoe(s, s.cites.bad_deck, s.powers.replaced.role)


def _order(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Tells the dealer to count all cards: now, or when the hand is over."""
    rule = s.powers.order_count.rule or s.cites.count_end
    s.t.decks = replace(s.t.decks, ordered=by, ordered_by=rule)
    if cards_lie(s.t):
        s.t.deck.count_after = rule
        text = f"{by.person} wants the cards counted when the hand is over"
        s.prompt("dealer", text, rule, offers=("count",), cause=causes.KeyDue())
    else:
        s.t.deck.must_be_counted(rule)
        s.prompt("dealer", f"{by.person} wants the cards counted now", rule, offers=("count",))


# ---- it is unfit


def _unfit(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Takes a deck out of play whose cards are unfit: at once between hands, otherwise when the hand is over."""
    decks = _decks(s, fact)
    rule = s.powers.unfit.rule or s.cites.unfit
    entry = _entry(s, fact, by, rule)
    s.t.decks = changed(s.t.decks, *(_with_unfit(deck, entry) for deck in decks))
    waiting = [deck.number for deck in decks if deck.standing == "reserve"]
    for deck in (deck for deck in s.t.decks.decks if deck.number in waiting):
        s.t.decks = changed(s.t.decks, replace(deck, standing="out", left=Departure("unfit", by, rule)))
    if not any(deck.standing == "play" for deck in decks):
        return
    deck_watch.note(s, DeckDoing("unfit", by, s.t.number, in_round=cards_lie(s.t)))
    if cards_lie(s.t):
        s.t.decks = replace(s.t.decks, leaves_after=rule)
        s.prompt("dealer", "cards are unfit: they are replaced when the hand is over", rule)
    else:
        void_shoe(s, rule, s.powers.replaced.role)


def _change(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Records that single unfit cards were changed for others: all are counted and shuffled before the next deal."""
    rule = s.powers.unfit.rule or s.cites.unfit
    _no_hand(s, rule, "cards are changed when it is over")
    deck = _deck(s, fact)
    if not fact.cards:
        raise Refusal(rule, "say which cards were changed")
    if len(set(fact.cards)) < len(fact.cards):
        raise Refusal(rule, "a deck has each card once: name it once")
    entry = replace(_entry(s, fact, by, rule), changed=True)
    s.t.decks = changed(s.t.decks, _with_unfit(deck, entry))
    if deck.standing != "play":
        return
    deck_watch.note(s, DeckDoing("changed", by, s.t.number, depth=len(fact.cards)))
    s.t.deck.must_be_counted(rule)
    if not s.never_due:
        s.t.deck.due = s.t.deck.due or s.cites.first_shuffle
    s.prompt("dealer", "cards were changed: count all of them", rule, offers=("count",))


def _with_unfit(deck: DeckRecord, entry: UnfitCards) -> DeckRecord:
    return replace(deck, unfit=(*deck.unfit, entry)[-MOST_UNFIT:])


def _entry(s: Step, fact: DeckDeed, by: ByWhom, rule: Rule) -> UnfitCards:
    """Returns what is wrong with cards; refuses a reason that is none, and the face of a card in the middle of a hand.

    Whoever names a card while some lie face down may tell what nobody must know.
    """
    fault = UNFIT.get(fact.fault)
    if fault is None:
        raise Refusal(rule, f"say what is wrong with them: {', '.join(UNFIT)}")
    if any(card not in DECK for card in fact.cards):
        raise Refusal(rule, "a card is written as rank and suit, such as Kh")
    if fact.cards and cards_lie(s.t):
        raise Refusal(rule, "a hand is in progress: name the cards when it is over")
    return UnfitCards(fault, rule, by, fact.cards, veiled(fact.note)[:LONGEST_NOTE])


# ---- it is boxed


def _seal(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Records that a deck that left play is in its box, with slip and seal: two people answer for it."""
    deck, rule = _deck(s, fact), s.cites.box or s.cites.unfit
    if deck.standing == "play" and s.t.open:
        raise Refusal(rule, f"deck {deck.number} is in play: replace it first")
    for what, text in (("slip", fact.slip), ("seal", fact.seal)):
        if not _LABEL.fullmatch(text):
            raise Refusal(rule, f"say the number of the {what}")
    if not _NAME.fullmatch(fact.witness):
        raise Refusal(rule, "say who saw it")
    if fact.witness.casefold() == fact.person.casefold():
        raise Refusal(rule, "somebody else has to see it")
    left = deck.left or Departure("replaced", by, rule)
    sealing = Sealing(fact.slip, fact.seal, fact.witness, by, rule)
    s.t.decks = changed(s.t.decks, replace(deck, standing="sealed", left=left, sealed=sealing))


def _witness(s: Step, fact: DeckDeed, by: ByWhom) -> None:
    """Records that somebody else saw how a deck was boxed and sealed, by their own word."""
    deck, rule = s.t.decks.find(fact.deck), s.cites.box or s.cites.unfit
    sealed = None if deck is None else deck.sealed
    if deck is None or sealed is None:
        raise Refusal(rule, f"deck {fact.deck} is in no box that is sealed")
    if sealed.seen is not None:
        raise Refusal(rule, f"{sealed.seen.person} has said so already")
    if sealed.by.person.casefold() == fact.person.casefold():
        raise Refusal(rule, "somebody else has to see it")
    s.t.decks = changed(s.t.decks, replace(deck, sealed=replace(sealed, witness=fact.person, seen=by)))


# ---- which deck


def _deck(s: Step, fact: DeckDeed) -> DeckRecord:
    """Returns the deck that is named; refuses one that is not here any more."""
    deck = s.t.decks.find(fact.deck)
    if deck is None:
        raise Refusal(s.cites.checked, f"there is no deck {fact.deck} at this table")
    if deck.standing == "sealed":
        raise Refusal(s.cites.box or s.cites.unfit, f"deck {deck.number} is in its box, which is sealed")
    return deck


def _decks(s: Step, fact: DeckDeed) -> tuple[DeckRecord, ...]:
    """Returns the deck that is named, or all that are in play when none is."""
    if fact.deck:
        return (_deck(s, fact),)
    if not s.t.decks.in_play:
        raise Refusal(s.cites.checked, "no deck is in play: say which one")
    return s.t.decks.in_play


def _no_hand(s: Step, rule: Rule, instead: str) -> None:
    if cards_lie(s.t):
        raise Refusal(rule, f"a hand is in progress: {instead}")


# ---- who may


def _at_least(role: Rank, rule: Callable[[Step], Rule]) -> Callable[[Step], Power]:
    return lambda s: Power(role, rule(s))


def _boxes(s: Step) -> Power:
    return Power(s.powers.replaced.role, s.cites.box or s.powers.replaced.rule)


KINDS: Final[Mapping[Deed, DeedKind]] = {
    "bring": DeedKind(_at_least("dealer", lambda s: s.cites.checked), _bring, "brings a deck to the table"),
    "name": DeedKind(_at_least("dealer", lambda s: s.cites.checked), _name, "says which deck it is"),
    "check": DeedKind(_at_least("dealer", lambda s: s.cites.checked), _check, "has checked cards"),
    "order": DeedKind(lambda s: s.powers.order_count, _order, "wants the cards counted"),
    "unfit": DeedKind(lambda s: s.powers.unfit, _unfit, "calls cards unfit"),
    "change": DeedKind(lambda s: s.powers.unfit, _change, "has changed single cards"),
    "witness": DeedKind(_at_least("dealer", lambda s: s.cites.box), _witness, "saw how a deck was sealed"),
    "seal": DeedKind(_boxes, _seal, "has boxed and sealed a deck"),
}
