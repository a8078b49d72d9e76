"""Writes docs/keys.md: every key of the console, as it is declared."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from controller.games import GAMES
from controller.house.forfeits import FORFEIT
from controller.house.keys import HOUSE_KEYS
from controller.house.promotions import PROMOTION_KEYS
from controller.poker.keys import CROWN_KEYS
from controller.table.declare import Key
from controller.table.keys import EVERY_TABLE
from controller.table.rules import Rules
from controller.table.state import Table
from controller.tournament.keys import DESK_KEYS, TABLE_KEYS

ROOT = Path(__file__).parents[1]
PAGE = "docs/keys.md"
Who = tuple[str, str]  # the lowest role, and the rule that says so

HEAD = """# Keys of the console

Every key of the dealer's console: what comes with it, who may press it, what it says. `make keys` writes this page from
the declarations in `controller/table/keys.py`, `controller/house/keys.py`,
`controller/house/forfeits.py`, `controller/house/promotions.py`,
`controller/poker/keys.py` and `controller/tournament/keys.py`.

- *reports*: something has happened. Such a key is never refused, unless its words do not fit.
- *asks*: the table does it, or refuses with the reason and the rule.
- *plays*: asks for the next step of the game. A held table refuses it until a supervisor has ruled.

*Who* is the lowest role that may press the key; those above it may too. `technician` and `inspector` have no keys,
`tournament-director` and `deputy` only those of a tournament. In brackets stands the rule of the approved document that
says so. `PLACE` is an area (`3`, or `3.2` for its second bettor), a seat, or `dealer`, `flop`, `turn`, `river`,
`community`; `[...]` may be left out; `...` may come several times.
"""


def page() -> str:
    """Returns the whole page."""
    every, poker = list(GAMES.values()), [game for game in GAMES.values() if game.keys is CROWN_KEYS]
    house = [game for game in every if game not in poker]
    parts = [
        HEAD,
        section("At every table", EVERY_TABLE, every),
        section("At tables of the house", HOUSE_KEYS, house),
        section("Where players see their own cards", (FORFEIT,), [game for game in house if FORFEIT in game.keys]),
        section(
            "At the games of document 002", PROMOTION_KEYS, [game for game in house if game.document.number == "002"]
        ),
        section("At Crown Poker", CROWN_KEYS, poker),
        section("At the tables of a tournament, house games", TABLE_KEYS, house),
        desk(every),
        options(every),
    ]
    return "\n".join(parts)


def section(title: str, keys: Iterable[Key], games: list[Rules]) -> str:
    """Returns one table of keys."""
    rows = [f"## {title}", "", "| key | who | | what it says |", "|---|---|---|---|"]
    for key in keys:
        forms = "<br>".join(f"`{cell(form.replace('......', '... ...'))}`" for form in key.written)
        rows.append(f"| {forms} | {presses(key, games)} | {key.manner} | {cell(key.says_with(key.besides))} |")
    return "\n".join([*rows, ""])


def desk(games: list[Rules]) -> str:
    """Returns the keys of a tournament's director."""
    chapters = {game.document.number: game.document.tournaments for game in games}
    rules = ", ".join(f"{number} ({chapter.at('.2.3')})" for number, chapter in sorted(chapters.items()) if chapter)
    rows = ["## At the desk of a tournament, and at its tables", "", f"Tournament director, or a deputy: {rules}.", ""]
    rows += ["| key | | what it says |", "|---|---|---|"]
    rows += [f"| `{cell(key.written[0])}` | {key.manner} | {cell(key.says)} |" for key in DESK_KEYS]
    return "\n".join([*rows, ""])


def presses(key: Key, games: list[Rules]) -> str:
    """Says who may press a key."""
    if key.anyone:
        return "anybody"
    if key.changes_options:
        return "see [options](#who-changes-which-option)"
    if len(key.first_words) < 2 or not key.powers_by_words:
        return spoken(key, (), games)
    return "; ".join(f"`{word}`: {spoken(key, (word,), games)}" for word in key.first_words)


def spoken(key: Key, args: tuple[str, ...], games: list[Rules]) -> str:
    """Says who may press a key with these words."""
    return documents({game.name: lowest(game, key, args) for game in games}, key.role)


def lowest(game: Rules, key: Key, args: tuple[str, ...]) -> Who:
    """Returns who may press it at a table with this game."""
    (power,) = key.needs(game.document.powers, Table(), args)
    return power.role, power.rule


def documents(of_games: dict[str, Who], else_: str = "") -> str:
    """Says which role each document names.

    >>> documents({"casino-war": ("supervisor", "9.3"), "holdem": ("dealer", "")}, "dealer")
    'supervisor 004 (9.3); else dealer'
    """
    by_role: dict[str, list[str]] = {}
    for document, (role, rule) in agreed(of_games):
        if rule or role != else_:
            by_role.setdefault(role, []).append(f"{document} ({rule})")
    texts = [f"{role} {', '.join(where)}" for role, where in by_role.items()]
    if any(who == (else_, "") for who in of_games.values()):
        texts.append(f"else {else_}" if texts else else_)
    return "; ".join(texts)


def agreed(of_games: dict[str, Who]) -> Iterable[tuple[str, Who]]:
    """Yields what each document says; where its games differ, what each of these says."""
    for number in sorted({GAMES[game].document.number for game in of_games}):
        of_document = {game: who for game, who in of_games.items() if GAMES[game].document.number == number}
        if len(set(of_document.values())) == 1:
            yield number, next(iter(of_document.values()))
        else:
            yield from of_document.items()


def options(games: list[Rules]) -> str:
    """Returns who may announce and change which option."""
    names = sorted({name for game in games for name in game.document.powers.settings})
    rows = [
        "## Who changes which option",
        "",
        "With `notice` and `set`. Other options stay as they are at an open table.",
        "",
    ]
    rows += ["| option | who |", "|---|---|"]
    for name in names:
        settings = {game.name: game.document.powers.settings.get(name) for game in games}
        having: dict[str, Who] = {
            g: (setting.role, setting.rule) for g, setting in settings.items() if setting is not None
        }
        rows.append(f"| `{name}` | {documents(having)} |")
    return "\n".join([*rows, ""])


def cell(text: str) -> str:
    """Returns a text as it may stand in a table of Markdown."""
    return text.replace("|", "\\|")


def main() -> int:
    """Writes the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
