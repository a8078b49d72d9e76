"""The keys of every table.  What they do is for the engine behind it: `controller.house` or `controller.poker`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller import places
from controller.table.declare import (
    AREA,
    BADGE,
    CARD,
    CODE,
    COUNT,
    DISPUTE_NUMBER,
    HAND,
    LIMIT,
    NTH,
    PLACE,
    SETTING,
    SHARE,
    Given,
    Key,
    Words,
    for_the_cause,
    many,
    named,
    optional,
    with_wager,
    word,
)
from controller.table.documents import CAUSES, Power, Powers
from controller.table.rules import Rules
from controller.table.state import Closing, Notice, Table

CLOSE_TABLE: Final = "close-table"
CLOSE_JACKPOT: Final = "close-jackpot"
CLOSINGS: Final[Mapping[str, Closing]] = {  # what may be announced beside a change of options
    CLOSE_TABLE: "table",
    CLOSE_JACKPOT: "jackpot",
}

_TO_CLOSE: Final[Mapping[Closing, Given]] = {
    "table": lambda powers: powers.close_table,
    "jackpot": lambda powers: powers.close_jackpot,
}


def for_each_option(powers: Powers, _: Table, args: Words) -> tuple[Power | None, ...]:
    """Returns the powers to change these options, or to do what is announced."""
    settings = [arg.partition("=") for arg in args]
    return tuple(powers.settings.get(name) if equals else _announces(powers, name) for name, equals, _ in settings)


def _announces(powers: Powers, name: str) -> Power | None:
    closing = CLOSINGS.get(name)
    return None if closing is None else _TO_CLOSE[closing](powers)


ALL: Final = word("all")
OFF: Final = word("off")

SETTLE: Final = Key("settle", plays=True, says="what is decided is settled and recorded")

COUNTED: Final = Key("count", COUNT, report=True, between=True, says="the dealer counted, and there are N cards")
RESUME: Final = Key(
    "resume",
    optional(CODE),
    role="supervisor",
    says="a held table goes on: what lies on the felt was checked",
)

SHORT: Final = Key(
    "short",
    PLACE,
    optional(NTH | ALL),
    report=True,
    says="this place did not get that card (its last when none is named), or none at all",
)
EXCESS: Final = Key(
    "excess",
    PLACE,
    optional(word("shown")),
    report=True,
    says="this place holds one card too many; `shown`: its face was seen",
)
WRONG_NUMBER: Final = (SHORT.name, EXCESS.name)  # of cards at a place

KEEP: Final = Key("keep", AREA, says="a player who may take the wagers back leaves them")
RETRACT: Final = Key("retract", AREA, says="a player who may take the wagers back takes them")
ON_AN_OFFER: Final = (KEEP.name, RETRACT.name)  # to take the wagers back

REPORTS: Final = (
    Key(
        "exposed", PLACE, optional(NTH), report=True, says="a card there was shown by the dealer: its Nth, or its last"
    ),
    SHORT,
    EXCESS,
    Key("stray", AREA, report=True, says="cards were dealt to an area without a wager"),
    Key(
        "taken",
        AREA,
        optional(many(CARD)),
        report=True,
        says="the cards of the area were taken by mistake; the player names them so, or not at all",
    ),
    Key("viewed", many(AREA), report=True, says="a player looked at these hands"),
    COUNTED,
)

RULINGS: Final = (
    Key(
        "order",
        word("known", "unknown"),
        power=lambda powers: powers.order,
        says="whether the order of surplus or joined cards is known",
    ),
    KEEP,
    RETRACT,
    Key("misdeal", final=True, power=lambda powers: powers.misdeal, says="the round is a misdeal"),
    Key(
        "reconstruct",
        optional(many(HAND)),
        power=lambda powers: powers.reconstruct,
        says="the hands are put together again: in the order drawn, or as written here",
    ),
    Key(
        "invalidate",
        word(*CAUSES),
        final=True,
        by=for_the_cause,
        says="the outcome does not count, and wagers go back",
    ),
    Key(
        "exclude",
        AREA,
        final=True,
        power=lambda powers: powers.exclude,
        says="the player is out of the game, and the wagers are void",
    ),
    Key(
        "void-wagers",
        AREA,
        final=True,
        power=lambda powers: powers.exclude,
        says="the player has broken the rules: the wagers are void, and the player stays in the game",
    ),
    RESUME,
)

CARDS: Final = (
    Key("checked", says="the cards have been checked"),
    Key("shuffled", power=lambda powers: powers.shuffled, says="the cards have been shuffled"),
    Key(
        "cut",
        optional(COUNT),
        power=lambda powers: powers.cut,
        says="the cards have been cut, N cards from the nearer end",
    ),
    Key(
        "replaced",
        power=lambda powers: powers.replaced,
        says="the old cards are boxed and sealed, and new ones are on the table",
    ),
)

SIGN: Final = (
    Key(
        "notice",
        many(SETTING | word(CLOSE_TABLE) | with_wager(places.JACKPOT, word(CLOSE_JACKPOT))),
        by=for_each_option,
        says="the sign announces it; time and hands are counted from now on",
    ),
    Key("set", many(SETTING), by=for_each_option, says="the change is in force now"),
    Key("agree", word("majority", "all"), says="the players agree to what is changed next"),
    Key(
        "marker", AREA, many(LIMIT), power=lambda powers: powers.marker, says="the player there has limits of their own"
    ),
    Key(CLOSE_TABLE, final=True, power=_TO_CLOSE["table"], says="the table closes"),
    Key("open-table", plays=True, says="the table opens"),
)

JACKPOT: Final = (
    Key(
        "start-jackpot",
        plays=True,
        says="the Jackpot wagers lying there are registered: again after a cancel, or too early by mistake",
        wager=places.JACKPOT,
    ),
    Key(
        "cancel-jackpot",
        final=True,
        power=lambda powers: powers.cancel_jackpot,
        says="the current jackpot game ends; its increments leave the meter",
        wager=places.JACKPOT,
    ),
    Key(
        CLOSE_JACKPOT,
        many(SHARE),
        final=True,
        power=_TO_CLOSE["jackpot"],
        says="the group is closed, and its surplus goes to these groups",
        wager=places.JACKPOT,
    ),
)

LEAVE: Final = Key(
    "leave", PLACE, final=True, anyone=True, report=True, between=True, says="the player has left for good"
)

_ABOUT: Final = word("wager", "card", "decision", "payment", "conduct") | with_wager(places.JACKPOT, word("jackpot"))
DISPUTE: Final = Key(
    "dispute",
    AREA,
    optional(_ABOUT),
    also=((AREA, _ABOUT, word("last")),),
    report=True,
    between=True,
    says="somebody there disputes what was done in this round, or in the last one: it is kept with the round",
)
DECIDED: Final = Key(
    "dispute-decided",
    DISPUTE_NUMBER,
    word("stands", "changed", "inspector"),
    power=lambda powers: powers.dispute,
    says="the dispute of this number is decided: what was done stands, was put right, or an inspector is asked",
)
DISPUTES: Final = (DISPUTE, DECIDED)

SIGN_OUT: Final = Key("sign-out", anyone=True, says="who is signed in at the console signs out")

UNLOCK: Final = Key(
    "unlock",
    optional(BADGE),
    role="supervisor",
    says="who must wait after wrong PINs need not: whoever has this badge, or everybody everywhere",
)

EVERY_TABLE: Final = (SETTLE, *REPORTS, *RULINGS, *CARDS, *SIGN, *JACKPOT, LEAVE, *DISPUTES, SIGN_OUT, UNLOCK)
BY_THE_TABLE: Final = (RESUME, *DISPUTES, SIGN_OUT, UNLOCK)  # it does them by itself
FOR_ENGINES: Final = tuple(key for key in EVERY_TABLE if key not in BY_THE_TABLE)
_OF_EVERY_TABLE: Final = {key.name: key for key in EVERY_TABLE}


def keys_of(game: Rules) -> tuple[Key, ...]:
    """Returns every key of a table with this game."""
    return (*EVERY_TABLE, *game.keys)


def find_key(game: Rules, name: str) -> Key | None:
    """Returns the key of this name; None when a table with this game has none."""
    return _OF_EVERY_TABLE.get(name) or named(game.keys, name)


def announced(notice: Notice) -> dict[str, str]:
    """Returns a notice in the words in which it is keyed: each option with its value, a closing with none."""
    return notice.changes or {key: "" for key, closing in CLOSINGS.items() if closing == notice.closing}
