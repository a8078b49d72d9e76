"""The udev rules are well formed, and speak of the devices and the group that the rest of the project knows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hw_sim.usb import PRODUCT, VENDOR

SYSTEMD = Path(__file__).parents[2] / "systemd"
RULES = SYSTEMD / "99-feltd.rules"
TERM = re.compile(r'([A-Z]+)(\{[^}"]+\})?(==|!=|\+=|=)"([^"]*)"')
MATCHED = {"ACTION", "KERNEL", "SUBSYSTEM", "SUBSYSTEMS", "ATTR", "ATTRS", "ENV"}
ASSIGNED = {"GROUP", "MODE", "ENV", "SYMLINK", "GOTO", "LABEL"}
UDEVADM = shutil.which("udevadm")


def knows_verify() -> bool:
    if UDEVADM is None:
        return False
    return subprocess.run([UDEVADM, "verify", "--help"], capture_output=True, timeout=30, check=False).returncode == 0


def rules() -> list[list[tuple[str, str, str, str]]]:
    lines = [line for line in RULES.read_text().splitlines() if line and not line.startswith("#")]
    for line in lines:
        assert re.fullmatch(rf"{TERM.pattern}(, {TERM.pattern})*", line), line
    return [TERM.findall(line) for line in lines]


@pytest.mark.skipif(not knows_verify(), reason="no udevadm with verify (systemd 254) is on this machine")
def test_udevadm_has_nothing_to_say() -> None:
    assert UDEVADM is not None
    said = subprocess.run([UDEVADM, "verify", str(RULES)], capture_output=True, text=True, timeout=30, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_every_term_is_one_that_udev_knows_and_matches_come_first() -> None:
    for terms in rules():
        kinds = [operator in ("==", "!=") for _, _, operator, _ in terms]
        assert kinds == sorted(kinds, reverse=True)
        for (name, _, _, _), matches in zip(terms, kinds, strict=True):
            assert name in (MATCHED if matches else ASSIGNED), name


def test_every_goto_has_its_label() -> None:
    terms = [term for line in rules() for term in line]
    assert {value for name, *_, value in terms if name == "GOTO"} == {
        value for name, *_, value in terms if name == "LABEL"
    }


def test_they_speak_of_our_devices_and_our_group() -> None:
    terms = [term for line in rules() for term in line]
    values = {key + part: {v for k, p, _, v in terms if (k, p) == (key, part)} for key, part, _, _ in terms}
    assert values["ATTR{idVendor}"] == values["ATTRS{idVendor}"] == {f"{VENDOR:04x}"}
    assert values["ATTR{idProduct}"] == values["ATTRS{idProduct}"] == {f"{PRODUCT:04x}"}
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    assert all(f"g {group} " in users for group in values["GROUP"])
    assert all(name.startswith("feltd/$env{ID_SERIAL_SHORT}") for name in values["SYMLINK"])


def test_pins_go_to_the_group_that_the_daemon_is_in() -> None:
    """A gpiochip belongs to root alone on plain Debian."""
    (pins,) = [line for line in rules() if ("SUBSYSTEM", "", "==", "gpio") in line]
    (group,) = [value for name, _, _, value in pins if name == "GROUP"]
    assert ("MODE", "", "=", "0660") in pins
    assert f"m feltd   {group}" in (SYSTEMD / "feltd.sysusers.conf").read_text()
