"""The systemd unit is well formed, shut tight, and agrees with its user and directory snippets."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.config import ApiSection

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = SYSTEMD / "feltd.service"
EXPOSURE_LIMIT = 20  # tenths, as `systemd-analyze security --threshold` counts them

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not on this machine")


def analyze(*args: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *args], capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists here: `verify` looks for it."""
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/feltd/bin/feltd", sys.executable))
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


def test_user_exists_and_can_read_the_configuration() -> None:
    service = sections(UNIT)["Service"]
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    assert re.search(rf"^u {service['User']} ", users, re.M)
    for group in service["SupplementaryGroups"].split():
        assert re.search(rf"^g {group} ", users, re.M), group
    config = Path(service["ExecStart"].split("--config ")[1])
    assert f"{config} 0640 root {service['Group']}" in (SYSTEMD / "feltd.tmpfiles.conf").read_text()


def test_the_technicians_of_a_new_table_have_a_group() -> None:
    users = (SYSTEMD / "feltd.sysusers.conf").read_text()
    assert re.search(rf"^g {ApiSection().technicians} ", users, re.M)


def sections(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(path.read_text())
    return parser
