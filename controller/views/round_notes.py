"""Notes on a round that runs: when each card was dealt and turned, who decided what, what went wrong, fact by fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from controller.cards import UNREAD
from controller.games import find
from controller.money import dollars
from controller.places import At
from controller.table.effects import AnyEffect, LinesSettled, Prompted, Refused, RulingMade
from controller.table.facts import (
    Amend,
    AnyFact,
    Archived,
    Badge,
    CardKeysDestroyed,
    CardsOpened,
    ClockStepped,
    Configured,
    HouseChanged,
    Key,
    MeterIs,
    MeterTold,
    ProgramChallenged,
    ProgramChecked,
    ProtectionCleared,
    ProtectionRaised,
    SignedIn,
    Snapped,
    Tick,
    Turned,
)
from controller.table.rules import Rules
from controller.table.state import Line, Round, Ruled, Table
from controller.table.telling import Lying
from controller.tournament.play import play_in
from controller.views.cards import has_cards, seen
from controller.views.changes import difference
from controller.views.moments import iso
from controller.views.presenter import presenter
from controller.views.record import Cited, ClockStep, Correction, Decision, Moment, Prompt, Trouble, Who
from controller.views.words import prompt_words, waiting

MOST_STEPS: Final = 2000  # of one round; what comes behind them is only counted
MOST_WAITS: Final = 3
# Of no round, or not for its players.
_UNNOTED: Final = (
    Snapped,
    Configured,
    ProgramChecked,
    ProgramChallenged,
    Turned,
    CardsOpened,
    CardKeysDestroyed,
    Archived,
    ProtectionRaised,
    ProtectionCleared,
)
_QUIET: Final = (Tick, MeterIs, MeterTold, HouseChanged)  # told only when something came of them


class Happened(NamedTuple):
    """One fact of the journal, with the tables before and after it."""

    seq: int
    at: int  # microseconds, by the machine's clock
    device: str
    fact: AnyFact
    before: Table
    after: Table
    effects: list[AnyEffect]

    @property
    def moment(self) -> Moment:
        """When it happened."""
        return Moment(self.seq, iso(self.at))


class Noted(msgspec.Struct):
    """One step as it is noted: which of its cards are public is known when the round is over."""

    at: Moment
    device: str
    fact: AnyFact
    by: Who
    refused: Cited | None
    prompts: tuple[Prompt, ...]
    rulings: tuple[Cited, ...]
    settled: tuple[Cited, ...]
    waits: tuple[Cited, ...]


class Amended(msgspec.Struct):
    """A correction as it is noted."""

    correction: Correction
    was: AnyFact | None
    now: AnyFact | None


class RoundNotes:
    """The notes on one round, from the fact that opened it on."""

    def __init__(self, first: Happened) -> None:
        self.opened = first.moment
        self.began = first.after.now  # the table's own time
        self.last = first.seq
        self.dealer = ""
        self.tournament = _tournament(first.after)
        self.cards: dict[tuple[str, int], tuple[Moment, Moment | None]] = {}  # dealt and turned, by place and number
        self.wagers: dict[At, tuple[int, Moment]] = {}
        self.decisions: dict[tuple[str, str, int], Decision] = {}
        self.rulings: dict[Ruled, Who] = {}
        self.corrections: list[Amended] = []
        self.clock: list[ClockStep] = []
        self.unconfirmed = False
        self.steps: list[Noted] = []
        self.decks = first.after.decks  # and what was done with their cards
        self.left_out = 0
        self.with_cards: dict[int, AnyFact] = {}
        self.shown: dict[int, set[int]] | None = None  # which of their cards are public, once the round is over
        self._troubles: dict[tuple[str, str, str], Trouble] = {}  # that last, by kind, device and code
        self._cured: list[Trouble] = []
        self._waits: tuple[Cited, ...] = ()

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What failed or held the table in the round, in the order in which it began."""
        return tuple(sorted((*self._cured, *self._troubles.values()), key=lambda trouble: trouble.since.seq))

    def follow(self, happened: Happened, rules: Rules) -> Lying:
        """Notes what a fact of the round has changed; returns the cards as they lie after it."""
        table, moment = happened.after, happened.moment
        assert table.round is not None
        self.decks = table.decks
        if not self.dealer and table.role == "dealer":
            self.dealer = table.name
        lying = rules.cards(table)
        self._note_cards(lying, moment)
        self.note_books(happened, table.round)
        self._note_decisions(table, rules, moment)
        self._note_troubles(table, moment)
        self.unconfirmed |= bool(table.clock.boot) and not table.clock.is_confirmed
        if isinstance(happened.fact, ClockStepped):
            self.clock.append(ClockStep(moment, iso(happened.fact.before), iso(happened.fact.after)))
        if isinstance(happened.fact, Amend):
            self._note_correction(happened, happened.fact, rules)
        self.note_step(happened, rules)
        return lying

    def note_end(self, happened: Happened, rules: Rules) -> None:
        """Notes the fact by which the round is gone without an outcome."""
        if isinstance(happened.fact, Amend):
            self._note_correction(happened, happened.fact, rules)
        self.note_step(happened, rules)

    # ---- what lies on the felt

    def _note_cards(self, lying: Lying, moment: Moment) -> None:
        now: dict[tuple[str, int], tuple[Moment, Moment | None]] = {}
        for place, cards in seen(lying).items():
            for n, card in enumerate(cards, 1):
                dealt, turned = self.cards.get((place, n), (moment, None))
                hidden = card == UNREAD
                now[place, n] = dealt, None if hidden else turned or moment
        self.cards = now

    def note_books(self, happened: Happened, r: Round) -> None:
        """Notes wagers and rulings as the round has them after a fact."""
        moment = happened.moment
        known = self.wagers
        self.wagers = {
            at: known[at] if at in known and known[at][0] == amount else (amount, moment)
            for at, amount in r.wagers.items()
        }
        for ruled in r.rulings:
            self.rulings.setdefault(ruled, who(happened.fact, happened.before))

    def _note_decisions(self, table: Table, rules: Rules, moment: Moment) -> None:
        now: dict[tuple[str, str, int], Decision] = {}
        often: Counter[tuple[str, str]] = Counter()
        for place, word, in_words, amount in presenter(rules).decisions(table, rules):
            key = (place, word, often[place, word])
            often[place, word] += 1
            now[key] = self.decisions.get(key) or Decision(place, word, in_words, moment, amount)
        self.decisions = now

    # ---- what goes wrong

    def _note_troubles(self, table: Table, moment: Moment) -> None:
        standing = _standing(table)
        for key in [key for key in self._troubles if key not in standing]:
            self._cured.append(replace(self._troubles.pop(key), until=moment))
        for key, text in standing.items():
            if key not in self._troubles:
                kind, device, code = key
                self._troubles[key] = Trouble("hold" if kind == "hold" else "fault", code, text, moment, device)

    def _note_correction(self, happened: Happened, fact: Amend, rules: Rules) -> None:
        was = next((noted.fact for noted in self.steps if noted.at.seq == fact.target), None)
        by = corrector(fact)
        refused = refusal(happened.effects)
        changes = {} if refused is not None else difference(happened.before, happened.after, rules)
        made = Correction(happened.moment, fact.target, "", "", by, refused, changes)
        self.corrections.append(Amended(made, was, fact.to))
        if was is not None and has_cards(was):
            self.with_cards[fact.target] = was

    # ---- step by step

    def note_step(self, happened: Happened, rules: Rules) -> None:
        """Notes what a fact was, what came of it, and what the table then waits for."""
        self.last = max(self.last, happened.seq)
        if isinstance(happened.fact, _UNNOTED):
            return
        waits = tuple(Cited(due.text, due.rule) for due in waiting(happened.after, rules)[:MOST_WAITS])
        noted = _noted(happened, waits)
        same = waits == self._waits
        self._waits = waits
        if isinstance(happened.fact, _QUIET) and same and not (noted.prompts or noted.rulings or noted.settled):
            return
        if len(self.steps) >= MOST_STEPS:
            self.left_out += 1
            return
        self.steps.append(noted)
        if has_cards(happened.fact):
            self.with_cards[happened.seq] = happened.fact


