"""A poker table in lines that people read, made from what `poker.room` tells: for `felt status`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from controller.cards import UNREAD
from controller.counts import many
from controller.rules import by
from controller.views.poker import Standing

Json = dict[str, Any]
UNMENTIONED: Final[tuple[Standing, ...]] = ("", "in")  # nothing is said of who is in, or of a hand without cards


def lines(room: Json) -> Iterator[str]:
    """Yields the hand, then each seat; a mark shows whose turn it is."""
    hand = room["hand"]
    turn = hand["turn"]["seat"] if hand is not None and hand["turn"] is not None else ""
    if hand is not None:
        yield f"  hand        {' '.join([hand['street'], *hand['board']])}; {_pots(hand)}"
    for seat, player in room["seats"].items():
        words = [player["player"]] if player["player"] != f"S{seat}" else []
        words += _seat(player, seat == room["button"])
        yield f"{'> ' if seat == turn else '  '}seat {seat:<6} {', '.join(words)}"
    if room["list"]:
        yield f"  list        {', '.join(room['list'])}"
    yield f"  commission  {room['slide']} on the slide, {room['dropped']} dropped"


def _pots(hand: Json) -> str:
    """Returns all that is in the middle and in front; with side pots, who may win which."""
    pots = hand["pots"] if len(hand["pots"]) > 1 else []
    names = ["main", *["side"] * len(pots)]
    sides = [f"{name} {p['amount']} ({' '.join(p['eligible'])})" for name, p in zip(names, pots, strict=False)]
    return ", ".join([f"pot {hand['pot']}", *sides])


def _seat(player: Json, button: bool) -> Iterator[str]:
    yield f"{player['stack']} behind"
    if player["bet"] != "0.00":
        yield f"{player['bet']} in front"
    if player["state"] not in UNMENTIONED:
        yield player["state"]
    if player["cards"] and player["state"] != "folded":
        hidden = all(card == UNREAD for card in player["cards"])
        yield many(len(player["cards"]), "card") if hidden else " ".join(player["cards"])
    yield from ["dealer button"] if button else []
    yield from player["buttons"]
    if player["owes"]:
        yield f"owes the large blind{by(player['owes'])}"
