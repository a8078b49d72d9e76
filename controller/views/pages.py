"""What the pages are told: only what may stand on a wall."""

from __future__ import annotations

from typing import Any

from controller.places import area_of
from controller.poker.room import notice_board
from controller.poker.state import room_in
from controller.table.options import Options, fields
from controller.table.rules import Rules
from controller.table.sign import CLOSING, HANDS, TWENTY_MINUTES
from controller.table.state import Notice, Table
from controller.views.meter_face import MeterFace, MeterStyle, announced

Json = dict[str, Any]
CENT = 100  # ten-thousandths of a dollar
SECOND = 1_000_000  # microseconds
_TITLES = {
    "wsop-bonus-holdem": "WSOP Bonus Texas Hold'em",
    "ultimate-texas-holdem-nsw": "Ultimate Texas Hold'em",
    "ultimate-texas-holdem-vic": "Ultimate Texas Hold'em",
}
_WORDS = {
    "min": "Minimum",
    "max": "Maximum",
    CLOSING: "Table closes",
    "close-jackpot": "Jackpot closes",
    "jackpot-group": "Jackpot system",
}


def jackpot(face: MeterFace, now: int, style: MeterStyle) -> Json:
    """Returns amount, hit and fault; the page rolls and takes turns by itself."""
    hits = announced(face, now)
    wins = [
        {"table": hit.table, "area": area_of(prize.place), "hand": prize.hand, "cents": prize.cents}
        for hit in hits
        for prize in hit.prizes
    ]
    return {
        "offer": face.offer,
        "cents": face.amount // CENT if face.offer == "running" else None,
        "wins": wins,
        "confirmed": not any(hit.pending for hit in hits),
        "fault": face.fault,
        "roll": style.roll,
        "turn": style.turn,
    }


def _limits(options: Options) -> list[tuple[str, str]]:
    return [("Minimum", notice_board.money(options.min)), ("Maximum", notice_board.money(options.max))]


def limits(t: Table, game: Rules | None, now: int) -> Json:
    """Returns the limit sign: what is in force, large and small, and what is announced with the time that is left."""
    if room_in(t) is not None:
        (_, name), large, blinds, *small = notice_board.sign(t)
        notices = [_poker_notice(t, notice, now) for notice in t.notices]
        return {"game": name, "open": t.open, "large": [large, blinds], "small": small, "notices": notices}
    return {
        "game": title(t.game),
        "open": t.open,
        "large": _limits(t.options.typed) if t.game else [],
        "small": [],
        "notices": [_notice(t, game, notice, now) for notice in t.notices],
    }


def out_of_service(sign: Json) -> Json:
    """Returns the limit sign while nothing can be recorded: nobody may bet."""
    return {**sign, "open": False, "large": [], "small": [], "notices": [{"text": "Out of service", "seconds": 0}]}


def title(game: str) -> str:
    """Returns the name of a game as players know it.

    >>> title("three-card-poker")
    'Three Card Poker'
    """
    return _TITLES.get(game) or " ".join(word.capitalize() for word in game.split("-"))


def _words(t: Table, option: str, value: str) -> str:
    field = fields(type(t.options.typed)).get(option)
    dollar = "$" if field is not None and field.money else ""
    return f"{_WORDS.get(option, option)} {dollar}{value}".rstrip(" $")


def _notice(t: Table, game: Rules | None, notice: Notice, now: int) -> Json:
    text = ", ".join(_words(t, name, value) for name, value in notice.what.items())
    if CLOSING in notice.what and game is not None and game.document.policy.closing == "hands":
        running = t.round is not None and not t.round.outcome and t.number > notice.round
        over = t.number - notice.round - running
        return {"text": text, "rounds": max(0, HANDS - over)}
    return {"text": text, "seconds": max(0, -((now - notice.shown - TWENTY_MINUTES) // SECOND))}


def _poker_notice(t: Table, notice: Notice, now: int) -> Json:
    """It may wait for hands, for time, for both, or only for the hand that is played now."""
    hands, time = notice_board.wait(t, notice, now)
    out: Json = {"text": notice_board.announcement(t, notice)}
    if hands is not None:
        out["hands"] = hands
    if time is not None:
        out["seconds"] = -(-time // SECOND)
    return out
