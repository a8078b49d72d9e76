"""Chi-squared: how unlikely a sum of squared deviations is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

_TINY: Final = 1e-300
_STEPS: Final = 10_000


def chance(x: float, freedom: int) -> float:
    """Returns the chance that chi-squared with so many degrees of freedom is at least x.

    >>> round(chance(3.841, 1), 3), round(chance(124.342, 100), 3), chance(0, 5)
    (0.05, 0.05, 1.0)
    """
    a, half = freedom / 2, x / 2
    if half <= 0:
        return 1.0
    head = math.exp(a * math.log(half) - half - math.lgamma(a))
    return 1 - head * _series(a, half) if half < a + 1 else head * _fraction(a, half)


def _series(a: float, x: float) -> float:
    """Returns the sum of x^n / (a (a+1) ... (a+n)): the lower incomplete gamma function without its head."""
    term = total = 1 / a
    n = 0
    while abs(term) > 1e-15 * abs(total) and n < _STEPS:
        n += 1
        term *= x / (a + n)
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Returns the continued fraction of the upper one (Lentz)."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for n in range(1, _STEPS):  # pragma: no branch - it converges long before
        numerator = -n * (n - a)
        b += 2
        d = 1 / (numerator * d + b or _TINY)
        c = b + numerator / c or _TINY
        value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def deviation(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Returns the sum of the squared deviations, each in units of what was expected.

    >>> deviation([8, 12], [10, 10])
    0.8
    """
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
