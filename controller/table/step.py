"""One step under way: the table's copy, its game, and what is told to whom."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.jackpot.rules import Terms
from controller.places import JACKPOT, At, Place, area_of
from controller.rules import GIVEN_BACK, TAKEN_BACK, WON_OR_LOST, Outcome, Result, Role, Rule, RulingKind, is_role
from controller.table import prompts
from controller.table.causes import AnyCause
from controller.table.effects import (
    AnyEffect,
    LinesSettled,
    MeterChanged,
    Prompted,
    RoundEnded,
    RoundOpened,
    RulingMade,
)
from controller.table.facts import AnyFact, Chips, Key
from controller.table.history import NOTHING
from controller.table.jackpot import outbox
from controller.table.options import Chosen, demanded
from controller.table.rules import Rules
from controller.table.state import Burn, Line, Prompt, Round, Ruled, Table, encode

PROMPTS_KEPT = 100  # of different ones; far more than a round has


class Refusal(Exception):
    """A wish is not granted, by this rule."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(why)
        self.rule = rule
        self.why = why


class CardsForbid(Refusal):
    """A wish is not granted for what cards are that may lie face down: nobody may learn that without asking for it."""


class Step:
    """The only thing that writes the table; used by one step and thrown away."""

    def __init__(self, table: Table, game: Rules, seq: int) -> None:
        self.t = table
        self.role: Role = table.role  # of who does this
        self.name = table.name
        self.elsewhere = False  # whether they are signed in at another place than the console
        self.place = "console"  # where that is
        self.game = game
        self.document = game.document
        self.cites = game.document.citations
        self.policy = game.document.policy
        self.powers = game.document.powers
        self.seq = seq
        self.effects: list[AnyEffect] = []
        self.mixed = False  # whether all cards were shuffled in it
        self.resumed: list[AnyFact] = []  # chips that were read while the table was held, and count now

    def done_by(self, pressed: Key) -> None:
        """Takes the person whom the key names, who is signed in elsewhere, for the one who does this."""
        if not is_role(pressed.role):
            raise Refusal("", f'there is no role "{pressed.role}"')
        self.role, self.name, self.elsewhere, self.place = pressed.role, pressed.person, True, pressed.place

    @property
    def jackpot(self) -> Terms | None:
        """How the prize meter system of this table is set up; None when no Jackpot is offered."""
        return self.t.options.typed.terms

    @property
    def auto(self) -> bool:
        """Whether cards are checked, shuffled and cut by themselves."""
        return self.t.options.typed.gates == "auto"

    @property
    def cut_after_shuffle(self) -> bool:
        """Whether cards are cut that came out of this table's shoe."""
        return self.t.options.typed.shoe in self.policy.cut_after

    @property
    def never_due(self) -> bool:
        """Whether the cards are never shuffled by hand: the machine does it all the time."""
        return self.t.options.typed.shoe == "csm" and not self.policy.each_round

    @property
    def burns_first(self) -> bool:
        """Whether a card is burned after a shuffle."""
        return self.policy.burn_first and self.t.options.typed.burn

    @property
    def round(self) -> Round | None:
        """The round that is running; None between rounds."""
        return self.t.round if self.t.round is not None and not self.t.round.outcome else None

    def running(self, rule: str) -> Round:
        """Returns the round that is running; refuses, by this rule, when there is none."""
        if self.round is None:
            raise Refusal(rule, "no round is running")
        return self.round

    # ---- telling people

    def prompt(
        self,
        role: Role,
        text: str,
        rule: Rule,
        place: Place = "",
        offers: tuple[str, ...] = (),
        cause: AnyCause | None = None,
    ) -> None:
        """Tells somebody something: to the outside each time; the table keeps what was said once, the newest last."""
        first = Prompt(self.seq, self.t.number, role, text, rule, place, offers, cause, self.t.now + self.t.ahead)
        prompt = prompts.counted(self.t, first)
        self.t.live = prompts.show(self.t.live, prompt)[-PROMPTS_KEPT:]
        self.t.prompts = prompts.with_newest(self.t.prompts, prompt)[-PROMPTS_KEPT:]
        self.effects.append(Prompted(prompt))

    def nothing_to_do(self) -> None:
        """Closes what this fact has told without offering a key: it was said, and nobody has to see to it."""
        self.t.live = [p for p in self.t.live if p.seq != self.seq or p.offers]

    def ruled(self, ruling: RulingKind, rule: Rule, text: str) -> None:
        """Records a ruling on the round, and tells the outside."""
        entry = Ruled(self.seq, ruling, rule, text)
        if self.t.round is not None:
            self.t.round.rulings.append(entry)
        self.effects.append(RulingMade(self.t.number, entry))

    # ---- the life of a round

    def open_round(self) -> Round:
        """Opens a round and returns it; what was carried over to it lies there from the beginning."""
        t = self.t
        t.opening, t.history = b"", NOTHING
        t.opening = encode(t)
        t.number += 1
        t.before = t.round.opened if t.round is not None else 0
        t.prompts = []
        if self.auto:
            self.ready_cards()
        if self.never_due:  # the cards of the last round are in the machine again
            t.shoe, t.deck.seen = t.shoe.mixed(), {}
        r = Round(t.number, self.seq, burns=t.deck.burns)
        t.deck.burns, t.deck.cut_out, t.deck.count_after, t.deck.next_bad = [], False, "", ""
        t.round = r
        r.meter_before = t.jackpot.meter
        r.wagers.update({(place, JACKPOT): stake for place, stake in t.jackpot.carried.items()})
        r.carried, t.jackpot.carried = list(t.jackpot.carried), {}
        outbox.round_opens(t)
        self.effects.append(RoundOpened(t.number))
        return r

    def ready_cards(self) -> None:
        """Does by itself what a dealer does with the cards before a round."""
        if not self.t.deck.bad:
            self.t.deck.checked = True
            if self.t.deck.due:
                self.shuffle()
            self.t.deck.cut_due = False

    def shuffle(self) -> None:
        """Records that all cards are mixed: nothing is known of their order, and what was held back is among them."""
        deck, t, self.mixed = self.t.deck, self.t, True
        deck.due, deck.through, deck.missed, deck.refill = "", False, False, False
        deck.cut_due = self.cut_after_shuffle
        deck.burn_due = self.burns_first
        deck.seen, deck.burns, t.held = {}, [], []
        t.shoe = t.shoe.mixed()

    def close_betting(self, how: Literal["announced", "dealt"]) -> None:
        """Closes betting: it was announced, or the first card is out."""
        r = self.t.round
        assert r is not None
        r.closed = how

    def settle(self, lines: list[Line]) -> None:
        """Makes these results final: only a counter-entry can take them back."""
        r = self.t.round
        if not lines or r is None:
            return
        r.settlements += 1
        lines = [self._with_token(r, line) for line in lines]
        r.lines.extend(lines)
        for line in lines:
            self._leaves_jackpot(line)
        self.effects.append(LinesSettled(r.number, r.settlements, tuple(lines)))

    def change_meter(self, by: int) -> None:
        """Moves the prize meter by so much, and tells the outside what it holds."""
        if by:
            self.t.jackpot.meter += by
            self.effects.append(MeterChanged(self.t.jackpot.meter, self.t.jackpot.resets))

    def _leaves_jackpot(self, line: Line) -> None:
        """Takes a settled Jackpot wager out of the game; one that goes back takes its increment with it."""
        game, system = self.t.jackpot, self.jackpot
        if line.spot != JACKPOT or system is None:
            return
        if line.result == "carried":
            game.carried[line.place] = line.stake
            return
        game.carried.pop(line.place, None)
        if line.place in game.registered:
            game.registered.remove(line.place)
            self.change_meter(outbox.reversals(self.t, [line.place]) if line.result in GIVEN_BACK else 0)

    def _with_token(self, r: Round, line: Line) -> Line:
        """Returns the line of a wager made in a token with what becomes of the token.

        It stays with the house when its wager is won or lost, and is no chip of the player's; otherwise nothing was
        settled.
        """
        if line.at not in r.tokens or line.result == "reversed":
            return line
        kept = line.result in WON_OR_LOST
        return msgspec.structs.replace(line, net=max(0, line.net), token="kept" if kept else "returned")

    def reverse(self, rule: Rule, result: Result) -> None:
        """Writes counter-entries for all that was settled: it ends as `result`, or is open again ("reversed")."""
        r = self.t.round
        assert r is not None
        standing: dict[At, Line] = {}
        for line in r.lines:
            standing[line.at] = line
        self.settle(
            [
                Line(x.place, x.spot, x.stake + x.surplus, result, 0, rule)
                for x in standing.values()
                if x.result not in TAKEN_BACK
            ]
        )

    def end(self, outcome: Outcome, rule: Rule) -> None:
        """Ends the round: the layout is cleared; what passes to the next round is kept."""
        t, r = self.t, self.t.round
        assert r is not None
        r.outcome, r.rule = outcome, rule
        r.meter_after = t.jackpot.meter
        t.talk = None
        if (self.policy.each_round or t.deck.refill) and not t.deck.bad:
            t.deck.due = t.deck.due or self.cites.first_shuffle
        t.deck.refill = False
        if t.deck.missed:
            t.deck.missed = False
            self.prompt("dealer", "shuffle the cards now", self.cites.missed_shuffle, offers=("shuffled",))
        if t.button and outcome == "settled":  # one place clockwise after each round that was completed
            t.button = str(int(t.button) % t.options.typed.seats + 1)
        if rule_after := t.deck.count_after:
            t.deck.must_be_counted(rule_after, after_misdeal=True)
            for role in ("supervisor", "dealer"):
                self.prompt(role, "the hand is over: have all the cards counted", rule_after, offers=("count",))
        if t.deck.next_bad:  # what the machine found out about the deck that comes next
            t.deck.bad, t.deck.two_colours = t.deck.next_bad, True
            self.prompt("supervisor", "the cards are out of play: replace them", t.deck.bad, offers=("replaced",))
        self._idle(r)
        if t.house_next:  # what the house has set meanwhile: it was read when it came
            t.options, t.house_next = Chosen(demanded(t.options.typed, t.house_next)), {}
        self.effects.append(RoundEnded(r.number, outcome, rule))

    def _idle(self, r: Round) -> None:
        """Tells the dealer of seats that may be asked back: some rounds without a wager at a full table."""
        t, most = self.t, self.policy.idle_rounds
        if most is None:
            return
        active = {t.seats.get(place) for place, _ in r.wagers}
        taken = {area_of(place) for place in t.seats}
        for place, who in t.seats.items():
            person = t.people[who]
            person.idle = 0 if who in active else person.idle + 1
            if person.idle >= most and "." not in place and len(taken) >= t.options.typed.seats:
                text = "has not wagered for three rounds and may be asked to leave the seat"
                self.prompt("dealer", text, self.cites.idle, place)

    # ---- cards outside the hands

    def burn(self, card: str) -> None:
        """Keeps a card that was burned."""
        burns = self.t.deck.burns if self.round is None else self.round.burns
        burns.append(Burn(card))
        self.t.deck.burn_due = False

    # ---- what only the game knows

    def cards_out(self) -> list[str]:
        """Returns the cards of the round that left a shoe; none where no shoe is used."""
        return []

    def burns_change(self, on: bool) -> None:
        """Keeps that from the next card on burn cards are read, or not."""

    def chips_lie(self, fact: Chips) -> None:
        """Keeps a reading of chips that was refused, also between rounds."""

    def lies_there(self, at: At, amount: int) -> None:
        """Keeps chips that were read on a spot and are no wager."""
