"""Trials that need nothing done: what holds for every frame that came while the others ran."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import BrokenPromiseError, Link, UntriedError, trial

_ALL: Final[tuple[tuple[str, str, str, Link], ...]] = (
    ("frames", "1.1", "Every frame is whole: form, check, version, kind, flags.", "any"),
    ("frames", "1.2", "Every frame has a zero byte before it and one after it.", "any"),
    ("frames", "2.1", "Every frame is of a kind that a device sends, with the number that was asked with.", "any"),
    ("frames", "3.1", "Every body is one MessagePack array with the fields of its message.", "any"),
    ("cards", "3.2", "Every card is a rank and a suit, or the empty text.", "any"),
    (
        "frames",
        "3.3",
        "Every Identity has a known family, a serial number, a random epoch, and counters that fit.",
        "any",
    ),
    ("events", "3.4", "Every event is one that its family sends, and has what its message asks for.", "any"),
    ("events", "3.5", "Every spot holds chips that there can be.", "any"),
    ("frames", "4.3", "The serial number stays the same.", "any"),
    ("events", "5.1", "No counter is left out.", "any"),
    ("events", "5.2", "At most 16 unacknowledged events are in flight.", "any"),
    ("events", "5.4", "No event is forgotten that nobody acknowledged.", "any"),
    ("events", "5.6", "No counter is used twice, and the epoch stays.", "any"),
    ("frames", "6.4", "Every refusal has a reason.", "any"),
    ("encrypted", "8.8", "The counter of encrypted frames goes up by one with every frame.", "encrypted"),
    ("encrypted", "8.9", "Every frame opens with the key of the session.", "encrypted"),
    ("encrypted", "8.10", "Every frame of an encrypted session is encrypted.", "encrypted"),
)


def _declare(of: str, paragraph: str, promised: str, link: Link) -> None:
    @trial(
        f"watched-{paragraph}", paragraph, promised=promised, done="A look at all that came.", link=link, greeted=False
    )
    async def looked(bench: Bench) -> str:
        watch = bench.watch
        if findings := watch.findings.get(paragraph):
            raise BrokenPromiseError(paragraph, "; ".join(findings))
        seen: int = {"cards": watch.cards, "events": watch.events, "encrypted": watch.encrypted}.get(of, watch.frames)
        if not seen:
            raise UntriedError("no card came" if of == "cards" else f"no {of} came")
        return f"held for {seen} {of if of != 'cards' else 'events with cards'}"


for _row in _ALL:
    _declare(*_row)
