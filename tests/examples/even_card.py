"""A game whose engine is nobody else's: one card is turned, and whoever wagered on an even rank wins.

It implements the protocol of games by itself, without anything of `controller.house` or `controller.poker`, so that a
test can see what the rest of the house does with such a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

import msgspec

from controller.cards import rank
from controller.games import game
from controller.money import Odds
from controller.places import place_of
from controller.rules import Cited
from controller.table.declare import Key
from controller.table.documents import Citations, Document, Policy, Power, Powers
from controller.table.facts import AnyFact, CardOut, Chips
from controller.table.facts import Key as Pressed
from controller.table.lamps import Lamp, Lit
from controller.table.options import Options
from controller.table.play import Play
from controller.table.requests import Cards, Gate, GateName, Open, Settle, Wagers
from controller.table.roles import allow, declared
from controller.table.rules import Edge
from controller.table.standing import standing
from controller.table.state import Line, Prompt, Round, Table
from controller.table.step import Refusal, Step
from controller.table.telling import COMMUNITY, Called, Hands, InWords, Lying, Settlement, in_odds, won_by_odds

EVEN: Final = "even"
NO_MORE_BETS: Final = "no-more-bets"
CLOSED_BY: Final = Key(NO_MORE_BETS, plays=True, says="betting is closed")
RULE: Final = "2.1"


class Turned(msgspec.Struct):
    """What the game keeps of a round: the card."""

    card: str = ""


DOCUMENT: Final = Document(
    "EC1",
    Citations(**{name: RULE for name in Citations.__struct_fields__ if name != "sign"}, sign=""),
    Policy(each_round=True, cut_after=(), face_up=True, closing="hands"),
    Powers(
        replaced=Power("supervisor", RULE),
        reconstruct=Power("supervisor", RULE),
        exclude=Power("supervisor", RULE),
        invalidate_fraud=Power("supervisor", RULE),
        invalidate_disturbance=Power("supervisor", RULE),
        close_table=Power("supervisor", RULE),
        settings={},
    ),
)


def card_of(r: Round) -> str:
    """Returns the card that was turned; "" before that."""
    kept = r.play.read(Turned)
    return kept.card if kept is not None else ""


@game
class EvenCard:
    """One card for everybody."""

    name: ClassVar[str] = "even-card"
    title: ClassVar[str] = "Even Card"
    called: ClassVar[Called] = Called("box", "turn")
    options: ClassVar[type[Options]] = Options
    spots: ClassVar[tuple[str, ...]] = (EVEN,)
    opening: ClassVar[tuple[str, ...]] = (EVEN,)
    required: ClassVar[tuple[str, ...]] = (EVEN,)
    without_chips: ClassVar[tuple[str, ...]] = ()
    keys: ClassVar[tuple[Key, ...]] = (CLOSED_BY,)
    shared: ClassVar[tuple[str, ...]] = ("community",)
    unused: ClassVar[tuple[str, ...]] = ()
    lights: ClassVar[tuple[Lamp, ...]] = ()
    document: ClassVar[Document] = DOCUMENT
    odds: ClassVar[Mapping[str, Edge]] = {}

    # ---- what a fact means

    def open(self, t: Table) -> None:
        """Does nothing: no turn has anything to do with the one before."""

    def begin(self, t: Table, seq: int, before: Table) -> Step:
        """Returns the step that will follow a fact."""
        return Step(t, self, seq)

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Does what chips, a card and keys mean."""
        match fact:
            case Chips():
                self._wager(s, fact)
            case CardOut(card):
                r = s.running(RULE)
                s.close_betting("dealt")
                r.play = Play(Turned(card))
            case Pressed():
                self._press(s, fact)
            case _:
                return False
        return True

    def _wager(self, s: Step, fact: Chips) -> None:
        r = s.round or s.open_round()
        if r.closed:
            raise Refusal(RULE, "betting is closed")
        for spot in fact.spots:
            r.wagers[place_of(fact.area, spot.bettor), spot.spot] = spot.amount

    def _press(self, s: Step, pressed: Pressed) -> None:
        allow(s, declared(s, pressed), pressed.args)
        r = s.running(RULE)
        if pressed.key == NO_MORE_BETS:
            s.close_betting("announced")
        elif pressed.key == "settle" and card_of(r):
            s.settle(self._decided(r))
            s.end("settled", "")
        else:
            raise Refusal(RULE, "there is nothing to do with this key now")

    def _decided(self, r: Round) -> list[Line]:
        wins = rank(card_of(r)) % 2 == 0
        return [
            Line(place, spot, stake, "win" if wins else "lose", stake if wins else -stake, RULE)
            for (place, spot), stake in r.wagers.items()
        ]

    def finish(self, s: Step) -> None:
        """Does nothing: a turn ends with the key."""

    def leaves(self, s: Step, place: str) -> None:
        """Does nothing: no wager lies there between two turns."""

    def declare_void(self, s: Step, r: Round, rule: str, text: str, *, bare: bool) -> None:
        """Gives every wager back."""
        s.settle([Line(place, spot, stake, "void", 0, rule) for (place, spot), stake in r.wagers.items()])
        s.end("void", rule)

    def resumed(self, s: Step) -> None:
        """Does nothing: nobody's time ran."""

    # ---- what it shows

    def waiting(self, t: Table) -> Open:
        """Returns the next of wagers, card and settlement."""
        r = t.round
        if r is None or r.outcome:
            return ()
        if not r.closed:
            return (Wagers(RULE, self.opening),)
        return (Settle(RULE, tuple(self._decided(r))),) if card_of(r) else (Cards(RULE, "card", COMMUNITY),)

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips or the card may come."""
        closed = t.round is not None and not t.round.outcome and bool(t.round.closed)
        opened = {"bets": not closed, "deal": closed, "jackpot": False}[what]
        return Gate(opened, "" if opened else RULE)

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what comes next, in words."""
        return [Cited(request.rule, type(request).__name__.lower()) for request in self.waiting(t)]

    def lamps(self, t: Table) -> Lit:
        """Returns nothing: it has no lamps of its own."""
        return {}

    def sign(self, t: Table) -> list[str]:
        """Returns the limits."""
        return [f"{self.title} {t.options['min']} to {t.options['max']}"]

    def cards(self, t: Table) -> Lying:
        """Returns the card, which lies face up."""
        card = card_of(t.round) if t.round is not None else ""
        return Lying({COMMUNITY: [card]} if card else {})

    def settled(self, t: Table, r: Round) -> Settlement:
        """Returns how every wager stands."""
        return Settlement(
            standing(r, self.spots, lambda place, spot: Line(place, spot, r.wagers[place, spot], "open", 0, ""))
        )

    def in_words(self, t: Table, r: Round, seen: Hands) -> InWords:
        """Returns how each wager was paid."""
        lines = self.settled(t, r).lines
        return InWords(pays=tuple(in_odds(line, Odds(1), t.options) if won_by_odds(line) else "" for line in lines))

    def phase(self, t: Table) -> object:
        """Returns nothing: a turn moves on with its betting alone."""
        return None

    def stands(self, t: Table, p: Prompt, word: str) -> bool | None:
        """Tells nothing: it has no prompts of its own."""
        return None

    def moments(self, t: Table) -> Iterable[int]:
        """Returns nothing: no rule hangs on time."""
        return ()

    def belongings(self, t: Table) -> dict[str, object]:
        """Returns the card of the turn that runs."""
        return {"card": card_of(t.round) if t.round is not None and not t.round.outcome else ""}

    def left_on_table(self, t: Table) -> str:
        """Returns nothing: between turns no chips lie there."""
        return ""
