"""Writes docs/options.md: every game with its spots and options, as they are declared."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import UNSET

from controller.games import GAMES
from controller.house.options import House, JackpotHouse
from controller.poker.options import CrownOptions
from controller.table.options import Field, Options, fields
from controller.table.rules import Rules

ROOT = Path(__file__).parents[1]
PAGE = "docs/options.md"
SHARED: Final[dict[type[Options], str]] = {
    Options: "Every table",
    House: "Tables against the house",
    JackpotHouse: "Tables that may offer a Jackpot",
    CrownOptions: "Crown Poker",
}

HEAD = """# Games and their options

What stands under `[options]` in [table.toml](configuration.md) and behind `table GAME` in a [script](scripts.md), and
what `set` and `notice` change. `make options` writes this page from the declarations beside each game. A game of
another package is not listed here; `felt config check` knows its options all the same.

A *rule* is that of the game's document which bounds the value. Where nothing stands under *default*, the option is not
on the sign until somebody sets it. Amounts are dollars; `none` is written for nothing.
"""


def page() -> str:
    """Returns the whole page."""
    return "\n".join([HEAD, _games(), *(_shared(kind) for kind in SHARED), *_own()])


def _games() -> str:
    rows = ["## Games", "", "| game | | document | spots |", "|---|---|---|---|"]
    for game in GAMES.values():
        spots = " ".join(f"`{spot}`" for spot in dict.fromkeys((*game.spots, *_jackpot(game))))
        rows.append(f"| `{game.name}` | {game.title} | {game.document.number} | {spots} |")
    return "\n".join([*rows, ""])


def _jackpot(game: Rules) -> tuple[str, ...]:
    return ("jackpot",) if issubclass(game.options, JackpotHouse) else ()


def _shared(kind: type[Options]) -> str:
    """Returns the options that several games have in common, without those of a section before it."""
    before = {name for base in kind.__mro__[1:] if base in SHARED for name in fields(base)}
    return _section(SHARED[kind], [field for name, field in fields(kind).items() if name not in before])


def _own() -> Iterable[str]:
    """Yields the options of each game, and those that it has with another default or bound."""
    kinds = dict.fromkeys(game.options for game in GAMES.values())
    for kind in kinds:
        names = [f"{game.title} (`{game.name}`)" for game in GAMES.values() if game.options is kind]
        common = fields(next(base for base in kind.__mro__ if base in SHARED))
        own = [field for name, field in fields(kind).items() if name not in common or _differs(field, common[name])]
        if own:
            yield _section(", ".join(names), own)


def _differs(one: Field, other: Field) -> bool:
    return (one.default, one.bounds, one.meaning) != (other.default, other.bounds, other.meaning)


def _section(title: str, options: Iterable[Field]) -> str:
    rows = [f"## {title}", "", "| option | value | default | rule | |", "|---|---|---|---|---|"]
    for field in options:
        default = "" if field.default is UNSET else f"`{field.write(field.default)}`"
        rules = ", ".join(dict.fromkeys(bound.rule for bound in field.bounds if bound.rule))
        rows.append(f"| `{field.name}` | {_value(field)} | {default} | {rules} | {field.meaning} |")
    return "\n".join([*rows, ""])


def _value(field: Field) -> str:
    words = [f"`{word}`" for word in (*field.form.words, *(["none"] if field.optional else []))]
    if field.form.words:
        return " ".join(words)
    return ", or ".join([field.form.expected, *words])


def main() -> None:
    """Writes the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
