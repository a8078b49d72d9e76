"""`felt devices --suggest`: on made-up computers, with and without a table."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from controller.cli.suggest import from_daemon, from_file, look, text
from controller.errors import FeltError
from firmware_bridge.address import parse
from firmware_bridge.plugged import Plugged, Roots, leads_to
from hw_sim.usb import UsbBus, UsbWire
from tests.cli.conftest import felt


@dataclass
class FakePort:
    device: str
    description: str = "n/a"
    serial_number: str | None = None
    vid: int | None = None
    pid: int | None = None


class Computer:
    """A directory that looks like /dev and /sys/class/net."""

    def __init__(self, root: Path) -> None:
        self.roots = Roots(root / "dev", root / "net")
        self.roots.dev.mkdir()
        self.roots.net.mkdir()
        self.ports: list[Any] = []

    def serial(self, tty: str, by_id: str = "", by_path: str = "", **told: Any) -> str:
        node = self.roots.dev / tty
        node.touch()
        for folder, name in (("by-id", by_id), ("by-path", by_path)):
            if name:
                link = self.roots.dev / "serial" / folder / name
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(f"../../{tty}")
        self.ports.append(FakePort(str(node), **told))
        return str(node)

    def interface(self, name: str, kind: str, state: str = "up") -> None:
        folder = self.roots.net / name
        folder.mkdir()
        (folder / "type").write_text(kind + "\n")
        (folder / "operstate").write_text(state + "\n")

    def look(self, usb_backend: Any = None) -> list[Plugged]:
        return look(self.roots, self.ports, usb_backend)


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path)


def test_nothing(computer: Computer) -> None:
    assert computer.look() == []
    assert list(text([], {})) == ["# Nothing is plugged in that a device could be behind."]
    used = text([Plugged("usb://1209:f317/A-1", "USB device at 1-1")], {"shoe": "usb://1209:f317/A-1"})
    assert "Nothing else is plugged in" in "\n".join(used)


def test_serial_ports_by_the_name_that_stays(computer: Computer) -> None:
    computer.serial("ttyUSB0", "usb-maker_shoe_0042-if00", "p-1", description="shoe", serial_number="0042", vid=1027)
    computer.serial("ttyUSB1", by_path="platform-usb-0:1.2:1.0", description="USB Serial", vid=6790)
    computer.serial("ttyAMA0")
    computer.serial("ttyS0")  # a legacy port with nothing behind it
    (computer.roots.dev / "serial/by-id/usb-gone").symlink_to("../../ttyUSB9")
    found = computer.look()
    dev = computer.roots.dev
    assert [there.address for there in found] == [
        f"serial://{dev}/serial/by-id/usb-maker_shoe_0042-if00",
        f"serial://{dev}/serial/by-path/platform-usb-0:1.2:1.0",
        f"serial://{dev}/ttyAMA0",
    ]
    assert found[0].what == "shoe (ttyUSB0)" and found[0].serial == "0042"


async def test_usb_can_and_pins(computer: Computer) -> None:
    bus = UsbBus()
    for serial in ("A-1", "B 2"):
        UsbWire(bus, serial).plug()
    hidden = UsbWire(bus, "C-3", denied=True)
    hidden.plug()
    computer.interface("can0", "280", "down")
    computer.interface("eth0", "1")
    for chip in ("gpiochip0", "gpiochip4"):
        (computer.roots.dev / chip).touch()
    found = computer.look(bus)
    addresses = [there.address for there in found]
    assert addresses[:2] == ["usb://1209:f317/A-1", "usb://1209:f317/B%202"]
    assert addresses[2].startswith("usb://1209:f317/@") and "may not be read" in found[2].what
    assert addresses[3:] == ["can://can0/1", "gpio://gpiod"]
    assert "down" in found[3].what and "gpiochip0, gpiochip4" in found[4].what
    assert bus.open_handles == 0
    computer.ports = [FakePort("/dev/ttyACM0", vid=0x1209, pid=0xF317)]  # the kernel has made it a serial port
    assert not [there for there in computer.look(bus) if there.address.startswith("usb:")]


async def test_usb_devices_with_one_serial_number_are_named_by_their_positions(computer: Computer) -> None:
    bus = UsbBus()
    for serial in ("A-1", "A-1", "B-2"):
        UsbWire(bus, serial).plug()
    found = computer.look(bus)
    addresses = [there.address for there in found]
    assert addresses == ["usb://1209:f317/@1-1", "usb://1209:f317/@1-2", "usb://1209:f317/B-2"]
    assert "another one has its serial number" in found[0].what
    assert leads_to("usb://1209:f317/@1-3", found[2]) and leads_to("usb://1209:f317/B-2", found[2])
    assert not leads_to("usb://1209:f317/@1-3", found[1])


def test_the_text_is_toml_and_its_addresses_are_good(computer: Computer) -> None:
    computer.serial("ttyUSB0", "usb-maker_bet_sensor_1", serial_number='7"\n[x]', vid=1027)
    computer.serial("ttyUSB1", "usb-what ever?#", description='evil"\nname = 1')
    computer.interface("can0", "280")
    (computer.roots.dev / "gpiochip0").touch()
    said = "\n".join(text(computer.look(), None))
    assert said.startswith("# No daemon answers")
    devices = tomllib.loads(said)["device"]
    assert [device["family"] for device in devices.values()] == ["bet-sensor", "", "", "lamps"]
    for device in devices.values():
        parse(device["address"])  # it can be read
    odd = parse(devices["new-2"]["address"])
    assert Path(odd.path).is_symlink()  # quoting comes back whole


def test_what_the_table_has_is_marked(computer: Computer) -> None:
    node = computer.serial("ttyUSB0", "usb-shoe", vid=1)
    computer.serial("ttyUSB1", "usb-adapter", vid=1)
    computer.serial("ttyUSB2", "usb-new", vid=1)
    computer.interface("can0", "280")
    has = {
        "shoe": f"serial://{node}?baud=9600",
        "lamps": f"can://{computer.roots.dev}/serial/by-id/usb-adapter/0x21?interface=slcan",
        "sign": "can://can0/0x22",
        "bad": "nowhere",
        "sim": "sim://shoe",
    }
    said = "\n".join(text(computer.look(), has))
    assert "is used by shoe" in said and "is used by lamps" in said and "is used by sign" in said
    (new,) = tomllib.loads(said)["device"].values()
    assert new["address"].endswith("/usb-new")


def test_usb_addresses_are_compared_whatever_their_case() -> None:
    there = Plugged("usb://1209:f317/A-1", "")
    assert leads_to("usb://1209:F317/A-1?interface=1", there)
    assert not leads_to("usb://1209:f317/A-2", there)


def test_a_file_with_mistakes_still_tells_its_addresses(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[device.shoe]\nfamily = "sho"\naddress = "can://can0/1"\n[device.x]\n')
    assert from_file(path) == {"shoe": "can://can0/1"}
    for words in ("[", "device = 1", "[device]\nx = 1"):
        path.write_text(words)
        with pytest.raises(FeltError) as error:
            from_file(path)
        assert error.value.code == "config.unreadable"
    with pytest.raises(FeltError):
        from_file(tmp_path / "none")
    assert from_daemon(str(tmp_path / "none")) is None


def test_the_command_needs_no_daemon(tmp_path: Path) -> None:
    said = felt("devices", "--suggest", FELT_SOCKET=str(tmp_path / "none"))
    assert said.returncode == 0, said.stderr
    assert "# No daemon answers" in said.stdout
    tomllib.loads(said.stdout)
    said = felt("devices", "--suggest", "--json", FELT_SOCKET=str(tmp_path / "none"))
    assert "plugged" in json.loads(said.stdout)
    said = felt("devices", "--suggest", "--config", str(tmp_path / "none"))
    assert said.returncode == 1 and "config.unreadable" in said.stderr
