"""Plays a script: every line is done at the simulated devices, and the table answers for itself."""

from __future__ import annotations

import msgspec

from controller.errors import FeltError
from controller.script import model
from controller.script.compare import Comparison
from controller.script.expect import check
from controller.script.record import Record
from controller.sim.crown import Hands, act_words, push, seat_words
from controller.sim.crown_dealer import CrownDealer
from controller.sim.dealer import Dealer, taken
from controller.sim.floor import NOTICE, Floor, SimulatedTable
from controller.table.facts import DeviceCleared, DeviceFault
from controller.table.roles import at_least
from controller.table.state import Table
from hw_sim.loop import run as run_virtually

METER_DOWN = ("offline", "unplug", "hang", "power")  # no contribution can be recorded


class Failure(msgspec.Struct, frozen=True):
    """An expectation that did not hold."""

    line: int
    what: str
    found: str


class Played(msgspec.Struct):
    """How one run of a script went."""

    script: str
    case: str | None
    game: str
    record: Record
    tables: dict[str, Table]
    failed: list[Failure] = []
    seen: list[tuple[model.Line, int, int]] = []  # line, prompts and refusals before it


def play(script: str, run: model.Run) -> Played:
    """Play one run on fresh tables."""
    return run_virtually(Player(script, run).play())


