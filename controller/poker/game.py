"""Crown Poker (document 000): seven games that players play against each other.

The course of a hand is in `controller.poker`; this is what the table asks of every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from controller.cards import UNREAD
from controller.money import short
from controller.places import DEALER, SHARED
from controller.poker import table, view
from controller.poker.document import CROWN_POKER
from controller.poker.hand import choices
from controller.poker.hand.course import DISCARD, HOLE, SIDE, Stage, stage
from controller.poker.hand.shown import COMMUNITY, lying, names
from controller.poker.keys import CROWN_KEYS, SENSELESS
from controller.poker.money import settle, side_wagers
from controller.poker.money.stacks import last_hand, running
from controller.poker.options import CrownOptions, OmahaOptions, crown
from controller.poker.room import notice_board
from controller.poker.room.seats import first_button, room_of
from controller.poker.state import Hand, Room, hand_in
from controller.poker.times import moments
from controller.rules import Cited
from controller.table import causes
from controller.table.facts import AnyFact
from controller.table.holds import on_record
from controller.table.lamps import Lit
from controller.table.limits import limit_now, range_text
from controller.table.play import Play
from controller.table.requests import Cards, Gate, GateName, Handling, Open, Press, Request, Settle, Turn, Wagers
from controller.table.rules import Edge
from controller.table.standing import standing
from controller.table.state import Line, Prompt, Round, Table
from controller.table.step import Step
from controller.table.telling import Called, Hands, InWords, Lying, Settlement, in_odds, won_by_odds


class Crown:
    """One of the seven games."""

    spots: ClassVar = SIDE
    document: ClassVar = CROWN_POKER
    keys: ClassVar = CROWN_KEYS
    shared: ClassVar = tuple(part for part in SHARED if part != DEALER)  # the house has no hand
    lights: ClassVar = view.LIGHTS
    without_chips: ClassVar[tuple[str, ...]] = ()
    odds: ClassVar[Mapping[str, Edge]] = {}

    called: ClassVar = Called("seat", "hand", "side bets")
    opening: ClassVar = SIDE  # 8.15.1
    required: ClassVar[tuple[str, ...]] = ()  # players play against each other

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = notice_board.NAMES[name]
        self.unused = SENSELESS if name in DISCARD else (*SENSELESS, "discard")
        self.options: type[CrownOptions] = OmahaOptions if HOLE[name] == 4 else CrownOptions

    # ---- what a fact means

    def open(self, t: Table) -> None:
        """Gives a table that starts an empty room."""
        t.play = Play(Room(button=first_button(crown(t))))

    def begin(self, t: Table, seq: int, before: Table) -> Step:
        """Returns the step that will follow a fact."""
        return Step(t, self, seq)

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Carries out what a fact means at a poker table; False when it means the same at all tables."""
        return table.follow(s, fact)

    def finish(self, s: Step) -> None:
        """Does nothing: a hand ends when its pot is pushed."""

    def leaves(self, s: Step, place: str) -> None:
        """Does nothing: no wager passes from one hand to the next."""

    def declare_void(self, s: Step, r: Round, rule: str, text: str, *, bare: bool) -> None:
        """Declares a held hand void: all chips go back."""
        hand = hand_in(r)
        if hand is not None:
            settle.all_back(s, r, hand, "void", rule, text, rule)
            return
        on_record(s, "void", rule, text)
        s.prompt("dealer", text, rule)
        side_wagers.undo(s, r, rule, "void")
        s.end("void", rule)

    def resumed(self, s: Step) -> None:
        """Gives whoever is to act the whole time for it."""
        hand = running(s.t)
        if hand is not None and hand.turn:
            hand.since = s.t.now

    # ---- what it shows

    def waiting(self, t: Table) -> Open:
        """Returns what the table waits for; nothing when no hand and no side wager is there."""
        if t.round is None or t.round.outcome:
            return ()
        return (Wagers("8.15.1", SIDE) if hand_in(t.round) is None else _request(stage(t)),)

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips or cards may come now; there are no Jackpot wagers."""
        return view.gate(t, self, what, place)

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what is due now, the most urgent first."""
        if t.round is None or t.round.outcome:
            opens = Cited("", choices.next_blinds(t))
            return [opens] if cards is None else [cards, opens]
        if hand_in(t.round) is None:
            limits = range_text(limit_now(t, ""))
            wagers = Cited("8.15.1", f"players bet on {', '.join(SIDE)} ({limits}); then press no-more-bets")
            return [wagers] if cards is None else [wagers, cards]
        rule, text = choices.due(t)
        deal = view.gate(t, self, "deal", "")
        shut = isinstance(_request(stage(t)), Cards) and not deal.open
        first = [cards or Cited(deal.rule, "no card may be dealt now")] if shut else []
        return [*first, Cited(rule, text)]

    def lamps(self, t: Table) -> Lit:
        """Returns the lamps of the seats; while the table is held only the buttons in front of players."""
        return view.buttons(t) if t.holds else view.lamps(t)

    def sign(self, t: Table) -> list[str]:
        """Returns the lines of the sign."""
        return notice_board.lines(t)

    def cards(self, t: Table) -> Lying:
        """Returns the cards of the hand that is played or was played last, and which of them were shown."""
        last = last_hand(t)
        return Lying() if last is None else lying(*last)

    def settled(self, t: Table, r: Round) -> Settlement:
        """Returns how every side wager of a hand stands, and how its pots were divided."""
        hand = hand_in(r)
        return Settlement(self._side_wagers(r), None if hand is None else settle.divided(r, hand))

    def in_words(self, t: Table, r: Round, seen: Hands) -> InWords:
        """Returns a hand in words: what those are that were shown, and how each side wager was paid."""
        hand = hand_in(r)
        named = {} if hand is None else names(self.name, hand, seen)
        pays = (
            in_odds(line, side_wagers.ODDS, t.options) if won_by_odds(line) else "" for line in self._side_wagers(r)
        )
        return InWords(named, pays=tuple(pays))

    def _side_wagers(self, r: Round) -> list[Line]:
        return standing(r, self.spots, lambda place, spot: Line(place, spot, r.wagers[(place, spot)], "open", 0, ""))

    def phase(self, t: Table) -> object:
        """Returns the street."""
        last = last_hand(t)
        return 0 if last is None else last[1].street

    def stands(self, t: Table, p: Prompt, word: str) -> bool | None:
        """Tells whether a card is still unread, or a key that a prompt offers is still due."""
        if word:
            return self._awaits(t, p, word)
        hand = running(t)
        if hand is None or p.cause != causes.Unread():
            return False
        lying = hand.cards | {COMMUNITY: hand.board}
        return any(UNREAD in lying.get(place, ()) for place in ([p.place] if p.place else lying))

    def _awaits(self, t: Table, p: Prompt, word: str) -> bool | None:
        room = room_of(t)
        match word:
            case "shuffled":
                return bool(t.deck.due or t.deck.refill) or _rest_to_be_shuffled(running(t))
            case "discard":
                hand = running(t)
                return hand is not None and p.place not in (*hand.discarded, *hand.out)
            case "confirm-charge":
                return room.charge > 0 and not room.verified
            case "drop":
                return room.charge > 0
        return None

    def moments(self, t: Table) -> Iterable[int]:
        """Returns the times at which a time to act or an hour that is paid for may end."""
        return moments(t)

    def belongings(self, t: Table) -> dict[str, object]:
        """Returns the stakes, and the hands that are being played."""
        room, hand = room_of(t), running(t)
        return {
            "stakes": (room.stakes, room.slide),
            "hands": (hand.cards, hand.board, hand.paid) if hand is not None else None,
        }

    def left_on_table(self, t: Table) -> str:
        """Returns, in words, the chips that another configuration would forget; "" when there are none."""
        room = room_of(t)
        left = [f"seat {seat} has {short(stake)}" for seat, stake in sorted(room.stakes.items()) if stake]
        left += [f"{short(chips)} of {name} is picked up" for name, chips in room.secured.items() if chips]
        if room.slide:
            left.append(f"{short(room.slide)} is on the slide")
        return ", ".join(left)


def _rest_to_be_shuffled(hand: Hand | None) -> bool:
    """Tells whether the rest of the deck is, or the whole deck was, to be shuffled in this hand."""
    if hand is None:
        return False
    return hand.unshuffled or (hand.shuffle or hand.unburned) is not None


def _request(at: Stage) -> Request:
    """Returns what the table waits for, in the words of every game."""
    match at.what:
        case "act" | "discard":
            return Turn(at.rule, at.place, at.what)
        case "blinds":
            return Turn(at.rule, at.place, "post")
        case "deal":
            return Cards(at.rule, "hands", at.place)
        case "board":
            return Cards(at.rule, "board", COMMUNITY)
        case "over":
            return Settle(at.rule, ())
        case "ruling":
            return Press(at.rule, "misdeal", "dealer")
    return Handling(at.rule, "shuffled" if at.what == "shuffle" else at.what)


CROWN: Final = tuple(Crown(name) for name in HOLE)
