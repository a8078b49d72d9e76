"""felt floor: every prize meter of the house, what it holds, its last prize, and which tables feed it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from controller.api import routes
from controller.cli.client import Json, columns, explained, with_json, with_socket
from controller.cli.jackpot import money
from controller.cli.meters import look, with_config

MISSING = 30  # seconds: a table that was not heard for so long is not connected


@click.command(name="floor")
@with_config
@with_socket
@with_json
@explained
def command(config: Path | None, path: str, as_json: bool) -> None:
    """All prize meters and their tables."""
    from controller.views import meters as meter_views

    answer = look(path, config, routes.FLOOR, lambda store, _group: meter_views.floor(store))
    print(json.dumps(answer) if as_json else "\n".join(_text(answer)))


def _text(answer: Json) -> Iterator[str]:
    if not answer["meters"]:
        yield "no prize meter was made yet"
    for m in answer["meters"]:
        terms = f"{m['kind']}, option {m['option']}, reset {m['reset']}, cost {m['cost']}"
        yield f"{m['group']}: {money(m['value'])}{'  CLOSED' if m['closed'] else ''}  ({terms})"
        if (hit := m["last_hit"]) is not None:
            undone = ", undone" if hit["undone"] else ""
            at = hit["at"].partition("+")[0].replace("T", " ")
            where = f"at {hit['table']}, area {hit['area']}"
            yield f"  last prize: {money(hit['prize'])} for a {hit['hand']} {where}, {at}{undone}"
        else:
            yield "  no prize yet"
        yield from columns([_table(table) for table in m["tables"]] or [("  no table takes part",)])


def _table(table: Json) -> tuple[str, ...]:
    *_, method, games = table["described"].split(" ")
    since = table["seen"].partition("+")[0].replace("T", " ")
    state = "connected" if table["silent"] < MISSING else f"not heard since {since}"
    notices = "; ".join(f"{what} announced {at.partition('+')[0][11:16]}" for what, at in table["notices"].items())
    return f"  {table['table']}", games, f"method {method}", state, notices
