"""Lamps, buttons and a door on pins: gpiozero's mock pins under the same supervisor as every other device."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from pytest_mock import MockerFixture

from controller.config import ConfigError
from controller.config.begin import begin
from controller.config.load import load_config
from controller.config.wiring import devices
from controller.journal.store import Journal
from controller.journal.writer import InlineWriter
from controller.service.table import TableService
from controller.table import view
from controller.table.facts import AnyFact, DeviceFault, Key
from drivers.console import ConsoleDriver
from drivers.lamps import BLINKING, OFF, ON, LampsDriver
from drivers.supervisor import DeviceState, Origin, Supervisor
from drivers.vendors.cia401 import IoDriver
from drivers.vendors.gpio import BLINK, DEBOUNCE, LOOK_EVERY, Gpio, Input, Output
from drivers.vendors.register import endpoint
from firmware_bridge import gpio as pins_module
from firmware_bridge import messages as m
from firmware_bridge.address import parse
from firmware_bridge.gpio import HIGH, LOW, GpioTransport, pin_factory
from firmware_bridge.messages import ReadBack
from firmware_bridge.transport import TransportError
from tests.firmware_bridge.virtual import run

SETTINGS = Gpio(
    {"bets": Output(17), "decide:1": Output(22)}, {"no-more-bets": Input(5), "fold 1": Input(6), "door": Input(13)}
)
REST = DEBOUNCE / 1000
MOMENT = REST * 2


class Pins:
    """What stands on both sides of the supervisor: the pins, and what was read from them."""

    def __init__(self, factory: Any = None, settings: Gpio = SETTINGS) -> None:
        self.factory = factory or MockFactory()
        self.readings: list[m.Event] = []
        self.states: list[DeviceState] = []
        self.driver = IoDriver(settings.channels)
        self.resting = {output.pin: output.dark for output in settings.outputs.values()}
        self.pulled = {point.pin: point.pull for point in settings.inputs.values()}
        self.counters: list[int] = []
        self.acks = True
        self.durable = (0, 0)
        self.supervisor = Supervisor(
            "lamps",
            "lamps",
            lambda: GpioTransport("mock", self.resting, self.pulled, find_factory=self.find),
            self.driver,
            expect_serial=None,
            resume=lambda: self.durable,
            on_reading=self.heard,
            on_state=self.states.append,
            make_link=endpoint("gpio", settings, parse("gpio://mock")).make_link,
        )

    def find(self, name: str) -> Any:
        if isinstance(self.factory, TransportError):
            raise self.factory
        return self.factory

    def heard(self, origin: Origin, reading: m.Event) -> None:
        self.readings.append(reading)
        self.counters.append(origin.counter)
        if self.acks:
            self.durable = (origin.epoch, origin.counter)
            self.supervisor.ack(origin.counter, origin.epoch)

    def close(self, pin: int) -> None:
        """The contact of this pin is closed."""
        self.factory.pin(pin).drive_low()

    def open(self, pin: int) -> None:
        self.factory.pin(pin).drive_high()

    def level(self, pin: int) -> bool:
        return bool(self.factory.pin(pin).state)

    async def start(self) -> None:
        self.supervisor.start()
        await self.until(lambda: self.supervisor.state.phase == "ready")

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    @property
    def codes(self) -> list[str]:
        return [state.code for state in self.states if state.phase == "lost"]


def test_lamps_light_blink_and_are_off_before_and_after() -> None:
    async def story() -> None:
        pins = Pins()
        assert isinstance(pins.driver, LampsDriver)
        await pins.start()
        identity = pins.supervisor.state.identity
        assert identity is not None and identity.model == "MockFactory on 3B"
        assert not pins.level(17) and not pins.level(22)
        pins.driver.show({"bets": ON, "decide:1": BLINKING})
        await asyncio.sleep(0.01)
        assert pins.level(17) and pins.level(22)
        await asyncio.sleep(BLINK)
        assert pins.level(17) and not pins.level(22)
        await asyncio.sleep(BLINK)
        assert pins.level(22)
        pins.driver.show({"decide:1": OFF})
        await asyncio.sleep(BLINK * 2)
        assert not pins.level(22)
        assert (await pins.driver.self_test()).ok
        assert not (await pins.driver.ask(ReadBack())).ok
        await pins.supervisor.stop()
        assert pins.factory.pin(17).states[-1].state is False
        assert pins.factory.pin(17).function == "input"
        assert not pins.codes

    run(story())


def test_a_press_that_bounces_is_one_press_and_a_spike_is_none() -> None:
    async def story() -> None:
        pins = Pins()
        await pins.start()
        pins.readings.clear()
        for _ in range(5):
            pins.close(5)
            await asyncio.sleep(REST / 4)
            pins.open(5)
            await asyncio.sleep(REST / 4)
        await asyncio.sleep(MOMENT)
        assert pins.readings == []
        for key in (5, 6):
            for _ in range(3):
                pins.close(key)
                pins.open(key)
            pins.close(key)
            await asyncio.sleep(MOMENT)
            pins.open(key)
            pins.close(key)
            pins.open(key)
            await asyncio.sleep(MOMENT)
        assert pins.readings == [m.KeyPressed("no-more-bets"), m.KeyPressed("fold", ("1",))]
        assert pins.counters == [1, 2, 3]  # the door first
        await pins.supervisor.stop()

    run(story())


def test_the_door_is_known_from_the_start_and_a_broken_wire_is_an_open_door() -> None:
    async def story() -> None:
        pins = Pins()
        await pins.start()
        assert pins.readings == [m.DoorChanged(True)]
        pins.close(13)
        await asyncio.sleep(MOMENT)
        pins.open(13)
        await asyncio.sleep(MOMENT)
        assert pins.readings[1:] == [m.DoorChanged(False), m.DoorChanged(True)]
        await pins.supervisor.stop()

    run(story())


def test_a_key_held_since_before_is_not_pressed_and_an_edge_that_nobody_told_is_found() -> None:
    async def story() -> None:
        pins = Pins()
        held = pins.factory.pin(5)
        await pins.start()
        held._state = False  # without a word
        await asyncio.sleep(LOOK_EVERY + MOMENT)
        assert pins.readings[1:] == [m.KeyPressed("no-more-bets")]
        pins.supervisor.reconnect()
        await asyncio.sleep(1)
        assert [type(reading).__name__ for reading in pins.readings] == ["DoorChanged", "KeyPressed", "DoorChanged"]
        await pins.supervisor.stop()

    run(story())


def test_an_active_low_lamp_is_dark_at_high_from_the_first_moment_to_the_last() -> None:
    async def story() -> None:
        pins = Pins(settings=Gpio({"bets": Output(17, "low"), "decide:1": Output(22, "low")}, {}))
        relay = pins.factory.pin(17)
        await pins.start()
        claimed = len(relay.states)
        assert pins.level(17) and pins.level(22)
        pins.driver.show({"bets": ON, "decide:1": BLINKING})
        await asyncio.sleep(0.01)
        assert not pins.level(17) and not pins.level(22)
        await asyncio.sleep(BLINK)
        assert not pins.level(17) and pins.level(22)
        await asyncio.sleep(LOOK_EVERY * 3)  # what is read back is as it was set
        assert not pins.codes
        await pins.supervisor.stop()
        assert relay.states[-1].state is True
        assert [change.state for change in relay.states[claimed:]] == [False, True]  # lit once, and then no more
        assert pins.readings == []

    run(story())


@pytest.mark.parametrize(
    ("point", "pressed"),
    [
        (Input(5), LOW),
        (Input(5, "down"), HIGH),
        (Input(5, "up", "high"), HIGH),  # a contact that opens when the key is pressed
        (Input(5, "none", "low"), LOW),
        (Input(5, "none", "high"), HIGH),
    ],
    ids=repr,
)
def test_a_key_acts_at_its_active_level_whatever_pulls_it(point: Input, pressed: int) -> None:
    async def story() -> None:
        pins = Pins(settings=Gpio({}, {"settle": point}))
        pin = pins.factory.pin(5)
        pin.drive_low() if pressed else pin.drive_high()
        await pins.start()
        assert pin.pull == {"none": "floating"}.get(point.pull, point.pull)
        for level in (1 - pressed, pressed, 1 - pressed):
            pin.drive_high() if level else pin.drive_low()
            await asyncio.sleep(MOMENT)
        assert pins.readings == [m.KeyPressed("settle")]
        await pins.supervisor.stop()

    run(story())


def test_each_pin_bounces_as_long_as_it_says() -> None:
    async def story() -> None:
        pins = Pins(settings=Gpio({}, {"settle": Input(5, debounce=0), "fold 1": Input(6, debounce=200)}))
        await pins.start()
        pins.close(5)
        pins.close(6)
        await asyncio.sleep(0.1)
        pins.open(6)  # too short for a press
        await asyncio.sleep(0.5)
        assert pins.readings == [m.KeyPressed("settle")]
        pins.close(6)
        await asyncio.sleep(0.3)
        assert pins.readings[1:] == [m.KeyPressed("fold", ("1",))]
        await pins.supervisor.stop()

    run(story())


def test_a_door_switch_alone_needs_no_lamp() -> None:
    async def story() -> None:
        pins = Pins(settings=Gpio({}, {"door": Input(13, "down")}))
        await pins.start()
        pins.factory.pin(13).drive_high()
        await asyncio.sleep(MOMENT)
        assert pins.readings == [m.DoorChanged(True), m.DoorChanged(False)]
        await pins.supervisor.stop()

    run(story())


def test_what_could_not_be_stored_comes_again() -> None:
    async def story() -> None:
        pins = Pins()
        await pins.start()
        pins.acks = False
        pins.close(6)
        await asyncio.sleep(MOMENT)
        pins.acks = True
        pins.supervisor.reconnect()
        await asyncio.sleep(1)
        assert pins.readings[1:3] == [m.KeyPressed("fold", ("1",))] * 2
        assert pins.counters[1] == pins.counters[2]  # the journal drops the second
        await pins.supervisor.stop()

    run(story())


def test_pins_that_fail_are_lost_and_come_back_with_their_lamps(mocker: MockerFixture) -> None:
    async def story() -> None:
        pins = Pins()
        await pins.start()
        pins.driver.show({"bets": ON})
        await asyncio.sleep(0.01)
        broken = mocker.patch.object(type(pins.factory.pin(17)), "_set_state", side_effect=OSError(5, "gone"))
        pins.driver.show({"decide:1": ON})
        await pins.until(lambda: bool(pins.codes))
        mocker.stop(broken)
        await pins.until(lambda: pins.supervisor.state.phase == "ready")
        assert pins.level(17) and pins.level(22)
        pins.factory.pin(17)._state = False  # by another hand
        await pins.until(lambda: len(pins.codes) > 1)
        await pins.until(lambda: pins.supervisor.state.phase == "ready")
        assert pins.level(17)
        assert pins.codes == ["gpio.lost"] * len(pins.codes)
        await pins.supervisor.stop()

    run(story())


def test_a_pin_that_somebody_else_has_is_named_and_the_others_are_let_go() -> None:
    async def story() -> None:
        pins = Pins()
        first = GpioTransport("mock", {22: LOW}, {}, find_factory=lambda _: pins.factory)
        await first.open(_Deaf())
        with pytest.raises(TransportError, match="opened already"):
            await first.open(_Deaf())
        second = GpioTransport("mock", {17: LOW, 22: LOW}, {5: "up"}, find_factory=lambda _: pins.factory)
        with pytest.raises(TransportError, match="pin 22 is used by something else") as failure:
            await second.open(_Deaf())
        assert failure.value.code == "gpio.pin"
        await first.close()
        await second.open(_Deaf())
        second.write(b"\x11\x01")
        assert pins.level(17)
        await second.close()
        await second.close()
        second.write(b"\x11\x01")
        assert not pins.level(17)
        with pytest.raises(TransportError, match="pin 99"):
            await GpioTransport("mock", {99: LOW}, {}, find_factory=lambda _: pins.factory).open(_Deaf())

    run(story())


class _Deaf:
    def received(self, data: bytes) -> None:
        assert data

    def lost(self, why: TransportError) -> None:
        raise why


def test_a_table_lights_lamps_and_takes_keys_on_pins(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(GOOD.replace("bets = 17", "bets = 17, shuffle = 18"))
    config = load_config(path)

    async def story() -> None:
        journal = Journal.open(None, table="T1")
        facts: list[AnyFact] = []
        lamps = {"lamps": devices(config)["lamps"]}
        service = TableService(begin(config), journal, InlineWriter(journal), lamps, clock=lambda: 0)
        service.engine.listeners.append(lambda _seq, fact, *_: facts.append(fact))
        await service.start()
        assert await service.all_ready()
        factory = pin_factory("mock")
        await asyncio.sleep(MOMENT)
        lit = {name for name, pin in (("bets", 17), ("shuffle", 18)) if factory.pin(pin).state}
        assert lit == {"bets", "shuffle"} & set(view.lamps(service.engine.table, service.engine.game))
        assert lit
        factory.pin(5).drive_low()
        await asyncio.sleep(MOMENT)
        assert Key("no-more-bets") in facts
        assert DeviceFault("lamps", "lamps.door", "the door is open") in facts
        await service.stop()
        assert not factory.pin(17).states[-1].state and not factory.pin(18).states[-1].state
        assert service.fleet.devices["lamps"].state.phase == "stopped"
        journal.close()

    run(story())


KEYPAD = """\
[device.console]
family = "console"
address = "gpio://mock"
[device.console.gpio]
outputs = { settle = { pin = 20, active = "low" } }
inputs = { settle = 21, no-more-bets = { pin = 26, pull = "down" } }
"""


def with_keypad(tmp_path: Path, lamps_pins: str = "") -> Path:
    path = tmp_path / "table.toml"
    console = '[device.console]\nfamily = "console"\naddress = "serial:///dev/console"\n'
    assert console in GOOD
    path.write_text(GOOD.replace(console, "").replace("bets = 17", lamps_pins or "bets = 17") + KEYPAD)
    return path


def test_a_console_of_buttons_beside_lamps_on_the_same_pins(tmp_path: Path) -> None:
    config = load_config(with_keypad(tmp_path))

    async def story() -> None:
        journal = Journal.open(None, table="T1")
        facts: list[AnyFact] = []
        pins = {name: devices(config)[name] for name in ("lamps", "console")}
        service = TableService(begin(config), journal, InlineWriter(journal), pins, clock=lambda: 0)
        service.engine.listeners.append(lambda _seq, fact, *_: facts.append(fact))
        await service.start()
        assert await service.all_ready()
        factory = pin_factory("mock")
        assert factory.pin(20).state  # dark, and active low
        console = service.fleet.devices["console"].driver
        assert isinstance(console, ConsoleDriver)
        while not service.outputs.lit_keys:  # noqa: ASYNC110 - then the table has lit what it wants
            await asyncio.sleep(MOMENT)
        console.show_prompts(("place your bets",))
        console.light_keys(("settle",))
        await asyncio.sleep(MOMENT)
        assert not factory.pin(20).state
        console.light_keys(())
        factory.pin(26).drive_high()
        await asyncio.sleep(MOMENT)
        assert factory.pin(20).state and Key("no-more-bets") in facts
        assert not any(isinstance(fact, DeviceFault) and fact.device == "console" for fact in facts)
        await service.stop()
        journal.close()

    run(story())


def test_two_devices_never_share_a_pin_and_a_keypad_has_keys(tmp_path: Path) -> None:
    for change, says in (("bets = 21", 'pin 21 belongs to "lamps" already'), ("bets = { pin = 26 }", "pin 26 belongs")):
        with pytest.raises(ConfigError) as failure:
            load_config(with_keypad(tmp_path, change))
        assert says in failure.value.cause
    path = with_keypad(tmp_path)
    path.write_text(path.read_text().replace("outputs = { settle = {", "outputs = { bets = {"))
    with pytest.raises(ConfigError) as failure:
        load_config(path)
    assert 'there is no key "bets"' in failure.value.cause


# ---- pin factories


@pytest.fixture
def no_factories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins_module, "_factories", {})


@pytest.mark.usefixtures("no_factories")
def test_a_factory_that_cannot_be_had_says_what_to_do(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/feltd:/run/other")
    monkeypatch.delenv("LG_WD", raising=False)
    for error, says in (
        (ModuleNotFoundError("No module named 'lgpio'"), "apt install python3-rpi-lgpio"),
        (AttributeError("module 'lgpio' has no attribute 'SET_BIAS_DISABLE'"), "empty stub"),
    ):
        mocker.patch.object(pins_module, "import_module", side_effect=error)
        with pytest.raises(TransportError, match=says) as failure:
            pin_factory("lgpio")
        assert failure.value.code == "gpio.no-factory"
    assert os.environ["LG_WD"] == "/run/feltd"
    mocker.patch.object(pins_module, "_version", return_value="1.0")
    with pytest.raises(TransportError, match=r"uninstall RPi\.GPIO"):
        pin_factory("rpigpio")


@pytest.mark.usefixtures("no_factories")
def test_a_process_has_one_factory_and_the_supervisor_waits_for_it() -> None:
    assert pin_factory("mock") is pin_factory("mock")

    async def story() -> None:
        pins = Pins(TransportError("gpio.no-factory", "lgpio: none"))
        pins.supervisor.start()
        await pins.until(lambda: bool(pins.codes))
        assert pins.supervisor.state.code == "gpio.no-factory"
        pins.factory = MockFactory()
        await pins.until(lambda: pins.supervisor.state.phase == "ready")
        await pins.supervisor.stop()

    run(story())


# ---- table.toml

TABLE = """\
[table]
name = "T1"
game = "casino-war"
[device.shoe]
family = "shoe"
address = "serial:///dev/shoe"
[device.console]
family = "console"
address = "serial:///dev/console"
[device."sensor.1"]
family = "bet-sensor"
area = 1
address = "serial:///dev/sensor"
[device.lamps]
family = "lamps"
address = "gpio://mock"
"""
GOOD = (
    TABLE + '[device.lamps.gpio]\noutputs = { bets = 17, "decide:1" = 22 }\ninputs = { no-more-bets = 5, door = 13 }\n'
)


def test_table_toml_leads_to_the_pins(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(GOOD)
    config = load_config(path)
    assert config.devices["lamps"].protocol == "gpio"
    spec = devices(config)["lamps"]
    assert isinstance(spec.make_transport(), GpioTransport)
    assert spec.make_link is not None and spec.make_driver is not None
    driver = spec.make_driver()
    assert isinstance(driver, LampsDriver)
    assert set(driver.names) == {"bets", "decide:1"}


def test_table_toml_says_what_is_different_about_a_pin(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    lamp, door = 'bets = { pin = 17, active = "low" }', 'door = { pin = 13, pull = "down", debounce = 50 }'
    path.write_text(GOOD.replace("bets = 17", lamp).replace("door = 13", door))
    settings = load_config(path).devices["lamps"].settings
    assert isinstance(settings, Gpio)
    assert settings.outputs == {"bets": Output(17, "low"), "decide:1": Output(22)}
    assert settings.inputs == {"no-more-bets": Input(5), "door": Input(13, "down", debounce=50)}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("bets = 17", "bets = 40"), "18: device.lamps.gpio.outputs.bets: a pin is a number from 0 to 27"),
        (
            ("bets = 17", "bets = 22"),
            '18: device.lamps.gpio.outputs."decide:1": pin 22 stands twice: connect one thing to it',
        ),
        (("bets = 17", 'bets = "17"'), "18: device.lamps.gpio.outputs.bets: must be a whole number without quotes"),
        (
            ("bets = 17", "bets = { pin = 17, activ = 1 }"),
            "18: device.lamps.gpio.outputs.bets.activ: unknown key: did you",
        ),
        (
            ("bets = 17", 'bets = { pin = 17, active = "on" }'),
            'outputs.bets.active: unknown active "on": known are high, low',
        ),
        (("door = 13", 'door = { pin = 13, active = "high" }'), "a broken wire would look like a shut door"),
        (("door = 13", 'door = { pin = 13, pull = "none" }'), 'pin 13 is not pulled: say active = "low" or "high"'),
        (("door = 13", "door = { pin = 13, debounce = 5000 }"), "debounce: must be 0 to 1000 milliseconds"),
        (("bets = 17", "bet = 17"), '18: device.lamps.gpio.outputs.bet: there is no lamp "bet": did you mean "bets"?'),
        (("no-more-bets = 5", "no-more-bet = 5"), "no-more-bet"),
        (("outputs", "lamps"), "18: device.lamps.gpio.lamps: unknown key"),
        (("gpio://mock", "gpio://17"), "16: device.lamps.address: the pins' address names one of the libraries"),
        (('"lamps"\n', '"display"\n'), "gpio is spoken by a lamps or a console, not by a display"),
        (
            ('gpio://mock"', 'gpio://mock"\nprotocol = "native"'),
            "17: device.lamps.protocol: pins speak no protocol: remove it",
        ),
        (
            ('gpio://mock"', 'gpio://mock"\nserial = "7"'),
            "17: device.lamps.serial: a device that speaks gpio does not tell",
        ),
        ((GOOD.removeprefix(TABLE), ""), "14: device.lamps: no pin is connected: add [device.lamps.gpio]"),
        (("gpio://mock", "serial:///dev/x"), "settings of gpio, which is spoken over gpio://: correct the address"),
    ],
)
def test_mistakes_are_told_at_their_line(change: tuple[str, str], says: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert GOOD.count(change[0]) == 1
    path.write_text(GOOD.replace(*change))
    with pytest.raises(ConfigError) as failure:
        load_config(path)
    told = [problem.at("") for problem in failure.value.problems]
    assert any(says in line for line in told), told
