"""The wagers of rounds as rows with named columns, for spreadsheets and for programs that count columns of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

from controller.money import dollars
from controller.views.entries import entries
from controller.views.numbers_form import Part
from controller.views.record import RoundRecord, cash

Kind: TypeAlias = Literal["text", "number", "money", "share", "time"]  # money: dollars as text; time: ISO 8601
Cell: TypeAlias = str | int | float | None


class Column(NamedTuple):
    """A column of a table: its name, and what its cells are."""

    name: str
    kind: Kind


LEDGER: Final = (
    Column("table", "text"),
    Column("round", "number"),
    Column("opened", "number"),
    Column("at", "time"),
    Column("dealer", "text"),
    Column("game", "text"),
    Column("outcome", "text"),
    Column("place", "text"),
    Column("spot", "text"),
    Column("wager", "text"),
    Column("result", "text"),
    Column("staked", "money"),
    Column("handle", "money"),
    Column("win", "money"),
    Column("prize", "money"),
    Column("theoretical", "text"),
    Column("no_theory", "text"),
)
_KINDS: Final[dict[str, Kind]] = {"str": "money", "int": "number", "float": "share", "float | None": "share"}
_WORDS: Final = ("name", "exact")
PARTS: Final = tuple(
    Column(name, "text" if name in _WORDS else _KINDS[str(Part.__annotations__[name])])
    for name in Part.__struct_fields__
    if name != "unknown"
)


def ledger(records: Iterable[RoundRecord]) -> Iterator[tuple[Cell, ...]]:
    """Yields one row for each wager of rounds that are over, as `LEDGER` names its cells.

    `theoretical` is an exact fraction of dollars; "" where another row has it, or nobody knows it.
    """
    for record in cash(records):
        for each in entries(record):
            theory = "" if each.theory is None else _fraction(each.theory / 100)
            yield (
                record.table,
                record.number,
                record.opened.seq,
                record.opened.at,
                record.dealer,
                record.game,
                record.outcome,
                each.place,
                each.spot,
                each.wager,
                each.result,
                dollars(each.staked),
                dollars(each.handle),
                dollars(each.win),
                dollars(each.prize),
                theory,
                each.why,
            )


def parts(of: Iterable[Part]) -> Iterator[tuple[Cell, ...]]:
    """Yields one row for each part of a report, as `PARTS` names its cells."""
    for part in of:
        yield tuple(getattr(part, column.name) for column in PARTS)


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
