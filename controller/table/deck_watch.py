"""Writes into the book of decks what keys, machines and rounds tell: the same for every game.

It listens to facts that were followed, and changes nothing else at the table but what a deck's own record asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from controller.places import DEALER
from controller.table.deck import cutter, void_shoe
from controller.table.deck_book import (
    CARDS_OF_A_DECK,
    ByWhom,
    DeckBook,
    DeckDoing,
    DeckRecord,
    Departure,
    InspectedFor,
    Inspection,
    Leaving,
    brought_in,
    changed,
    for_table,
    with_doing,
    with_inspection,
)
from controller.table.effects import RoundEnded, RoundOpened
from controller.table.facts import AnyFact, CuttingCard, DeckIn, Key, Shuffled
from controller.table.state import Table, cards_lie
from controller.table.step import Step

_CUTS: Final = ("shuffled", "offered", "declined", "cut")


def begun(s: Step) -> DeckBook:
    """Returns the book of the table; when it is open, with the decks in it that must be in play."""
    settled = s.t.decks.plays or not s.t.open
    return s.t.decks if settled else for_table(s.t.decks, nobody(s), s.t.options.typed.deck_backs)


def fresh(s: Step) -> None:
    """Begins gaming with the cards that are here: every deck is to be inspected again."""
    s.t.decks = for_table(s.t.decks, nobody(s), s.t.options.typed.deck_backs)


def watch(s: Step, before: Table, fact: AnyFact) -> None:
    """Writes down what a fact that was followed means for the decks."""
    s.t.decks = begun(s)
    if before.open and not s.t.open:  # all cards are counted once more
        s.t.decks = changed(s.t.decks, *(replace(deck, inspected=0) for deck in s.t.decks.in_play))
    listener = LISTENERS.get(type(fact))
    if listener is not None:
        listener(s, before, fact)
    if s.mixed and not _says_shuffled(fact):
        _shuffled_unsaid(s, before)
    for effect in s.effects:
        if isinstance(effect, RoundOpened):
            book = s.t.decks
            s.t.decks = replace(book, in_use=book.in_machine, machine_told=False)
        elif isinstance(effect, RoundEnded):
            _round_over(s, before)
    _offered(s)


def _says_shuffled(fact: AnyFact) -> bool:
    """Tells whether somebody, or the machine, says that the cards were shuffled."""
    return fact.key == "shuffled" if isinstance(fact, Key) else isinstance(fact, Shuffled)


def note(s: Step, doing: DeckDoing) -> None:
    """Tells the story of the cards on."""
    s.t.decks = with_doing(s.t.decks, doing)


def nobody(s: Step) -> ByWhom:
    """Returns what stands for nobody's deed: when it was."""
    return ByWhom(s.seq, s.t.now + s.t.ahead)


def _by(s: Step) -> ByWhom:
    return ByWhom(s.seq, s.t.now + s.t.ahead, s.name, s.role, s.place)


def _machine(s: Step) -> ByWhom:
    return replace(nobody(s), device=True)


def inspected_for(t: Table) -> InspectedFor:
    """Returns why cards in play are counted or checked, as this table stands."""
    if not t.open:
        return "close"
    if t.decks.ordered is not None:
        return "order"
    if cards_lie(t):
        return "round"
    if t.deck.unverified:
        return "misdeal" if t.deck.after_misdeal else "changed" if _cards_changed(t.decks) else "machine"
    return "between" if t.deck.checked else "gaming"


def _cards_changed(book: DeckBook) -> bool:
    """Tells whether single cards in play were changed since the last inspection."""
    since = max((made.by.seq for made in book.inspections), default=0)
    return any(each.changed and each.by.seq > since for deck in book.in_play for each in deck.unfit)


# ---- keys


def _key(s: Step, before: Table, fact: Key) -> None:
    does = KEYS.get(fact.key)
    if does is not None:
        does(s, before, fact)


def _checked(s: Step, before: Table, fact: Key) -> None:
    """Keeps an inspection of all decks in play: the cards were looked through."""
    book = s.t.decks
    every = tuple(deck.number for deck in book.in_play)
    expected = CARDS_OF_A_DECK * s.t.options.typed.decks
    made = Inspection(0, "gaming", every, _by(s), expected, rule=s.cites.checked, game=s.game.title)
    s.t.decks = with_inspection(book, made)
    note(s, DeckDoing("checked", _by(s), before.number, in_round=cards_lie(before)))


