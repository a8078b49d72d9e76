"""felt jackpot: what the prize meter holds and has paid; and what people may do to it, two of them where it counts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import click

from controller.api import routes, shapes
from controller.cli import ledgers
from controller.cli.client import TROUBLE, Client, Json, Noun, columns, dumped, explained, with_json, with_socket
from controller.cli.meters import look, with_config
from controller.counts import many

BY = click.option("--by", required=True, metavar="NAME", help="Who you are.")
MISSING = 30  # seconds: a table that was not heard for so long is not connected
WHY = click.option("--reason", required=True, metavar="TEXT", help="Why; it is recorded.")

Part = Literal["startup", "contributions", "reversals", "overflow", "wins", "house", "adjustments", "transfers"]


@click.group(name="jackpot", cls=Noun)
def command() -> None:
    """The prize meter of this table's Jackpot."""


# ---- looking


@command.command()
@with_config
@with_socket
@with_json
@explained
def show(config: Path | None, path: str, as_json: bool) -> None:
    """What the meter holds, and how it came to that."""
    from controller.views.meters import show as ask

    answer = look(path, config, routes.JACKPOT, ask)
    print(dumped(answer) if as_json else "\n".join(_meter(answer)))
    table = answer.get("table")
    sys.exit(TROUBLE if table and table["faults"] else 0)


def _meter(answer: shapes.Jackpot) -> Iterator[str]:
    stale = answer.get("stale", "")
    if answer["meter"] is None:  # the daemon has not heard from it since its start
        yield f"{answer['group']}: not known yet, {stale}"
    else:
        yield from _kept(answer["meter"], stale)
    if "table" in answer:
        yield from _here(answer["table"])


def _kept(m: shapes.MeterShown, stale: str) -> Iterator[str]:
    state = "  CLOSED" if m["closed"] else ""
    told_last = f"  as it was told last: {stale}" if stale else ""
    yield f"{m['group']}: {money(m['value'])}{state}{told_last}"
    yield f"  terms          {m['kind']}, option {m['option']}, reset {m['reset']} for 1, a wager costs {m['cost']}"
    yield f"  each wager     adds {m['increment']}; {m['wagers']} registered"
    parts: tuple[Part, ...] = get_args(Part)
    signs = {"startup": " ", "reversals": "-", "overflow": "-", "wins": "-"}
    yield from columns([(f"  {signs.get(p, '+')} {p}", money(m[p])) for p in parts], right=(1,))
    ceiling = "none" if m["ceiling"] is None else money(m["ceiling"])
    yield f"  prizes         {m['hits']};  ceiling {ceiling};  reserve {money(m['reserve'])}"


def _here(table: Json) -> Iterator[str]:
    taken = "wagers are taken" if table["open"] else "NO WAGERS"
    yield f"  at {table['name']:<12} {taken}; shows {money(table['shows'])}"
    if table["registered"]:
        yield f"  registered     at {', '.join(table['registered'])}"
    for prize in table["unpaid"]:
        waits = "waits to be paid" if prize["answered"] else "waits for the system's answer"
        yield f"  round {prize['round']:<8} {', '.join(prize['areas'])} {waits}"
    if table["untold"]:
        yield f"  untold         {many(table['untold'], 'movement')} on the way"
    for code, cause in table["faults"].items():
        yield f"TROUBLE {code}: {cause}"


@command.command()
@click.option("-n", "count", type=click.IntRange(1, 1000), default=25, show_default=True, help="How many prizes.")
@with_config
@with_socket
@with_json
@explained
def history(count: int, config: Path | None, path: str, as_json: bool) -> None:
    """The prizes that the meter paid, newest first."""
    from controller.views import meters as meter_views

    answer = look(path, config, routes.HISTORY, lambda s, group: meter_views.history(s, group, count), n=count)
    print(dumped(answer) if as_json else "\n".join(_hits(answer)))


def _hits(answer: shapes.HistoryShown) -> Iterator[str]:
    if not answer["hits"]:
        yield f"{answer['group']}: no prize was won yet"
        return
    rows: list[tuple[str, ...]] = [
        ("when", "table", "round", "area", "hand", "prize", "meter before", "after", "by rule", "")
    ]
    for h in answer["hits"]:
        when = h["at"].partition("+")[0].replace("T", " ")
        before, after = money(h["before"]), money(h["after"])
        row = (when, h["table"], str(h["round"]), h["area"], h["hand"], money(h["prize"]), before, after, h["rule"])
        rows.append((*row, "undone" if h["undone"] else ""))
    yield from columns(rows, right=(2, 5, 6, 7))


@command.command()
@click.option("--clear", is_flag=True, help="Say that a failed audit was looked into; it must be sound now.")
@click.option("--by", metavar="NAME", default="", help="Who clears it.")
@click.option("--checkpoint", "note", type=click.Path(path_type=Path), help="A checkpoint kept elsewhere.")
@click.option("--key", help="The verifier key that must have signed it, or a file with it.")
@with_config
@with_socket
@with_json
@explained
def verify(
    clear: bool, by: str, note: Path | None, key: str | None, config: Path | None, path: str, as_json: bool
) -> None:
    """Add up every movement of the meter once more, and follow the chain of its ledger.

    With a checkpoint of earlier: that nothing up to it was changed or cut off.  Exit status 0: sound; 1: not.
    """
    if clear:
        cleared = Client(path).post(routes.CLEAR_AUDIT, {"by": _named(by)})
        print(dumped(cleared) if as_json else f"{cleared['group']}: sound, and cleared")
        return
    answer = ledgers.checked(path, config, note, key)
    if as_json:
        print(dumped(answer))
    elif answer["ok"]:
        holds = ", and the checkpoint holds" if note is not None else ""
        print(f"{answer['group']}: sound, {many(answer['movements'], 'movement')}{holds}")
        if answer["unbound"]:
            print(f"  note: {many(answer['unbound'], 'entry', 'entries')} were there before the ledger had a chain")
    else:
        print("\n".join([f"{answer['group']}: NOT SOUND", *(f"  {problem}" for problem in answer["problems"])]))
        print("  -> Keep the store as it is, take no Jackpot wagers, and call the technician.")
    sys.exit(0 if answer["ok"] else TROUBLE)


