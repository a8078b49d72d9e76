"""A game against the house: it declares itself, and its script answers what the table asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from controller.cards import UNREAD
from controller.house import chips, dealing, duties, jackpot, notice_board, pays, view
from controller.house.deck import machine_shuffled
from controller.house.documents import HouseDocument
from controller.house.keys import ABOUT_CUTTING, DECISIONS, NEVER_USED, key_pressed
from controller.house.layout import Layout, Stake, lay_out, look, remember
from controller.house.options import House
from controller.house.pays import EVEN_MONEY, Pays, Ranked
from controller.house.rulings import Dialogue, Tell
from controller.house.script import Script
from controller.house.state import own
from controller.house.step import HouseStep
from controller.house.turned import as_they_left, hidden, left_by, note_turned, open_by
from controller.places import JACKPOT, SHARED, Place, area_of, place_of
from controller.rules import Cited
from controller.table import causes, declare
from controller.table.board import Row
from controller.table.facts import (
    AnyFact,
    CardOut,
    CardsOut,
    Chips,
    CuttingCard,
    Key,
    ShoeEmpty,
    Shuffled,
)
from controller.table.holds import on_record
from controller.table.keys import ON_AN_OFFER
from controller.table.lamps import Lamp, Lit
from controller.table.options import Chosen
from controller.table.requests import Choice, Decision, Gate, GateName, Open
from controller.table.rules import Edge
from controller.table.standing import standing
from controller.table.state import Line, Prompt, Round, Table
from controller.table.step import Step
from controller.table.telling import BURN, COMMUNITY, Called, Hands, InWords, Lying, Settlement, Verdict


class HouseGame(ABC):
    """One approved game: pure rules."""

    name: ClassVar[str]
    title: ClassVar[str]  # its name as players know it
    called: ClassVar[Called] = Called()
    options: ClassVar[type[House]]  # what its tables can be set to
    spots: ClassVar[tuple[str, ...]]
    keys: ClassVar[tuple[declare.Key, ...]]  # beyond those of every table
    shared: ClassVar[tuple[str, ...]] = SHARED  # where cards lie that are no player's
    decides: ClassVar[tuple[str, ...]] = DECISIONS  # the keys of what its players decide
    opening: ClassVar[tuple[str, ...]]  # the spots for wagers before the deal
    without_chips: ClassVar[tuple[str, ...]] = ()  # spots of lines that are settled on the stake of another wager
    seen_folded: ClassVar[
        Mapping[Decision, tuple[str, ...]]
    ] = {}  # a way to fold -> spots that the hand is still seen for
    lights: ClassVar[tuple[Lamp, ...]] = ()
    required: ClassVar[tuple[str, ...]]  # those without which nobody is dealt to
    document: ClassVar[HouseDocument]  # citations, policy, powers
    odds: ClassVar[Mapping[str, Edge]] = {}  # opening wager -> how the house's edge is computed

    # ---- what each game says for itself

    @abstractmethod
    def dealer(self, f: Layout) -> Verdict | None:
        """Returns what the dealer's hand is worth, when it lies open; None in games where that is no question."""

    def pays(self, options: Chosen, spot: str, hand: Ranked | None) -> Pays | None:
        """Returns the odds by which a wager is paid when it wins, with this hand; None when they are not known."""
        return EVEN_MONEY

    @abstractmethod
    def stake(self, f: Layout, place: str, spot: str) -> Stake:
        """Returns how much of a wager counts."""

    @abstractmethod
    def play(self, f: Layout) -> Script:
        """Runs the round, from the first wager to the last payment: yields what the table waits for."""

    @abstractmethod
    def decided(self, f: Layout) -> list[Line]:
        """Returns every wager that can be settled now, in the order in which the dealer does it."""

    @abstractmethod
    def upcoming(self, f: Layout) -> tuple[list[str], str]:
        """Returns who will still get cards in this deal or the next one, as things stand, and the rule on that."""

    @abstractmethod
    def surplus(self, f: Layout) -> Cited:
        """Returns rule and meaning of a card that left the shoe although none was due."""

    @abstractmethod
    def irregular(self, f: Layout, fact: Key) -> Dialogue:
        """Leads the dialogue about something that nobody waited for."""

    # ---- what most games have no need to say

    def opens(self, t: Table, place: Place, spot: str) -> bool:
        """Tells whether a wager on this spot is made before the deal, as things stand."""
        return spot in self.opening

    def unequal(self, r: Round, place: Place) -> Cited | None:
        """Returns what is wrong with wagers of a place that must be equal; None when nothing is."""
        return None

    def shares(self, f: Layout, place: Place) -> Iterable[Place]:
        """Returns the places whose wagers come before this one's in a maximum that they share with it."""
        return ()

    def asks_first(self, r: Round, place: Place, spot: str) -> Iterable[Tell]:
        """Returns what the dealer has to ask others when this wager is made."""
        return ()

    def jackpot_cards(self, f: Layout, place: str) -> list[str] | None:
        """Returns the five cards on which a Jackpot wager is judged; None when the hand takes no part any more."""
        return None

    def left_out(self, f: Layout, place: Place) -> str:
        """Returns the rule by which a place with wagers gets no cards; "": the one that says who does."""
        return ""

    @property
    def unused(self) -> tuple[str, ...]:
        """The names of keys that mean nothing in this game, at no moment."""
        policy = self.document.policy
        others = [key for key in DECISIONS if key not in self.decides]
        return (
            *NEVER_USED,
            *others,
            *(() if policy.players_cut else ABOUT_CUTTING),
            *(("owner",) if policy.one_hand else ()),
            *(() if policy.burn_first else ("show-burn",)),
        )

    # ---- what a fact means

    def open(self, t: Table) -> None:
        """Does nothing: a house game keeps nothing of its own between rounds."""
        return

    def begin(self, t: Table, seq: int, before: Table) -> HouseStep:
        """Returns the step that will follow a fact; `before`: the table as it was."""
        return HouseStep(t, self, seq, look(before, self))

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Does what cards, chips and keys mean; False for what means the same at all tables."""
        assert isinstance(s, HouseStep)
        match fact:
            case CardOut():
                dealing.card_out(s, fact)
            case CardsOut():
                dealing.cards_out(s, fact)
            case CuttingCard():
                dealing.cutting_card_out(s)
            case ShoeEmpty():
                dealing.shoe_empty(s)
            case Chips():
                chips.chips_read(s, fact)
            case Key():
                key_pressed(s, fact)
            case Shuffled():
                machine_shuffled(s, fact)
            case _:
                return False
        return True

    def finish(self, s: Step) -> None:
        """Ends a round whose script has come to its end, or that has nothing at stake any more; keeps the layout."""
        assert isinstance(s, HouseStep)
        s.settle_down()
        if s.after is not None and s.round is not None:
            note_turned(s.after)
            remember(s.t, s.after)

    def leaves(self, s: Step, place: str) -> None:
        """Gives back a Jackpot wager that was carried over."""
        assert isinstance(s, HouseStep)
        jackpot.leaves(s, place)

    def declare_void(self, s: Step, r: Round, rule: str, text: str, *, bare: bool) -> None:
        """Declares a held round void: all wagers go back, also those that were settled."""
        assert isinstance(s, HouseStep)
        on_record(s, "void", rule, text)
        s.prompt("dealer", text, rule)
        s.reverse(rule, "void")
        s.settle(s.open_lines(rule, "void"))
        if bare:
            s.after = Layout(s.t, r, self)
        s.end("void", rule)

    def resumed(self, s: Step) -> None:
        """Does nothing: nobody's time ran while the table was held."""
        return

    # ---- what it shows

    def on_sign(self, options: House) -> Iterable[Row]:
        """Returns what the limit sign of this game says beside the limits and the Jackpot."""
        return ()

    def waiting(self, t: Table) -> Open:
        """Returns what the table waits for; nothing when no round is running."""
        f = look(t, self)
        return f.waiting if f is not None else ()

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips, cards or Jackpot wagers may come now."""
        return view.gate(t, self, what, place)

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what is due now, the most urgent first."""
        return duties.due(t, self, cards)

    def lamps(self, t: Table) -> Lit:
        """Returns nothing: the table itself lights all that a house game needs."""
        return {}

    def sign_rows(self, t: Table) -> list[Row]:
        """Returns what the limit sign says beside the limits, as label and value."""
        return list(notice_board.rows(self, t.options.of(House)))

    def sign(self, t: Table) -> list[str]:
        """Returns the lines of the limit sign."""
        return notice_board.lines(t, self)

    def cards(self, t: Table) -> Lying:
        """Returns the cards of the round that runs or of the last one, and which of them the rules have turned."""
        if t.round is None:
            return Lying()
        f = look(t, self) or lay_out(t, t.round, self)
        strays = [card for cards in f.strays.values() for card in cards]
        left = as_they_left(f) if t.options.typed.decks > 1 else ()
        return Lying(
            f.hands,
            hidden(f),
            aside=(*strays, *(drawn.card for drawn in f.held)),
            burns=tuple(f.burns),
            held=len(f.held),
            verdict=self.dealer(f),
            left=left,
            open_by=open_by(f),
            left_by=left_by(f, left),
        )

    def in_words(self, t: Table, r: Round, seen: Hands) -> InWords:
        """Returns a round in words: hands by name, decisions, and how each wager was paid."""
        board = seen.get(COMMUNITY, [])
        hands = {place: pays.ranked(cards, board) for place, cards in seen.items() if place not in (COMMUNITY, BURN)}

        def paid(line: Line) -> str:
            hand = hands.get(place_of(area_of(line.place)))
            return pays.words(line, self.pays(t.options, line.spot, hand), t.options, hand)

        decisions: dict[str, list[str]] = {}
        for (_, place), decision in own(r).choices.items():
            decisions.setdefault(place, []).append(decision.text)
        return InWords(
            {place: hand.name for place, hand in hands.items() if hand is not None},
            decisions,
            tuple(paid(line) for line in self.settled(t, r).lines),
        )

    def settled(self, t: Table, r: Round) -> Settlement:
        """Returns how every wager of a round stands."""
        f = Layout(t, r, self)

        def still_open(place: str, spot: str) -> Line:
            at = self.stake(f, place, spot) if spot != JACKPOT else Stake(f.wager(place, spot))
            return Line(place, spot, at.counts, "open", 0, "", at.surplus)

        return Settlement(standing(r, (*self.spots, JACKPOT), still_open))

    def phase(self, t: Table) -> object:
        """Returns nothing: a house game moves on with its betting and its rounds alone."""
        return None

    def stands(self, t: Table, p: Prompt, word: str) -> bool | None:
        """Tells whether a card is unread or without a place, or somebody decides, or may take the wagers back.

        Of other keys the table itself knows it.
        """
        f = look(t, self)
        if word:
            offered = f is not None and p.place in f.own.offers
            return offered if word in ON_AN_OFFER else None
        if f is None:
            return False
        match p.cause:
            case causes.Unread():
                return any(UNREAD in f.hands.get(place, ()) for place in ([p.place] if p.place else f.hands))
            case causes.Surplus():
                return f.early
            case _:
                return any(isinstance(q, Choice) for q in f.waiting)

    def moments(self, t: Table) -> Iterable[int]:
        """Returns nothing: no rule of a house game hangs on time alone."""
        return ()

    def belongings(self, t: Table) -> dict[str, object]:
        """Returns the cards that left the shoe in the round that is running."""
        r = t.round if t.round is not None and not t.round.outcome else None
        return {"cards": [drawn.card for drawn in own(r).tape] if r is not None else None}

    def left_on_table(self, t: Table) -> str:
        """Returns nothing: between rounds no chips of players lie there."""
        return ""
