"""What a game keeps of its own: the table carries it, copies it and stores it without knowing its type."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import msgspec
import pytest

from controller.table.play import Play
from controller.table.state import FORM, Table, clone, decode, encode


class Tally(msgspec.Struct):
    """What some game might keep."""

    points: dict[str, int] = {}
    cards: list[str] = []


class Other(msgspec.Struct):
    """What another game keeps."""

    points: dict[str, int] = {}


def points(table: Table) -> dict[str, int]:
    tally = table.play.read(Tally)
    assert tally is not None
    return tally.points


def test_a_snapshot_brings_it_back() -> None:
    table = decode(encode(Table(play=Play(Tally({"1": 3})))))
    assert points(table) == {"1": 3}
    assert encode(decode(encode(table))) == encode(table)


def test_a_copy_changes_alone() -> None:
    table = Table(play=Play(Tally({"1": 3})))
    copy = clone(table)
    points(copy)["1"] = 4
    assert (points(table), points(copy)) == ({"1": 3}, {"1": 4})
    assert table.play != copy.play


def test_a_game_finds_only_its_own() -> None:
    table = decode(encode(Table(play=Play(Tally({"1": 3})))))
    assert table.play.read(Other) is None
    assert Table().play.read(Tally) is None


def test_nothing_is_nothing_whoever_made_it() -> None:
    table = Table(play=Play())
    assert table.play == Table().play != Play(Tally())
    assert decode(encode(table)) == Table()


def test_what_is_not_a_games_own_is_in_no_snapshot() -> None:
    with pytest.raises(NotImplementedError, match="does not hold Fraction"):
        encode(Table(play=cast(Play, Fraction(1, 3))))


def test_its_cards_are_in_no_text() -> None:
    assert "Kh" not in repr(Table(play=Play(Tally(cards=["Kh"]))))


@pytest.mark.parametrize(
    "snapshot", [b"", b"\x80", b"junk", FORM, FORM + b"\x81\xa4play\x01", encode(Table())[len(FORM) :]]
)
def test_anything_else_is_no_snapshot(snapshot: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(snapshot)
