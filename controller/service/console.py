"""What the dealer reads on the console: whose PIN is due, why a key did nothing, what is due, notices, who is there."""

from __future__ import annotations

import time
from typing import Final

from controller.counts import many
from controller.places import is_area
from controller.rules import spoken_role
from controller.table import facts as f
from controller.table.duties import due
from controller.table.rules import Rules
from controller.table.sign_in import CONSOLE, attempts_left, locked_until
from controller.table.state import Table
from controller.views.keys_now import KeyNow
from controller.views.moments import time_of_day
from controller.views.notices import notices
from controller.views.together import NO_TRUNKS, Trunks

NOTICES: Final = 4  # the newest ones
ROOM: Final = 900  # bytes of all lines together: they fit into one message, encrypted too
WIDTH: Final = 240  # bytes of one line
CUT: Final = "..."


def lines(table: Table, game: Rules, refused: list[str], trunks: Trunks = NO_TRUNKS, now: int = 0) -> list[str]:
    """Returns all lines, the most urgent first, as many as the console can show; `now` is the table's time."""
    offset = time.localtime().tm_gmtoff
    waiting = [line(each.rule, each.text) for each in due(table, game)]
    newest = [notice for notice in notices(table, game, trunks)[::-1] if not notice.due][:NOTICES]
    shown = [line(each.rule, each.line(offset), _place(game, each.place)) for each in newest]
    return _fitting([*_asked(table, now), *refused, *waiting, *shown, *_signed_in(table)])


def lit(keys: list[KeyNow]) -> list[str]:
    """Returns the names of the keys to be lit, as many as fit into one message; those that are due come first."""
    out, left = [], ROOM
    for each in keys:
        left -= len(each.key.encode()) + 3
        if left < 0:
            break
        out.append(each.key)
    return sorted(out)


def _asked(table: Table, now: int) -> list[str]:
    """Returns what somebody reads who is about to sign in."""
    asked = table.asked
    if asked is None:
        return []
    until = locked_until(table, asked.badge, CONSOLE, now)
    if until is not None:
        return [f"too many wrong PINs: locked until {_clock(until + table.ahead)}"]
    whose = asked.person or f"badge {asked.badge}"
    match asked.failed:
        case f.WRONG_PIN:
            left = many(attempts_left(table, asked.badge, CONSOLE), "attempt")
            return [f"wrong PIN, {left} left; PIN of {whose}"]
        case f.UNCHECKED:
            return [
                f"the PIN could not be checked: try again in a minute, or let somebody else sign in; PIN of {whose}"
            ]
        case f.NO_PEOPLE:
            return ["nobody can sign in: people.toml is missing or cannot be used: call the technician"]
        case f.BARRED:
            return [f"the account of {whose} is locked, expired, or needs a new password: call the technician"]
    return [f"PIN of {whose}"]


def _signed_in(table: Table) -> list[str]:
    """Returns who is signed in."""
    return [] if table.signed is None else [f"signed in: {spoken_role(table.role)} {table.name}"]


def _clock(at: int) -> str:
    return time_of_day(at, time.localtime().tm_gmtoff)


def line(rule: str, text: str, place: str = "") -> str:
    """Returns one line: the rule, the place, what there is to say."""
    return " ".join(part for part in (f"[{rule}]" if rule else "", f"{place}:" if place else "", text) if part)


def _place(game: Rules, place: str) -> str:
    return f"{game.called.place} {place}" if is_area(place) else place


def _fitting(every: list[str]) -> list[str]:
    out, left = [], ROOM
    for each in every:
        text = each if len(each.encode()) <= WIDTH else each.encode()[: WIDTH - len(CUT)].decode(errors="ignore") + CUT
        left -= len(text.encode()) + 3  # what it costs on the wire
        if left < 0:
            break
        out.append(text)
    return out
