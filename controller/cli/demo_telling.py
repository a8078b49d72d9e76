"""What `felt sim` prints of its table: for people as a story, for programs one JSON object a line."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.cards import UNREAD
from controller.config import TableConfig
from controller.counts import many
from controller.daemon.compose import Daemon
from controller.journal.verify import Report
from controller.rules import by
from controller.script.course import Course
from controller.script.engines import engine
from controller.sim.people import PIN, badge_of
from controller.table.effects import AnyEffect, Prompted, Refused, RoundEnded
from controller.table.facts import AnyFact
from controller.table.rules import Rules
from controller.table.state import Prompt, Round, Table
from controller.views import round_text, rounds
from controller.views.cards import public_hands
from controller.views.words import prompt_words

Say = Callable[[str], None]


class DemoTelling(ABC):
    """Tells of one simulated table, and of the next one when another game is wanted."""

    rules: Rules  # of the table that it tells of

    def __init__(self, say: Say) -> None:
        self.say = say

    @abstractmethod
    def begin(self, config: TableConfig, daemon: Daemon, control: Path) -> None:
        """Tells which table it is, and where it can be looked at and played."""

    def follow(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Tells what people are told, what was refused, and each round when it is over."""
        for effect in effects:
            if isinstance(effect, Prompted):
                self.prompted(effect.prompt)
            elif isinstance(effect, Refused):
                self.refused(effect)
        if table.round is not None and any(isinstance(effect, RoundEnded) for effect in effects):
            self.round_ended(table, table.round)

    @abstractmethod
    def prompted(self, prompt: Prompt) -> None:
        """Tells what one role was told."""

    @abstractmethod
    def refused(self, effect: Refused) -> None:
        """Tells what the table refused."""

    @abstractmethod
    def round_ended(self, table: Table, round_: Round) -> None:
        """Tells a round that is over."""

    @abstractmethod
    def serve(self) -> None:
        """Tells that all rounds are dealt, and the table stays."""

    @abstractmethod
    def end(self, dealt: int, facts: int, report: Report) -> None:
        """Tells how many rounds were dealt, and whether the journal is sound."""


class StoryTelling(DemoTelling):
    """Tells people; `felt` is how the command is called in this terminal."""

    def __init__(self, say: Say, felt: str = "felt") -> None:
        super().__init__(say)
        self._felt = felt
        self._begun = False

    def begin(self, config: TableConfig, daemon: Daemon, control: Path) -> None:
        self.rules = daemon.service.engine.game
        self._course = engine(self.rules).course()
        if self._begun:
            self.say("")
        self._begun = True
        self.say(f"table {config.table.name}: {config.table.game} on {len(config.devices)} simulated devices")
        if daemon.pages:
            self.say(f"look at it in a browser:           {daemon.pages}/table")
            person = f"badge {badge_of('dealer')}, PIN {PIN}"
            self.say(f"play it there:                     {daemon.pages}/console  ({person})")
            higher = f"{badge_of('supervisor')}, {badge_of('area-manager')}, {badge_of('tournament-director')}"
            self.say(f"others with the same PIN:          {higher}; people.toml is not read")
        self.say(f"look at it from another terminal:  {self._felt} status --socket {config.api.socket}")
        self.say(f"devices can be played at:          {control}\n")

    def prompted(self, prompt: Prompt) -> None:
        about = f" about {prompt.place}" if prompt.place else ""
        self.say(f"  [{prompt.role} is told{about}: {prompt_words(prompt)}{by(prompt.rule)}]")

    def refused(self, effect: Refused) -> None:
        self.say(f"  [refused: {effect.why}{by(effect.rule)}]")

    def follow(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        if table.round is not None:
            self._course.follow(table.round)
        super().follow(seq, fact, table, effects)

    def round_ended(self, table: Table, round_: Round) -> None:
        for line in _story(table, round_, self.rules, self._course):
            self.say(line)
        self._course = engine(self.rules).course()

    def serve(self) -> None:
        self.say("the table goes on serving; Ctrl-C ends it")

    def end(self, dealt: int, facts: int, report: Report) -> None:
        verdict = "sound" if report.ok else f"NOT SOUND: {report.cause}"
        played = f"{many(dealt, 'round')}, {many(facts, 'fact')}"
        self.say(f"\n{played}; journal verified, {many(report.checked, 'record')}: {verdict}")


def _story(table: Table, round_: Round, rules: Rules, course: Course) -> Iterator[str]:
    """Yields one round for people: cards, decisions, and what became of each wager by which rule."""
    yield f"{rules.called.round} {round_.number}: {round_.outcome}{by(round_.rule)}"
    cards = public_hands(table, rules)
    names = rules.in_words(table, round_, cards).names
    in_words = {place: ["face down"] if set(hand) == {UNREAD} else hand for place, hand in cards.items()}
    yield from list(course.lines(round_, in_words, names)) or round_text.lines(rounds.view(table, rules) or {})


class JsonTelling(DemoTelling):
    """Tells programs: each line is an object with one name, which says what it tells."""

    def begin(self, config: TableConfig, daemon: Daemon, control: Path) -> None:
        self.rules = daemon.service.engine.game
        self._tell(
            table={
                "name": config.table.name,
                "game": config.table.game,
                "devices": sorted(config.devices),
                "pages": daemon.pages or None,
                "socket": str(config.api.socket),
                "control": str(control),
            }
        )

    def prompted(self, prompt: Prompt) -> None:
        place, offers = prompt.place, list(prompt.offers)
        self._tell(
            prompt={
                "role": prompt.role,
                "text": prompt_words(prompt),
                "rule": prompt.rule,
                "place": place,
                "offers": offers,
            }
        )

    def refused(self, effect: Refused) -> None:
        self._tell(refused={"why": effect.why, "rule": effect.rule})

    def round_ended(self, table: Table, round_: Round) -> None:
        self._tell(round=rounds.view(table, self.rules))

    def serve(self) -> None:
        self._tell(serving=True)

    def end(self, dealt: int, facts: int, report: Report) -> None:
        journal = {"ok": report.ok, "checked": report.checked, "code": report.code, "cause": report.cause}
        self._tell(end={"rounds": dealt, "facts": facts, "journal": journal})

    def _tell(self, **what: Any) -> None:
        self.say(json.dumps(what))
