"""Tables for tests in Python: each method does what the line of a script with that verb does, in dollars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from controller.script import ScriptError
from controller.script.errors import Malformed, ScriptMistake
from controller.script.model import Run
from controller.script.parse import TableNames
from controller.script.play import Player, virtual_runner
from controller.script.record import end_json, prompt_json, refusal_json, round_json
from controller.script.report import to_text
from controller.testing.results import LineAnswer, PlayedRound, ShownTable, ToldPrompt, ToldRefusal

Amount = int | float | Decimal | str  # dollars
T = TypeVar("T")


class ScriptedFloor:
    """Simulated tables with one clock, which stands still but in `wait`."""

    def __init__(self, name: str = "test") -> None:
        self._name = name
        self._runner = virtual_runner()
        self._player = Player(name, Run(None, ()))
        self._names = TableNames()
        self._number = 0

    def table(self, game: str, name: str = "", **options: Amount) -> ScriptedTable:
        """Starts a table, as in `table GAME as NAME option=value`; an option's name has `_` where a script has `-`."""
        words = ["table", game, *(["as", name] if name else []), *_named(options)]
        self.tell(" ".join(words))
        return ScriptedTable(self, name)

    def wait(self, duration: str) -> LineAnswer:
        """Lets time pass at all tables: `90s`, `19m59s`, `500ms`."""
        return self.tell(f"wait {duration}")

    def tell(self, statement: str) -> LineAnswer:
        """Does what one line of a script says, and returns how the table answered.

        Raises AssertionError when it is an expectation that does not hold, or a device does not show what it should;
        ScriptError when the line is malformed.
        """
        __tracebackhide__ = True
        self._number += 1
        try:
            line = self._names.read(self._number, statement)
        except Malformed as error:
            raise ScriptError(self._name, [ScriptMistake(self._number, error.message, error.expected)]) from None
        if line is None:
            raise RuntimeError("no table has been started: an earlier line was malformed")
        record, failed = self._player.record, self._player.played.failed
        refused, prompted, failures = len(record.refused), len(record.prompts), len(failed)
        self._runner.run(self._player.do(line))
        if len(failed) > failures:
            raise AssertionError(self._failure(failures))
        return LineAnswer(
            tuple(_typed(refusal_json(r, False), ToldRefusal) for r in record.refused[refused:]),
            tuple(_typed(prompt_json(p, False), ToldPrompt) for p in record.prompts[prompted:]),
        )

    def rounds(self, table: str = "") -> tuple[PlayedRound, ...]:
        """Returns all rounds of a table so far."""
        state = self._player.floor.tables[table].state
        rounds = [record for record in self._player.record.rounds if record.table == table]
        return tuple(_typed(round_json(record, state, False), PlayedRound) for record in rounds)

    def shows(self, table: str = "") -> ShownTable:
        """Returns what a table shows now."""
        return _typed(end_json(table, self._player.floor.tables[table].state, False), ShownTable)

    def devices(self, table: str = "") -> ScriptedDevices:
        """Returns the devices of a table."""
        return ScriptedDevices(ScriptedTable(self, table))

    def view_of(self, table: str, device: str) -> dict[str, Any]:
        """Returns what a person sees on a device; KeyError when the table has no such device."""
        view: dict[str, Any] = self._player.floor.tables[table].sim.devices[device].model.view()
        return view

    def device_names(self, table: str) -> list[str]:
        """Returns the names of the devices of a table."""
        return list(self._player.floor.tables[table].sim.devices)

    def faults_of(self, table: str, device: str) -> list[str]:
        """Returns the faults of a device that are in force."""
        return self._player.floor.tables[table].sim.devices[device].faults

    def story(self) -> str:
        """Returns what happened so far, as `felt run` tells it."""
        self._player.look()
        return "\n".join(to_text(self._player.played))

    def close(self) -> None:
        """Stops all tables."""
        try:
            self._runner.run(self._player.floor.close())
        finally:
            self._runner.close()

    def _failure(self, first: int) -> str:
        """Returns what failed from this one on, and the story so far."""
        lines = [f"{failure.what}\n  NOT SO: {failure.instead}" for failure in self._player.played.failed[first:]]
        return "\n".join([*lines, "", self.story()])


