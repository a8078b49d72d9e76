"""felt doctor --bundle: a support file with what helps, without secrets and without cards, in the middle of a round."""

from __future__ import annotations

import json
import re
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.bundle import without_secrets
from controller.cli.checkup import machine
from controller.service.clock_trust import ClockTrust
from controller.table.facts import SYNCHRONISED, UNKNOWN, UNSYNCHRONISED, Trust
from tests.cli.conftest import felt
from tests.daemon.house import House

CARDS = ("Kh", "9d", "Qs", "5d", "9c")
CARD = re.compile(r"\b(10|[2-9TJQKA])[cdhs]\b")
KEY = "c0ffee" * 10 + "c0ff"
HASH = "$argon2id$v=19$m=16384,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g"
DSN = "postgresql://felt:hush-hush@192.0.2.9/meters"


@pytest.fixture(scope="module")
def dealing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Cards lie face down, and secrets lie where a table has them."""
    house = House(tmp_path_factory.mktemp("dealing"), game="three-card-poker")
    try:
        house.start()
        with house.devices() as devices:
            devices.do("sensor.1", "bet", {"ante": 1000})
            house.wait(lambda: house.status()["round"]["phase"] == "betting")
            devices.do("console", "press", "no-more-bets")
            house.wait(lambda: house.status()["round"]["phase"] == "dealing")
            before = house.status()["journal"]["seq"]
            for card in CARDS:
                devices.do("shoe", "draw", card)
            house.wait(lambda: house.status()["journal"]["seq"] >= before + len(CARDS))
        (house.directory / "state" / "keys.toml").write_text(f'SIM-shoe = "{KEY}"\n')
        (house.directory / "people.toml").write_text(f'[person.anna]\npin = "{HASH}"\n')
        yield house
    finally:
        house.close()


def opened(file: Path) -> dict[str, str]:
    with tarfile.open(file) as archive:
        return {name: archive.extractfile(name).read().decode() for name in archive.getnames()}  # type: ignore[union-attr]


def test_a_support_file_has_no_secrets_and_no_cards(dealing: House, tmp_path: Path) -> None:
    config, file = tmp_path / "table.toml", tmp_path / "support.tar.gz"
    config.write_text(dealing.config.read_text() + f'# [jackpot]\ndsn = "{DSN}"\n# see {DSN}\n')
    said = felt("doctor", "--bundle", str(file), "--config", str(config), "--socket", str(dealing.socket))
    assert f"{file} is for whoever helps: it has no secrets and no cards in it" in said.stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    parts = opened(file)
    everything = "".join(parts.values())
    assert CARD.search(everything) is None
    for secret in (KEY, HASH, "argon2", "hush-hush"):
        assert secret not in everything
    names = {name.removeprefix("felt-support/") for name in parts}
    assert {"doctor.json", "machine.json", "table.toml", "status.json", "devices.json", "traces/shoe.jsonl"} <= names
    assert json.loads(parts["felt-support/status.json"])["table"] == "T1"
    frames = [json.loads(line) for line in parts["felt-support/traces/shoe.jsonl"].splitlines()]
    assert any(frame["kind"] == "event" for frame in frames)
    assert not any({"hex", "blank"} & frame.keys() for frame in frames)


def test_a_file_that_is_there_is_left_alone(dealing: House, tmp_path: Path) -> None:
    file = tmp_path / "support.tar.gz"
    file.write_text("mine")
    said = felt("doctor", "--bundle", str(file), "--config", str(dealing.config))
    assert said.returncode == 1 and said.stderr.startswith("bundle.unwritable: ")
    assert file.read_text() == "mine"


def test_a_support_file_without_a_daemon(tmp_path: Path) -> None:
    file, config = tmp_path / "support.tar.gz", tmp_path / "none.toml"
    said = felt("doctor", "--json", "--bundle", str(file), "--config", str(config), "--socket", str(tmp_path / "no"))
    parts = opened(file)
    assert json.loads(parts["felt-support/doctor.json"]) == json.loads(said.stdout)
    assert json.loads(said.stdout)["first"]["code"] == "config.missing"
    assert json.loads(parts["felt-support/status.json"])["error"]["code"] == "daemon.unreachable"
    assert "cannot be read" in parts["felt-support/table.toml"]


@pytest.mark.parametrize(
    "line",
    [
        'dsn = "x"',
        "password='x'",
        '"api-key" = "x"',
        'PIN= "x"',
        'address = "socket://me:x@192.0.2.7:1"',
        'my-token="x"',
    ],
)
def test_what_sounds_like_a_secret_is_left_out(line: str) -> None:
    assert "x" not in without_secrets(line).replace("text", "")


# ---- the machine


@pytest.mark.parametrize(
    ("bits", "code"),
    [("0x0", ""), ("0x50005", "power.low"), ("0x50000", "power.was-low"), ("0x4", "power.slowed"), ("nonsense", "")],
)
def test_the_power_of_a_raspberry_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bits: str, code: str) -> None:
    monkeypatch.setattr(machine, "output_of", lambda command: f"throttled={bits}\n")
    (finding,) = machine.power(tmp_path)
    assert finding.code == code and bool(finding.next_step) is bool(code)


@pytest.mark.parametrize("soc", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"])
@pytest.mark.parametrize(("bits", "code"), [("0", ""), ("50005", "power.low"), ("50000", "power.was-low")])
def test_the_power_as_the_firmware_tells_the_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, soc: str, bits: str, code: str
) -> None:
    """Whoever may not use the firmware's own program, such as a technician without its group, reads it there."""
    monkeypatch.setattr(machine, "output_of", lambda command: pytest.fail("it is known already"))
    told = tmp_path / "devices/platform" / soc / "get_throttled"
    told.parent.mkdir(parents=True)
    told.write_text(f"{bits}\n")
    (finding,) = machine.power(tmp_path)
    assert finding.code == code


@pytest.mark.parametrize(("alarm", "code"), [("1", "power.low"), ("0", "")])
def test_the_power_as_the_kernel_tells_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, alarm: str, code: str
) -> None:
    monkeypatch.setattr(machine, "output_of", lambda command: "")
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        monitor = tmp_path / f"class/hwmon/hwmon{number}"
        monitor.mkdir(parents=True)
        (monitor / "name").write_text(f"{name}\n")
    (tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm").write_text(f"{alarm}\n")
    (finding,) = machine.power(tmp_path)
    assert finding.code == code


@pytest.mark.parametrize(
    ("trust", "now", "code"),
    [
        (SYNCHRONISED, 1.8e9, ""),
        (UNSYNCHRONISED, 1.8e9, "clock.unsure"),
        (UNKNOWN, 1.8e9, ""),
        (SYNCHRONISED, 86_400.0, "clock.wrong"),
    ],
)
def test_the_clock(monkeypatch: pytest.MonkeyPatch, trust: Trust, now: float, code: str) -> None:
    monkeypatch.setattr("time.time", lambda: now)
    (finding,) = machine.clock(lambda: ClockTrust(trust))
    assert finding.code == code
