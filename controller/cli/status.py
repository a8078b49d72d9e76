"""felt status: what the table does, what it waits for, and what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from controller.api import routes
from controller.api.shapes import GateState, ShownNotice, StatusShown
from controller.cli.client import TROUBLE, Client, causes, dumped, explained, with_json, with_socket
from controller.cli.clock import in_words
from controller.cli.output import say
from controller.counts import many
from controller.rules import by
from controller.views import round_text
from controller.views.moments import day_and_time, nth
from controller.views.words import NEEDS_SOMEBODY, TEST_WORDS


@click.command(name="status")
@with_socket
@with_json
@explained
def command(path: str, as_json: bool) -> None:
    """What the table does and what it waits for.

    Exit status 0: all is well; 1: something is wrong, or the daemon does not answer.
    """
    status = Client(path).get(routes.STATUS)
    if as_json:
        print(dumped(status))
    else:
        print("\n".join(_text(status)))
        for line, colour in conclusion(status):
            say(line, colour)
    sys.exit(TROUBLE if status["trouble"] else 0)


def _text(status: StatusShown) -> Iterator[str]:
    number, phase = status["round"]["number"], status["round"]["phase"]
    sign = "open" if status["open"] else "closed"
    called = status["called"].get("round", "round")
    if status["test"]:
        yield f"*** {TEST_WORDS} ***"
    yield f"table {status['table']}: {status['game']}, {sign}, {called} {number}, {phase}"
    for wait in status["waiting"]:
        yield f"  due         {wait['text']}{by(wait['rule'])}"
    for notice in status["notices"]:
        yield f"  tells {_notice(notice)}"
    yield from status["in_lines"]
    yield from round_text.headed(status["last"])
    for what, gate in status["gates"].items():
        name = status["called"].get(what, what)
        yield f"  {name:<11} {'may happen' if gate['open'] else f'not now{_why(gate, status)}'}"
    yield from _beside(status)
    lit = "; ".join(_lit(name, places) for name, places in status["lamps"].items())
    yield f"  lamps       {lit or 'none lit'}"
    yield f"  journal     {many(status['journal']['seq'], 'fact')}, {status['journal']['pending']} on their way"
    if status["program"]:
        yield f"  program     {status['program']}"
    yield f"  up          {_ago(status['uptime'])}, feltd {status['versions']['feltd']}"


def _beside(status: StatusShown) -> Iterator[str]:
    """Yields what somebody should know besides the round."""
    if waiting := status["protection"]:
        yield f"  protection  {waiting} alert{'s' if waiting > 1 else ''} to clear: felt alerts list"
    if insecure := status["insecure"]:
        yield f"  insecure    the plain links of {', '.join(insecure)}: felt explain link.insecure"
    if doors := status["doors"]:
        yield f"  doors       {'; '.join(doors)}"
    if not status["clock"]["confirmed"]:
        yield f"  clock       {in_words(status['clock'])}"
    if cards := status.get("cards"):
        yield f"  cards       {cards}"


def _lit(name: str, places: Sequence[str]) -> str:
    """Returns a lamp with the places where it is lit; the place "" is the table's own.

    >>> _lit("bets", [""]), _lit("decide", ["1", "2"]), _lit("jackpot", ["", "1"])
    ('bets', 'decide at 1, 2', 'jackpot, and at 1')
    """
    at = ", ".join(filter(None, places))
    own = ", and" if "" in places else ""
    return f"{name}{own} at {at}" if at else name


def _why(gate: GateState, status: StatusShown) -> str:
    """Returns why something may not happen now: in words, by its rule, or because of what is told below."""
    if gate.get("why"):
        return f": {gate['why']}{by(gate['rule'])}"
    return by(gate["rule"]) or (": see the trouble below" if status["trouble"] else "")


def conclusion(status: StatusShown) -> Iterator[tuple[str, str]]:
    """Yields how the table is, each line with its colour."""
    for trouble in status["trouble"]:
        yield f"TROUBLE {trouble['code']}: {trouble['cause']}", "red"
        yield from ((line, "") for line in causes(trouble, trouble))
    if status["trouble"]:
        return
    stands_above = status["notices"] or status["protection"]
    if stands_above or status["round"]["phase"] in NEEDS_SOMEBODY:
        yield "somebody has to see to it: what the table tells stands above", "yellow"
    else:
        yield "all is well", "green"


def _notice(notice: ShownNotice) -> str:
    """Returns who is told what, how often and since when, by which rule, with the keys that answer it and its code."""
    about = f" about {notice['place']}" if notice["place"] else ""
    often = [f"{nth(notice['times'])} time"] if notice["times"] > 1 else []
    since = [f"since {day_and_time(notice['since'])} UTC"] if notice["code"] and notice["since"] else []
    counted = f" ({', '.join(often + since)})" if often or since else ""
    offers = f" -> {' or '.join(notice['offers'])}" if notice["offers"] else ""
    code = f" [{notice['code']}]" if notice["code"] else ""
    return f"{' and '.join(notice['roles'])}{about}: {notice['text']}{counted}{by(notice['rule'])}{offers}{code}"


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
