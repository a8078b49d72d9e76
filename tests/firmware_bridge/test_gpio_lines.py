"""Pins by the kernel's own interface: lamps and keys under a supervisor, and all that can go wrong with a chip."""

from __future__ import annotations

import asyncio
import builtins
import errno
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.lamps import ON
from drivers.supervisor import DeviceState, Origin, Supervisor
from drivers.vendors.cia401 import IoDriver
from drivers.vendors.gpio import Gpio, Input, Output
from drivers.vendors.register import endpoint
from firmware_bridge import gpio_lines
from firmware_bridge import messages as m
from firmware_bridge.address import AddressError, parse
from firmware_bridge.gpio import LEVELS
from firmware_bridge.gpio_lines import LineTransport, library
from firmware_bridge.schemes.gpio import pins
from firmware_bridge.transport import TransportError
from tests.firmware_bridge.simulated_gpiod import Library, Silicon

SETTINGS = Gpio({"bets": Output(17), "shut": Output(22, "low")}, {"no-more-bets": Input(5), "door": Input(13)})


class Hearer:
    """Who hears a wire: bytes, and why it is lost."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.why: list[str] = []

    def received(self, data: bytes) -> None:
        self.heard.append(data)

    def lost(self, why: TransportError) -> None:
        self.why.append(why.code)


@pytest.fixture
def nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gpio_lines, "DEV", tmp_path)
    return tmp_path


def header(**other: Any) -> Silicon:
    return Silicon("gpiochip0", "pinctrl-bcm2711", **other)


def wire(
    there: Library, chip: str = "", outputs: Mapping[int, int] | None = None, inputs: Mapping[int, str] | None = None
) -> LineTransport:
    resting = {17: 0, 22: 1} if outputs is None else outputs
    return LineTransport(chip, resting, {5: "up", 6: "down"} if inputs is None else inputs, find_library=lambda: there)


async def moment() -> None:
    for _ in range(5):
        await asyncio.sleep(0.001)


async def test_levels_edges_and_rest(nodes: Path) -> None:
    chip = header()
    there, hearer = Library(nodes, chip), Hearer()
    line = wire(there)
    await line.open(hearer)
    assert hearer.heard.pop(0) == b"\xfegpiod on pinctrl-bcm2711 (gpiochip0)\n2.3"
    assert (chip.level(17), chip.level(22), chip.level(5), chip.level(6)) == (0, 1, 1, 0)
    line.write(bytes([17, 1, 22, 0]))
    assert (chip.level(17), chip.level(22)) == (1, 0)
    line.write(LEVELS)
    await moment()
    assert hearer.heard.pop(0) == bytes([17, 1, 22, 0, 5, 1, 6, 0])
    for level in (0, 1, 0):  # the kernel keeps each edge, however late it is read
        chip.drive(5, level)
    await moment()
    assert hearer.heard == [bytes([5, 0]), bytes([5, 1]), bytes([5, 0])]
    await line.close()
    await line.close()
    assert (chip.level(17), chip.level(22)) == (0, 1)
    assert not chip.requests and not chip.users and there.open == 0
    line.write(bytes([17, 1]))
    assert chip.level(17) == 0


async def test_lamps_and_keys_under_a_supervisor_through_a_chip_that_is_unplugged(nodes: Path) -> None:
    chip = header()
    there, readings, states = Library(nodes, chip), list[m.Event](), list[DeviceState]()
    driver = IoDriver(SETTINGS.channels)
    counter = 0

    def heard(origin: Origin, reading: m.Event) -> None:
        nonlocal counter
        counter = origin.counter
        readings.append(reading)
        supervisor.ack(origin.counter, origin.epoch)

    supervisor = Supervisor(
        "lamps",
        "lamps",
        lambda: wire(there, outputs={17: 0, 22: 1}, inputs={5: "up", 13: "up"}),
        driver,
        expect_serial=None,
        resume=lambda: (0, counter),
        on_reading=heard,
        on_state=states.append,
        make_link=endpoint("gpio", SETTINGS, parse("gpio://gpiod")).make_link,
    )
    supervisor.start()
    await _until(lambda: supervisor.state.phase == "ready")
    driver.show({"bets": ON, "shut": ON})
    await _until(lambda: (chip.level(17), chip.level(22)) == (1, 0))
    chip.drive(5, 0)
    await _until(lambda: m.KeyPressed("no-more-bets") in readings)
    chip.unplug()
    await _until(lambda: any(state.code == "gpio.lost" for state in states))
    chip.gone = False
    await _until(lambda: supervisor.state.phase == "ready")
    driver.show({"bets": ON})
    await _until(lambda: chip.level(17) == 1)
    await supervisor.stop()
    assert (chip.level(17), chip.level(22)) == (0, 1) and not chip.users


async def _until(condition: Any) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_a_chip_that_is_lost_is_told_once(nodes: Path) -> None:
    chip = header()
    line, hearer = wire(Library(nodes, chip)), Hearer()
    await line.open(hearer)
    chip.gone = True
    line.write(bytes([17, 1]))
    line.write(LEVELS)
    await moment()
    assert hearer.why == ["gpio.lost"] and not chip.users
    chip.gone = False
    await line.open(hearer)
    chip.gone = True
    line.write(LEVELS)
    await line.close()  # nobody wants to know any more
    await moment()
    assert hearer.why == ["gpio.lost"]


async def test_a_pin_that_somebody_else_has_is_named_with_him(nodes: Path) -> None:
    chip = header(users={22: "gpio-leds"})
    line = wire(Library(nodes, chip))
    with pytest.raises(TransportError, match="pin 22 is used by gpio-leds") as failure:
        await line.open(Hearer())
    assert failure.value.code == "gpio.pin"
    chip.users[22] = ""
    with pytest.raises(TransportError, match="used by the kernel"):
        await line.open(Hearer())
    del chip.users[22]
    await line.open(Hearer())
    with pytest.raises(TransportError, match="opened already"):
        await line.open(Hearer())
    await line.close()
    chip.gone = True
    with pytest.raises(TransportError, match="pins 17, 22, 5, 6: No such device"):
        await line.open(Hearer())


async def test_the_chip_of_the_header_is_found_among_others(nodes: Path) -> None:
    other, pi5 = Silicon("gpiochip0", "raspberrypi-exp-gpio", 8), Silicon("gpiochip4", "pinctrl-rp1", 54)
    there = Library(nodes, other, pi5)
    for chip, found in (("", pi5), ("gpiochip4", pi5), ("pinctrl-rp1", pi5)):
        line = wire(there, chip)
        await line.open(Hearer())
        assert len(found.requests) == 1
        await line.close()
    with pytest.raises(TransportError, match=r"pin 17: the chip has the pins 0 to 7") as failure:
        await wire(there, "gpiochip0").open(Hearer())
    assert failure.value.code == "gpio.pin"
    with pytest.raises(
        TransportError, match=r"no chip is called 'gpiochip9'; there are gpiochip0 .*, gpiochip4"
    ) as none:
        await wire(there, "gpiochip9").open(Hearer())
    assert none.value.code == "gpio.no-board"
    pi5.label = "pinctrl-new"
    with pytest.raises(TransportError, match="none of the chips is that of a known header"):
        await wire(there).open(Hearer())
    assert there.open == 0


async def test_the_only_chip_serves_whatever_it_is_called(nodes: Path) -> None:
    chip = Silicon("gpiochip0", "gpio-sim.0-node0", 32)
    line = wire(Library(nodes, chip), inputs={})
    await line.open(Hearer())
    assert chip.users == {17: "feltd", 22: "feltd"}
    await line.close()


async def test_a_node_that_may_not_be_opened_says_why(nodes: Path) -> None:
    with pytest.raises(TransportError, match="there is no") as failure:
        await wire(Library(nodes)).open(Hearer())
    assert failure.value.code == "gpio.missing"
    for number, code in ((errno.EACCES, "denied"), (errno.EPERM, "forbidden"), (errno.ENXIO, "no-board")):
        with pytest.raises(TransportError) as failure:
            await wire(Library(nodes, header(refuses=number))).open(Hearer())
        assert failure.value.code == f"gpio.{code}"


def test_the_library_is_the_second_version_of_libgpiod(mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"gpiod": SimpleNamespace(), "gpiod.line": SimpleNamespace()})
    with pytest.raises(TransportError, match="libgpiod 1 is installed") as failure:
        library()
    assert failure.value.code == "gpio.no-factory"
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("gpiod"):
            raise ImportError("No module named 'gpiod'")
        return real(name, *rest)

    mocker.patch.object(builtins, "__import__", without)
    with pytest.raises(TransportError, match="No module named 'gpiod'"):
        library()


def test_the_library_that_is_installed_has_what_is_used_of_it() -> None:
    gpiod = pytest.importorskip("gpiod")
    assert library() is gpiod
    line = gpiod.line
    gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=line.Value.ACTIVE)
    for pull in ("PULL_UP", "PULL_DOWN", "DISABLED"):
        gpiod.LineSettings(direction=line.Direction.INPUT, edge_detection=line.Edge.BOTH, bias=getattr(line.Bias, pull))
    assert gpiod.EdgeEvent.Type.RISING_EDGE is not gpiod.EdgeEvent.Type.FALLING_EDGE
    used = ("get_values", "set_values", "read_edge_events", "release", "fd")
    assert all(hasattr(gpiod.LineRequest, name) for name in used)
    assert gpiod.api_version.startswith("2.")


def test_the_address_names_the_library_and_may_name_the_chip() -> None:
    made = pins(parse("gpio://gpiod/pinctrl-rp1"))({17: 0}, {})
    assert isinstance(made, LineTransport) and made.chip == "pinctrl-rp1"
    for wrong in ("gpio://gpiod/a/b", "gpio://gpiod?chip=1", "gpio://lgpio/gpiochip0", "gpio://other"):
        with pytest.raises(AddressError, match="one of the libraries gpiod, lgpio"):
            parse(wrong)
