"""Does at the simulated devices what each line of a script tells: keys, chips, cards, faults, time."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.cards import UNREAD
from controller.errors import FeltError
from controller.money import short
from controller.rules import at_least
from controller.script import model
from controller.script.record import RunRecord
from controller.sim.crown import Hands
from controller.sim.dealer import taken
from controller.sim.dealers import PlainDealer, dealers
from controller.sim.floor import NOTICE, SimFloor, SimulatedTable
from controller.sim.people import SimulatedPeople
from controller.table.facts import DeviceCleared, DeviceFault
from controller.tournament.deeds import AnyDeed, DeskKey, PeopleEntered, Substituted, Withdrew
from controller.tournament.keys import ABSENT, MARKER
from controller.tournament.play import play_in

METER_DOWN: Final = ("offline", "unplug", "hang", "power")  # no contribution can be recorded
NOT_STARTED: Final = "this table did not start"
NO_JACKPOT: Final = "no Jackpot is offered here"
NO_PLACE: Final = "there is no such place"
NOBODY: Final = "nobody sits here"
NO_TOURNAMENT: Final = "this table is in no tournament"
NO_TABLE: Final = "the tournament has no table yet"


class Deeds:
    """Acts on the tables of one run; what cannot even be tried there is refused in the record."""

    def __init__(self, floor: SimFloor, record: RunRecord) -> None:
        self._floor = floor
        self._record = record
        self._dealers: dict[str, PlainDealer] = {}  # who play rounds by themselves, by table
        self._hands: dict[str, Hands] = {}  # of the dealers at Crown Poker tables
        self._people: dict[str, SimulatedPeople] = {}  # who sign in, by table

    async def do(self, line: model.Line) -> None:
        """Does what the line tells, and waits until its table has taken it in."""
        if isinstance(line, model.TableLine):
            options = {setting.name: setting.text for setting in line.options}
            if line.tournament:
                await self._floor.open_for(line.tournament, line.table, line.game, options)
            else:
                await self._floor.open(line.table, line.game, options)
            return
        if isinstance(line, model.WaitLine):  # time passes for all tables, also beside one that did not start
            await self._floor.move_clock(line.milliseconds * 1000)
            return
        if isinstance(line, model.TournamentLine):
            self._floor.desks.open(line.table, line.game, line.items, line.without, line.base)
            return
        line = self._from_desk(line)
        if self._at_desk(line):
            await self._floor.rest()
            return
        table = self._floor.tables.get(line.table)
        if table is None or not table.state.game:
            self._record.refuse(line.table, NOT_STARTED, "")
            return
        match line:
            case model.PlayLine():
                await self._play_rounds(table, line)
            case model.FaultLine():
                await self._fault(table, line)
            case model.MeterLine(ten_thousandths=value):
                self._set_meter(table, value)
                await self._floor.rest()
            case _:
                await self._at_devices(table, line)
                await self._floor.rest()
                await self._tell_other_tables(table, line)

    # ---- tournaments

    def _from_desk(self, line: model.Line) -> model.Line:
        """Returns what is said of a place at a desk as said at the tournament's first table."""
        desk = self._record.desk_named(line.table)
        of_a_place = isinstance(line, model.SeatLine | model.SecretLine | model.MarkerLine)
        of_a_place = of_a_place or (isinstance(line, model.KeyLine) and line.key == ABSENT.name)
        if desk is None or desk.cup is None or not of_a_place:
            return line
        return msgspec.structs.replace(line, table=next(iter(desk.cup.tables), line.table))

    def _at_desk(self, line: model.Line) -> bool:
        """Does what is done at the desk of a tournament, or at one of its tables; False for anything else."""
        desk = self._record.desk_named(line.table)
        if isinstance(line, model.EnterLine | model.WithdrawLine | model.SubstituteLine):
            self._do(line, _entry(line))
        elif desk is None:
            return False
        elif isinstance(line, model.RoleLine):
            desk.role = line.role
        elif isinstance(line, model.KeyLine):
            self._do(line, DeskKey(line.key, line.args, desk.role))
        else:
            self._record.refuse(line.table, NO_TABLE, "")
        return True

    def _do(self, line: model.Line, deed: AnyDeed) -> None:
        desk = self._floor.desks.at(line.table)
        if desk is None:
            self._record.refuse(line.table, NO_TOURNAMENT, "")
        else:
            self._floor.desks.do(desk, deed, line.table)

    async def _tell_other_tables(self, table: SimulatedTable, line: model.Line) -> None:
        """Tells the floor when the table is in another prize meter system, or a key may have changed one."""
        if table.group != table.joined:
            await self._floor.join(table)
        elif isinstance(line, model.KeyLine) and self._floor.meters:
            await self._floor.tell_systems()

    # ---- people and cards

    async def _at_devices(self, table: SimulatedTable, line: model.Line) -> None:
        match line:
            case model.RoleLine(role=role):
                people = self._people.setdefault(table.name, SimulatedPeople())
                people.sign_in(table.sim.device("console"), table.state, role)
            case model.DrawLine(tokens=tokens):
                await self._draw(table, tokens)
            case model.SecretLine() if play_in(table.state) is None:
                self._record.refuse(table.name, NO_TOURNAMENT, "")
            case model.BetLine():
                self._bet(table, line)
            case model.ChipsLine():
                await self._push(table, line)
            case _:
                if isinstance(line, model.KeyLine) and line.key == "replaced":
                    _replace_cards(table)
                table.sim.device("console").do("press", *key_words(line))

    async def _draw(self, table: SimulatedTable, tokens: tuple[model.Token, ...]) -> None:
        if table.sim.dealing != "readers":
            for token in tokens:
                table.sim.cards_from.do("draw", token_text(token))
            return
        hands = self._hands.setdefault(table.name, Hands(table.sim, lambda: table.state, self._floor.rest))
        for token in tokens:
            if not isinstance(token, model.CuttingCard):  # no reader knows it
                await hands.deal(token_cards(token), isinstance(token, model.FaceUp))

    def _bet(self, table: SimulatedTable, line: model.BetLine) -> None:
        sensor = table.sim.devices.get(f"sensor.{line.place.name}")
        if sensor is None:
            self._refuse_place(table, NO_PLACE)
            return
        bettor = line.place.bettor
        tokens = [(reading.spot, bettor) for reading in line.readings if reading.token]
        spots = {(reading.spot, bettor): reading.cents for reading in line.readings}
        cash = any(reading.cash for reading in line.readings)
        sensor.do("bet", spots, tokens, cash, isinstance(line, model.SecretLine))

    async def _push(self, table: SimulatedTable, line: model.ChipsLine) -> None:
        """Says the word first, then pushes the chips that it goes with."""
        sensor = table.sim.devices.get(f"sensor.{line.seat}")
        if sensor is None:
            self._refuse_place(table, NO_PLACE)
            return
        if line.say:
            table.sim.device("console").do("press", "said", str(line.seat), line.say)
            await self._floor.rest()
        sensor.do("push", *line.chips)

    def _refuse_place(self, table: SimulatedTable, why: str) -> None:
        self._record.refuse(table.name, why, table.service.engine.game.document.citations.places)

    async def _play_rounds(self, table: SimulatedTable, line: model.PlayLine) -> None:
        places = [str(place) for place in line.places] or taken(table)
        if not places:
            self._refuse_place(table, NOBODY)
            return
        if any(f"sensor.{place}" not in table.sim.devices for place in places):
            self._refuse_place(table, NO_PLACE)
            return
        if table.name not in self._dealers:
            make = dealers(table.service.engine.game).plain
            self._dealers[table.name] = make(table.sim, table.service.engine, self._floor.rest)
        dealer = self._dealers[table.name]
        try:
            for _ in range(line.rounds):
                await dealer.round(places)
        except FeltError as stuck:
            if not self._record.refused_now(line.table):
                self._record.refuse(line.table, stuck.cause, "")

    # ---- meters and faults

    def _set_meter(self, table: SimulatedTable, value: int) -> None:
        if table.group:
            self._floor.set_meter(None, value, table.group)
        else:
            self._record.refuse(table.name, NO_JACKPOT, "")

    async def _fault(self, table: SimulatedTable, line: model.FaultLine) -> None:
        """Lets a device fail, or mends it, and waits until the table has noticed."""
        self._fail(table, line)
        await self._floor.rest(at_least=NOTICE)
        if line.fault == "clear":
            await self._floor.wait_for(table, str(line.device))

    def _fail(self, table: SimulatedTable, line: model.FaultLine) -> None:
        if line.device.family == "meter":
            self._meter_fault(table, line.fault)
            return
        device = table.sim.devices.get(str(line.device))
        if device is None:  # a fault is never refused, and what is not there cannot fail
            self._record.remark(f"this table has no {line.device}: nothing happens")
            return
        if line.fault == "clear":
            device.clear()
        else:
            device.fault(line.fault, *line.args)

    def _meter_fault(self, table: SimulatedTable, fault: str) -> None:
        """Takes the whole system offline, or cuts only this table's wire to it.

        What a wire can mend changes nothing.
        """
        whole_system = fault in ("offline", "clear")
        for each in self._in_system_of(table) if whole_system else [table]:
            if fault == "clear":
                for code in list(each.state.faults.get("meter", {})):
                    each.service.engine.submit(DeviceCleared("meter", code))
            elif fault in METER_DOWN:
                each.service.engine.submit(DeviceFault("meter", f"meter.{fault}", "take no Jackpot wagers"))

    def _in_system_of(self, table: SimulatedTable) -> list[SimulatedTable]:
        if not table.group:
            return [table]
        return [each for each in self._floor.tables.values() if each.group == table.group]


