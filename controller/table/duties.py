"""What is due at the table now, in words for the dealer: who does what, with which key, by which rule.  Reads only.

It is read off what the game waits for, so it never tells a card; the console, the status and refusals say it in the
same words.
"""

from __future__ import annotations

from controller.places import is_area
from controller.rules import Cited, spoken_role
from controller.table import holds
from controller.table.deck import SUPERVISOR, bets_wait, cutter, deck_trouble
from controller.table.modes import around
from controller.table.rules import Rules
from controller.table.state import Question, Table

BOARD = "community"


def due(t: Table, game: Rules) -> list[Cited]:
    """Returns everything that is due now, the most urgent first."""
    if not t.open:
        return [Cited(game.document.citations.close, "the table is closed: press open-table")]
    held = holds.why(t)
    if held is not None:
        return [Cited(held.rule, f"the table is held: {holds.about(held)}: a supervisor presses resume, or void")]
    if t.talk is not None:
        return [_question(q) for q in t.talk.open if q.place not in t.talk.partial]
    return around(game, t).duties(t, _cards_due(t, game))


def missing(t: Table, game: Rules) -> str:
    """Returns what must happen before anything can be settled: the first two things that are due."""
    return "; ".join(each.text for each in due(t, game)[:2])


def _cards_due(t: Table, game: Rules) -> Cited | None:
    """Returns what must be done with the cards before the next one is dealt, and the key for it."""
    trouble = deck_trouble(t, game)
    if trouble is None:
        burn = bets_wait(t, game.document)
        return Cited(burn, "burn a card, then call for bets") if burn else None
    rule, text = trouble.rule, trouble.text
    match deck_key(t, game):
        case "replaced":
            return Cited(rule, f"{text}: replace them, and press replaced")
        case "count":
            return Cited(rule, f"{text}: count them, and press count with their number")
        case "checked":
            return Cited(rule, f"{text}: check them, and press checked")
        case "shuffled":
            what = "shuffle and cut the discards" if t.deck.refill else "shuffle"
            return Cited(rule, f"{text}: {what}, and press shuffled")
        case "":
            return Cited(rule, f"{text}: wait for the machine")
    who = cutter(t)
    by = (
        "the supervisor"
        if who == SUPERVISOR
        else f"area {who}"
        if who and game.document.policy.players_cut
        else "the dealer"
    )
    return Cited(rule, f"{text}: {by} cuts, then press cut")


def deck_key(t: Table, game: Rules) -> str:
    """Returns the key that tells what was done with the cards before the next one; "" when a machine does it."""
    deck = t.deck
    if deck_trouble(t, game) is None:
        return ""
    if deck.bad:
        return "replaced"
    if deck.unverified:
        return "count"
    if not deck.checked:
        return "checked"
    if deck.refill:
        return "shuffled"
    if deck.due:
        return "shuffled" if t.options.typed.shoe == "hand" else ""
    return "cut"


def _question(q: Question) -> Cited:
    about = f" about {spoken(q.place)}" if q.place else ""
    return Cited(q.rule, f"the {spoken_role(q.role)} answers{about}: {q.text} (press {' or '.join(q.words)})")


# ---- words


def spoken(place: str) -> str:
    """Returns a place as people say it.

    >>> spoken("3.2"), spoken("dealer"), spoken("community")
    ('area 3.2', 'the dealer', 'the board')
    """
    return f"area {place}" if is_area(place) else "the board" if place == BOARD else f"the {place}"


def short_place(place: str) -> str:
    """Returns a place as people say it in a list: an area by its number alone."""
    return place if is_area(place) else spoken(place)
