"""The record of a script's run: rounds, refusals and prompts, each with the line at which it happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from controller.games import find
from controller.jackpot.rules import rounded_up
from controller.money import dollars, dollars_each
from controller.places import area_of, bettor_of, order
from controller.script.catalogue import GATES
from controller.script.course import Course
from controller.script.engines import engine
from controller.sim.tournaments import Desks, SimDesk
from controller.table.effects import AnyEffect, LinesSettled, Prompted, Refused, RoundEnded, RoundOpened, RulingMade
from controller.table.keys import announced
from controller.table.lamps import BETS, JACKPOT, SHUFFLE
from controller.table.requests import Gate
from controller.table.state import Line, Prompt, Round, Ruled, Table
from controller.table.telling import COMMUNITY, Hands, Lying, Shared
from controller.table.view import gate, lamps
from controller.tournament.play import play_in
from controller.tournament.record import Tournament
from controller.tournament.standing import Stands, everybody, pool
from controller.views.cards import testers_hands


class RoundOfRun(msgspec.Struct):
    """One round of one table, as far as it got."""

    table: str
    round: Round
    course: Course
    hands: Hands = {}  # as the script may see them
    lying: Lying = Lying()
    rulings: list[tuple[int, str, str]] = []  # line, ruling, rule
    cup: tuple[str, int, bool] | None = None  # of a tournament: its name, the level, and whether it is practice


class RefusedLine(msgspec.Struct, frozen=True):
    """What a table refused, and at which line of the script."""

    line: int
    table: str
    what: str
    why: str
    rule: str


class Shown(msgspec.Struct, frozen=True):
    """A prompt, and at which line of the script it was shown."""

    line: int
    table: str
    prompt: Prompt


class RunRecord:
    """What happened at all tables of a run."""

    def __init__(self) -> None:
        self.line = 0
        self.what = ""
        self.rounds: list[RoundOfRun] = []
        self.refused: list[RefusedLine] = []
        self.prompts: list[Shown] = []
        self.remarks: dict[int, str] = {}  # by line: what may surprise whoever wrote it; for people only
        self.desks: Desks | None = None  # of the tournaments of the floor

    def begin(self, line: int, what: str) -> None:
        """Keeps which line is played now."""
        self.line, self.what = line, what

    def refuse(self, table: str, why: str, rule: str) -> None:
        """Keeps that a table refused what the line asks."""
        self.refused.append(RefusedLine(self.line, table, self.what, why, rule))

    def remark(self, text: str) -> None:
        """Keeps what may surprise whoever wrote the line."""
        self.remarks[self.line] = text

    def attend(self, desks: Desks) -> None:
        """Keeps what the desks of tournaments refuse and are told from now on."""
        self.desks = desks
        desks.on_refusal = lambda where, refusal: self.refuse(where, refusal.why, refusal.rule)
        desks.on_prompt = lambda where, prompt: self.prompts.append(Shown(self.line, where, prompt))

    def desk_named(self, name: str) -> SimDesk | None:
        """Returns the desk of a tournament; None where the name is that of a table."""
        return None if self.desks is None else self.desks.by_name.get(name)

    def refused_now(self, table: str) -> list[RefusedLine]:
        """Returns the refusals of the line that was played last."""
        return [r for r in self.refused if r.line == self.line and r.table == table]

    def last_round(self, table: str) -> RoundOfRun | None:
        """Returns the last round of a table; None when it had none."""
        return next((r for r in reversed(self.rounds) if r.table == table), None)

    def round(self, table: str, number: int) -> RoundOfRun | None:
        """Returns the round of this number at a table; None when it had none."""
        return next((r for r in self.rounds if r.table == table and r.round.number == number), None)

    def follow(self, name: str, table: Table, effects: list[AnyEffect]) -> None:
        """Keeps what a fact has brought about at this table."""
        for effect in effects:
            match effect:
                case Refused(rule, why):
                    self.refuse(name, why, rule)
                case Prompted(prompt):
                    self.prompts.append(Shown(self.line, name, prompt))
                case RoundOpened() if table.round is not None:
                    course = engine(find(table.game)).course()
                    self.rounds.append(RoundOfRun(name, table.round, course, cup=_cup(table)))
                case LinesSettled(number, _, lines):
                    self._keep_lines(name, table, number, lines)
                case RulingMade(_, made):
                    self._keep_ruling(name, made)
        last = self.last_round(name)
        if last is not None and table.round is not None and table.round.number == last.round.number:
            last.round = table.round
            last.course.follow(table.round)
            if not table.round.outcome or any(isinstance(effect, RoundEnded) for effect in effects):
                _keep_cards(last, table)

    def _keep_lines(self, name: str, table: Table, number: int, lines: Iterable[Line]) -> None:
        """Keeps lines of an earlier round: a prize was confirmed when the next one had begun."""
        if table.round is not None and table.round.number == number:
            return  # the table's own round has them
        if (earlier := self.round(name, number)) is not None:
            earlier.round.lines.extend(lines)

    def _keep_ruling(self, name: str, made: Ruled) -> None:
        if (last := self.last_round(name)) is not None:
            last.rulings.append((self.line, made.ruling, made.rule))


def _keep_cards(record: RoundOfRun, table: Table) -> None:
    """Keeps the cards as the script may see them; what a round leaves behind when it is over stays as it was then."""
    rules = find(table.game)
    record.lying = rules.cards(table)
    record.hands = testers_hands(table, rules, record.lying)


def _cup(table: Table) -> tuple[str, int, bool] | None:
    own = play_in(table)
    return None if own is None else (own.now.tournament, own.now.level, own.now.practice)


# ---- JSON


def round_json(record: RoundOfRun, table: Table, named: bool) -> dict[str, Any]:
    """Returns a round as the JSON of a run has it; `named`: with the name of its table."""
    r = record.round
    over = bool(r.outcome)
    out: dict[str, Any] = {"table": record.table} if named else {}
    out |= {"number": r.number, "outcome": r.outcome or "open", "rule": r.rule or None}
    if record.cup is not None:
        out |= dict(zip(("tournament", "level", "practice"), record.cup, strict=True))
    if over:
        out["hands"] = dict(sorted(({COMMUNITY: []} | record.hands).items(), key=lambda item: order(item[0])))
        if (dealer := record.lying.verdict) is not None:
            out["dealer"] = {"hand": dealer.hand, "qualifies": dealer.qualifies}
    if table.options.typed.terms is not None:
        out["jackpot"] = _jackpot_json(r, table)
    settled = find(table.game).settled(table, r)
    if settled.shared is not None:
        out |= _shared_json(settled.shared)
    out["wagers"] = [_wager_json(line) for line in settled.lines]
    out["rulings"] = [{"line": n, "ruling": ruling, "rule": rule} for n, ruling, rule in record.rulings]
    burns = record.lying.burns
    out["burns"] = {"count": len(burns), "cards": [b.card for b in burns if b.shown]}
    out["held"] = record.lying.held
    return out


def _jackpot_json(r: Round, table: Table) -> dict[str, Any]:
    after = table.jackpot.meter if r.meter_after is None else r.meter_after
    settled = after if r.meter_settled is None else r.meter_settled
    return {
        "before": ticks(r.meter_before),
        "at_settlement": ticks(settled),
        "rounded": str(rounded_up(settled)),
        "prizes": [
            {"area": str(area_of(p.place)), "hand": p.hand, "prize": dollars(p.cents), "rule": p.rule} for p in r.prizes
        ],
        "house": dollars(r.award.house if r.award is not None else 0),
        "after": ticks(after),
    }


def _shared_json(shared: Shared) -> dict[str, Any]:
    """Returns pots before commission, what was won after it, and how each player's chips changed."""
    return {
        "pots": [
            {"amount": dollars(pot.amount), "eligible": list(pot.eligible), "won": dollars_each(pot.won)}
            for pot in shared.pots
        ],
        "rake": dollars(shared.rake),
        "returned": dollars_each(shared.returned),
        "net": dollars_each(shared.net),
    }


