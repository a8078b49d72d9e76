"""Writes docs/terms.md: every item of a tournament's terms, as it is declared, with its number in each document."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from controller.games import GAMES
from controller.table.documents import TournamentRules
from controller.tournament.items import ITEMS, Item

ROOT = Path(__file__).parents[1]
PAGE = "docs/terms.md"
_PARTS: Final = {
    "1": "Details",
    "2": "Conditions of entry",
    "3": "Format",
    "4": "Wagers",
    "5": "Elimination, winners, prizes",
    "8": "Conduct of play",
}

HEAD = """# The terms of a tournament

Every key of a `terms.toml`, which is also an item behind `tournament NAME GAME` in a [script](scripts.md).
`make terms` writes this page from the declarations. [tournaments.md](tournaments.md) says what becomes of them;
[examples/tournaments](../examples/tournaments/README.md) has whole files.

Numbers stand below `P.4`, where `P` is the chapter on tournaments: {chapters}. **Bold**: terms without it are refused
by that number. Of any other key that a file leaves out, the last column says what that means. The *default* is that of
scripts, in which every statement is there, too. A file also has `name` and `game`.

In a file a list may stand where a script has one text: `players = [2, 60]` is `players=2-60`,
`levels = ["10-500", "25-500"]` is `levels=10-500/25-500`, `shares = ["60%", "40%"]` is `shares=60%,40%`. Dates stand
there with their offset: `when = 2026-12-05T19:00:00+11:00`. Amounts are dollars; one with cents is in quotes.
"""


def page() -> str:
    """Returns the whole page."""
    documents = {rules.document.number: rules.document.tournaments for rules in GAMES.values()}
    chapters = [f"{each.chapter} of {number}" for number, each in sorted(documents.items()) if each is not None]
    return "\n".join([HEAD.format(chapters=", ".join(chapters)), *_sections()])


def _sections() -> list[str]:
    sections: dict[str, list[Item]] = {part: [] for part in _PARTS}
    for item in ITEMS:
        if item.vic:
            digit = item.vic[1]
            sections["5" if digit in "567" else digit].append(item)
    scripts = [item for item in ITEMS if not item.in_file]
    return [
        *(_section(f"{_PARTS[part]}", items) for part, items in sections.items()),
        _section("Only in scripts", scripts),
    ]


def _section(title: str, items: list[Item]) -> str:
    head = "| key | value | number | in 002 | default | left out | |"
    return "\n".join([f"## {title}", "", head, "|---|---|---|---|---|---|---|", *map(_row, items), ""])


def _row(item: Item) -> str:
    name = f"**`{item.name}`**" if item.required else f"`{item.name}`"
    here = "not asked for" if item.vic and not item.nsw else item.nsw
    return f"| {name} | {_value(item)} | {item.vic} | {here} | {_default(item)} | {_absent(item)} | {item.says} |"


def _value(item: Item) -> str:
    if item.moment:
        return "a date and time, or `start`" if item.default == "start" else "a date and time"
    if item.form.words:
        return " ".join(f"`{word}`" for word in item.form.words)
    if item.poker_form is not None:
        return f"{item.form.expected}; {item.poker_form.expected}"
    return item.form.expected


def _default(item: Item) -> str:
    if item.statement:
        return "a sentence"
    return f"`{item.default}`; poker `{item.poker_default}`" if item.poker_default else f"`{item.default}`"


def _absent(item: Item) -> str:
    if item.required:
        return "refused"
    absent = item.absent_in(TournamentRules(chapter="", numbered="vic"))
    return "not offered" if absent in (None, "0", "none", "off") else f"`{absent}`"


def main() -> None:
    """Writes the page."""
    (ROOT / PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
