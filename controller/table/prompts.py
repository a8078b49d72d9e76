"""Which prompts are still open: each vanishes with its cause, and a cause has one prompt for each role.

The table keeps what was shown since the round opened (`Table.prompts`) apart from what is open now (`Table.live`).  A
prompt ends when its cause ends; one without a cause of its own when a key that it offers was taken, or the game has
moved on: betting has closed, the street has changed, the round is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from controller.places import Place, area_of, is_place
from controller.table import causes
from controller.table.facts import AnyFact, Key, Tick
from controller.table.keys import find_key
from controller.table.rules import Rules
from controller.table.state import Prompt, Table, Talk, cards_lie

ONE_AT_A_TIME: Final = (causes.Fault, causes.OnHold, causes.Chips)  # what is said of these last is all there is to say


def same(one: Prompt, other: Prompt) -> bool:
    """Tells whether the same people are told by the same rule about the same once more, in whatever words.

    What is said after one fact is said side by side: there only what is said twice is the same.
    """
    if one.seq == other.seq:
        return one == other
    return _subject(one) == _subject(other)


def _subject(p: Prompt) -> tuple[object, ...]:
    return p.rule, p.place, p.role, p.offers, p.cause


def counted(t: Table, prompt: Prompt) -> Prompt:
    """Returns the prompt with since when its cause stands, and how often it came since the round opened.

    While a cause stands, whatever is said of it anew is said of the same time.
    """
    about = _about(prompt)
    standing = next((p for p in t.live[::-1] if _about(p) == about), None)
    if standing is not None:
        return replace(prompt, since=standing.since, times=standing.times)
    before = next((p for p in t.prompts[::-1] if _about(p) == about), None)
    return prompt if before is None else replace(prompt, times=before.times + 1)


def _about(p: Prompt) -> tuple[object, ...]:
    """Returns what two prompts about one cause have in common, in whatever words and by whatever rule."""
    return (p.role, p.place, p.cause) if isinstance(p.cause, ONE_AT_A_TIME) else _subject(p)


def with_newest(before: list[Prompt], prompt: Prompt) -> list[Prompt]:
    """Returns what was said with this prompt, which takes the place of the same one."""
    return [*(p for p in before if not same(p, prompt)), prompt]


def show(live: list[Prompt], prompt: Prompt) -> list[Prompt]:
    """Returns the open prompts with this one, which takes the place of the same one, or of one with the same cause."""
    if not isinstance(prompt.cause, ONE_AT_A_TIME):
        return with_newest(live, prompt)
    about = _about(prompt)
    return [*(p for p in live if _about(p) != about), prompt]


def still_open(t: Table, before: Table, game: Rules, seq: int, fact: AnyFact) -> list[Prompt]:
    """Returns the prompts that are open after this fact, which was taken."""
    if not t.live:
        return []
    moved = _stage(before, game) != _stage(t, game)
    dealt = moved and (cards_lie(before) or cards_lie(t))
    taken = _taken(game, fact)
    out = []
    for p in t.live:
        standing = _standing(t, game, p)
        if standing is None:
            on = dealt if isinstance(p.cause, causes.Chips) else moved or _noted(p, fact)
            standing = p.seq == seq or not (on or _answered(p, *taken))
        if standing:
            out.append(p)
    return out


def _noted(p: Prompt, fact: AnyFact) -> bool:
    return isinstance(p.cause, causes.Noted) and not isinstance(fact, Tick)


def _stage(t: Table, game: Rules) -> tuple[object, ...]:
    """Returns what must change for the game to have moved on."""
    r = t.round
    if r is None or r.outcome:
        return (t.number, "over")
    return (t.number, r.closed == "dealt", game.phase(t))


def _taken(game: Rules, fact: AnyFact) -> tuple[frozenset[str], Place]:
    """Returns the words that a key answers prompts with, and the area, or the dealer, that it is about."""
    key = find_key(game, fact.key) if isinstance(fact, Key) else None
    if key is None or not isinstance(fact, Key):
        return frozenset(), ""
    place = key.about(fact.args)
    return key.offered_as(fact.args), place if is_place(place) else ""


def _answered(p: Prompt, words: frozenset[str], place: Place) -> bool:
    """Tells whether a key that it offers was taken, about its place."""
    if words.isdisjoint(p.offers):
        return False
    return p.place == place or not (p.place and place)


# ---- causes that the table itself shows


def _standing(t: Table, game: Rules, p: Prompt) -> bool | None:
    """Tells whether the cause stands; None where only what happens ends it."""
    match p.cause:
        case causes.Fault(device, code):
            return code in t.faults.get(device, {})
        case causes.OnHold(name):
            return name in t.holds
        case causes.Asked():
            return _asked(t, p)
        case causes.Dialogue():
            return t.talk is not None
        case causes.Later(report):
            return t.talk is not None and _waits(game, t.talk, p, report)
        case causes.OpenDispute() | causes.PatronWaits() | causes.Prizes() | causes.OnSign():
            return _undecided(t, p.cause)
        case causes.Unread() | causes.Surplus() | causes.Deciding():
            return game.stands(t, p, "")
        case causes.Chips() | causes.KeyDue() | causes.Noted():
            return None
        case None:  # pragma: no branch - there is no other cause
            return _offers_due(t, game, p)


def _undecided(t: Table, cause: causes.OpenDispute | causes.PatronWaits | causes.Prizes | causes.OnSign) -> bool:
    """Tells whether a dispute, a patron, prizes of the meter, or what the sign announces wait for somebody."""
    match cause:
        case causes.OpenDispute(number):
            return number in t.disputes
        case causes.PatronWaits(seq):
            return any(claim.seq == seq and claim.waits for claim in t.claims)
        case causes.OnSign(option, value):
            return any(shown.changes.get(option) == value for shown in t.notices)
        case _:
            return bool(t.jackpot.pending)


def _offers_due(t: Table, game: Rules, p: Prompt) -> bool | None:
    """Tells whether a key that it offers is still due; None where nobody knows."""
    awaited = [_awaited(t, game, p, word) for word in p.offers]
    known = [each for each in awaited if each is not None]
    return any(known) if known else None


def _awaited(t: Table, game: Rules, p: Prompt, word: str) -> bool | None:
    """Tells whether one key that a prompt offers is still due; None where nobody knows."""
    by_game = game.stands(t, p, word)
    if by_game is not None:
        return by_game
    return OFFERED[word](t, p) if word in OFFERED else None


def _asked(t: Table, p: Prompt) -> bool:
    """Tells whether the question is still open: it is one of those that were asked last, and has no answer yet."""
    talk = t.talk
    return talk is not None and p.seq == talk.asked and p.place not in talk.partial


def _waits(game: Rules, talk: Talk, p: Prompt, report: str) -> bool:
    """Tells whether a report waits for the dialogue that is open: it came in it, or others were before it."""
    keys = ((find_key(game, fact.key), fact.args) for fact in talk.later)
    return p.seq > talk.seq or any(key is not None and key.without_words(args) == report for key, args in keys)


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
    """Ends what was said of the chips on these spots: the sensor reads them anew."""
    t.live = [p for p in t.live if not _of_chips(p, area, spots)]


def _of_chips(p: Prompt, area: int, spots: list[str]) -> bool:
    return isinstance(p.cause, causes.Chips) and p.cause.spot in spots and area_of(p.place) == area
