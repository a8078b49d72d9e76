"""One reader for each verb but `expect`: from the words of a statement to its struct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from controller.script import words
from controller.script.catalogue import FAMILIES, ROLES, Game, game_named
from controller.script.errors import Malformed, one_of, unknown, unknown_here
from controller.script.model import (
    ActLine,
    BetLine,
    ChipsLine,
    Device,
    DiscardLine,
    DrawLine,
    EnterLine,
    FaultLine,
    KeyLine,
    LeaveLine,
    Line,
    MarkerLine,
    MeterLine,
    PlayLine,
    Reading,
    RoleLine,
    SeatLine,
    SecretLine,
    SubstituteLine,
    TableLine,
    WaitLine,
    WithdrawLine,
)
from controller.script.options import settings
from controller.script.shapes import Words, arguments, form_of, key_name, key_words, keys_at, spot
from controller.table.values import NONE
from controller.tournament.keys import ALL_IN, PASS, RE_BUY

MARKERS = (ALL_IN, PASS, RE_BUY)


class At(NamedTuple):
    """Where a statement stands and how it was written: the first three fields of every line."""

    number: int
    table: str
    text: str


class Verb(msgspec.Struct, frozen=True):
    """How a verb is written and read."""

    usage: str
    read: Callable[[At, Sequence[str], Game], Line]


TOURNAMENT = "tournament="


def table(number: int, text: str, tokens: Sequence[str]) -> TableLine:
    """Reads `table GAME [as NAME] [option=value ...]`, apart from the others: it is the line that names the game."""
    left = Words(tokens, "table GAME [as NAME] [option=value ...]")
    game = left.take(game_named)
    name = left.take(words.name) if left.literal("as") else ""
    options = left.any(str)
    given = [word for word in options if word.startswith(TOURNAMENT)]
    if len(given) > 1:
        raise Malformed('option "tournament" is given twice', "each option once")
    designated = words.name(given[0].removeprefix(TOURNAMENT)) if given else ""
    options = tuple(word for word in options if word not in given)
    return TableLine(number, name, text, game.name, settings(options, game), designated)


def _seat(at: At, tokens: Sequence[str], game: Game) -> SeatLine:
    if game.engine.stakes or game.cup:  # no chips come to a tournament's table: that is refused there
        left = Words(tokens, "seat PLACES [stack=AMOUNT] [player=NAME], seat SEAT add=AMOUNT or seat SEAT take=AMOUNT")
        known = ["stack", "player", "add", "take"]
    else:
        left = Words(tokens, "seat PLACES [player=NAME]")
        known = ["player"]
    where = left.take(words.places)
    if game.engine.stakes:
        for place in where:
            words.seat(str(place))
    given: dict[str, str] = {}
    for name, value in left.any(_pair):
        if name not in known:
            raise unknown_here("word", name, game.where, known, ("stack", "player", "add", "take"))
        if name in given:
            raise Malformed(f'"{name}" is given twice', "each once")
        given[name] = value
    if given.keys() & {"add", "take"}:
        if len(given) > 1:
            raise Malformed("add= and take= stand alone", "seat SEAT add=AMOUNT or seat SEAT take=AMOUNT")
        if len(where) > 1:
            raise Malformed("add= and take= are for one seat", "seat SEAT add=AMOUNT or seat SEAT take=AMOUNT")
    money = {name: words.chips(value) for name, value in given.items() if name != "player"}
    player = words.name(given["player"]) if "player" in given else ""
    return SeatLine(*at, where, money.get("stack"), player, money.get("add"), money.get("take"))


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise Malformed(f'"{word}" is not name=value', "name=value")
    return name, value


def _leave(at: At, tokens: Sequence[str], _: Game) -> LeaveLine:
    left = Words(tokens, VERBS["leave"].usage)
    line = LeaveLine(*at, left.take(words.place))
    left.end()
    return line


def _meter(at: At, tokens: Sequence[str], _: Game) -> MeterLine:
    left = Words(tokens, VERBS["meter"].usage)
    line = MeterLine(*at, left.take(words.ten_thousandths))
    left.end()
    return line


def _bet(at: At, tokens: Sequence[str], game: Game) -> BetLine:
    left = Words(tokens, VERBS["bet"].usage)
    where = left.take(words.area)
    return BetLine(*at, where, _readings(left, game))


def _readings(left: Words, game: Game) -> tuple[Reading, ...]:
    readings = left.many(lambda word: _reading(word, game))
    seen: set[tuple[str, bool]] = set()
    for each in readings:
        if (each.spot, each.token) in seen:
            raise Malformed(f'spot "{each.spot}" is given twice', "each spot once")
        seen.add((each.spot, each.token))
    return readings


def _reading(word: str, game: Game) -> Reading:
    name, equals, value = word.partition("=")
    spot(name, game)
    if not equals:
        raise Malformed(f'spot "{name}" has no amount', f"{name}=AMOUNT or {name}=token:AMOUNT")
    if game.cup and value.startswith("cash:"):
        return Reading(name, words.chips(value.removeprefix("cash:")), cash=True)
    token = value.startswith("token:")
    return Reading(name, words.chips(value.removeprefix("token:")), token)


def _draw(at: At, tokens: Sequence[str], game: Game) -> DrawLine:
    return DrawLine(*at, Words(tokens, VERBS["draw"].usage).many(words.token if game.laid else words.from_shoe))


def _key(at: At, tokens: Sequence[str], game: Game) -> Line:
    if game.cup and tokens[:1] == ["set"] and any(word.startswith(TOURNAMENT) for word in tokens):
        return _designate(at, tokens)
    name = Words(tokens, VERBS["key"].usage).take(lambda word: key_name(word, game))
    return KeyLine(*at, name, key_words(keys_at(game)[name], tokens[1:], game))


def _designate(at: At, tokens: Sequence[str]) -> KeyLine:
    left = Words(tokens[1:], "key set tournament=NAME or key set tournament=none")
    name = left.take(str).removeprefix(TOURNAMENT)
    left.end()
    return KeyLine(*at, "set", (f"{TOURNAMENT}{name if name == NONE else words.name(name)}",))


def _enter(at: At, tokens: Sequence[str], _: Game) -> EnterLine:
    left = Words(tokens, VERBS["enter"].usage)
    employee = bool(left.last(("employee",)))
    return EnterLine(*at, left.many(words.name), employee)


def _withdraw(at: At, tokens: Sequence[str], _: Game) -> WithdrawLine:
    left = Words(tokens, VERBS["withdraw"].usage)
    line = WithdrawLine(*at, left.take(words.name))
    left.end()
    return line


def _substitute(at: At, tokens: Sequence[str], _: Game) -> SubstituteLine:
    left = Words(tokens, VERBS["substitute"].usage)
    line = SubstituteLine(*at, left.take(words.name), left.take(words.name))
    left.end()
    return line


def _secret(at: At, tokens: Sequence[str], game: Game) -> SecretLine:
    left = Words(tokens, VERBS["secret"].usage)
    return SecretLine(*at, left.take(words.area), _readings(left, game))


def _marker(at: At, tokens: Sequence[str], _: Game) -> MarkerLine:
    left = Words(tokens, VERBS["marker"].usage)
    line = MarkerLine(*at, left.take(words.area), left.take(words.choice("marker", MARKERS)))
    left.end()
    return line


def _act(at: At, tokens: Sequence[str], game: Game) -> ActLine:
    left = Words(tokens, VERBS["act"].usage)
    seat = left.take(words.seat)
    act = left.take(words.choice("act", game.engine.acts))
    given = arguments(game.engine.acts[act], tokens[2:], game, f"act SEAT {act}")
    return ActLine(*at, seat, act, words.chips(given[0]) if given else None)


def _chips(at: At, tokens: Sequence[str], game: Game) -> ChipsLine:
    left = Words(tokens, VERBS["chips"].usage)
    seat = left.take(words.seat)
    pushed = left.take(lambda word: tuple(words.chips(part) for part in word.split("+")))
    say = left.take(words.choice("word to say", game.engine.acts)) if left.literal("say") else ""
    left.end()
    return ChipsLine(*at, seat, pushed, say)


def _discard(at: At, tokens: Sequence[str], game: Game) -> DiscardLine:
    if game.name not in game.engine.discards:
        raise Malformed(f"nobody discards at {game.name}", "a Pineapple game")
    left = Words(tokens, VERBS["discard"].usage)
    line = DiscardLine(*at, left.take(words.seat), left.take(words.card))
    left.end()
    return line


def _play(at: At, tokens: Sequence[str], _: Game) -> PlayLine:
    left = Words(tokens, VERBS["play"].usage)
    line = PlayLine(*at, left.take(words.positive), left.maybe(words.places) or ())
    left.end()
    return line


def _role(at: At, tokens: Sequence[str], _: Game) -> RoleLine:
    left = Words(tokens, VERBS["role"].usage)
    line = RoleLine(*at, left.take(words.choice("role", ROLES)))
    left.end()
    return line


def _fault(at: At, tokens: Sequence[str], game: Game) -> FaultLine:
    left = Words(tokens, VERBS["fault"].usage)
    device = left.take(lambda word: _device(word, game))
    faults = FAMILIES[device.family].faults
    fault = left.take(words.choice(f"fault of the {device.family}", faults))
    return FaultLine(*at, device, fault, arguments(form_of(faults[fault]), tokens[2:], game, f"fault {device} {fault}"))


def _device(word: str, game: Game) -> Device:
    name, dot, place = word.partition(".")
    known = {each: family for each, family in FAMILIES.items() if game.laid or not family.laid}
    if name not in known:
        listed = [f"{each}.{family.place}" if family.place else each for each, family in known.items()]
        if name in FAMILIES:
            raise Malformed(f'device "{word}" is not for {game.where}', one_of(listed))
        raise unknown("device", word, listed)
    shape = known[name].place
    if not shape:
        if dot:
            raise Malformed(f'"{word}": there is one {name} only', name)
        return Device(name)
    if place != "board" or "board" not in shape:
        # A sensor or reader belongs to an area or a seat, never to one of several bettors, so both read like a seat.
        try:
            words.seat(place)
        except Malformed:
            raise Malformed(f'"{word}" is not a device', f"{name}.{shape}, as in {name}.3") from None
    return Device(name, place)


def _wait(at: At, tokens: Sequence[str], _: Game) -> WaitLine:
    left = Words(tokens, VERBS["wait"].usage)
    line = WaitLine(*at, left.take(words.duration))
    left.end()
    return line


def known_at(game: Game) -> list[str]:
    """Returns the verbs that a table of this game knows, or the desk of a tournament."""
    if game.desk:
        return [name for name in AT_DESKS if name != "secret" or not game.engine.stakes]
    known = [name for name in VERBS if name not in OF_ENGINES or name in game.engine.verbs]
    cup = [name for name in OF_TOURNAMENTS if name != "secret" or not game.engine.stakes] if game.cup else []
    return [name for name in known if name not in OF_TOURNAMENTS or name in cup]


OF_ENGINES: dict[str, Verb] = {  # which of them a table knows, its engine says
    "act": Verb("act SEAT WORD [AMOUNT]", _act),
    "chips": Verb("chips SEAT A[+B...] [say WORD]", _chips),
    "discard": Verb("discard SEAT CARD", _discard),
}
OF_TOURNAMENTS: dict[str, Verb] = {  # where there is one in the run
    "enter": Verb("enter PERSON ... [employee]", _enter),
    "withdraw": Verb("withdraw PERSON", _withdraw),
    "substitute": Verb("substitute PERSON OTHER", _substitute),
    "secret": Verb("secret AREA SPOT=AMOUNT ...", _secret),
    "marker": Verb("marker AREA all-in|pass|re-buy", _marker),
}
AT_DESKS = (*OF_TOURNAMENTS, "seat", "key", "role", "wait")
VERBS: dict[str, Verb] = {
    "seat": Verb("seat PLACES", _seat),
    "leave": Verb("leave PLACE", _leave),
    "meter": Verb("meter AMOUNT", _meter),
    "bet": Verb("bet AREA SPOT=AMOUNT ...", _bet),
    "draw": Verb("draw CARD ...", _draw),
    "key": Verb("key NAME [...]", _key),
    **OF_ENGINES,
    "play": Verb("play N [PLACES]", _play),
    "role": Verb("role ROLE", _role),
    "fault": Verb("fault DEVICE NAME [...]", _fault),
    "wait": Verb("wait DURATION", _wait),
    **OF_TOURNAMENTS,
}
