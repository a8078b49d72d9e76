"""The decks of a table as people may see them: records, inspections, the story of the cards, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from controller.counts import many
from controller.rules import Cited
from controller.rules import by as by_rule
from controller.table import deck_watch
from controller.table.deck_book import ByWhom, DeckRecord, Inspection, Sealing, Standing
from controller.table.documents import Citations
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views import deck_words
from controller.views.moments import iso


class DoneBy(msgspec.Struct, frozen=True):
    """Who did something, and when."""

    seq: int  # the fact that says so
    at: str  # ISO 8601
    person: str = ""
    role: str = ""
    place: str = ""


class UnfitShown(msgspec.Struct, frozen=True):
    """What somebody found wrong with cards."""

    fault: str
    cards: tuple[str, ...]
    note: str
    changed: bool  # these cards alone, and the deck stayed
    rule: str
    by: DoneBy


class LeftShown(msgspec.Struct, frozen=True):
    """Why a deck left play."""

    why: str
    rule: str
    by: DoneBy


class SealShown(msgspec.Struct, frozen=True):
    """What the card slip says."""

    slip: str
    seal: str
    witness: str
    rule: str
    by: DoneBy
    seen: DoneBy | None  # by the witness's own word


class DeckShown(msgspec.Struct, frozen=True):
    """One deck."""

    number: int
    name: str  # in words
    colour: str
    serial: str
    standing: Standing
    in_words: str
    dealt: bool  # its cards are dealt now
    came: DoneBy
    named: DoneBy | None  # of a deck that came without a name
    inspected: int | None  # the inspection that holds now
    shuffles: int
    hands: int
    unfit: list[UnfitShown]
    left: LeftShown | None
    sealed: SealShown | None


class InspectionShown(msgspec.Struct, frozen=True):
    """One inspection."""

    number: int
    why: str
    in_words: str
    decks: tuple[int, ...]
    counted: int | None
    expected: int
    right: bool
    rule: str
    by: DoneBy
    ordered: DoneBy | None
    shuffles: tuple[int, ...]  # of each deck when it was made
    hands: tuple[int, ...]


class StoryLine(msgspec.Struct, frozen=True):
    """One thing that was done with the cards that are dealt now."""

    what: str
    text: str
    by: DoneBy


class DutyShown(msgspec.Struct, frozen=True):
    """What is to be done with a deck; 0: with those in play."""

    deck: int
    text: str
    rule: str


class DecksShown(msgspec.Struct, frozen=True):
    """All decks of a table."""

    decks: list[DeckShown]
    inspections: list[InspectionShown]  # the newest first
    story: list[StoryLine]
    duties: list[DutyShown]


def shown(table: Table, rules: Rules | None) -> DecksShown:
    """Returns the decks of a table; none of one that has no game."""
    if rules is None:
        return DecksShown([], [], [], [])
    book = table.decks
    dealt = {deck.number for deck in book.dealt}
    return DecksShown(
        [deck_shown(deck, deck.number in dealt) for deck in book.decks],
        [inspection_shown(made) for made in reversed(book.inspections)],
        [StoryLine(each.what, deck_words.doing_words(each, rules), done_by(each.by)) for each in book.story],
        [DutyShown(number, each.text, each.rule) for number, each in duties(table, rules)],
    )


def deck_shown(deck: DeckRecord, dealt: bool) -> DeckShown:
    """Returns one deck as people see it."""
    unfit = [UnfitShown(x.fault, x.cards, x.note, x.changed, x.rule, done_by(x.by)) for x in deck.unfit]
    left, sealed = deck.left, deck.sealed
    return DeckShown(
        deck.number,
        deck_words.deck_name(deck),
        deck.colour,
        deck.serial,
        deck.standing,
        deck_words.STANDINGS[deck.standing],
        dealt,
        done_by(deck.came),
        None if deck.named is None else done_by(deck.named),
        deck.inspected or None,
        deck.shuffles,
        deck.hands,
        unfit,
        None if left is None else LeftShown(left.why, left.rule, done_by(left.by)),
        None if sealed is None else _seal_shown(sealed),
    )


def _seal_shown(sealed: Sealing) -> SealShown:
    seen = None if sealed.seen is None else done_by(sealed.seen)
    return SealShown(sealed.slip, sealed.seal, sealed.witness, sealed.rule, done_by(sealed.by), seen)


def inspection_shown(made: Inspection) -> InspectionShown:
    """Returns one inspection as people see it."""
    return InspectionShown(
        made.number,
        deck_words.INSPECTED[made.why],
        deck_words.count_words(made),
        made.decks,
        made.counted,
        made.expected,
        made.is_right,
        made.rule,
        done_by(made.by),
        None if made.ordered is None else done_by(made.ordered),
        made.shuffles,
        made.hands,
    )


def done_by(by: ByWhom) -> DoneBy:
    """Returns who did something, with the time as text."""
    return DoneBy(by.seq, iso(by.at), by.person, by.role, by.place)


def in_line(table: Table, rules: Rules) -> str:
    """Returns the cards of a table in one line: decks that have a name, and what is to be done; "" for nothing."""
    book = table.decks
    named = [deck_words.deck_name(deck) for deck in book.in_play if deck.serial]
    others = len(book.in_play) - len(named)
    more = [f"{others} more without a name"] if named and others else []
    to_do = [f"to do: {each.text}{by_rule(each.rule)}" for _, each in duties(table, rules)]
    return "; ".join((*named, *more, *to_do))


# ---- what is to be done


def duties(table: Table, rules: Rules) -> Iterator[tuple[int, Cited]]:
    """Yields what is to be done with decks, each with the number of its deck; 0: all that are in play.

    A deck that nobody named has no slip here: its box is the business of whoever keeps it.  Every deck is checked
    before gaming, also where the table does not wait for it (`gates=auto`): no document knows of another way.
    """
    book, cites = table.decks, rules.document.citations
    if book.ordered is not None:
        yield 0, Cited(book.ordered_by, f"count the cards: {book.ordered.person} wants it")
    leaving = deck_watch.leaving(table, book) if table.deck.bad else ()
    yield from _to_replace(table, leaving)
    together = len(book.in_play) > 1 and not leaving and not any(deck.inspected for deck in book.in_play)
    if together:
        every = _inspecting(table, cites)
        yield 0, Cited(every.rule, f"{every.text} all {many(len(book.in_play), 'deck')} in play")
    for deck in book.decks:
        if deck in leaving or (together and deck.standing == "play"):
            continue
        duty = _duty(table, rules, deck)
        if duty is not None:
            yield deck.number, Cited(duty.rule, f"{duty.text} {deck_words.deck_name(deck)}")
    if book.leaves_after:
        yield 0, Cited(cites.unfit, "replace the unfit cards when the hand is over")


def _to_replace(table: Table, leaving: tuple[DeckRecord, ...]) -> Iterator[tuple[int, Cited]]:
    """Yields the decks that must leave play before the next deal: all at once, or by their numbers."""
    if len(leaving) == len(table.decks.in_play) and leaving:
        yield 0, Cited(table.deck.bad, "replace the cards")
        return
    for deck in leaving:
        yield deck.number, Cited(table.deck.bad, f"replace {deck_words.deck_name(deck)}")


def _duty(table: Table, rules: Rules, deck: DeckRecord) -> Cited | None:
    """Returns what is to be done with one deck; None for nothing."""
    cites = rules.document.citations
    match deck.standing:
        case "play":
            return None if deck.inspected else _inspecting(table, cites)
        case "out" if deck.serial:
            sound = deck.left is not None and deck.left.why == "replaced"
            unseen = sound and not deck.inspected
            return Cited(cites.taken_off, "check") if cites.taken_off and unseen else _to_seal(cites)
    return None


def _inspecting(table: Table, cites: Citations) -> Cited:
    """Returns what is to be done with cards that nobody has looked through."""
    return Cited(cites.checked, "check") if table.open else Cited(cites.count_end, "count")


def _to_seal(cites: Citations) -> Cited:
    return Cited(cites.box or cites.unfit, "box and seal")


# ---- for everybody


def public(decks: DecksShown) -> DecksShown:
    """Returns the decks for a page that anybody may see: no names, no serial numbers, nothing that stands on a slip."""
    return DecksShown(
        [_public_deck(deck) for deck in decks.decks],
        [replace(made, by=_when(made.by), ordered=made.ordered and _when(made.ordered)) for made in decks.inspections],
        [replace(line, by=_when(line.by)) for line in decks.story],
        [],
    )


def _public_deck(deck: DeckShown) -> DeckShown:
    return replace(
        deck,
        name=f"deck {deck.number}" + (f", {deck.colour} backs" if deck.colour else ""),
        serial="",
        came=_when(deck.came),
        named=None,
        unfit=[],
        left=None,
        sealed=None,
    )


def _when(by: DoneBy) -> DoneBy:
    return DoneBy(by.seq, by.at)
