"""What the dealer reads on the console: why a key did nothing, what is due, then the newest prompts."""

from __future__ import annotations

from typing import Final

from controller.places import is_area
from controller.table import causes
from controller.table.duties import due
from controller.table.keys import ON_AN_OFFER
from controller.table.rules import Rules
from controller.table.state import Prompt, Table

PROMPTS: Final = 4  # the newest ones
ROOM: Final = 900  # bytes of all lines together: they fit into one message, encrypted too
WIDTH: Final = 240  # bytes of one line
CUT: Final = "..."
DUE: Final = frozenset(ON_AN_OFFER)  # keys of prompts that say again what is due


def lines(table: Table, game: Rules, refused: list[str]) -> list[str]:
    """Returns all lines, the most urgent first, as many as the console can show."""
    waiting = [line(each.rule, each.text) for each in due(table, game)]
    newest = [p for p in table.live[::-1] if not _is_due(p)][:PROMPTS]
    return _fitting([*refused, *waiting, *(line(p.rule, p.text, _place(game, p.place)) for p in newest)])


def line(rule: str, text: str, place: str = "") -> str:
    """Returns one line: the rule, the place, what there is to say."""
    return " ".join(part for part in (f"[{rule}]" if rule else "", f"{place}:" if place else "", text) if part)


def _is_due(p: Prompt) -> bool:
    """Tells whether a prompt stands among what is due: a question, a hold or an offer."""
    return isinstance(p.cause, causes.Asked | causes.OnHold) or bool(DUE.intersection(p.offers))


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
