"""What is plugged into the computer's USB and not configured is named, on record, for as long as it is there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.api.views import trouble
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.service.usb_watch import UNKNOWN, USB, UsbWatch
from controller.table.facts import DeviceCleared, DeviceFault
from firmware_bridge.usb_present import UsbDevice, open_bell, silence, usb_present
from tests.api.conftest import Floor
from tests.daemon.house import table_toml

SHOE = UsbDevice("1-1.1", "1209", "f317", "SH-1", "shoe")
STICK = UsbDevice("1-1.4", "0781", "5567", "4C53", "Cruzer", authorized=False)
OF_USB = b"add@/devices/usb1/1-1/1-1.4\0ACTION=add\0SUBSYSTEM=usb\0DEVTYPE=usb_device\0"
OF_DISK = b"add@/devices/x\0ACTION=add\0SUBSYSTEM=block\0"


class Ports:
    """The computer's USB: what is plugged in, and the kernel's end of the bell."""

    def __init__(self) -> None:
        self.plugged = [SHOE]
        self.looked = 0
        self.kernel, self.bell = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.bell.setblocking(False)

    def present(self) -> list[UsbDevice]:
        self.looked += 1
        return list(self.plugged)


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, sim, _):
        yield Floor(daemon, sim)


@pytest.fixture
async def watched(floor: Floor) -> AsyncIterator[tuple[Floor, Ports, UsbWatch]]:
    ports = Ports()
    service = floor.daemon.service
    watch = UsbWatch(service.engine, service.storage, ports.present, lambda device: device == SHOE, settle=0.0)
    yield floor, ports, watch
    watch.stop()
    watch.stop()
    ports.kernel.close()
    ports.bell.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def named(floor: Floor) -> str:
    return floor.daemon.service.engine.table.faults.get(USB, {}).get(UNKNOWN, "")


async def test_a_stranger_is_named_until_it_is_pulled_out(watched: tuple[Floor, Ports, UsbWatch]) -> None:
    floor, ports, watch = watched
    facts: list[object] = []
    floor.daemon.service.engine.listeners.append(lambda seq, fact, table, effects: facts.append(fact))
    watch.start(lambda: ports.bell)
    await until(lambda: ports.looked == 1)
    assert named(floor) == ""
    ports.plugged.append(STICK)
    ports.kernel.send(OF_USB)
    await until(lambda: named(floor) != "")
    text = '0781:5567 "Cruzer" serial number 4C53 at 1-1.4, refused'
    assert named(floor) == text
    (told,) = [each for each in trouble(floor.daemon.service) if each["code"] == UNKNOWN]
    assert told["cause"] == f"usb: {text}" and "pull it out" in told["next_step"]
    watch.look()  # the same again is no news
    ports.plugged.remove(STICK)
    ports.kernel.send(OF_USB)
    await until(lambda: named(floor) == "")
    ours = [fact for fact in facts if isinstance(fact, DeviceFault | DeviceCleared)]
    assert ours == [DeviceFault(USB, UNKNOWN, text), DeviceCleared(USB, UNKNOWN)]


async def test_other_news_of_the_kernel_are_not_looked_at(watched: tuple[Floor, Ports, UsbWatch]) -> None:
    _, ports, watch = watched
    watch.start(lambda: ports.bell)
    await until(lambda: ports.looked == 1)
    ports.kernel.send(OF_DISK)
    ports.kernel.send(OF_DISK)
    assert silence(ports.bell) is False
    ports.kernel.send(OF_DISK)
    ports.kernel.send(OF_USB)
    assert silence(ports.bell) is True


async def test_a_crowd_is_counted(watched: tuple[Floor, Ports, UsbWatch]) -> None:
    floor, ports, watch = watched
    ports.plugged += [UsbDevice(f"2-{n}", "0781", "5567") for n in range(1, 8)]
    watch.look()
    await until(lambda: named(floor).endswith("0781:5567 at 2-4; and 3 more"))


async def test_without_a_bell_it_looks_once(watched: tuple[Floor, Ports, UsbWatch]) -> None:
    floor, ports, watch = watched
    ports.plugged.append(STICK)

    def no_bell() -> socket.socket:
        raise OSError(97, "Address family not supported by protocol")

    watch.start(no_bell)
    await until(lambda: named(floor) != "")


def test_what_the_kernel_lists(tmp_path: Path) -> None:
    devices = tmp_path / "bus" / "usb" / "devices"

    def listed(name: str, **attributes: str) -> None:
        (devices / name).mkdir(parents=True)
        for key, value in attributes.items():
            (devices / name / key).write_text(f"{value}\n")

    listed("usb1", idVendor="1d6b", idProduct="0002", bDeviceClass="09")
    listed("1-1", idVendor="05e3", idProduct="0608", bDeviceClass="09", authorized="1")
    listed("1-1:1.0", bInterfaceClass="09")
    listed("1-1.4", idVendor="0781", idProduct="5567", serial="4C\x1b53", product="C" * 60, authorized="0")
    assert usb_present(tmp_path) == [
        UsbDevice("1-1", "05e3", "0608", hub=True),
        UsbDevice("1-1.4", "0781", "5567", "4C?53", "C" * 40, authorized=False),
    ]
    assert usb_present(tmp_path / "none") == []


def test_the_kernel_lets_anybody_hear_its_bell() -> None:
    """On this machine: a container may have no such news, a table's computer has."""
    try:
        open_bell().close()
    except OSError as error:
        pytest.skip(f"no news of the kernel here: {error.strerror}")