def _replace_cards(table: SimulatedTable) -> None:
    """Puts other cards into the machine, as whoever presses the key has done.

    Nobody does so without the power, nor in mid-round.
    """
    if "shuffler" not in table.sim.devices:
        return
    round_ = table.state.round
    if round_ is not None and not round_.outcome and round_.closed == "dealt":
        return
    lowest = table.service.engine.game.document.powers.replaced.role
    if at_least(table.state.role, lowest):
        table.sim.device("shuffler").do("replace")


def _entry(line: model.EnterLine | model.WithdrawLine | model.SubstituteLine) -> AnyDeed:
    match line:
        case model.EnterLine(people=people, employee=employee):
            return PeopleEntered(people, employee)
        case model.WithdrawLine(person=person):
            return Withdrew(person)
    return Substituted(line.person, line.other)


# ---- words of the console and of the devices


def key_words(line: model.Line) -> tuple[str, ...]:
    """Returns the key that is pressed for a line, and what is entered with it."""
    match line:
        case model.KeyLine(key=key, args=args):
            return (key, *args)
        case model.SeatLine():
            return ("seat", *_seat_words(line))
        case model.LeaveLine(place=place):
            return ("leave", str(place))
        case model.MarkerLine(place=place, marker=marker):
            return (MARKER.name, str(place), marker)
        case model.ActLine(seat=seat, act=act, cents=None):
            return ("act", str(seat), act)
        case model.ActLine(seat=seat, act=act, cents=int(cents)):
            return ("act", str(seat), act, short(cents))
        case model.DiscardLine(seat=seat, card=card):
            return ("discard", str(seat), card)
    raise TypeError(f"{type(line).__name__} is no key of the console")


def _seat_words(line: model.SeatLine) -> list[str]:
    words = [",".join(str(place) for place in line.places)]
    money = {"stack": line.stack, "add": line.add, "take": line.take}
    words += [f"{name}={short(amount)}" for name, amount in money.items() if amount is not None]
    return words + ([f"player={line.player}"] if line.player else [])


def token_cards(token: model.Single | model.Together) -> tuple[str, ...]:
    """Returns the cards of a token as a reader reads them.

    >>> token_cards(model.Together((model.Drawn("7d"), model.Unreadable())))
    ('7d', '??')
    """
    match token:
        case model.Unreadable():
            return (UNREAD,)
        case model.Together(cards):
            return tuple(card for single in cards for card in token_cards(single))
    return (token.card,)


def token_text(token: model.Token) -> str:
    """Returns the token as the deed of a shoe is written.

    >>> token_text(model.Together((model.FaceUp("7d"), model.Drawn("7c"))))
    '^7d+7c'
    """
    match token:
        case model.CuttingCard():
            return "cut"
        case model.FaceUp(card):
            return "^" + card
        case model.Together(cards):
            return "+".join(token_text(single) for single in cards)
    return token_cards(token)[0]
