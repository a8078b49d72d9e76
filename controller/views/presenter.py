"""What people see of a table beyond what every game says of itself: one presenter for each engine that has more.

A game whose engine is not named here is shown by what its rules say alone.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from controller.games import of_engine
from controller.house.game import HouseGame
from controller.money import on_sign
from controller.poker.game import Crown
from controller.table.board import Row, in_words
from controller.table.rules import Rules
from controller.table.sign import needs_time
from controller.table.state import Notice, Table
from controller.table.times import SECOND, TWENTY_MINUTES
from controller.table.to_go import HANDS, hands_over
from controller.views import poker, poker_text, round_text

Json = dict[str, Any]


class Decided(NamedTuple):
    """What a player decided: the word, and how people say it."""

    place: str
    word: str
    in_words: str
    amount: str = ""  # what lies in front then, where players wager against each other


class Presenter:
    """Shows a table by what its rules say."""

    def status(self, table: Table, rules: Rules, current: Json | None) -> Json:
        """Returns further parts of the status, by name.

        In any case `in_lines`: what is played now, as people read it.  `current` is the round that is running.
        """
        return {"in_lines": list(round_text.headed(current))}

    def room(self, table: Table, rules: Rules) -> Json | None:
        """Returns seats with chips of their own and the hand that is running; None where players play the house."""
        return None

    def posts(self, table: Table) -> dict[str, int]:
        """Returns who posts how much so that the next hand begins, the first one first."""
        return {}

    def amounts(self, table: Table) -> list[int]:
        """Returns the amounts that players may key now, as far as they are known."""
        return []

    def names(self, table: Table) -> list[str]:
        """Returns the names of those who are known here without sitting at the table."""
        return []

    def changes(self, table: Table, rules: Rules) -> Json:
        """Returns what else a correction may change, by name."""
        return {}

    def decisions(self, table: Table, rules: Rules) -> list[Decided]:
        """Returns what the players of the round have decided so far."""
        r = table.round
        if r is None:
            return []
        by_place = rules.in_words(table, r, {}).decisions
        return [Decided(place, word, round_text.decision(word)) for place, words in by_place.items() for word in words]

    def sign(self, table: Table, rules: Rules, now: int) -> Json:
        """Returns the limit sign: what is in force, large and small, and what is announced with the time left."""
        options = table.options.typed
        return {
            "game": rules.title,
            "open": table.open,
            "large": [("Minimum", on_sign(options.min)), ("Maximum", on_sign(options.max))],
            "small": self.small(table, rules),
            "notices": [_notice(table, rules, notice, now) for notice in table.notices],
        }

    def small(self, table: Table, rules: Rules) -> list[Row]:
        """Returns what the limit sign says in small letters."""
        return []


class HousePresenter(Presenter):
    """Shows on the limit sign what a game against the house pays, and what its wagers are made in."""

    def small(self, table: Table, rules: Rules) -> list[Row]:
        """Returns the rows beside the limits."""
        assert isinstance(rules, HouseGame)
        return rules.sign_rows(table)


class PokerPresenter(Presenter):
    """Shows what players have in front of them and behind, and the sign of the room."""

    def status(self, table: Table, rules: Rules, current: Json | None) -> Json:
        """Returns the seats and the hand that is running."""
        room = poker.room(table, rules)
        return {"room": room, "in_lines": list(poker_text.lines(room))}

    def room(self, table: Table, rules: Rules) -> Json | None:
        """Returns the seats and the hand that is running."""
        return poker.room(table, rules)

    def posts(self, table: Table) -> dict[str, int]:
        """Returns the blinds of the next hand."""
        return poker.posts(table)

    def amounts(self, table: Table) -> list[int]:
        """Returns what a blind, a call or the least raise costs now."""
        return poker.amounts(table)

    def names(self, table: Table) -> list[str]:
        """Returns who waits for a seat, and who was picked up."""
        return poker.names(table)

    def changes(self, table: Table, rules: Rules) -> Json:
        """Returns stacks, bets, the pot and the buttons."""
        return poker.stakes(poker.room(table, rules))

    def decisions(self, table: Table, rules: Rules) -> list[Decided]:
        """Returns the blinds and acts of the hand, in their order."""
        return [Decided(*act) for act in poker.acts(table)]

    def sign(self, table: Table, rules: Rules, now: int) -> Json:
        """Returns the sign of the room."""
        return poker.sign(table, now)


PRESENTERS: Final[dict[type, Presenter]] = {Crown: PokerPresenter(), HouseGame: HousePresenter()}
_ANY: Final = Presenter()


def presenter(rules: Rules) -> Presenter:
    """Returns the presenter for a table with these rules."""
    return of_engine(rules, PRESENTERS, _ANY)


# ---- the limit sign


def _notice(t: Table, rules: Rules, notice: Notice, now: int) -> Json:
    text = in_words(t, notice)
    if notice.closing == "table" and rules.document.policy.closing == "hands":
        return {"text": text, "rounds": max(0, HANDS - hands_over(t, notice))}
    if not needs_time(t, rules.document.policy, notice):
        return {"text": text, "played": "round"}
    return {"text": text, "seconds": max(0, -((now - notice.shown - TWENTY_MINUTES) // SECOND))}
