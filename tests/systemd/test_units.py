"""The systemd unit is well formed, shut tight, and agrees with its user and directory snippets."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.config import ApiSection
from controller.daemon.main import FAILED, MISCONFIGURED

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = SYSTEMD / "feltd.service"
EXPOSURE_LIMIT = 16  # tenths, as `systemd-analyze security --threshold` counts them

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not on this machine")


def analyze(*args: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *args], capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists here: `verify` looks for it."""
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/usr/lib/feltd/bin/feltd", sys.executable))
    return copy


@needs_systemd
def test_verify_has_nothing_to_say(unit: Path) -> None:
    result = analyze("verify", "--man=no", str(unit))
    # It exits 0 on unknown keys, so what it writes is what counts; it also speaks of the machine's other units.
    ours = [line for line in result.stderr.splitlines() if UNIT.name in line]
    assert ours == []


@needs_systemd
def test_verify_would_notice(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in analyze("verify", "--man=no", str(unit)).stderr


@needs_systemd
def test_exposure_is_low(unit: Path) -> None:
    result = analyze("security", "--offline=true", f"--threshold={EXPOSURE_LIMIT}", str(unit))
    assert result.returncode == 0, result.stdout + result.stderr


@needs_systemd
def test_every_point_that_is_left_is_explained(unit: Path) -> None:
    shown = analyze("security", "--offline=true", "--no-pager", str(unit)).stdout
    left = {line.split()[1].replace("|", r"\|") for line in shown.splitlines() if line.startswith("✗")}
    page = (SYSTEMD.parent / "docs" / "security.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([^`]+)` \| 0\.\d \|", page, re.M))
    assert left
    assert left - explained == set()
    assert "PrivateUsers" not in sections(UNIT)["Service"]


def test_user_exists_and_can_read_the_configuration() -> None:
    service = sections(UNIT)["Service"]
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    assert re.search(rf"^u {service['User']} ", users, re.M)
    for group in service["SupplementaryGroups"].split():
        assert re.search(rf"^g {group} ", users, re.M), group
    config = Path(service["ExecStart"].split("--config ")[1])
    assert f"{config} 0640 root {service['Group']}" in (SYSTEMD / "feltd.tmpfiles.conf").read_text()


def test_the_directory_of_the_configuration_has_one_mode() -> None:
    """Where they differ, systemd warns at every start."""
    mode = sections(UNIT)["Service"]["ConfigurationDirectoryMode"]
    assert f"d /etc/feltd {mode} " in (SYSTEMD / "feltd.tmpfiles.conf").read_text()


def test_a_scraper_can_enter_the_directory_of_the_read_only_socket() -> None:
    """Into the runtime directory only the group may go."""
    door = "/run/feltd-read"
    assert sections(UNIT)["Service"]["RuntimeDirectoryMode"] == "0750"
    assert sections(UNIT)["Service"]["ReadWritePaths"] == f"-{door}"
    assert f"\nd {door} 0755 feltd feltd -\n" in (SYSTEMD / "feltd.tmpfiles.conf").read_text()
    assert f'read-socket = "{door}/feltd.sock"' in (SYSTEMD.parent / "examples/tables/casino-war.toml").read_text()


def test_the_technicians_of_a_new_table_have_a_group() -> None:
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    for group in (ApiSection().technicians, ApiSection().supervisors, ApiSection().managers):
        assert re.search(rf"^g {group} ", users, re.M)


def sections(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(path.read_text())
    return parser


# ---- what a machine taught us: each line was missed on one


def values(name: str) -> set[str]:
    """Every word that the unit gives to this setting, which may stand on several lines."""
    found = re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.M)
    return {word for line in found for word in line.split()}


@pytest.mark.parametrize("module", ["usbserial", "cdc_acm"])
def test_device_numbers_of_usb_serial_lines_are_known_before_it_starts(module: str) -> None:
    """Else DeviceAllow=char-ttyUSB allows nothing, and the devices are refused after every boot."""
    assert f"modprobe@{module}.service" in values("Wants") & values("After")


@pytest.mark.parametrize(
    "devices",
    ["char-ttyUSB", "char-ttyACM", "char-ttyAMA", "char-ttyS", "char-pts", "char-usb_device", "char-gpiochip"],
)
def test_every_kind_of_wire_may_be_opened(devices: str) -> None:
    assert f"{devices} rw" in re.findall(r"^DeviceAllow=(.*)$", UNIT.read_text(), re.M)


def test_the_pins_can_find_out_which_board_this_is() -> None:
    """gpiozero reads /proc/cpuinfo and /proc/device-tree, which ProcSubset=pid hides."""
    assert values("ProcSubset") == {"all"}


def test_a_wrong_configuration_is_not_tried_again_and_a_failed_start_not_at_once() -> None:
    service = sections(UNIT)["Service"]
    assert service["Restart"] == "always"
    assert service["RestartPreventExitStatus"].split() == [str(MISCONFIGURED)]
    assert f'"$EXIT_STATUS" = {FAILED} ' in service["ExecStopPost"]
    pause = re.search(r"sleep (\d+)", service["ExecStopPost"])
    assert pause is not None and 1 < int(pause[1]) < int(service["TimeoutStopSec"])
    assert sections(UNIT)["Unit"]["StartLimitIntervalSec"] == "0"  # a table is never given up


@pytest.mark.parametrize(("status", "pauses"), [(FAILED, True), (MISCONFIGURED, False), ("KILL", False)])
def test_only_a_failed_start_pauses(status: object, pauses: bool, tmp_path: Path) -> None:
    """The shell's line is run, with a `sleep` that leaves a mark instead."""
    (tmp_path / "sleep").write_text(f"#!/bin/sh\ntouch {tmp_path}/slept\n")
    (tmp_path / "sleep").chmod(0o755)
    shell, *words = shlex.split(sections(UNIT)["Service"]["ExecStopPost"])
    environment = {"EXIT_STATUS": str(status), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run([shell, *words], env=environment, timeout=30, check=True)
    assert (tmp_path / "slept").exists() is pauses


def test_limits_stand_well_above_what_a_table_needs() -> None:
    """80 MiB resident is the ceiling that the benchmarks hold it to."""
    service = sections(UNIT)["Service"]
    high, most = (int(service[name].removesuffix("M")) for name in ("MemoryHigh", "MemoryMax"))
    assert 2 * 80 <= high < most <= 512
    assert int(service["LimitNOFILE"]) >= 1024
    assert int(service["TasksMax"]) >= 64
    assert service["LimitCORE"] == "0"  # a card may be in a core dump


def test_a_flood_of_log_lines_is_bounded() -> None:
    service = sections(UNIT)["Service"]
    assert service["LogRateLimitIntervalSec"] == "30s"
    assert 1000 <= int(service["LogRateLimitBurst"]) <= 10_000


def test_nothing_is_newer_than_the_systemd_of_debian_12() -> None:
    """It would be a warning there, and would not be heard."""
    assert not {"RestartSteps", "RestartMaxDelaySec"} & set(sections(UNIT)["Service"])