def _tournament(table: Table) -> str:
    """Returns the tournament that a table is in; "" when it is in none."""
    own = play_in(table)
    return "" if own is None else own.now.tournament


def _noted(happened: Happened, waits: tuple[Cited, ...]) -> Noted:
    prompts = [effect.prompt for effect in happened.effects if isinstance(effect, Prompted)]
    made = [effect.ruled for effect in happened.effects if isinstance(effect, RulingMade)]
    lines = [line for effect in happened.effects if isinstance(effect, LinesSettled) for line in effect.lines]
    called = find(happened.after.game).called.place
    return Noted(
        happened.moment,
        happened.device,
        happened.fact,
        who(happened.fact, happened.before),
        refusal(happened.effects),
        prompts=tuple(Prompt(prompt.role, prompt_words(prompt), prompt.rule, prompt.place) for prompt in prompts),
        rulings=tuple(Cited(f"{ruled.ruling}: {ruled.text}".rstrip(": "), ruled.rule) for ruled in made),
        settled=tuple(Cited(_line(line, called), line.rule) for line in lines),
        waits=waits,
    )


def _line(line: Line, called: str) -> str:
    sign = "+" if line.net > 0 else ""
    return f"{called} {line.place}: {line.spot} {dollars(line.stake)} {line.result} {sign}{dollars(line.net)}"


def refusal(effects: list[AnyEffect]) -> Cited | None:
    """Returns why a fact was refused; None when it was not."""
    refused = next((effect for effect in effects if isinstance(effect, Refused)), None)
    return None if refused is None else Cited(refused.why, refused.rule)


def who(fact: AnyFact, table: Table) -> Who:
    """Returns who did this: whoever was signed in where a key was pressed; nobody for what a device reports."""
    match fact:
        case Key(person=str(person), role=str(role), account=account) if person:
            return Who(role, person, account)
        case Key(account=account):
            return Who(table.role, table.name, account)
        case Badge(role, name):
            return Who(role, name)
        case SignedIn(person=person, role=role, account=account):
            return Who(role, person, account)
        case Amend():
            return corrector(fact)
    return Who()


def corrector(fact: Amend) -> Who:
    """Returns who made a correction: who was signed in, or else the name that they gave."""
    return Who(fact.role, fact.person or fact.by, fact.account, fact.login)


def _standing(table: Table) -> Mapping[tuple[str, str, str], str]:
    """Returns what fails or holds the table now: kind, device and code, and what is said of it."""
    faults = {
        ("fault", device, code): detail or code
        for device, codes in table.faults.items()
        for code, detail in codes.items()
    }
    return faults | {("hold", held.device, held.code): held.text for held in table.holds.values()}
