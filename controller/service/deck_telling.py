"""Tells the decks of a journal whose daemon does not run: its facts are followed once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.errors import FeltError
from controller.journal.records import Anchor
from controller.journal.store import Journal
from controller.service.closed_cards import followed_fact
from controller.service.follower import Follower
from controller.service.missing_game import playable
from controller.table.facts import Started
from controller.views.deck_receipt import InspectionFound, look_up
from controller.views.decks import DecksShown, shown

Progress = Callable[[int, int], None]
UNKNOWN_INSPECTION: Final = "inspection.unknown"
PROGRESS_EVERY = 500  # facts


def decks_of(journal: Journal, progress: Progress) -> DecksShown:
    """Returns the decks at the end of a journal; raises GameMissing, CardsClosed and JournalError."""
    return _shown(_followed(journal, progress, 0))


def inspection_of(journal: Journal, number: int, progress: Progress) -> InspectionFound:
    """Returns an inspection, however old, as it was told when it was made; raises FeltError when there is none."""
    follower = _followed(journal, progress, number)
    title = follower.game.title if follower.table.game else ""

    def anchor(seq: int) -> str:
        return Anchor(journal.table, seq, journal.hash_at(seq)).to_text()

    made = look_up(follower.table.decks, number, journal.table, title, anchor)
    if made is None:
        raise FeltError(UNKNOWN_INSPECTION, f"there is no inspection {number} in this journal")
    return made


def _followed(journal: Journal, progress: Progress, number: int) -> Follower:
    """Returns what follows a journal: to its end, or to the inspection with this number."""
    follower = Follower()
    for record in journal.iterate(1):
        fact = followed_fact(record)
        if isinstance(fact, Started):
            playable(fact.game)
        follower.follow(record, fact)
        follower.disclosure.take_due()
        if record.seq % PROGRESS_EVERY == 0:
            progress(record.seq, journal.head.seq)
        if 0 < number <= follower.table.decks.inspected:
            break
    return follower


def _shown(follower: Follower) -> DecksShown:
    return shown(follower.table, follower.game if follower.table.game else None)