def _counted(s: Step, before: Table, fact: Key) -> None:
    """Keeps an inspection with the number of cards; it answers who told the dealer to count."""
    book, counted = s.t.decks, int(fact.args[0])
    why, expected = inspected_for(before), CARDS_OF_A_DECK * s.t.options.typed.decks
    rule = book.ordered_by or before.deck.unverified or (s.cites.count_end if why == "close" else s.cites.bad_deck)
    every = tuple(deck.number for deck in (_in_machine(book) if why == "machine" else book.dealt))
    made = Inspection(0, why, every, _by(s), expected, counted, rule, book.ordered, game=s.game.title)
    if s.t.deck.count_after and s.t.deck.count_after == book.ordered_by:
        s.t.deck.count_after = ""
    s.t.decks = replace(with_inspection(book, made), ordered=None, ordered_by="")
    note(s, DeckDoing("counted", _by(s), before.number, depth=counted, in_round=cards_lie(before)))


def _shuffled(s: Step, before: Table, fact: Key) -> None:
    _count_shuffle(s, s.t.decks.dealt)
    note(s, DeckDoing("shuffled", _by(s), before.number, in_round=cards_lie(before)))


def _cut(s: Step, before: Table, fact: Key) -> None:
    place = cutter(before) if s.policy.players_cut else ""
    depth = int(fact.args[0]) if fact.args else None
    note(s, DeckDoing("cut", _by(s), before.number, place, depth, cards_lie(before)))


def _declined(s: Step, before: Table, fact: Key) -> None:
    note(s, DeckDoing("declined", _by(s), before.number, fact.args[0], in_round=cards_lie(before)))


def _placed(s: Step, before: Table, fact: Key) -> None:
    note(s, DeckDoing("placed", _by(s), before.number, depth=int(fact.args[0]), in_round=cards_lie(before)))


def _opened(s: Step, before: Table, fact: Key) -> None:
    """Begins gaming anew; cards that were wrong when the table closed do not come back."""
    if before.deck.bad:
        s.t.decks = _departed(s, before)
    fresh(s)


def _replaced(s: Step, before: Table, fact: Key) -> None:
    """Takes decks out of play and brings others in: from the reserve, or such as nobody named."""
    book = replace(_departed(s, before), ordered=None, ordered_by="", leaves_after="")
    for colour in _wanted(book, s.t.options.typed.deck_backs):
        book = brought_in(book, _by(s), colour)
    s.t.decks = replace(book, story=tuple(x for x in book.story if _is_of_cards_in_play(book, x)))
    s.t.deck.checked = book.all_inspected
    note(s, DeckDoing("replaced", _by(s), before.number))


def _is_of_cards_in_play(book: DeckBook, doing: DeckDoing) -> bool:
    """Tells whether all cards that somebody looked at are in play: what was done with others is not their story."""
    looked_at = next((made.decks for made in book.inspections if made.by.seq == doing.by.seq), ())
    return bool(looked_at) and {deck.number for deck in book.in_play}.issuperset(looked_at)


def _departed(s: Step, before: Table) -> DeckBook:
    """Returns the book without the decks in play that leave now, each with its reason."""
    going = leaving(before, before.decks if before.decks.plays else s.t.decks)
    rule = before.deck.bad or s.powers.replaced.rule
    left = {deck.number: Departure(_why(before, deck), _by(s), rule) for deck in going}
    out = (replace(deck, standing="out", inspected=0, left=left[deck.number]) for deck in going)
    return replace(changed(s.t.decks, *out), in_machine=0, in_use=0)


def leaving(before: Table, book: DeckBook) -> tuple[DeckRecord, ...]:
    """Returns the decks that leave: those with which something is wrong, or else all whose cards are dealt."""
    unfit = tuple(deck for deck in book.in_play if deck.is_unfit)
    if unfit:
        return unfit
    if before.deck.two_colours:
        return _in_machine(book)
    wrong = book.wrong if before.deck.bad else ()
    return tuple(deck for deck in book.in_play if deck.number in wrong) or book.dealt


def _in_machine(book: DeckBook) -> tuple[DeckRecord, ...]:
    """Returns the deck in the machine; all that are in play where it does not tell which one that is."""
    return tuple(deck for deck in book.in_play if book.in_machine in (0, deck.number))


def _why(before: Table, deck: DeckRecord) -> Leaving:
    if deck.is_unfit:
        return "unfit"
    if before.deck.two_colours:
        return "two colours"
    return "wrong count" if before.deck.bad else "replaced"


