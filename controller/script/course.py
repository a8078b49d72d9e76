"""The course of a round in a script's record: what happened one after the other, where a game tells that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.table.state import Round
from controller.table.telling import Hands


class Course:
    """Follows one round.  Of a game against the house there is nothing to tell beyond its hands and wagers."""

    def follow(self, r: Round) -> None:
        """Keeps what was done since."""

    def lines(self, r: Round, hands: Hands, names: Mapping[str, str]) -> Iterator[str]:
        """Yields the round for people; `names`: what the hands are that may be named."""
        yield from ()
