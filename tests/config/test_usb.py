"""Which USB devices belong to a table, and the udev rules by which no others are used."""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner

from controller.cli.group import cli
from controller.config.errors import ConfigError
from controller.config.load import load_config
from controller.config.model import TableConfig, UsbSection
from controller.config.usb import is_configured, udev_rules, uses_usb
from firmware_bridge.address import parse
from firmware_bridge.usb_present import UsbDevice
from tests.daemon.house import table_toml
from tests.systemd.test_udev import TERM, UDEVADM, knows_verify

KEYBOARD = UsbDevice("1-1.4", "046d", "c31c", "", "Keyboard")
ADAPTER = UsbDevice("1-1.2", "0403", "6001", "A5", "UART")


def table(*addresses: str, allow: tuple[str, ...] = ()) -> TableConfig:
    devices = {f"d{number}": SimpleNamespace(address=parse(text)) for number, text in enumerate(addresses)}
    return cast(TableConfig, SimpleNamespace(devices=devices, usb=UsbSection(allow=list(allow))))


def plugged_adapter(sys: Path) -> Path:
    """A serial adapter at 1-1.2, as the kernel lists it, and the name that udev gives to its port."""
    port = sys / "devices" / "usb1" / "1-1" / "1-1.2" / "1-1.2:1.0" / "ttyUSB0"
    port.mkdir(parents=True)
    tty = sys / "class" / "tty" / "ttyUSB0"
    tty.mkdir(parents=True)
    (tty / "device").symlink_to(port)
    node = sys / "usb-FTDI_UART_A5-if00-port0"
    node.symlink_to("/dev/ttyUSB0")
    return node


def test_what_an_address_leads_to_is_configured(tmp_path: Path) -> None:
    node = plugged_adapter(tmp_path)
    for address in (
        f"serial://{node}",
        f"can://{node}/0x21?interface=slcan",
        "usb://0403:6001/A5",
        "usb://0403:6001/@1-1.2",
    ):
        assert is_configured(table(address), ADAPTER, tmp_path), address
        assert not is_configured(table(address), KEYBOARD, tmp_path), address
    for address in ("usb://0403:6001/A6", "usb://0403:6002/A5", "usb://0403:6001/@1-1.3", "socket://192.0.2.7:1"):
        assert not is_configured(table(address), ADAPTER, tmp_path), address


@pytest.mark.parametrize(("allow", "fits"), [("046d:c31c", True), ("046d:c31c/K1", False), ("046d:c31d", False)])
def test_what_is_allowed_is_configured(allow: str, fits: bool) -> None:
    assert is_configured(cast(TableConfig, _allowing(allow)), KEYBOARD) is fits


def _allowing(allow: str) -> Any:
    return SimpleNamespace(devices={}, usb=SimpleNamespace(allow=[allow]))


def test_hubs_and_the_computers_own_network_are_never_strangers() -> None:
    assert is_configured(table(), UsbDevice("1-1", "05e3", "0608", hub=True))
    assert is_configured(table(), UsbDevice("1-1.1", "0424", "7800"))


def test_a_table_without_anything_on_the_usb_is_not_watched() -> None:
    assert not uses_usb(table("sim://shoe", "socket://192.0.2.7:1", "can://can0/1", "serial:///tmp/wire"))
    assert uses_usb(table("serial:///dev/serial/by-id/usb-a-if00"))
    assert uses_usb(table("usb://1209:f317/A"))
    assert uses_usb(table(allow=("046d:c31c",)))


# ---- the rules


DEVICES = (
    "usb://1209:f317/SH-0001",
    "usb://1209:f317/@1-1.3",
    "serial:///dev/serial/by-id/usb-FTDI_UART_A5-if00-port0",
    "serial:///dev/serial/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0",
    "serial:///dev/feltd/BS-0001-if01",
    "serial:///dev/ttyUSB0",
)
RULES = list(udev_rules(table(*DEVICES, allow=("046d:c31c", "046d:c31d/K*1"))))