class ScriptedTable:
    """One simulated table.  What asks for something returns how the table answered; money is in dollars."""

    def __init__(self, floor: ScriptedFloor, name: str = "") -> None:
        self.floor = floor
        self.name = name

    def bet(self, area: int | str, **spots: Amount) -> LineAnswer:
        """Lays chips on spots, as in `bet 1 ante=10 pair-plus=5`: `bet(1, ante=10, pair_plus=5)`."""
        return self._tell("bet", area, *_named(spots))

    def draw(self, *cards: str) -> LineAnswer:
        """Lets cards leave the shoe, or lays them on the readers: `draw("Kh", "Qs")` or `draw("Kh Qs")`."""
        return self._tell("draw", *cards)

    def key(self, name: str, *words: int | str, **named: Amount) -> LineAnswer:
        """Presses a key of the console: `key("short", 2)`, `key("set", min=25)`."""
        return self._tell("key", name, *words, *_named(named))

    def seat(
        self,
        places: int | str,
        *,
        stack: Amount | None = None,
        add: Amount | None = None,
        take: Amount | None = None,
        player: str | None = None,
    ) -> LineAnswer:
        """Lets people sit down: `seat("1-3")`, `seat(4, stack=200, player="W1")`."""
        money = {"stack": stack, "add": add, "take": take, "player": player}
        return self._tell("seat", places, *_named({name: value for name, value in money.items() if value is not None}))

    def leave(self, place: int | str) -> LineAnswer:
        """Lets the person there get up for good."""
        return self._tell("leave", place)

    def act(self, seat: int, word: str, amount: Amount | None = None) -> LineAnswer:
        """Lets a player of Crown Poker act: `act(3, "raise", 40)`."""
        return self._tell("act", seat, word, *([] if amount is None else [_amount(amount)]))

    def chips(self, seat: int, *chips: Amount, say: str = "") -> LineAnswer:
        """Pushes chips forward at Crown Poker, silently or with a word: `chips(2, 25, 5, say="raise")`."""
        return self._tell("chips", seat, "+".join(map(_amount, chips)), *(["say", say] if say else []))

    def discard(self, seat: int, card: str) -> LineAnswer:
        """Lets a player discard, in Pineapple games."""
        return self._tell("discard", seat, card)

    def play(self, rounds: int, places: int | str = "") -> LineAnswer:
        """Lets plain rounds play themselves."""
        return self._tell("play", rounds, *([places] if places else []))

    def role(self, role: str) -> LineAnswer:
        """Signs somebody in at this table: `role("supervisor")`."""
        return self._tell("role", role)

    def meter(self, amount: Amount) -> LineAnswer:
        """Sets the prize meter."""
        return self._tell("meter", _amount(amount))

    def fault(self, device: str, fault: str, *words: int | str) -> LineAnswer:
        """Lets a device fail: `fault("shoe", "jam")`; the fault `clear` ends all it has."""
        return self._tell("fault", device, fault, *words)

    def wait(self, duration: str) -> LineAnswer:
        """Lets time pass, at all tables of the floor: `90s`, `19m59s`."""
        return self.floor.wait(duration)

    def expect(self, *words: Amount, by: str = "", **named: Amount) -> None:
        """Expects what `expect` of a script does: `expect(1, "ante", "win", 10, by="5.6.1")`, or all in one text.

        Raises AssertionError with what is there instead.
        """
        __tracebackhide__ = True
        self._tell("expect", *map(_amount, words), *_named(named), *(["by", by] if by else []))

    @property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """All rounds so far, as far as they got."""
        return self.floor.rounds(self.name)

    @property
    def round(self) -> PlayedRound:
        """The last round; LookupError when there was none."""
        if not self.rounds:
            raise LookupError("no round was opened at this table")
        return self.rounds[-1]

    @property
    def shows(self) -> ShownTable:
        """What the table shows now."""
        return self.floor.shows(self.name)

    @property
    def devices(self) -> ScriptedDevices:
        """The devices of this table."""
        return ScriptedDevices(self)

    def _tell(self, *words: int | str) -> LineAnswer:
        __tracebackhide__ = True
        prefix = f"{self.name}: " if self.name else ""
        return self.floor.tell(prefix + " ".join(map(str, words)))


class ScriptedDevice:
    """A simulated device of a table."""

    def __init__(self, table: ScriptedTable, name: str) -> None:
        self._table = table
        self.name = name

    @property
    def shows(self) -> dict[str, Any]:
        """What a person who stands at the table sees on it."""
        return self._table.floor.view_of(self._table.name, self.name)

    @property
    def faults(self) -> list[str]:
        """The faults that are in force."""
        return self._table.floor.faults_of(self._table.name, self.name)

    def fault(self, fault: str, *words: int | str) -> LineAnswer:
        """Lets it fail: `fault("jam")`, `fault("delay", "500ms")`."""
        return self._table.fault(self.name, fault, *words)

    def clear(self) -> LineAnswer:
        """Ends all its faults."""
        return self._table.fault(self.name, "clear")


class ScriptedDevices(Mapping[str, ScriptedDevice]):
    """The devices of a table by name: `shoe`, `sensor.1`, `console`, `lamps`, ..."""

    def __init__(self, table: ScriptedTable) -> None:
        self._table = table

    def __getitem__(self, name: str) -> ScriptedDevice:
        if name not in self._names():
            raise KeyError(f"{name}; there are {', '.join(self._names())}")
        return ScriptedDevice(self._table, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        return self._table.floor.device_names(self._table.name)


def token(amount: Amount) -> str:
    """Returns promotional tokens of this worth, for `bet`.

    >>> token(5)
    'token:5'
    """
    return f"token:{_amount(amount)}"


def _amount(value: Amount) -> str:
    """Writes an amount as a script does; a text stays as it is.

    >>> _amount(2.5), _amount(Decimal("10.50")), _amount(1_000_000)
    ('2.5', '10.50', '1000000')
    """
    return value if isinstance(value, str) else f"{Decimal(str(value)):f}"


def _named(values: Mapping[str, Amount]) -> list[str]:
    """Returns `name=value` words; names in Python have `_` where a script has `-`."""
    return [f"{name.replace('_', '-')}={_amount(value)}" for name, value in values.items()]


def _typed(plain: dict[str, Any], kind: type[T]) -> T:
    return msgspec.convert(plain, kind, strict=False)
