"""The options of a table: which documents know each, and how its value is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from controller.script import words
from controller.script.catalogue import Game
from controller.script.errors import Malformed, unknown_here
from controller.script.model import Percent, Setting, Value

_Read = Callable[[str], Value]

_ALL = frozenset({"000", "001", "002", "003", "004"})
_CROWN = frozenset({"000"})
_HOUSE = _ALL - _CROWN
_JACKPOT = frozenset({"002", "003"})


class Option(msgspec.Struct, frozen=True):
    """An option: the documents that know it (or, where they have several games, the games), and its reader."""

    known_to: frozenset[str]
    read: _Read

    def fits(self, game: Game) -> bool:
        return game.document in self.known_to or game.name in self.known_to


def option_names(game: Game) -> list[str]:
    """The options of this game, as the reference lists them."""
    return [name for name, option in OPTIONS.items() if option.fits(game)]


def setting(word: str, game: Game) -> Setting:
    """One `option=value` of this game, with its value checked."""
    name, equals, text = word.partition("=")
    option = OPTIONS.get(name)
    if option is None or not option.fits(game):
        raise unknown_here("option", name, game.name, option_names(game), OPTIONS)
    if not equals or not text:
        raise Malformed(f'option "{name}" has no value', f"{name}=value")
    try:
        return Setting(name, text, option.read(text))
    except Malformed as error:
        raise Malformed(f"{name}: {error.message}", error.expected) from None


def settings(found: Iterable[str], game: Game) -> tuple[Setting, ...]:
    """Several `option=value`, each option once."""
    result: list[Setting] = []
    for word in found:
        one = setting(word, game)
        if any(one.name == other.name for other in result):
            raise Malformed(f'option "{one.name}" is given twice', "each option once")
        result.append(one)
    return tuple(result)


# ---- readers of values


def _or_none(read: _Read) -> _Read:
    return lambda text: None if text == "none" else read(text)


def _one_of(*known: str) -> _Read:
    return words.choice("value", known)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(words.positive(part) for part in text.split(","))


def _amounts(text: str) -> tuple[int, ...]:
    return tuple(words.chips(part) for part in text.split(","))


def _two_amounts(text: str) -> tuple[int, ...]:
    amounts = _amounts(text)
    if len(amounts) != 2:
        raise Malformed(f'"{text}" is not two amounts', "two amounts, as in 10,20")
    return amounts


def _backs(text: str) -> tuple[str, ...]:
    colours = tuple(text.split(","))
    if len(colours) != 2 or not all(colour.isascii() and colour.isalpha() and colour.islower() for colour in colours):
        raise Malformed(f'"{text}" is not two colours', "two colours, as in red,blue")
    return colours


def _rake(text: str) -> Percent | int | tuple[tuple[int | str, int], ...]:
    if ":" in text:
        return tuple(_pair(part, words.positive) for part in text.split(","))
    return words.percent(text) if text.endswith("%") else words.chips(text)


def _bonus(text: str) -> tuple[tuple[int | str, int], ...]:
    return tuple(_pair(part, words.name) for part in text.split(","))


def _pair(text: str, read: Callable[[str], int | str]) -> tuple[int | str, int]:
    left, colon, right = text.partition(":")
    if not colon:
        raise Malformed(f'"{text}" has no colon', "pairs such as 2:3,5:5")
    return read(left), words.chips(right)


_SWITCH = _one_of("on", "off")
_NO_CHIPS = _or_none(words.chips)
_NO_TIME = _or_none(words.duration)
_ULTIMATE = frozenset({"ultimate-texas-holdem-nsw", "ultimate-texas-holdem-vic"})
_WSOP = frozenset({"wsop-bonus-holdem"})

OPTIONS: dict[str, Option] = {
    "seats": Option(_ALL, words.positive),
    "min": Option(_ALL, words.chips),
    "max": Option(_ALL, words.chips),
    "chip": Option(_ALL, words.chips),
    "max-payout": Option(_HOUSE, _NO_CHIPS),
    "shoe": Option(_HOUSE, _one_of("hand", "shuffler", "csm", "batch")),
    "gates": Option(_ALL, _one_of("auto", "manual")),
    "announce": Option(_HOUSE, _one_of("last-card", "key")),
    "backs": Option(_HOUSE, _backs),
    "burn": Option(frozenset({"003", "004"}), _SWITCH),
    "tray": Option(frozenset({"001"}), _SWITCH),
    "approved-min": Option(frozenset({"002"}), words.chips),
    "decks": Option(frozenset({"004"}), words.positive),
    "method": Option(frozenset({"002", "004"}), _one_of("A", "B")),
    "players-per-area": Option(frozenset({"004"}), words.positive),
    "ante-bonus": Option(frozenset({"001"}), _one_of(*"ABC")),
    "pair-plus": Option(frozenset({"001"}), _one_of(*"ABCDEF")),
    "preflop": Option(_ULTIMATE, _numbers),
    "flop": Option(_ULTIMATE, _numbers),
    "river": Option(_ULTIMATE, _numbers),
    "ante-pays": Option(_WSOP, _one_of("flush", "straight")),
    "action-button": Option(_WSOP, _or_none(words.area)),
    "jackpot": Option(_JACKPOT, _or_none(_one_of("nsw", "vic"))),
    "jackpot-option": Option(_JACKPOT, words.positive),
    "jackpot-reset": Option(_JACKPOT, words.ten_thousandths),
    "jackpot-cost": Option(_JACKPOT, words.chips),
    "jackpot-rate": Option(_JACKPOT, words.percent),
    "jackpot-group": Option(_JACKPOT, _or_none(words.name)),
    "limit": Option(_CROWN, _one_of("no-limit", "pot", "half-pot", "fixed", "spread")),
    "bets": Option(_CROWN, _two_amounts),
    "blinds": Option(_CROWN, _amounts),
    "button": Option(_CROWN, words.seat),
    "straddle": Option(_CROWN, _SWITCH),
    "over-blinds": Option(_CROWN, _SWITCH),
    "buy-in": Option(_CROWN, _NO_CHIPS),
    "rake-method": Option(_CROWN, _one_of("percent", "per-hand", "per-person", "time")),
    "rake": Option(_CROWN, _rake),
    "cap": Option(_CROWN, _NO_CHIPS),
    "act-time": Option(_CROWN, _NO_TIME),
    "extra-time": Option(_CROWN, _NO_TIME),
    "extra-times": Option(_CROWN, _or_none(words.positive)),
    "extra-fee": Option(_CROWN, _NO_CHIPS),
    "bonus": Option(_CROWN, _or_none(_bonus)),
}