class Player:
    def __init__(self, script: str, run: model.Run) -> None:
        self.run = run
        self.record = Record()
        self.floor = Floor(lambda table, seq, fact, state, effects: self.record.heard(table.name, state, effects))
        first = run.lines[0]
        game = first.game if isinstance(first, model.TableLine) else ""
        self.played = Played(script, run.case, game, self.record, {})
        self.dealers: dict[str, Dealer | CrownDealer] = {}
        self.hands: dict[str, Hands] = {}  # of the dealers at Crown Poker tables
        self.comparisons: dict[str, Comparison] = {}

    async def play(self) -> Played:
        try:
            for line in self.run.lines:
                self.played.seen.append((line, len(self.record.prompts), len(self.record.refused)))
                if isinstance(line, model.ExpectLine):
                    self._expect(line)
                else:
                    self.record.begin(line.number, line.text)
                    await self._deed(line)
                if broken := self._broken():
                    self.played.failed.append(Failure(line.number, line.text, broken))
                    break
                if not isinstance(line, model.ExpectLine):  # nothing happens while somebody looks
                    self._compare(line)
            self.played.tables = {name: table.state for name, table in self.floor.tables.items()}
        finally:
            await self.floor.close()
        return self.played

    def _broken(self) -> str:
        """A table that could not follow a fact must not look as if nothing happened."""
        for table in self.floor.tables.values():
            if (defect := table.service.engine.defect) is not None:
                return f"{defect.code}: {defect.cause}"
            if table.service.engine.defects:
                return f"table.defect: {table.service.engine.defects[0]}"
        return ""

    def _compare(self, line: model.Line) -> None:
        """Every device that can be reached must show what its table wants."""
        for table in self.floor.tables.values():
            if table.name not in self.comparisons:
                self.comparisons[table.name] = Comparison(table)
            for difference in self.comparisons[table.name].new_differences():
                self.played.failed.append(Failure(line.number, line.text, difference))

    def _expect(self, line: model.ExpectLine) -> None:
        table = self.floor.tables.get(line.table)
        found = check(line, self.record, table.state if table is not None else Table())
        if found:
            self.played.failed.append(Failure(line.number, line.text, found))

    async def _deed(self, line: model.Line) -> None:
        if isinstance(line, model.TableLine):
            await self._open(line)
            return
        table = self.floor.tables[line.table]
        if not table.state.game:
            self.record.refuse(line.table, "this table did not start", "")
            return
        match line:
            case model.WaitLine(milliseconds=ms):
                await self.floor.move_clock(ms * 1000)
            case model.PlayLine():
                await self._play_rounds(table, line)
            case model.FaultLine():
                self._fault(table, line)
                await self.floor.rest(at_least=NOTICE)
            case model.MeterLine(ten_thousandths=value):
                if table.group:
                    self.floor.set_meter(None, value, table.group)
                else:
                    self.record.refuse(line.table, "no Jackpot is offered here", "")
                await self.floor.rest()
            case _:
                await self._at_devices(table, line)
                await self.floor.rest()
                if table.group != table.joined:
                    await self.floor.join(table)
                elif isinstance(line, model.KeyLine) and self.floor.meters:
                    await self.floor.tell_systems()

    async def _open(self, line: model.TableLine) -> None:
        await self.floor.open(line.table, line.game, {s.name: s.text for s in line.options})

    async def _at_devices(self, table: SimulatedTable, line: model.Line) -> None:
        console = table.sim.device("console")
        match line:
            case model.SeatLine():
                console.do("press", "seat", *seat_words(line))
            case model.LeaveLine(place=place):
                console.do("press", "leave", str(place))
            case model.KeyLine(key=key, args=args):
                if key == "replaced" and self._new_cards(table):
                    table.sim.device("shuffler").do("replace")
                console.do("press", key, *args)
            case model.RoleLine(role=role):
                console.do("badge", role)
            case model.DrawLine(tokens=tokens):
                await self._draw(table, tokens)
            case model.BetLine():
                self._bet(table, line)
            case model.ActLine():
                console.do("press", "act", *act_words(line))
            case model.DiscardLine(seat=seat, card=card):
                console.do("press", "discard", str(seat), card)
            case model.ChipsLine():
                if not await push(table.sim, line, self.floor.rest):
                    self._no_place(table)

    def _new_cards(self, table: SimulatedTable) -> bool:
        """Whoever says so has put other cards into the machine: not without the power, nor in mid-round."""
        t, game = table.state, table.service.engine.game
        dealt = t.round is not None and not t.round.outcome and t.round.closed == "dealt"
        lowest = game.powers.get("replaced", ("dealer", ""))[0]
        return "shuffler" in table.sim.devices and not dealt and at_least(t.role, lowest)

    async def _draw(self, table: SimulatedTable, tokens: tuple[model.Token, ...]) -> None:
        if table.sim.dealing != "readers":
            for token in tokens:
                table.sim.cards_from.do("draw", token_text(token))
            return
        hands = self.hands.setdefault(table.name, Hands(table.sim, lambda: table.state, self.floor.rest))
        for token in tokens:
            await hands.deal(token)

    def _no_place(self, table: SimulatedTable) -> None:
        self.record.refuse(table.name, "there is no such place", table.service.engine.game.book["places"])

    def _bet(self, table: SimulatedTable, line: model.BetLine) -> None:
        sensor = table.sim.devices.get(f"sensor.{line.place.name}")
        if sensor is None:
            self._no_place(table)
            return
        bettor = line.place.bettor
        tokens = [(r.spot, bettor) for r in line.readings if r.token]
        sensor.do("bet", {(r.spot, bettor): r.cents for r in line.readings}, tokens)

    def _fault(self, table: SimulatedTable, line: model.FaultLine) -> None:
        if line.device.family == "meter":
            self._meter_fault(table, line.fault)
            return
        device = table.sim.devices.get(str(line.device))
        if device is None:
            return  # a device that this table has not cannot fail
        if line.fault == "clear":
            device.clear()
        else:
            device.fault(line.fault, *line.args)

    def _meter_fault(self, table: SimulatedTable, fault: str) -> None:
        """The whole system is offline, or only this table's wire to it is cut; what a wire can mend changes nothing."""
        mine = [t for t in self.floor.tables.values() if t is table or (table.group and t.group == table.group)]
        for each in mine if fault in ("offline", "clear") else [table]:
            if fault == "clear":
                for code in list(each.state.faults.get("meter", {})):
                    each.service.engine.submit(DeviceCleared("meter", code))
            elif fault in METER_DOWN:
                each.service.engine.submit(DeviceFault("meter", f"meter.{fault}", "take no Jackpot wagers"))

    async def _play_rounds(self, table: SimulatedTable, line: model.PlayLine) -> None:
        places = [str(p) for p in line.places] or taken(table)
        if not places:
            self.record.refuse(line.table, "nobody sits here", table.service.engine.game.book["places"])
            return
        make = CrownDealer if table.sim.dealing == "readers" else Dealer
        dealer = self.dealers.setdefault(table.name, make(table.sim, table.service.engine, self.floor.rest))
        try:
            for _ in range(line.rounds):
                await dealer.round(places)
        except FeltError as stuck:
            if not self.record.refused_now(line.table):
                self.record.refuse(line.table, stuck.cause, "")


def token_text(token: model.Token) -> str:
    """As the device's deed is written."""
    match token:
        case model.Drawn(card):
            return card
        case model.Unreadable():
            return "??"
        case model.FaceUp(card):
            return "^" + card
        case model.CuttingCard():
            return "cut"
        case model.Together(cards):
            return "+".join(token_text(c) for c in cards)
