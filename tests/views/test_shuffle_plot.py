"""The picture of an acceptance: what comes out too often or too seldom, in signs and in colours."""

from __future__ import annotations

import re

from controller.guard.acceptance import Acceptance, ShuffleTest
from controller.views.shuffle_plot import lines, svg


def result(*moves: tuple[int, ...], expected: float = 100.0, neighbours: tuple[int, ...] = ()) -> Acceptance:
    return Acceptance(60, 52, (), (), moves, expected, "block before", neighbours)


def test_signs_tell_what_is_beyond_two_and_four_standard_deviations() -> None:
    rows = list(lines(result((100, 80, 120), (79, 121, 60), (59, 141, 140))))
    assert rows[0] == "rows: block before; columns: part of the deck after the shuffle"
    assert rows[1:4] == ["   .  .  .", "   -  +  -", "  -- ++  +"]
    assert rows[4:] == ["  . within 2 standard deviations   + or - beyond 2   ++ or -- beyond 4"]


def test_nothing_is_expected_of_no_shuffle() -> None:
    assert list(lines(result((0, 5), expected=0.0)))[1] == "   .  ."


def test_neighbours_are_bars_and_the_longest_has_forty_signs() -> None:
    assert list(lines(result(neighbours=(10, 20, 5))))[-3:] == [
        f"   0     10 {'#' * 20}",
        f"   1     20 {'#' * 40}",
        f"   2      5 {'#' * 10}",
    ]


def test_a_drawing_has_a_square_for_each_cell() -> None:
    drawn = svg(result((100, 120), (80, 1000), (0, 110)))
    squares = re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="(#\w+)"/>', drawn)
    assert squares == [
        ("0", "0", "16", "16", "#ffffff"),
        ("16", "0", "16", "16", "#ff9b9b"),
        ("0", "16", "16", "16", "#9b9bff"),
        ("16", "16", "16", "16", "#ff0000"),
        ("0", "32", "16", "16", "#0000ff"),
        ("16", "32", "16", "16", "#ffcdcd"),
    ]
    assert 'width="640" height="72"' in drawn and '<text x="0" y="64"' in drawn
    assert "60 shuffles, not accepted; rows: block before; columns: part of the deck after" in drawn


def test_a_drawing_says_whether_the_machine_is_accepted() -> None:
    accepted = result((100,))._replace(tests=(ShuffleTest("moves", "1 part", 1.0, 1, 0.5),))
    words = "60 shuffles, accepted; rows: block before; columns: part of the deck after"
    assert svg(accepted).splitlines() == [
        '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="40">',
        f"<title>{words}</title>",
        '<rect x="0" y="0" width="16" height="16" fill="#ffffff"/>',
        f'<text x="0" y="32" font-family="sans-serif" font-size="12">{words}</text>',
        "</svg>",
    ]
    assert svg(accepted).endswith("</svg>\n")


def test_a_drawing_is_as_wide_as_its_cells() -> None:
    assert 'width="832" height="40"' in svg(result((100,) * 52))
    assert 'width="640" height="24"' in svg(result())
