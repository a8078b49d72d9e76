"""A refused node is told by its cause: the file's permissions, or the service's list of devices."""

from __future__ import annotations

import errno
import os
import pty
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import serial
from pytest_mock import MockerFixture

from controller.api.advice import next_step
from firmware_bridge import access
from firmware_bridge import gpio as pins
from firmware_bridge.gpio import pin_factory
from firmware_bridge.serial import SerialTransport
from firmware_bridge.transport import TransportError
from firmware_bridge.usb_device import UsbPlace, open_pipe
from hw_sim.usb import PRODUCT, VENDOR, UsbBus, UsbWire, usb_error
from tests.firmware_bridge.listener import Listener

NOBODY = 65534


@contextmanager
def somebody() -> Iterator[None]:
    """A user who owns nothing: for root no node is ever shut."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def shut_port() -> Iterator[str]:
    """A serial port that exists and that nobody may open."""
    far, near = pty.openpty()
    path = os.ttyname(near)
    Path(path).chmod(0)
    yield path
    os.close(far)
    os.close(near)


def forbid(mocker: MockerFixture, path: str) -> None:
    """As the device cgroup of a unit does, which a test cannot have."""
    really = os.open

    def opened(name: Any, *args: Any, **kwargs: Any) -> int:
        if str(name) == path:
            raise OSError(errno.EPERM, "Operation not permitted", path)
        return really(name, *args, **kwargs)

    mocker.patch.object(os, "open", opened)


async def refused(path: str) -> TransportError:
    with pytest.raises(TransportError) as failure:
        await SerialTransport(path).open(Listener())
    return failure.value


async def test_a_serial_port_that_is_shut_names_its_group(shut_port: str) -> None:
    assert callable(serial.Serial)  # loaded while everything may be read
    with somebody():
        denied = await refused(shut_port)
    assert denied.code == "serial.denied"
    assert "belongs to the group" in denied.cause and "c---------" in denied.cause
    assert "usermod -aG dialout" in next_step(denied.code)


async def test_a_serial_port_that_the_unit_does_not_allow_says_nothing_of_groups(mocker: MockerFixture) -> None:
    forbid(mocker, "/dev/ttyUSB0")
    forbidden = await refused("/dev/ttyUSB0")
    assert forbidden.code == "serial.forbidden"
    assert "its unit does not allow" in forbidden.cause and "group" not in forbidden.cause
    assert "DeviceAllow=" in next_step(forbidden.code) and "group" not in next_step(forbidden.code)


# ---- USB: libusb says EACCES or EIO, whatever the kernel said


class Plugged(UsbWire):
    """A device that is plugged in."""

    def __init__(self) -> None:
        self.bus = UsbBus()
        super().__init__(self.bus, "A-1")
        self.plug()


@pytest_asyncio.fixture
async def wire() -> Plugged:
    return Plugged()


def usb_refused(wire: Plugged, nodes: str = "") -> TransportError:
    with pytest.raises(TransportError) as failure:
        open_pipe(UsbPlace(VENDOR, PRODUCT, "A-1"), wire.bus, 20, nodes)
    return failure.value


def node_of(wire: Plugged, folder: Path) -> Path:
    """A file where the kernel would have the device's node."""
    (device,) = wire.bus.enumerate_devices()
    descriptor = wire.bus.get_device_descriptor(device)
    node = folder / f"{descriptor.bus:03d}" / f"{descriptor.address:03d}"
    node.parent.mkdir()
    node.touch()
    readable(folder)
    return node


def readable(folder: Path) -> None:
    """Also for somebody; pytest makes its folders for its own user."""
    for each in (folder, *folder.parents):
        if each.name.startswith(("pytest-", "popen-", "test_")):
            each.chmod(0o755)


async def test_usb_denied_speaks_of_permissions_and_not_of_cables(wire: Plugged) -> None:
    wire.denied = True
    denied = usb_refused(wire)
    assert denied.code == "usb.denied"
    assert "99-feltd.rules" in next_step(denied.code) and "cable" not in next_step(denied.code)


async def test_a_usb_node_that_is_shut_names_its_group(wire: Plugged, tmp_path: Path) -> None:
    node = node_of(wire, tmp_path)
    node.chmod(0)
    wire.denied = True
    with somebody():
        denied = usb_refused(wire, str(tmp_path))
    assert denied.code == "usb.denied"
    assert "belongs to the group" in denied.cause


async def test_a_usb_node_that_the_unit_does_not_allow_is_no_broken_cable(
    wire: Plugged, tmp_path: Path, mocker: MockerFixture
) -> None:
    """libusb makes EIO of the kernel's EPERM."""
    forbid(mocker, str(node_of(wire, tmp_path)))

    def fail(operation: str) -> None:
        if operation == "open":
            raise usb_error(errno.EIO)

    wire.bus.before = fail
    assert usb_refused(wire, str(tmp_path)).code == "usb.forbidden"
    assert "char-usb_device" in next_step("usb.forbidden")
    assert usb_refused(wire).code == "usb.lost"  # where there are no nodes to look at, it is what libusb says


# ---- pins


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mocker: MockerFixture) -> Path:
    """A machine with one chip of pins, and a library that cannot open it and does not say why, as lgpio."""
    monkeypatch.setattr(pins, "_factories", {})
    monkeypatch.setattr(pins, "DEV", tmp_path)
    mocker.patch.object(pins, "import_module", side_effect=RuntimeError("can not open gpiochip"))
    readable(tmp_path)
    chip = tmp_path / "gpiochip0"
    chip.touch()
    return chip


def no_pins() -> TransportError:
    with pytest.raises(TransportError) as failure:
        pin_factory("lgpio")
    return failure.value


def test_pins_that_are_shut_need_a_group_and_no_package(board: Path) -> None:
    board.chmod(0)
    with somebody():
        denied = no_pins()
    assert denied.code == "gpio.denied"
    assert str(board) in denied.cause and "belongs to the group" in denied.cause
    assert "group gpio" in next_step(denied.code) and "nstall" not in next_step(denied.code)


def test_pins_that_the_unit_does_not_allow(board: Path, mocker: MockerFixture) -> None:
    forbid(mocker, str(board))
    assert no_pins().code == "gpio.forbidden"
    assert "char-gpiochip" in next_step("gpio.forbidden")


def test_a_computer_without_pins_and_a_board_that_nobody_knows(board: Path) -> None:
    assert no_pins().code == "gpio.no-board"
    assert "gpio://gpiod" in next_step("gpio.no-board")
    board.unlink()
    assert no_pins().code == "gpio.missing"


def test_a_node_that_may_be_opened_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "node").touch()
    assert access.refused(str(tmp_path / "node")) == 0
    assert access.refused(str(tmp_path / "none")) == 0
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert access.refused(str(tmp_path / "socket")) == 0
