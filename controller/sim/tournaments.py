"""The desks of the tournaments on a simulated floor: their records, and what they and their tables tell each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from controller.games import find
from controller.rules import Role
from controller.table.facts import TournamentTold
from controller.table.state import Prompt
from controller.table.step import Refusal
from controller.tournament import desk, draw
from controller.tournament.deeds import AnyDeed, TableDesignated, TableFreed, TableReported, TimePassed, TournamentAsked
from controller.tournament.designating import designation, extras
from controller.tournament.keys import DIRECTOR
from controller.tournament.news import news
from controller.tournament.play import play_in
from controller.tournament.record import Tournament
from controller.tournament.terms import TermsProblem, TermsSheet, read_items
from controller.tournament.wishes import waiting

if TYPE_CHECKING:
    from controller.sim.floor import SimFloor, SimulatedTable

OnRefusal = Callable[[str, Refusal], None]
OnPrompt = Callable[[str, Prompt], None]


@dataclass
class SimDesk:
    """The desk of one tournament; without a record its terms were refused."""

    name: str
    game: str
    cup: Tournament | None
    role: Role = DIRECTOR
    prompts: list[Prompt] = field(default_factory=list)  # since the tournament began
    asked: tuple[draw.Prompt, ...] = ()  # what the desk is asked to do now


class Desks:
    """All desks of a floor."""

    def __init__(self, floor: SimFloor) -> None:
        self._floor = floor
        self.by_name: dict[str, SimDesk] = {}
        self.on_refusal: OnRefusal = lambda where, refusal: None
        self.on_prompt: OnPrompt = lambda where, prompt: None
        self._newest: dict[str, TournamentTold] = {}  # by table
        self._tables: dict[str, str] = {}  # by table: the desk

    # ---- desks

    def open(
        self, name: str, game: str, items: Mapping[str, str], without: tuple[str, ...], base: TermsSheet | None
    ) -> None:
        """Opens a desk with these terms; all that is wrong with them is refused."""
        rules = find(game).document.tournaments
        if rules is None:
            self.by_name[name] = SimDesk(name, game, None)
            self.on_refusal(name, Refusal("", f"the document of {game} knows no tournaments"))
            return
        before = self.by_name.get(name)
        if before is not None and before.cup is not None:
            self.on_refusal(name, Refusal(rules.at(".2.1"), "this tournament has its terms"))
            return
        now = self._floor.now // 1000
        terms = read_items(rules, items, without, base, now)
        if isinstance(terms, tuple):
            self.by_name[name] = SimDesk(name, game, None)
            for problem in terms:
                self.on_refusal(name, _refusal(problem, rules.at(".2.1")))
            return
        self.by_name[name] = SimDesk(name, game, desk.opened(name, game, rules, terms, now))

    def at(self, table: str) -> SimDesk | None:
        """Returns the desk of this name, or that of the tournament that a table is in."""
        return self.by_name.get(table) or self.by_name.get(self._tables.get(table, ""))

    def do(self, at: SimDesk, deed: AnyDeed, where: str) -> bool:
        """Does something at a desk; False when it was refused, at the table or desk where it was asked for."""
        if at.cup is None:
            self.on_refusal(where, self._no_terms(at))
            return False
        at.cup, refused = desk.follow(at.cup, self._floor.now // 1000, deed)
        if refused is not None:
            self.on_refusal(where, refused)
        self._tell(at)
        return refused is None

    def _no_terms(self, at: SimDesk) -> Refusal:
        rules = find(at.game).document.tournaments
        return Refusal(rules.at(".2.1") if rules is not None else "", "the tournament has no valid terms")

    def time_passed(self) -> None:
        """Lets the records know what time it is."""
        for at in self.by_name.values():
            if at.cup is not None:
                self.do(at, TimePassed(), at.name)

    # ---- tables

    def may_designate(self, tournament: str, table: str, game: str, options: Mapping[str, str]) -> bool:
        """Tells whether a table that is about to start can be the tournament's; if not, that is refused."""
        at = self.by_name.get(tournament)
        deed = TableDesignated(table, game, 0, extras(find(game), dict(options)))
        if at is None or at.cup is None:
            self.on_refusal(table, self._no_terms(at) if at is not None else self._unknown(tournament, game))
            return False
        _, refused = desk.follow(at.cup, self._floor.now // 1000, deed)
        if refused is not None:
            self.on_refusal(table, refused)
        return refused is None

    def _unknown(self, tournament: str, game: str) -> Refusal:
        rules = find(game).document.tournaments
        return Refusal(rules.at(".2.1") if rules is not None else "", f"there is no tournament {tournament}")

    def designate(self, tournament: str, table: SimulatedTable) -> None:
        """Makes a table the tournament's."""
        if not self.may_designate(tournament, table.name, table.begin.game, dict(table.state.options)):
            return
        self._tables[table.name] = tournament
        deed = designation(find(table.begin.game), table.state, table.name)
        self.do(self.by_name[tournament], deed, table.name)

    def follow(self, table: SimulatedTable) -> None:
        """Tells the record what a table has in its outbox, each report once."""
        own, at = play_in(table.state), self.by_name.get(self._tables.get(table.name, ""))
        if own is None or at is None or at.cup is None:
            return
        for report in own.outbox:
            known = at.cup.tables.get(table.name)
            if known is None or report.number <= known.recorded:
                continue
            self.do(at, TableReported(table.name, report), table.name)

    def asked(self, table: SimulatedTable, asked: TournamentAsked) -> None:
        """Does what somebody at a table asks of a record."""
        if isinstance(asked.deed, TableDesignated):
            if table.name not in self._tables:  # else it could not be freed
                self.designate(asked.tournament, table)
            return
        at = self.at(table.name)
        if at is None:
            return
        known = {"table": table.name} if "table" in type(asked.deed).__struct_fields__ else {}
        done = self.do(at, msgspec.structs.replace(asked.deed, **known), table.name)
        if done and isinstance(asked.deed, TableFreed):
            del self._tables[table.name]

    def _tell(self, at: SimDesk) -> None:
        """Tells every table of a tournament how it stands, where that is new; and the desk what it should do."""
        cup = at.cup
        assert cup is not None
        for name in [name for name, tournament in self._tables.items() if tournament == at.name]:
            latest = news(cup, name)
            if self._newest.get(name) != latest and name in self._floor.tables:
                self._newest[name] = latest
                self._submit(self._floor.tables[name], latest)
        self._prompt(at, cup)

    def _submit(self, table: SimulatedTable, latest: TournamentTold) -> None:
        """Tells a table how its tournament stands; what was asked there until now is answered."""
        wishes = waiting(table.state)
        answered = wishes[-1].seq if wishes else 0
        table.service.engine.submit(msgspec.structs.replace(latest, answered=answered))

    def _prompt(self, at: SimDesk, cup: Tournament) -> None:
        wanted = _unbalanced(cup)
        before, at.asked = at.asked, wanted
        for new in (each for each in wanted if each not in before):
            prompt = Prompt(0, 0, DIRECTOR, _words(new), cup.item("tables"), offers=(_key(new),))
            at.prompts.append(prompt)
            self.on_prompt(at.name, prompt)


def _refusal(problem: TermsProblem, otherwise: str) -> Refusal:
    return Refusal(problem.rule or otherwise, f"{problem.item}: {problem.text}")


def _unbalanced(cup: Tournament) -> tuple[draw.Prompt, ...]:
    """Returns what the desk may do about the tables; nothing while no session runs."""
    if cup.stage != "running":
        return ()
    people = {name: len(cup.playing(name)) for name, table in cup.tables.items() if not table.broken}
    people = {name: number for name, number in people.items() if number}
    return draw.unbalanced({name: _places(cup.tables[name].places) for name in people}, people)


def _places(number: int) -> Sequence[int]:
    return range(1, number + 1)


def _words(prompt: draw.Prompt) -> str:
    if isinstance(prompt, draw.Break):
        return f"one table fewer would do: break {prompt.table}"
    return f"move a player from {prompt.source} to {prompt.target}"


def _key(prompt: draw.Prompt) -> str:
    return "break" if isinstance(prompt, draw.Break) else "move"
