"""The number of the version stands in pyproject.toml; everything else reads the installed package."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

from click.testing import CliRunner

from controller.api.views import _versions
from controller.cli.group import cli
from controller.daemon.main import main as feltd
from controller.service.snapshots import our_version
from tools.release import sections

ROOT = Path(__file__).parents[1]
NUMBER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_everybody_says_the_same_number() -> None:
    assert version("feltd") == NUMBER, "run make install"
    assert CliRunner().invoke(cli, ["--version"]).output == f"felt, version {NUMBER}\n"
    assert CliRunner().invoke(feltd, ["--version"]).output == f"feltd, version {NUMBER}\n"
    assert (our_version(), _versions()["feltd"]) == (NUMBER, NUMBER)


def test_no_code_has_a_number_of_its_own() -> None:
    packages = ("controller", "drivers", "firmware_bridge", "hw_sim")
    named = [
        path
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if re.search(rf"[\"'=]\s*v?{re.escape(NUMBER)}[\"']|__version__", path.read_text(encoding="utf-8"))
    ]
    assert named == []


def test_the_changelog_knows_the_version_and_dates_every_one() -> None:
    known = sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert known[0][0] == "Unreleased" and NUMBER in [name for name, _, _ in known]
    dates = [date for _, date, _ in known[1:]]
    assert all(dates) and dates == sorted(dates, key=str, reverse=True)
