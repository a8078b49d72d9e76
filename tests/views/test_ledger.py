"""The wagers of rounds as rows: every cell under its column, and sums that are those of the report."""

from __future__ import annotations

from datetime import UTC
from fractions import Fraction

from controller.money import cents
from controller.views.gaming_day import Calendar
from controller.views.ledger import LEDGER, PARTS, ledger, parts
from controller.views.numbers import numbers
from controller.views.record import Paid
from tests.views.test_numbers import a_round

ROUNDS = [
    a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00"), Paid("2", "war", "0.50", "win", "0.50"), dealer="Ann"),
    a_round(2, 1, Paid("1", "go-to-war", "10.00", "void", "0.00")),
    a_round(3, 2, Paid("1", "jackpot", "5.00", "win", "245.00", prize="250.00"), game="caribbean-stud"),
]


def test_rows_under_their_columns() -> None:
    rows = [dict(zip((column.name for column in LEDGER), row, strict=True)) for row in ledger(ROUNDS)]
    first = rows[0]
    assert (first["round"], first["opened"], first["dealer"], first["spot"], first["wager"]) == (
        1,
        10,
        "Ann",
        "war",
        "war",
    )
    assert (first["staked"], first["handle"], first["win"]) == ("10.00", "10.00", "10.00")
    assert first["theoretical"] == str(10 * Fraction(23138, 993023))
    assert rows[1]["no_theory"] == "chips cannot pay every result of this stake exactly"
    assert (rows[2]["wager"], rows[2]["theoretical"], rows[2]["handle"]) == ("war", "", "0.00")
    assert rows[3]["prize"] == "250.00"


def test_sums_are_those_of_the_report() -> None:
    total = numbers(ROUNDS, "game", Calendar(UTC)).total
    names = [column.name for column in LEDGER]
    rows = list(ledger(ROUNDS))
    for name, whole in (
        ("win", total.win),
        ("handle", total.handle),
        ("staked", total.staked),
        ("prize", total.prizes),
    ):
        assert sum(cents(str(row[names.index(name)])) for row in rows) == cents(whole)
    exact = [Fraction(str(row[names.index("theoretical")])) for row in rows if row[names.index("theoretical")]]
    assert sum(exact) == Fraction(total.exact)


def test_parts() -> None:
    made = numbers(ROUNDS, "game", Calendar(UTC))
    rows = list(parts(made.parts))
    assert [row[0] for row in rows] == ["caribbean-stud", "casino-war"]
    assert {column.name: column.kind for column in PARTS}["hold"] == "share"
    assert {column.name: column.kind for column in PARTS}["exact"] == "text"
    assert {column.kind for column in PARTS} == {"text", "number", "money", "share"}
