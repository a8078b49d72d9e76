"""A tournament as a mode of a table: the game's rules stay as they are, and a tournament's stand around them.

The record says who plays, with which bank, by which level, and whether a round may open; the table tells it what each
round came to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from controller.places import Place, area_of
from controller.rules import Cited, Rule
from controller.table import facts
from controller.table.declare import named
from controller.table.facts import AnyFact, TournamentTold
from controller.table.options import Chosen, altered
from controller.table.people import places
from controller.table.play import NOTHING_PLAYED, Play
from controller.table.requests import Gate, GateName
from controller.table.roles import declared
from controller.table.rules import Rules
from controller.table.state import Round, Table, round_runs
from controller.table.step import Refusal, Step
from controller.tournament import wishes
from controller.tournament.bets import BetSizes
from controller.tournament.deeds import AnyDeed, DeskKey, GotUp, PlaceDrawn, TableFreed, TournamentAsked
from controller.tournament.designating import (
    asked_for,
    designation,
    is_asked_for,
    is_extra,
    needs_manager,
    no_cash_game,
    plain_name,
)
from controller.tournament.items import BY_NAME
from controller.tournament.keys import DESK_KEYS
from controller.tournament.news import standing
from controller.tournament.play import TournamentPlay, chapter, play_in
from controller.tournament.reports import BeganReport, EndedReport

WITH_MONEY: Final = ("stack=", "add=", "take=")  # what may come with a seat at a cash table


class TournamentMode(ABC):
    """The rules of a game in a tournament, as far as all games have them."""

    of_level: ClassVar[tuple[str, ...]]  # the options that a level sets

    def __init__(self, game: Rules) -> None:
        self.game = game
        self.chapter = chapter(game)

    def rule(self, below: str) -> Rule:
        """Returns the number of a rule in the document's chapter on tournaments."""
        return self.chapter.at(below)

    def item(self, name: str) -> Rule:
        """Returns the number of an item of the terms."""
        return BY_NAME[name].number(self.chapter) or self.rule(".4")

    # ---- what a fact means

    def begin(self, t: Table, seq: int, before: Table) -> Step:
        """Returns the step that will follow a fact: the game's own."""
        return self.game.begin(t, seq, before)

    def follow(self, s: Step, fact: AnyFact) -> bool:
        """Does what a fact means: in the tournament, or in the game."""
        if isinstance(fact, TournamentTold):
            self._hear(s, fact)
            return True
        own = play_in(s.t)
        if isinstance(fact, facts.Key) and is_asked_for(fact):
            self._designate(s, own, fact)
            return True
        assert own is not None  # a table without one is in no tournament
        if isinstance(fact, facts.Key) and self.pressed(s, own, fact):
            return True
        return self.play(s, own, fact)

    @abstractmethod
    def play(self, s: Step, own: TournamentPlay, fact: AnyFact) -> bool:
        """Does what a fact means that is no key of the tournament."""

    def finish(self, s: Step) -> None:
        """Does what has come due, and tells the record of rounds that have begun, or are over."""
        self.game.finish(s)
        own, r = play_in(s.t), s.t.round
        if own is None or r is None:
            return
        if r.number > own.began:
            self._tell_began(s, own, r)
        if r.outcome and r.number == own.began:
            self._tell_ended(s, own, r)

    # ---- what the record says

    def _hear(self, s: Step, word: TournamentTold) -> None:
        wishes.answer(s.t, word)
        own, latest = play_in(s.t), _usable(s.t, word)
        if own is None:
            if not latest.tournament:
                self._tell_refusal(s, word)
                return
            own = TournamentPlay(latest, latest, {}, began=s.t.number, ended=s.t.number, numbered=latest.recorded)
            own.before = {name: s.t.options[name] for name in self.of_level}
            s.t.mode = Play(own)
        own.latest = latest
        own.outbox = [report for report in own.outbox if report.number > latest.recorded]
        if s.round is None:
            self._apply(s, own)
        self._tell_refusal(s, word)

    def _tell_refusal(self, s: Step, word: TournamentTold) -> None:
        if word.refused:
            s.prompt("dealer", word.refused, word.refused_rule)

    def _designate(self, s: Step, own: TournamentPlay | None, pressed: facts.Key) -> None:
        """Asks a record to have this table, or to free it; in another tournament it is freed of that first."""
        declared(s, pressed)
        wanted, current = asked_for(pressed), own.latest.tournament if own is not None else ""
        needs_manager(self.game, s.role)
        if wanted == plain_name(current):
            return
        asked = []
        if current:
            asked.append(TournamentAsked(TableFreed(""), by=s.name))
        else:
            no_cash_game(self.game, s.t)
        if wanted:
            asked.append(TournamentAsked(designation(self.game, s.t), wanted, s.name))
        wishes.ask(s, *asked)

    def _apply(self, s: Step, own: TournamentPlay) -> None:
        """Puts what the record says in force: level, people and banks; or frees the table."""
        own.now = own.latest
        freed = not own.now.tournament
        wanted = own.before if freed else self.levels_of(s.t, own)
        after = altered(s.t.options.typed, wanted)
        if not isinstance(after, list):
            s.t.options = Chosen(after)
        self.place(s, {} if freed else {x.place: x for x in own.now.seats if not x.out})
        if freed:
            s.t.mode = NOTHING_PLAYED

    @abstractmethod
    def levels_of(self, t: Table, own: TournamentPlay) -> dict[str, str]:
        """Returns the options that a level sets, as it sets them."""

    def bet_sizes(self, t: Table, own: TournamentPlay) -> BetSizes | None:
        """Returns the bet sizes of the table before the tournament; None where it has none."""
        return None

    @abstractmethod
    def place(self, s: Step, seats: Mapping[Place, facts.TournamentSeat]) -> None:
        """Seats these people, and nobody else."""

    # ---- what the record hears

    def _tell_began(self, s: Step, own: TournamentPlay, r: Round) -> None:
        own.began, own.settled = r.number, {}
        own.practised, own.session = own.now.practice, own.now.session
        own.players = {seat.place: seat.person for seat in own.now.seats if not seat.out}
        own.numbered += 1
        own.outbox.append(BeganReport(own.numbered, r.number, self.bet_sizes(s.t, own)))
        if (why := self._shut(own, recorded=False)) is not None:
            s.prompt("dealer", f"this round should not have begun: {why.text}", why.rule)

    def _tell_ended(self, s: Step, own: TournamentPlay, r: Round) -> None:
        nets = self.nets(s.t, r)
        if own.ended == r.number:
            self._correct(s, own, r, nets)
            return
        changes = {person: nets.get(place, 0) for place, person in own.players.items()}
        for place, forfeit in self.forfeits(own, r).items():
            changes[own.players[place]] -= forfeit
        own.ended, own.settled = r.number, nets
        own.numbered += 1
        rounds = int(r.outcome == "settled")
        own.outbox.append(EndedReport(own.numbered, r.number, changes, self.used(own), own.practised, rounds))
        self.over(s, own)
        self._apply(s, own)

    def _correct(self, s: Step, own: TournamentPlay, r: Round, nets: dict[Place, int]) -> None:
        """Tells the record that a round came to something else: its outcome was invalid, or it was corrected."""
        if nets == own.settled:
            return
        was = own.settled
        changes = {person: nets.get(place, 0) - was.get(place, 0) for place, person in own.players.items()}
        own.settled = nets
        own.numbered += 1
        rounds = 0 if r.outcome == "settled" else -1
        own.outbox.append(EndedReport(own.numbered, r.number, changes, {}, own.practised, rounds, corrects=True))
        if own.latest.session > own.session > 0:
            s.prompt("dealer", "the next session has begun: who plays in it stays", self.item("progress"))

    @abstractmethod
    def nets(self, t: Table, r: Round) -> dict[Place, int]:
        """Returns by how much a round that is over changes what the player at each place has."""

    def forfeits(self, own: TournamentPlay, r: Round) -> dict[Place, int]:
        """Returns what players lose beside their wagers."""
        return {}

    def used(self, own: TournamentPlay) -> dict[str, tuple[str, ...]]:
        """Returns which rights each player has used in a round."""
        return {}

    @abstractmethod
    def over(self, s: Step, own: TournamentPlay) -> None:
        """Forgets what held for one round."""

    # ---- keys

    def pressed(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> bool:
        """Does what a key of the tournament means; False for one of the game."""
        key = named(DESK_KEYS, pressed.key)
        if key is not None and not key.misfit(pressed.args):
            self.ask(s, DeskKey(pressed.key, pressed.args, s.role, s.name))
            return True
        if pressed.key == "seat":
            self._seat(s, pressed)
            return True
        if pressed.key == "leave":
            self._leave(s, own, pressed)
            return True
        self._check(s, own, pressed)
        return False

    def ask(self, s: Step, deed: AnyDeed) -> None:
        """Asks the record for something."""
        wishes.ask(s, TournamentAsked(deed))

    def _seat(self, s: Step, pressed: facts.Key) -> None:
        """Keeps the place that the draw gave somebody; nobody else sits down, and nobody brings or takes chips."""
        args = pressed.args
        if any(arg.startswith(WITH_MONEY) for arg in args):
            raise Refusal(self.rule(".4.3(b)"), "all players have the same starting bank, and no other chips")
        declared(s, pressed)
        person = next((arg.partition("=")[2] for arg in args if arg.startswith("player=")), "")
        if not person:
            raise Refusal(self.rule(".2.5"), "only players of the tournament sit here: say who")
        where = places(args[0])
        if len(where) != 1:
            raise Refusal(self.rule(".2.5"), "a player has one place")
        self.ask(s, PlaceDrawn("", area_of(where[0]), person))

    def _leave(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> None:
        """Records that somebody got up for good: in a tournament that is to retire."""
        declared(s, pressed)
        if s.round is not None:
            self.game.follow(s, pressed)
        if pressed.args[0] in own.seats:
            self.ask(s, GotUp("", area_of(pressed.args[0])))

    def _check(self, s: Step, own: TournamentPlay, pressed: facts.Key) -> None:
        """Refuses keys of the game that a tournament does not have."""
        settings = [arg.partition("=")[0] for arg in pressed.args] if pressed.key in ("set", "notice") else []
        for name in settings:
            if is_extra(name):
                raise Refusal(self.rule(".2.5"), "the table is the tournament's alone")
            if name in own.before:
                raise Refusal(self.item("levels"), "the level says so: the director changes it")

    # ---- who may wager

    def may_wager(self, t: Table, own: TournamentPlay, place: Place) -> None:
        """Refuses a wager of who is out, when no round may open, and of who is not in the tournament."""
        seat = own.seat(place)
        if seat is not None and seat.out:
            raise Refusal(self.rule(".4.5(a)"), f"{seat.person} is out")
        if not round_runs(t) and (why := self._shut(own)) is not None:
            raise Refusal(why.rule, why.text)
        if seat is None:
            raise Refusal(self.rule(".2.5"), "nobody of the tournament plays here")

    def _shut(self, own: TournamentPlay, recorded: bool = True) -> Cited | None:
        """Returns why no round may open; None when one may.  `recorded`: not before the last one is on record."""
        if own.now.shut:
            return Cited(own.now.rule, own.now.why)
        if recorded and own.unrecorded:
            return Cited("", "the last round is not on the record of the tournament yet")
        return None

    # ---- what it shows

    def gate(self, t: Table, what: GateName, place: str) -> Gate:
        """Tells whether chips or cards may come now; between rounds the tournament has to agree."""
        own = play_in(t)
        assert own is not None
        seat = own.seat(place)
        if seat is not None and seat.out:
            return Gate(False, self.rule(".4.5(a)"), f"{seat.person} is out")
        if not round_runs(t) and (why := self._shut(own)) is not None:
            return Gate(False, why.rule, why.text)
        return self.game.gate(t, what, place)

    def duties(self, t: Table, cards: Cited | None) -> list[Cited]:
        """Returns what is due now; between rounds, why none may open."""
        own = play_in(t)
        assert own is not None
        why = None if round_runs(t) else self._shut(own)
        return self.game.duties(t, cards) if why is None else [why]


def _usable(t: Table, latest: TournamentTold) -> TournamentTold:
    """Returns how the tournament stands, without seats that the table has not."""
    places = {str(place) for place in range(1, t.options.typed.seats + 1)}
    seats = {seat.place: seat for seat in latest.seats if seat.place in places and seat.person}
    return replace(standing(latest), seats=tuple(seats.values()))