@command.command()
@with_config
@with_socket
@with_json
@explained
def meters(config: Path | None, path: str, as_json: bool) -> None:
    """All prize meters of the store, with their tables."""
    from controller.views import meters as meter_views

    answer = look(path, config, routes.METERS, lambda store, _group: meter_views.floor(store))
    print(dumped(answer) if as_json else "\n".join(_meters(answer)))


def _meters(answer: shapes.MetersShown) -> Iterator[str]:
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


@command.command()
@click.option("--add", metavar="WHAT", help="Put a notice on the sign: close-jackpot, jackpot-group=G2, ...")
@click.option("--by", metavar="NAME", default="", help="Who adds it.")
@with_socket
@with_json
@explained
def notices(add: str | None, by: str, path: str, as_json: bool) -> None:
    """What the sign announces about the Jackpot, and for how long."""
    if add is not None:
        Client(path).post(routes.PRESS_JACKPOT, {"notice": add, "by": _named(by)})
    answer = Client(path).get(routes.NOTICES)
    if as_json:
        print(dumped(answer))
        return
    for notice in answer["notices"]:
        what = ", ".join(f"{option} {value}".rstrip() for option, value in notice["what"].items())
        print(f"{what}: on the sign for {many(notice['minutes'], 'minute')}, since {notice['since']}")
    if not answer["notices"]:
        print(f"{answer['table']}: the sign announces nothing about the Jackpot")


for each in ledgers.COMMANDS:
    command.add_command(each)


# ---- what people do


@command.command()
@BY
@WHY
@with_socket
@with_json
@explained
def claim(by: str, reason: str, path: str, as_json: bool) -> None:
    """Say that this is the real table, of two that run with its identity (`table.cloned`).

    The other one moves the meter no more.  Switch it off and make it a table of its own: `felt table init`.
    """
    answer = Client(path).post(routes.CLAIM_TABLE, {"by": by, "reason": reason})
    print(dumped(answer) if as_json else f"{answer['table']}: this one speaks for the table from now on")


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("amount")
@BY
@WHY
@with_socket
@with_json
@explained
def adjust(amount: str, by: str, reason: str, path: str, as_json: bool) -> None:
    """Correct the meter by AMOUNT dollars, such as 12.50 or -0.0005; a second person confirms it."""
    _proposed(Client(path).post(routes.ADJUST, {"amount": amount, "by": by, "reason": reason}), as_json)


@command.command()
@click.argument("to", nargs=-1, required=True)
@BY
@WHY
@with_socket
@with_json
@explained
def close(to: tuple[str, ...], by: str, reason: str, path: str, as_json: bool) -> None:
    """Close the prize meter system and hand on what is above its seed: TO is a group, or several GROUP=AMOUNT.

    The table's rules decide: every table must have announced it for twenty minutes.  A second person confirms it.
    """
    _proposed(Client(path).post(routes.CLOSE, {"to": list(to), "by": by, "reason": reason}), as_json)


@command.command()
@click.argument("code")
@BY
@with_socket
@with_json
@explained
def confirm(code: str, by: str, path: str, as_json: bool) -> None:
    """Confirm what another person proposed; CODE is what they were told."""
    answer = Client(path).post(routes.CONFIRM, {"code": code, "by": by})
    if as_json:
        print(dumped(answer))
        return
    print(f"{answer['done']}; {answer['meter']['group']} holds {money(answer['meter']['value'])} now")
    for group, amount in answer.get("handed_on", {}).items():
        print(f"  {money(amount)} went to {group}")


@command.command()
@click.argument("group")
@BY
@with_socket
@with_json
@explained
def transfer(group: str, by: str, path: str, as_json: bool) -> None:
    """Move this table to the prize meter system GROUP; `none` takes it out of its own.

    The table's rules decide: it must have been announced for twenty minutes.
    """
    answer = Client(path).post(routes.PRESS_JACKPOT, {"group": group, "by": by})
    print(dumped(answer) if as_json else f"{answer['table']}: {answer['done']}")


def _proposed(answer: shapes.Proposed, as_json: bool) -> None:
    if as_json:
        print(dumped(answer))
        return
    print(f"{answer['by']} wants to {answer['text']}: {answer['reason']}")
    print(f"Nothing is done yet. Within {many(answer['minutes'], 'minute')} a second person runs:")
    print(f"  felt jackpot confirm {answer['confirm']} --by NAME")


def _named(by: str) -> str:
    if not by.strip():
        raise click.UsageError("say who you are: --by NAME")
    return by


def money(text: str) -> str:
    """Returns an amount with its thousands apart, as people read them.

    >>> money("100002.8610"), money("-0.0005")
    ('100,002.8610', '-0.0005')
    """
    whole, _, part = text.lstrip("-").partition(".")
    return f"{'-' if text.startswith('-') else ''}{int(whole):,}.{part}"
