"""Checks what must hold: after every fact of the table, after every deed at it, and at the end of its day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from controller.cards import UNREAD
from controller.games import due_at, find, step
from controller.journal.records import Record
from controller.journal.verify import verify
from controller.service.closed_cards import followed_fact
from controller.service.follower import Follower
from controller.service.meter_faults import AUDIT
from controller.sim.soak.engines import soak_parts
from controller.sim.soak.oracle import Oracle
from controller.sim.soak.violation import Invariant, Violation
from controller.sim.soak.world import World
from controller.table import facts, state
from controller.table.effects import AnyEffect, Defective
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, Hidden, Key, Missed, SignedOut, Tick, Turned
from controller.table.jackpot.outbox import METER
from controller.table.keys import find_key
from controller.table.state import Table
from controller.views.cards import ALL, card_names, has_cards, seen

GRACE: Final = 5_000_000  # microseconds by which what is due may be late
PATIENT: Final = 6 * 3_600_000_000  # microseconds after which somebody has answered whatever is asked


class Checks:
    """Looks at one table from its first fact on, through all lives of its daemon."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.counts: Counter[str] = Counter()
        self.violation: Violation | None = None  # the first; what comes after it may be its consequence
        self.step = 0  # the number of the last fact
        self.rounds = 0
        self._table = Table()
        self._last: AnyFact | None = None
        self._recovering = False
        self._chips = soak_parts(find(world.begin.game)).chips()
        self._forgotten: dict[str, int] = {}  # by device: up to where its events were looked for
        self._oracle = Oracle()
        self._over: dict[int, Counter[str]] = {}  # rounds that are over: how often each card may be told for good
        self._cards: dict[int, AnyFact] = {}  # facts with cards of the round that runs
        self._visible: set[str] = set()  # cards of it that anybody has seen
        self._open: dict[object, int] = {}  # since when something is asked or held

    # ---- after every fact

    def attach(self) -> None:
        """Follows the process that is about to start."""
        self._recovering = True
        self._world.running.service.engine.listeners.insert(0, self.followed)

    def started(self) -> None:
        """Checks that the process that has started has the table that its facts come to."""
        self._catch_up(self._world.running.journal.head.seq)
        engine = self._world.running.service.engine
        self._count(Invariant.REPLAY)
        if self.violation is None and not engine.pending and not self._same(engine.table):
            raise Violation(Invariant.REPLAY, f"after the start the table is not what its {self.step} facts come to")

    def _same(self, table: Table) -> bool:
        return state.encode(table) == state.encode(self._table)

    def _catch_up(self, seq: int) -> None:
        """Follows what a process recovered that nobody had heard of: it was stored when the one before was killed."""
        self._recovering = False
        for record in self._world.running.journal.iterate(self.step + 1):
            if record.seq > seq:
                return
            fact = followed_fact(record)
            self.followed(record.seq, fact, *step(self._table, record.seq, record.at_us, fact))

    def followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        """Checks a table that has followed a fact; keeps what is wrong for `check`, for nobody else may stop."""
        if self._recovering:
            self._catch_up(seq - 1)
        try:
            self._followed(seq, fact, table, effects)
        except Violation as violation:
            self.violation = self.violation or violation
        self.step, self._table, self._last = seq, table, fact

    def _followed(self, seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
        self._count(Invariant.REPLAY, Invariant.ALIVE, Invariant.GAP)
        if seq != self.step + 1:
            raise Violation(Invariant.REPLAY, f"fact {seq} acted after fact {self.step}")
        for effect in effects:
            if isinstance(effect, Defective):
                raise Violation(Invariant.ALIVE, f"fact {seq} ({effect.fact}) could not be followed: {effect.what}")
        if isinstance(fact, Missed) and fact.code:
            raise Violation(Invariant.GAP, f"{fact.device}: {fact.text}")
        self._check_cards(seq, fact, table)
        self._count(Invariant.CHIPS, Invariant.RESULT)
        self._chips.followed(fact, self._table, table, effects)
        over = table.round is not None and bool(table.round.outcome)
        before = self._table.round
        if over and (before is None or before.number != table.number or not before.outcome):
            self.rounds += 1

    # ---- cards

    def _check_cards(self, seq: int, fact: AnyFact, table: Table) -> None:
        """Keeps what anybody sees while a round runs: when it is over, all of it must have been turned on record."""
        self._count(Invariant.SECRET)
        if isinstance(fact, Turned):
            self._check_turned(fact)
            return
        if has_cards(fact):
            self._cards[seq] = fact
        elif isinstance(fact, CardOut | CardRead):
            self._visible.difference_update(card_names(fact))  # it lay open from the beginning
            self._cards[seq] = fact
        if not table.game or table.round is None:
            return
        lying = find(table.game).cards(table)
        if early := self._oracle.early(table, lying):
            text = ", ".join(f"card {n} of {place}" for place, n in early)
            raise Violation(Invariant.SECRET, f"round {table.number}: {text} lies open before any rule turns it")
        if table.round.outcome:
            if table.number not in self._over:
                self._over[table.number] = self._oracle.openly(table, lying)
            return
        if _tells_otherwise(fact, table):
            self._visible.clear()
        self._visible.update(card for cards in seen(lying).values() for card in cards if card != UNREAD)

    def _check_turned(self, turned: Turned) -> None:
        public = Counter[str]()
        for seq, number in turned.cards:
            names = card_names(self._cards[seq]) if seq in self._cards else ()
            public.update(names if number == ALL else names[number - 1 : number])
        allowed = self._over.get(turned.round)
        self._over = {number: names for number, names in self._over.items() if number > turned.round}
        if allowed is not None and (never := public - allowed):
            text = f"{never.total()} cards are told that no rule has turned"
            raise Violation(Invariant.SECRET, f"round {turned.round}: {text}")
        named = set(public)
        until_then = {seq: fact for seq, fact in self._cards.items() if seq <= turned.upto}
        named.update(card for fact in until_then.values() if not has_cards(fact) for card in card_names(fact))
        hidden = {card for fact in until_then.values() for card in card_names(fact)} - named
        counted = Counter(card for fact in until_then.values() for card in card_names(fact))
        twice = {card for card, count in counted.items() if count > 1}  # misread: the record withholds both of them
        early = self._visible & (hidden - twice)
        self._cards = {seq: fact for seq, fact in self._cards.items() if seq > turned.upto}
        self._visible = set()
        if early:
            raise Violation(Invariant.SECRET, f"round {turned.round}: {len(early)} cards were seen and never turned")

    # ---- after every deed

    def check(self) -> None:
        """Raises the first Violation of the facts so far; then checks devices, time and questions."""
        if self.violation is not None:
            raise self.violation
        engine = self._world.running.service.engine
        if engine.defect is not None:
            raise Violation(Invariant.ALIVE, engine.defect.cause)
        self._check_devices()
        self._check_time()
        self._check_questions()
        self._check_meter()

    def _check_devices(self) -> None:
        journal = self._world.running.journal
        self._count(Invariant.STORED, Invariant.GAP)
        for name, device in self._world.sim.devices.items():
            end = device.board.end
            gone = end.last - end.pending
            if gone == self._forgotten.get(name, 0):
                continue
            stored = journal.seen(name, end.epoch)
            missing = stored.missing(self._forgotten.get(name, 0), gone)
            if missing:
                text = f"{name} was told that its event {missing[0][0]} is stored, and it is not"
                raise Violation(Invariant.STORED, text)
            self._forgotten[name] = gone
            if stored.gaps:
                raise Violation(Invariant.GAP, f"{name}: event {stored.gaps[0][0]} is not stored, but later ones are")

    def _check_time(self) -> None:
        self._count(Invariant.TIME)
        process, table = self._world.running, self._table
        if not table.game or not self._world.quiet or process.service.storage.error is not None:
            return
        due = due_at(table)
        if due is None or (due <= table.now and isinstance(self._last, Tick | SignedOut)):
            return
        late = process.keeper.now() - due
        if late > GRACE:
            raise Violation(Invariant.TIME, f"what was due {late // 1_000_000} s ago has not happened")

    def _check_questions(self) -> None:
        self._count(Invariant.PROMPT)
        table = self._table
        asked: set[object] = {("held", name) for name in table.holds}
        if table.talk is not None:
            asked.add(("question", table.talk.seq))
        self._open = {what: self._open.get(what, table.now) for what in asked}
        for what, since in self._open.items():
            if table.now - since > PATIENT:
                raise Violation(Invariant.PROMPT, f"nobody could answer {what} for six hours")

    def _check_meter(self) -> None:
        """Checks the equation of the meter, and that the table and the store say the same of it."""
        sync, game = self._world.running.service.meter_sync, self._table.jackpot
        if sync is None:
            return
        self._count(Invariant.METER)
        if AUDIT in (codes := self._table.faults.get(METER, {})):
            raise Violation(Invariant.METER, codes[AUDIT])
        meter = sync.latest
        if meter is None:
            return
        if wrong := meter.wrong():
            raise Violation(Invariant.METER, wrong)
        if self._world.quiet and not game.outbox and game.recorded == meter.recorded and game.meter != meter.value:
            raise Violation(Invariant.METER, f"the table says {game.meter}, and its store {meter.value}")

    # ---- at the end of a day

    async def end(self) -> None:
        """Checks the whole day once more, from its journal alone."""
        self.check()
        journal = self._world.running.journal
        for name, device in self._world.sim.devices.items():
            if device.pending:
                raise Violation(Invariant.STORED, f"{name} still has {device.pending} events that nobody took")
        self._count(Invariant.REPLAY)
        verdict = verify(journal)
        if not verdict.ok:
            raise Violation(Invariant.REPLAY, f"the journal does not verify: {verdict}")
        self._retell(journal.iterate())
        self._check_stored()
        sync = self._world.running.service.meter_sync
        problems = await sync.store.verify(sync.group) if sync is not None else []
        if problems:
            raise Violation(Invariant.METER, problems[0])

    def _retell(self, records: Iterator[Record]) -> None:
        follower = Follower()
        for record in records:
            follower.retell(record)
        if state.encode(follower.table) != state.encode(self._table):
            raise Violation(Invariant.REPLAY, "the journal, told again from its first fact, comes to another table")

    def _check_stored(self) -> None:
        """Checks that no card stands in the file that could be read there."""
        for record in self._world.running.journal.iterate_stored():
            self._count(Invariant.SECRET)
            fact = facts.decode(record.payload)
            if isinstance(fact, Hidden):
                plain = [card for card in card_names(fact.shown) if card != UNREAD]
            else:
                plain = list(card_names(fact)) if has_cards(fact) else []
            if plain:
                raise Violation(Invariant.SECRET, f"record {record.seq} has {len(plain)} cards that can be read")

    def _count(self, *invariants: Invariant) -> None:
        for invariant in invariants:
            self.counts[invariant] += 1


def _tells_otherwise(fact: AnyFact, table: Table) -> bool:
    """Tells whether a fact may say that cards lie elsewhere than everybody thought: what was seen was another card."""
    if isinstance(fact, Amend):
        return True
    key = find_key(find(table.game), fact.key) if isinstance(fact, Key) else None
    return key is not None and key.report