def ticks(value: int) -> str:
    """Writes an amount in dollars with four decimals.

    >>> ticks(1499957220)
    '149995.7220'
    """
    return f"{value // 10_000}.{value % 10_000:04}"


def _wager_json(line: Line) -> dict[str, Any]:
    out: dict[str, Any] = {
        "area": str(area_of(line.place)),
        "player": str(bettor_of(line.place)),
        "spot": line.spot,
        "stake": dollars(line.stake),
        "result": line.result,
        "net": dollars(line.net),
        "rule": line.rule or None,
    }
    if line.surplus:
        out["surplus"] = dollars(line.surplus)
    if line.token:
        out["token"] = line.token
    return out


def prompt_json(shown: Shown, named: bool) -> dict[str, Any]:
    """Returns a prompt as the JSON of a run has it; `named`: with the name of its table."""
    p = shown.prompt
    out: dict[str, Any] = {"table": shown.table} if named else {}
    out |= {"line": shown.line, "round": p.round, "role": p.role, "text": p.text, "rule": p.rule or None}
    if p.place:
        out["place"] = p.place
    out["offers"] = list(p.offers)
    return out


def refusal_json(refusal: RefusedLine, named: bool) -> dict[str, Any]:
    """Returns a refusal as the JSON of a run has it; `named`: with the name of its table."""
    out: dict[str, Any] = {"table": refusal.table} if named else {}
    return out | {"line": refusal.line, "what": refusal.what, "why": refusal.why, "rule": refusal.rule or None}


