"""What people at a table ask of the record of a tournament: the table keeps it until the record has answered.

The fact that asked is in the journal before anything else happens, so that no restart loses a wish.  The record knows
each by the number of that fact: asked again, it is done once.
"""

from __future__ import annotations

from typing import Final

import msgspec

from controller.table.facts import TournamentTold
from controller.table.play import NOTHING_PLAYED, Play
from controller.table.state import Table
from controller.table.step import Refusal, Step
from controller.tournament.deeds import TournamentAsked
from controller.tournament.play import play_in

MOST: Final = 200  # wishes that wait: more of them nobody remembers


class Wish(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one fact asks of a record, one after the other."""

    seq: int  # of the fact
    asked: tuple[TournamentAsked, ...]
    own: str = ""  # the tournament that the table was in then


class Wishes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wishes that no record has answered, the oldest first."""

    waiting: tuple[Wish, ...] = ()


def waiting(t: Table) -> tuple[Wish, ...]:
    """Returns the wishes of a table that no record has answered, the oldest first."""
    kept = t.wishes.read(Wishes)
    return kept.waiting if kept is not None else ()


def ask(s: Step, *asked: TournamentAsked) -> None:
    """Asks a record for this, and keeps it until that has answered."""
    before = waiting(s.t)
    if len(before) >= MOST:
        raise Refusal("", "the record of the tournament has to answer first: too many wishes wait for it")
    own = play_in(s.t)
    s.effects.extend(asked)
    _keep(s.t, (*before, Wish(s.seq, asked, own.latest.tournament if own is not None else "")))


def answer(t: Table, latest: TournamentTold) -> None:
    """Forgets the wishes that the record has answered.

    Earlier versions did not say which one they refused: then all that came before are answered.
    """
    before = waiting(t)
    unnamed = bool(latest.refused) and not latest.answered
    _keep(t, () if unnamed else tuple(wish for wish in before if wish.seq > latest.answered))


def _keep(t: Table, wishes: tuple[Wish, ...]) -> None:
    t.wishes = Play(Wishes(wishes)) if wishes else NOTHING_PLAYED
