"""Which prompts are still open: each vanishes with its cause, and a cause has one prompt for each role.

The table keeps what was shown since the round opened (`Table.prompts`) apart from what is open now (`Table.live`).  A
prompt ends when its cause ends; one without a cause of its own when a key that it offers was taken, or the game has
moved on: betting has closed, the street has changed, the round is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.places import area_of, is_place
from controller.table.facts import AnyFact, Key, Tick
from controller.table.rules import Rules
from controller.table.state import Prompt, Table

FAULT: Final = "fault"  # with device and code: until the device is well again
HOLD: Final = "hold"  # with its name
QUESTION: Final = "question"  # until it is answered
TALK: Final = "talk"  # until no question is open
CHIPS: Final = "chips"  # with the spot: until the sensor reads something else there, or cards are out
UNREADABLE: Final = "unread"  # until the cards there were named
HELD: Final = "held"  # until the surplus card has its place
PRIZE: Final = "prize"  # until the prizes of the meter are paid
DECIDING: Final = "deciding"  # until everybody has decided
NOTE: Final = "note"  # why a key did nothing: until something else happens
KEY: Final = "key"  # until a key that is offered was taken, or the game has moved on


def show(live: list[Prompt], prompt: Prompt) -> list[Prompt]:
    """The open prompts with this one, which takes the place of an earlier one of the same cause."""
    return [*(p for p in live if not _same(p, prompt)), prompt]


def _same(one: Prompt, other: Prompt) -> bool:
    if one.role != other.role or one.place != other.place:
        return False
    if one.cause and one.cause[0] in (FAULT, HOLD, CHIPS):
        return one.cause == other.cause
    return (one.text, one.rule) == (other.text, other.rule)


def still_open(t: Table, before: Table, game: Rules, seq: int, fact: AnyFact) -> list[Prompt]:
    """The prompts that are open after this fact, which was taken."""
    moved = _stage(before, game) != _stage(t, game)
    dealt = moved and (_dealt(before) or _dealt(t))
    out = []
    for p in t.live:
        standing = _standing(t, game, p)
        if standing is None:
            on = dealt if p.cause[:1] == (CHIPS,) else moved or _noted(p, fact)
            standing = p.seq == seq or not (on or _answered(p, fact))
        if standing:
            out.append(p)
    return out


def _noted(p: Prompt, fact: AnyFact) -> bool:
    return p.cause == (NOTE,) and not isinstance(fact, Tick)


def _stage(t: Table, game: Rules) -> tuple[object, ...]:
    """What must change for the game to have moved on."""
    r = t.round
    if r is None or r.outcome:
        return (t.number, "over")
    return (t.number, r.closed == "dealt", game.phase(t))


def _dealt(t: Table) -> bool:
    return t.round is not None and not t.round.outcome and t.round.closed == "dealt"


def _answered(p: Prompt, fact: AnyFact) -> bool:
    """A key that it offers was taken, about its place."""
    if not isinstance(fact, Key):
        return False
    words = {fact.key, *(fact.args[1:2] if fact.key == "act" else ())}
    place = fact.args[0] if fact.args and fact.key != "count" and is_place(fact.args[0]) else ""
    return bool(words.intersection(p.offers)) and (not p.place or not place or place == p.place)


# ---- causes that the table itself shows


def _standing(t: Table, game: Rules, p: Prompt) -> bool | None:
    """Whether the cause stands; None where only what happens ends it."""
    match p.cause:
        case (kind, device, code) if kind == FAULT:
            return code in t.faults.get(device, {})
        case (kind, name) if kind == HOLD:
            return name in t.holds
        case (kind,) if kind == QUESTION:
            return _asked(t, p)
        case (kind,) if kind == TALK:
            return t.talk is not None
        case (kind,) if kind == PRIZE:
            return bool(t.jackpot.pending)
        case (kind,) if kind in (UNREADABLE, HELD, DECIDING):
            return game.stands(t, p, "")
        case (kind, *_) if kind in (CHIPS, KEY, NOTE):
            return None
    awaited = [_awaited(t, game, p, word) for word in p.offers]
    known = [each for each in awaited if each is not None]
    return any(known) if known else None


def _awaited(t: Table, game: Rules, p: Prompt, word: str) -> bool | None:
    """Whether a key that a prompt offers is still due; None where nobody knows."""
    by_game = game.stands(t, p, word)
    if by_game is not None:
        return by_game
    return OFFERED[word](t, p) if word in OFFERED else None


def _asked(t: Table, p: Prompt) -> bool:
    talk = t.talk
    if talk is None or p.place in talk.partial:
        return False
    return any((q.role, q.text, q.place) == (p.role, p.text, p.place) for q in talk.open)


def _to_confirm(t: Table, p: Prompt) -> bool:
    return any(not p.place or p.place in waiting.places for waiting in t.jackpot.pending)


OFFERED: Final[dict[str, Callable[[Table, Prompt], bool]]] = {  # keys that the table itself knows to be due
    "shuffled": lambda t, p: bool(t.deck.due or t.deck.refill),
    "confirm-jackpot": _to_confirm,
    "replaced": lambda t, p: bool(t.deck.bad),
    "count": lambda t, p: bool(t.deck.unverified),
    "start-jackpot": lambda t, p: t.jackpot.cancelled,
    "cancel-jackpot": lambda t, p: bool(t.jackpot.registered),
}


def chips_again(t: Table, area: int, spots: list[str]) -> None:
    """The sensor reads these spots anew: what was said of the chips that lay there is over."""
    t.live = [p for p in t.live if not _of_chips(p, area, spots)]


def _of_chips(p: Prompt, area: int, spots: list[str]) -> bool:
    return len(p.cause) == 2 and p.cause[0] == CHIPS and p.cause[1] in spots and area_of(p.place) == area
