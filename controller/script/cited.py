"""Whether a citation fits the rule that a script names."""

from __future__ import annotations


def fits(cited: str, wanted: tuple[str, ...]) -> bool:
    """Tells whether a citation fits a rule: it is that rule or one below it.

    >>> fits("9.5.2(a)", ("9.5",)), fits("9.51", ("9.5",)), fits("9.5", ()), fits("9", ("9.5",))
    (True, False, True, False)
    """
    return not wanted or any(cited == w or (cited.startswith(w) and cited[len(w)] in ".(") for w in wanted)
