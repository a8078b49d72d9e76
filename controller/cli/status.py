"""felt status: what the table does, what it waits for, and what is wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from controller.cards import UNREAD
from controller.cli.client import TROUBLE, Client, Json, causes, explained, with_json, with_socket
from controller.rules import by
from controller.views import round_text


@click.command(name="status")
@with_socket
@with_json
@explained
def command(path: str, as_json: bool) -> None:
    """What the table does and what it waits for.

    Exit status 0: all is well; 1: something is wrong, or the daemon does not answer.
    """
    status = Client(path).get("/status")
    print(json.dumps(status) if as_json else "\n".join(_text(status)))
    sys.exit(TROUBLE if status["trouble"] else 0)


def _text(status: Json) -> Iterator[str]:
    number, phase = status["round"]["number"], status["round"]["phase"]
    sign = "open" if status["open"] else "closed"
    yield f"table {status['table']}: {status['game']}, {sign}, round {number}, {phase}"
    for wait in status["waiting"]:
        yield f"  due         {wait['text']}{by(wait['rule'])}"
    for prompt in status["prompts"]:
        offers = f" -> {' or '.join(prompt['offers'])}" if prompt["offers"] else ""
        about = f" about {prompt['place']}" if prompt["place"] else ""
        yield f"  tells {prompt['role']}{about}: {prompt['text']}{by(prompt['rule'])}{offers}"
    if "room" in status:
        yield from _room(status["room"])
    yield from _rounds(status)
    for what, gate in status["gates"].items():
        name = "side bets" if what == "bets" and "room" in status else what
        yield f"  {name:<11} {'may happen' if gate['open'] else 'not now' + by(gate['rule'])}"
    lit = [name + (f" at {', '.join(places)}" if places != [""] else "") for name, places in status["lamps"].items()]
    yield f"  lamps       {'; '.join(lit) or 'none lit'}"
    yield f"  journal     {status['journal']['seq']} facts, {status['journal']['pending']} on their way"
    yield f"  up          {_ago(status['uptime'])}, feltd {status['versions']['feltd']}"
    if not status["trouble"]:
        yield "somebody has to see to it: what the table tells stands above" if status["prompts"] else "all is well"
    for trouble in status["trouble"]:
        yield f"TROUBLE {trouble['code']}: {trouble['cause']}"
        yield from causes(trouble, trouble)


def _rounds(status: Json) -> Iterator[str]:
    """Yields the round that is running (a hand of poker stands with its seats), then the last one."""
    for view in (status["current"] if "room" not in status else None, status["last"]):
        if view is not None:
            name = f"{view['called']['round']} {view['number']}"
            yield f"{name}: {view['outcome']}{by(view['rule'])}"
            yield from round_text.lines(view)


def _room(room: Json) -> Iterator[str]:
    """Yields a poker table: the hand, then each seat; a mark shows whose turn it is."""
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
    if player["state"] not in ("", "in"):
        yield player["state"]
    if player["cards"] and player["state"] != "folded":
        hidden = all(card == UNREAD for card in player["cards"])
        yield f"{len(player['cards'])} cards" if hidden else " ".join(player["cards"])
    yield from ["dealer button"] if button else []
    yield from player["buttons"]
    if player["owes"]:
        yield f"owes the large blind{by(player['owes'])}"


def _ago(seconds: float) -> str:
    """Returns how long, in the two largest units.

    >>> _ago(3725)
    '1 h 2 min'
    """
    minutes, whole = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [f"{n} {unit}" for n, unit in ((days, "d"), (hours, "h"), (minutes, "min"), (whole, "s")) if n]
    return " ".join(parts[:2]) or "0 s"