def decided(facts: dict[str, str]) -> str | None:
    """Follows the rules as udev would for the `add` of a device; returns what is written to its `authorized`."""
    for line in RULES:
        if not line or line.startswith("#"):
            continue
        terms = [(name + part, operator, value) for name, part, operator, value in TERM.findall(line)]
        tests = [(key, operator, value) for key, operator, value in terms if operator in ("==", "!=")]
        if all(fnmatch.fnmatchcase(facts.get(key, ""), value) == (operator == "==") for key, operator, value in tests):
            written: dict[str, str] = {key: value for key, operator, value in terms if operator == "="}
            if "ATTR{authorized}" in written:
                return written["ATTR{authorized}"]
            if "GOTO" in written:
                return None
    return None


def usb(vendor: str, product: str, serial: str = "", **more: str) -> dict[str, str]:
    facts = {"SUBSYSTEM": "usb", "ACTION": "add", "ENV{DEVTYPE}": "usb_device", "KERNEL": "1-1.9"}
    facts |= {"ATTR{idVendor}": vendor, "ATTR{idProduct}": product, "ATTR{serial}": serial, "ATTR{bDeviceClass}": "00"}
    return facts | {key: more[name] for name, key in (("at", "KERNEL"), ("kind", "ATTR{bDeviceClass}")) if name in more}


@pytest.mark.parametrize(
    ("facts", "authorized"),
    [
        (usb("1209", "f317", "SH-0001"), "1"),
        (usb("1209", "f317", "SH-0002"), "0"),
        (usb("1209", "f317", at="1-1.3"), "1"),
        (usb("0403", "6001", "A5") | {"ENV{ID_SERIAL}": "FTDI_UART_A5"}, "1"),
        (usb("0403", "6001", "A6") | {"ENV{ID_SERIAL}": "FTDI_UART_A6"}, "0"),
        (usb("1a86", "7523") | {"ENV{ID_PATH}": "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3"}, "1"),
        (usb("1a86", "7523", "BS-0001"), "1"),
        (usb("05e3", "0608", kind="09"), "1"),
        (usb("0424", "ec00"), "1"),
        (usb("046d", "c31c", "any"), "1"),
        (usb("046d", "c31d", "K?1"), "1"),
        (usb("046d", "c31d"), "0"),
        (usb("dead", "beef"), "0"),
        (usb("dead", "beef") | {"ENV{feltd_usb}": "open"}, None),
        (usb("dead", "beef") | {"ACTION": "change"}, None),
        (usb("dead", "beef") | {"SUBSYSTEM": "tty"}, None),
        (usb("1d6b", "0002", at="usb1", kind="09"), None),  # a root hub: only what comes behind it is refused
    ],
)
def test_who_is_let_in(facts: dict[str, str], authorized: str | None) -> None:
    assert decided(facts) == authorized


def test_a_root_hub_refuses_what_is_plugged_in_from_now_on() -> None:
    assert 'KERNEL=="usb[0-9]*", ATTR{authorized_default}="0", GOTO="feltd_usb_end"' in RULES


def test_an_address_that_names_no_adapter_is_said() -> None:
    assert any("d5: serial:// does not say which adapter it is" in line for line in RULES)


def test_every_line_is_well_formed() -> None:
    for line in RULES:
        assert not line or line.startswith("#") or re.fullmatch(rf"{TERM.pattern}(, {TERM.pattern})*", line), line


@pytest.mark.skipif(not knows_verify(), reason="no udevadm with verify (systemd 254) is on this machine")
def test_udevadm_has_nothing_to_say(tmp_path: Path) -> None:
    assert UDEVADM is not None and shutil.which(UDEVADM)
    path = tmp_path / "98-feltd-usb.rules"
    path.write_text("\n".join(RULES) + "\n")
    said = subprocess.run([UDEVADM, "verify", str(path)], capture_output=True, text=True, timeout=30, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_command_prints_them(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text() + '[usb]\nallow = ["046d:c31c"]\n')
    said = CliRunner().invoke(cli, ["config", "udev", str(path)])
    rules = list(udev_rules(load_config(path)))
    assert said.exit_code == 0 and said.output.splitlines() == rules
    told = CliRunner().invoke(cli, ["config", "udev", str(path), "--json"])
    assert json.loads(told.output) == {"ok": True, "lines": rules}


@pytest.mark.parametrize("word", ["046D:c31c", "046d", "046d:c31c/", 'x"'])
def test_a_wrong_word_is_named(tmp_path: Path, word: str) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text() + f"[usb]\nallow = ['{word}']\n")
    with pytest.raises(ConfigError, match=r"usb.*is no USB device"):
        load_config(path)
