"""What signs of all games have in common: rows of label and value, short lines for a device, options in words."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

from controller.money import on_sign
from controller.table.keys import CLOSE_JACKPOT, CLOSE_TABLE, announced
from controller.table.options import OptionProblem, fields, read_one
from controller.table.state import Notice, Table

Row = tuple[str, str]  # label and value

WIDTH: Final = 36  # characters of a line on a device
WORDS: Final = {
    "min": "Minimum",
    "max": "Maximum",
    CLOSE_TABLE: "Table closes",
    CLOSE_JACKPOT: "Jackpot closes",
    "jackpot-group": "Jackpot system",
}


def broken(line: str) -> list[str]:
    """Returns a text as lines that a device can show; what goes on is indented."""
    return wrap(line, WIDTH, subsequent_indent="  ") if len(line) > WIDTH else [line]  # to wrap is slow


def in_words(t: Table, notice: Notice) -> str:
    """Returns what a notice announces, as players read it."""
    return ", ".join(_words(t, name, value) for name, value in announced(notice).items())


def _words(t: Table, option: str, text: str) -> str:
    if option == "jackpot-group" and not text:
        return "Jackpot of this table"
    kind = type(t.options.typed)
    field, meant = fields(kind).get(option), read_one(kind, option, text)
    amount = None if isinstance(meant, OptionProblem) else meant.value
    value = on_sign(amount) if field is not None and field.money and isinstance(amount, int) else text
    return f"{WORDS.get(option, option.replace('-', ' ').capitalize())} {value}".rstrip()