def end_json(name: str, table: Table, named: bool) -> dict[str, Any]:
    """Returns how a table stands when the run is over."""
    if not table.game:
        return ({"table": name} if named else {}) | {"open": False}
    game = find(table.game)
    lit = lamps(table, game)
    whole = (BETS.name, SHUFFLE.name, JACKPOT.name)
    shown: dict[str, Any] = {
        lamp: (("on" if lamp in lit else "off") if lamp in whole else lit[lamp])
        for lamp in [*whole[:2], *(x for x in lit if x not in whole)]
    }
    gates = GATES if table.options.typed.terms is not None else GATES[:2]
    out: dict[str, Any] = {"table": name} if named else {}
    out |= {
        "open": table.open,
        "lamps": shown,
        "gates": {what: _gate_json(gate(table, game, what)) for what in gates},
        "sign": dict(table.options),
        "notices": [announced(n) for n in table.notices],
    }
    out |= engine(game).end(table)
    if table.options.typed.terms is not None:
        out["meter"] = ticks(table.jackpot.meter)
        shown[JACKPOT.name] = "on" if "" in lit.get(JACKPOT.name, []) else "off"
    return out


def tournament_json(cup: Tournament) -> dict[str, Any]:
    """Returns how a tournament stands when the run is over."""
    return {
        "name": cup.name,
        "state": cup.stage,
        "session": cup.session,
        "level": cup.level,
        "pool": dollars(pool(cup)),
        "players": [_player_json(one) for one in everybody(cup)],
    }


def _player_json(one: Stands) -> dict[str, Any]:
    return {
        "name": one.name,
        "state": one.state,
        "table": None if one.seat is None else one.seat.table,
        "seat": None if one.seat is None else str(one.seat.place),
        "bank": dollars(one.bank),
        "place": one.place,
        "prize": dollars(one.prize),
        "refund": dollars(one.refund),
        "rule": one.rule or None,
    }


def _gate_json(at: Gate) -> dict[str, Any]:
    return {"open": at.open, "rule": None if at.open else at.rule or None}
