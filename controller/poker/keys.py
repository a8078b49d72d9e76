"""The keys of Crown Poker: who presses them, what they do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias, get_args

from controller.places import names_bettor
from controller.poker.document import CrownPowers
from controller.poker.hand import acts, board, boxed, card_counts, clock, deck, discards, irregular, keyed_acts, rulings
from controller.poker.hand.course import ON_THE_BOARD
from controller.poker.money import bonus, charges, stacks
from controller.poker.money import settle as end
from controller.poker.room import departures, lists, players, sign
from controller.poker.words import BUTTONS, MISREPORTED, Button, Costing, Silent
from controller.table import deck as deckcare
from controller.table import facts
from controller.table import sign as limit_sign
from controller.table.declare import (
    AMOUNT,
    CARD,
    NAME,
    PLACES,
    PLAYER,
    SEAT,
    STAKE,
    Key,
    among,
    handlers,
    many,
    optional,
    word,
)
from controller.table.keys import FOR_ENGINES, JACKPOT, OFF
from controller.table.roles import allow, declared
from controller.table.step import Refusal, Step

Handler: TypeAlias = Callable[[Step, tuple[str, ...]], None]

SILENT: Final = word(*get_args(Silent))
COSTING: Final = word(*get_args(Costing))


def key_pressed(s: Step, pressed: facts.Key) -> None:
    """Carries out a key at a poker table, if whoever presses it may."""
    key = declared(s, pressed)
    if any(map(names_bettor, key.places(pressed.args))):
        raise Refusal("4.1", "one player sits at a seat")
    allow(s, key, pressed.args)
    HANDLERS[key.name](s, pressed.args)


def _discard(s: Step, args: tuple[str, ...]) -> None:
    discards.discard(s, args[0], args[1])


def _boxed(s: Step, args: tuple[str, ...]) -> None:
    h = stacks.running(s.t)
    if h is None:
        s.prompt("dealer", "no hand is being played: the card goes into the muck", "9.3")
    else:
        boxed.boxed(s, h, by_dealer=True)


def _exposed(s: Step, args: tuple[str, ...]) -> None:
    if args[0] in ON_THE_BOARD:
        board.street_exposed(s, args[0])
    else:
        irregular.exposed(s, args)


def _shuffled(s: Step, args: tuple[str, ...]) -> None:
    if not deck.shuffled(s, args):
        deckcare.shuffled(s, args)


def _cut(s: Step, args: tuple[str, ...]) -> None:
    if not deck.cut(s, args):
        deckcare.cut(s, args)


def _noted(text: str, rule: str, s: Step, args: tuple[str, ...]) -> None:
    """Notes a report that needs no ruling here."""
    s.prompt("dealer", text, rule, args[0])


def _senseless(key: str, s: Step, args: tuple[str, ...]) -> None:
    """Refuses a key that every table has, and that the document of poker does not know."""
    raise Refusal("1.2", f"{key} has no meaning at a poker table")


def _button(name: Button) -> Key:
    return Key(name, SEAT, optional(OFF), says=f"the {name} button is put in front of the seat, or taken away")


_OWN: Final[dict[Key, Handler]] = {
    # what went wrong, and rulings
    Key("boxed", report=True, says="a card lay face up; the next one replaces it"): _boxed,
    Key("void", final=True, says="the round is void, by a supervisor: only while the table is held"): partial(
        _senseless, "void"
    ),
    Key(
        "dead",
        SEAT,
        plays=True,
        final=True,
        power=among(CrownPowers, lambda powers: powers.dead),
        says="that hand is dead",
    ): rulings.dead,
    Key(
        "burn",
        optional(CARD),
        report=True,
        says="a card was burned unread; or this card, which was shown, becomes the burn",
    ): deck.burned,
    # players
    Key("extra-time", SEAT, plays=True, says="the player buys time"): clock.extra_time,
    Key(
        "ask",
        SEAT,
        SEAT,
        power=among(CrownPowers, lambda powers: powers.ask),
        says="the first asks to see the hand that the second mucked",
    ): rulings.ask,
    Key(
        "bonus",
        SEAT,
        plays=True,
        proves_cards=True,
        power=among(CrownPowers, lambda powers: powers.bonus),
        says="a bonus prize is claimed",
    ): bonus.claim,
    Key(
        "confirm-bonus",
        SEAT,
        plays=True,
        power=among(CrownPowers, lambda powers: powers.confirm_bonus),
        says="the claim of a bonus prize is verified",
    ): bonus.confirm,
    # the house's fees
    Key(
        "collect", plays=True, says="fees are collected: for time on the slide, per person into the drop"
    ): charges.collect,
    Key(
        "confirm-charge",
        plays=True,
        power=among(CrownPowers, lambda powers: powers.confirm_charge),
        says="the fees are verified",
    ): charges.confirm_charge,
    Key("drop", plays=True, says="what is on the slide is dropped"): charges.drop,
    # the room
    Key(
        "seat", PLACES, optional(many(PLAYER | STAKE)), anyone=True, says="somebody sits down there, or changes a stake"
    ): players.seat,
    **{_button(name): partial(players.button, name) for name in BUTTONS},
    Key("move", SEAT, SEAT, says="a seated player changes seat"): players.move,
    Key(
        "moved",
        SEAT,
        power=among(CrownPowers, lambda powers: powers.moved),
        says="this newcomer was moved here by the house",
    ): players.moved,
    Key(
        "list", NAME, optional(SEAT), says="somebody, waiting or seated, asks for a place, or for that seat"
    ): lists.ask,
    Key(
        "pick-up",
        SEAT,
        final=True,
        power=among(CrownPowers, lambda powers: powers.pick_up),
        says="the chips of the absent player are picked up",
    ): lists.pick_up,
    Key("back", NAME, says="that player is back"): lists.back,
    # what players do and say, keyed by the dealer
    Key(
        "act",
        SEAT,
        SILENT,
        also=((SEAT, COSTING, AMOUNT),),
        anyone=True,
        plays=True,
        by_word=True,
        says="the player acts",
    ): keyed_acts.act,
    Key(
        "said",
        SEAT,
        SILENT | COSTING,
        anyone=True,
        plays=True,
        says="the word that goes with the chips that come next",
    ): acts.declare,
    Key(
        "discard", SEAT, CARD, anyone=True, plays=True, proves_cards=True, says="the player discards this card"
    ): _discard,
}
SENSELESS: Final = ("order", "keep", "retract", "marker", *(key.name for key in JACKPOT))
_OF_EVERY_TABLE: Final[dict[str, Handler]] = {
    "settle": end.settle,
    "exposed": _exposed,
    **{key: partial(card_counts.wrong_count, key=key) for key in MISREPORTED},
    "taken": partial(_noted, "players protect their own hands", "8.14"),
    "viewed": partial(_noted, "a hand that was shown to one is shown to all, on request", "9.2"),
    "count": irregular.count,
    "misdeal": irregular.misdeal,
    "reconstruct": rulings.reconstruct,
    "invalidate": rulings.invalidate,
    "exclude": rulings.exclude,
    "void-wagers": rulings.void_wagers,
    "checked": deckcare.checked,
    "shuffled": _shuffled,
    "cut": _cut,
    "replaced": deckcare.replaced,
    "notice": limit_sign.notice,
    "set": sign.set_options,
    "agree": players.agree,
    "close-table": sign.close_table,
    "open-table": limit_sign.open_table,
    "leave": departures.leave,
    **{key: partial(_senseless, key) for key in SENSELESS},
}
CROWN_KEYS: Final = tuple(_OWN)
HANDLERS: Final = handlers(
    (*FOR_ENGINES, *CROWN_KEYS), _OF_EVERY_TABLE | {key.name: does for key, does in _OWN.items()}
)
