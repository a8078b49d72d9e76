"""felt floor: all tables that this daemon watches, at one look, and their alerts, to be acknowledged by number."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Final

import click

from controller.cli.client import TROUBLE, Client, columns, dumped, explained, with_json, with_socket
from controller.cli.output import say
from controller.service import floor_routes
from controller.views.floor import FloorAlert, FloorShown, FloorTable
from controller.views.moments import time_of_day
from controller.views.summary import MeterSummary

STATES: Final = {
    "lost": "LOST",
    "waited": "not heard yet",
    "stands": "STANDS",
    "waits": "WAITS",
    "fault": "fault",
    "well": "well",
    "closed": "closed",
}
COLOURS: Final = {"stands": "red", "waits": "yellow", "fault": "yellow"}


@click.command(name="floor")
@click.option("--acknowledge", "number", type=click.IntRange(min=1), metavar="NUMBER", help="Acknowledge this alert.")
@with_socket
@with_json
@explained
def command(number: int | None, path: str, as_json: bool) -> None:
    """All tables of the house that this daemon watches ([floor] in table.toml), and their alerts.

    An alert stays until somebody acknowledges it: `felt sign-in`, then `felt floor --acknowledge NUMBER`.  Exit status
    0: nothing is to be acknowledged; 1: something is.
    """
    client = Client(path)
    if number is not None:
        done = client.post(floor_routes.ACKNOWLEDGE, {"alert": number})
        words = f"alert {done['alert']} of {done['table']} is acknowledged by {done['person']}: fact {done['seq']}"
        print(dumped(done) if as_json else words)
        return
    floor, now = client.get(floor_routes.FLOOR), time.time()
    if as_json:
        print(dumped(floor))
    else:
        for line, colour in _text(floor, now, time.localtime().tm_gmtoff):
            say(line, colour)
    sys.exit(TROUBLE if floor.alerts else 0)


def _text(floor: FloorShown, now: float, offset: int) -> Iterator[tuple[str, str]]:
    """Yields the lines, each with its colour."""
    count = len(floor.alerts)
    if floor.unrecorded:
        yield "nothing can be recorded here: nobody can acknowledge anything now", "red"
    yield (f"{count} to acknowledge", "red") if count else ("nothing to acknowledge", "green")
    for alert in floor.alerts:
        yield from _alert(alert, offset)
    for alert in floor.acknowledged:
        when = _clock(alert.acknowledged or 0, offset)
        yield f"  {alert.table}: {alert.text} Acknowledged by {alert.by}, {when}.", ""
    rows: list[tuple[str, ...]] = [("table", "game", "round", "now", "pace", "last", "limits", "meter", "state")]
    rows += [_row(table, now, offset) for table in floor.tables]
    yield from ((line, "") for line in columns(rows, right=(2, 4, 5), spare=(7, 6, 5, 4)))


def _alert(alert: FloorAlert, offset: int) -> Iterator[tuple[str, str]]:
    often = f", {alert.times} times" if alert.times > 1 else ""
    over = f", over {_clock(alert.over, offset)}" if alert.over is not None else ""
    number = alert.alert if alert.alert is not None else "-"
    head = f"{number:>6}  {alert.table}  {alert.title}: {alert.text}"
    colour = "" if alert.over is not None else COLOURS[alert.urgency]
    yield f"{head} (since {_clock(alert.since, offset)}{often}{over})", colour
    if alert.step and alert.over is None:
        yield f"        -> {alert.step}", ""


def _row(table: FloorTable, now: float, offset: int) -> tuple[str, ...]:
    summary = table.summary
    state, count = STATES[table.state], table.alerts
    if table.state == "lost" and table.lost is not None:
        state += f" since {_clock(table.lost.since // 1000, offset)}"
    if count:
        state += ", 1 alert" if count == 1 else f", {count} alerts"
    if summary is None:
        return (table.name, "", "", "", "", "", "", "", state)
    return (
        table.name,
        summary.game,
        str(summary.round),
        summary.phase,
        f"{summary.pace}/h" if summary.pace is not None else "-",
        _ago(now - table.ended / 1000) if table.ended is not None else "-",
        " - ".join(value for _, value in summary.limits[:2]),
        _meter(summary.meter),
        state,
    )


def _meter(meter: MeterSummary | None) -> str:
    if meter is None or meter.cents is None:
        return "" if meter is None else str(meter.offer)
    whole, cents = divmod(meter.cents, 100)
    return f"${whole:,}.{cents:02}" + (", faulty" if meter.fault else "")


def _clock(milliseconds: int, offset: int) -> str:
    return time_of_day(milliseconds * 1000, offset)


def _ago(seconds: float) -> str:
    """Returns how long ago something was, in one number.

    >>> _ago(-3), _ago(59), _ago(125), _ago(7300), _ago(200_000)
    ('0 s', '59 s', '2 min', '2 h', '2 d')
    """
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{max(0, int(seconds))} s"
