"""What a start would find out about simulated devices is told by the check, which is the daemon's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.daemon.check import checked
from controller.daemon.main import MISCONFIGURED, run
from tests.daemon.house import table_toml


def told(directory: Path, old: str, new: str) -> list[tuple[str, str]]:
    path = table_toml(directory)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ConfigError) as caught:
        checked(path)
    lines = path.read_text().splitlines()
    assert all(problem.key.rpartition(".")[2] in lines[problem.line - 1] for problem in caught.value.problems)
    return [(problem.key, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("sim://lamps", "sim://lampss", 'there is no simulated device "lampss": did you mean "lamps"?'),
        ("sim://lamps", "sim://sensor.77", 'there is no simulated device "sensor.77": did you mean "sensor.'),
        ("sim://lamps", "sim://sign", 'the simulated device "sign" is a display, not a lamps'),
        ("sim://lamps", "sim://lamps?wire=carrier", 'there is no wire "carrier": known are can, memory, pty, slcan'),
        ("sim://lamps", "sim://lamps?foo=1", "unknown option 'foo'; a simulated device has wire, replay, withheld"),
        ("sim://lamps", "sim://console/x", "'/x' stands after the name of a simulated device"),
        ("sim://shoe", "sim://shoe?withheld=Kx", "cards are withheld from a capture, and none is played"),
        ("sim://shoe", "sim://shoe?replay=/nope", "/nope cannot be read: No such file or directory"),
        ("sim://shoe", "sim://shoe?replay={}/table.toml", ":1: this is no line of a capture"),
        ("sim://shoe", "sim://shoe?replay=/nope&withheld=Kx", "/nope cannot be read"),
    ],
)
def test_an_address_that_leads_nowhere(tmp_path: Path, old: str, new: str, says: str) -> None:
    [(key, message)] = told(tmp_path, f'"{old}"', f'"{new.format(tmp_path)}"')
    assert says in message
    assert key == f"device.{old.removeprefix('sim://')}.address"
    assert run(tmp_path / "table.toml") == MISCONFIGURED  # the unit waits for a person


def test_it_is_told_beside_every_other_mistake(tmp_path: Path) -> None:
    found = told(
        tmp_path,
        'family = "lamps"\naddress = "sim://lamps"',
        'family = "lamps"\naddress = "sim://lampss?wire=x"\narea = 9',
    )
    assert sorted(key for key, _ in found) == ["device.lamps.address"] * 2 + ["device.lamps.area"]


def test_a_device_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    found = told(tmp_path, '"sim://lamps"', '"sim://lampss"\nsealed = "yes"')
    assert [key for key, _ in found] == ["device.lamps.sealed"]
    path = tmp_path / "table.toml"
    path.write_text(path.read_text().replace("sim://shoe", "sim://sho"))
    with pytest.raises(ConfigError) as caught:
        checked(path)
    assert [problem.key for problem in caught.value.problems] == ["device.shoe.address", "device.lamps.sealed"]


def test_a_table_that_can_start_is_checked_so(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://lamps", "sim://lamps?wire=usb"))
    assert checked(path).table.name == "T1"
