"""Numbers of things as people say them: one of a thing is never several."""

from __future__ import annotations


def many(n: int, what: str, several: str = "") -> str:
    """Returns a number of things in words; `several` where more of them are not just called so with an s.

    >>> many(1, "round"), many(0, "round"), many(2, "person", "people")
    ('1 round', '0 rounds', '2 people')
    """
    return f"{n} {what}" if n == 1 else f"{n} {several or what + 's'}"


def many_were(n: int, what: str) -> str:
    """Returns a number of things to which something was done.

    >>> many_were(1, "card"), many_were(2, "card")
    ('1 card was', '2 cards were')
    """
    return f"{many(n, what)} {'was' if n == 1 else 'were'}"