def _wanted(book: DeckBook, backs: tuple[str, ...]) -> list[str]:
    """Returns the backs of the decks that are missing in play: of one colour where the options name none."""
    here = [deck.colour for deck in book.in_play]
    missing = Counter(backs) - Counter(colour if colour in backs else "" for colour in here)
    like = next(iter(here), "")
    return [colour or like for colour in missing.elements()]


# ---- machines, the shoe, and rounds


def _machine_shuffled(s: Step, before: Table, fact: Shuffled) -> None:
    """Counts the shuffle of the deck that is in the machine; of all where it does not tell which one that is."""
    book = s.t.decks
    if not fact.verified:
        return
    _count_shuffle(s, _in_machine(book))
    s.t.decks = replace(s.t.decks, machine_told=True)
    if s.mixed:
        note(s, DeckDoing("shuffled", _machine(s), before.number, depth=fact.count))


def _shuffled_unsaid(s: Step, before: Table) -> None:
    """Keeps that the cards were shuffled before the round, and nobody pressed a key for it."""
    if not s.t.decks.machine_told:
        _count_shuffle(s, s.t.decks.dealt)
    note(s, DeckDoing("shuffled", nobody(s), before.number))


def _count_shuffle(s: Step, decks: tuple[DeckRecord, ...]) -> None:
    s.t.decks = changed(s.t.decks, *(replace(deck, shuffles=deck.shuffles + 1) for deck in decks))


def _deck_in(s: Step, before: Table, fact: DeckIn) -> None:
    """Keeps which deck is in the machine; tells the dealer when its backs are not those of the other deck here."""
    book, backs = s.t.decks, s.t.options.typed.deck_backs
    if "" in backs:
        return
    inside = next((deck for deck in book.in_play if deck.colour == fact.colour), None)
    rule = s.cites.two_decks
    if inside is None:
        text = f"a deck with {fact.colour[:20]} backs is in the machine: this table plays with {' and '.join(backs)}"
        s.prompt("dealer", text, rule)
        return
    if cards_lie(s.t) and inside.number == book.in_use:
        s.prompt("dealer", f"the deck with {fact.colour} backs is dealt now: put the other one into the machine", rule)
    s.t.decks = replace(book, in_machine=inside.number)


def _cutting_card(s: Step, before: Table, fact: CuttingCard) -> None:
    if s.t.deck.through and s.policy.players_cut:
        note(s, DeckDoing("out", nobody(s), s.t.number, _got_it(s.t), in_round=cards_lie(s.t)))


def _got_it(t: Table) -> str:
    """Returns the place where the cutting card came out, as far as the table knows it."""
    return str(t.deck.begin) if isinstance(t.deck.begin, int) else DEALER


def _round_over(s: Step, before: Table) -> None:
    """Counts the hand for the decks it was dealt from; unfit cards leave now."""
    t = s.t
    if t.round is not None and t.round.closed == "dealt":
        t.decks = changed(t.decks, *(replace(deck, hands=deck.hands + 1) for deck in t.decks.dealt))
    if t.deck.cut_out:  # after all corrections: who really got it
        story = (replace(x, at=_got_it(t)) if x.what == "out" and x.in_round else x for x in t.decks.story)
        t.decks = replace(t.decks, story=tuple(story))
    if rule := t.decks.leaves_after:
        t.decks = replace(t.decks, leaves_after="")
        void_shoe(s, rule, s.powers.replaced.role)


def _offered(s: Step) -> None:
    """Keeps to whom the cut is offered, each time it is somebody else."""
    if not (s.policy.players_cut and s.t.deck.cut_due):
        return
    who = cutter(s.t)
    last = next((x for x in reversed(s.t.decks.story) if x.what in _CUTS), None)
    known = last is not None and (last.what, last.at) == ("offered", who)
    if who and not known:
        note(s, DeckDoing("offered", nobody(s), s.t.number, who, in_round=cards_lie(s.t)))


Listener = Callable[[Step, Table, Any], None]
KEYS: Final[Mapping[str, Listener]] = {
    "checked": _checked,
    "count": _counted,
    "shuffled": _shuffled,
    "cut": _cut,
    "refuse-cut": _declined,
    "cutting-card": _placed,
    "replaced": _replaced,
    "open-table": _opened,
}
LISTENERS: Final[Mapping[type, Listener]] = {
    Key: _key,
    Shuffled: _machine_shuffled,
    DeckIn: _deck_in,
    CuttingCard: _cutting_card,
}
