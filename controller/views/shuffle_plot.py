"""The picture of an acceptance: for a terminal in signs, and as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.counts import many
from controller.guard.acceptance import Acceptance

WIDE: Final = 16  # of a cell in the SVG, in pixels


def lines(result: Acceptance) -> Iterator[str]:
    """Yields one line for each row: where it comes out more or less often than it should."""
    yield f"rows: {result.rows}; columns: part of the deck after the shuffle"
    for row in result.moves:
        yield "  " + " ".join(f"{_sign(cell, result.expected):>2}" for cell in row)
    yield "  . within 2 standard deviations   + or - beyond 2   ++ or -- beyond 4"
    if result.neighbours:
        most = max(result.neighbours)
        yield "cards that stayed neighbours, and how often"
        for n, times in enumerate(result.neighbours):
            yield f"  {n:>2} {times:>6} {'#' * (40 * times // most)}"


def _sign(cell: int, expected: float) -> str:
    spread = _spread(cell, expected)
    if abs(spread) <= 2:
        return "."
    return ("+" if spread > 0 else "-") * (2 if abs(spread) > 4 else 1)


def _spread(cell: int, expected: float) -> float:
    return (cell - expected) / expected**0.5 if expected else 0.0


def svg(result: Acceptance) -> str:
    """Returns the same as a drawing: red is too often, blue too seldom."""
    columns = max(map(len, result.moves), default=0)
    wide, high = WIDE * columns, WIDE * len(result.moves)
    cells = [
        f'<rect x="{WIDE * x}" y="{WIDE * y}" width="{WIDE}" height="{WIDE}" fill="{_colour(cell, result.expected)}"/>'
        for y, row in enumerate(result.moves)
        for x, cell in enumerate(row)
    ]
    verdict = "accepted" if result.accepted else "not accepted"
    words = f"{many(result.shuffles, 'shuffle')}, {verdict}; rows: {result.rows}; columns: part of the deck after"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(wide, 640)}" height="{high + 24}">',
            f"<title>{words}</title>",
            *cells,
            f'<text x="0" y="{high + 16}" font-family="sans-serif" font-size="12">{words}</text>',
            "</svg>",
            "",
        ]
    )


def _colour(cell: int, expected: float) -> str:
    shade = max(0, 255 - int(50 * abs(_spread(cell, expected))))
    return f"#ff{shade:02x}{shade:02x}" if cell > expected else f"#{shade:02x}{shade:02x}ff"
