"""felt odds: the house's edge of every wager of a game, exactly."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction

import click

from controller.cli.client import columns, explained, with_json
from controller.errors import FeltError
from controller.games import INSTALLED, find
from controller.money import MoneyError, cents, decimals
from controller.odds.edges import edge
from controller.odds.progress import Progress

_NO_OPTION = "odds.option"
_MOST = 1_000_000_00  # so that no sum of payments leaves 64 bits


@click.command(name="odds")
@click.argument("game")
@click.argument("options", nargs=-1, metavar="[OPTION=VALUE]...")
@click.option("--wager", "only", metavar="NAME", help="This wager alone.")
@click.option("--stake", default="100", show_default=True, help="Dollars; matters to a maximum payout and small chips.")
@with_json
@explained
def command(game: str, options: tuple[str, ...], only: str | None, stake: str, as_json: bool) -> None:
    """The house's edge of the wagers of GAME.

    Computed by going through all cards with the rules and pay tables of the table itself, every decision played best.
    Options are those of table.toml, such as decks=8.  Ultimate and WSOP Bonus take minutes.
    """
    wagers = _wagers(game, only)
    chosen = _options(game, options)
    amount = _amount(stake)
    edges = {}
    for wager in wagers:
        edges[wager] = edge(game, wager, chosen, stake=amount, progress=_progress(wager))
    if as_json:
        print(json.dumps({"game": game, "wagers": {name: _exact(value) for name, value in edges.items()}}))
    else:
        print("\n".join(_table(game, chosen, edges)))


def _exact(value: Fraction) -> dict[str, str]:
    return {"edge": decimals(value), "exact": f"{value.numerator}/{value.denominator}"}


def _table(game: str, options: Mapping[str, str], edges: Mapping[str, Fraction]) -> list[str]:
    title = ", ".join([game, *(f"{name}={value}" for name, value in options.items())])
    rows: list[tuple[str, ...]] = [("wager", "edge", "counts")]
    rows += [(name, f"{decimals(100 * value, 6)} %", find(game).odds[name].covers) for name, value in edges.items()]
    exact = [f"{name} = {_exact(value)['exact']}" for name, value in edges.items()]
    return [title, "", *columns(rows, right=(1,)), "", *exact]


def _wagers(game: str, only: str | None) -> list[str]:
    computed = find(game).odds
    if not computed:
        known = ", ".join(sorted(rules.name for rules in INSTALLED.usable() if rules.odds))
        raise FeltError("odds.game", f"no odds are computed for {game}", f"Choose one of {known}.")
    if only is not None and only not in computed:
        step = f"Choose one of {', '.join(computed)}."
        raise FeltError("odds.wager", f"{only} is no wager that opens a round of {game}", step)
    return [only] if only is not None else list(computed)


def _options(game: str, words: tuple[str, ...]) -> dict[str, str]:
    """Returns what the table would be set to; checked as its configuration is."""
    from controller.config.options import check

    chosen = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise FeltError(_NO_OPTION, f"{word} is not an option with a value", "Write it as decks=8.")
        chosen[name] = value
    if mistakes := check(game, chosen):
        cause = "; ".join(map(str, mistakes))
        raise FeltError(_NO_OPTION, cause, "See the options of this game in table.toml's documentation.")
    return chosen


def _amount(stake: str) -> int:
    try:
        amount = cents(stake)
    except MoneyError as error:
        raise FeltError("odds.stake", str(error), "Write dollars, such as --stake 25.") from None
    if not 0 < amount <= _MOST:
        raise FeltError("odds.stake", "a stake is more than nothing and at most a million", "Such as --stake 25.")
    return amount


def _progress(wager: str) -> Progress:
    """Returns a line that counts up, for whoever watches."""
    last = -1

    def show(done: int, of: int) -> None:
        nonlocal last
        percent = 100 * done // max(1, of)
        if percent != last and sys.stderr.isatty():
            last = percent
            print(f"\r{wager}: {percent:3} %", end="" if percent < 100 else "\n", file=sys.stderr, flush=True)

    return show
