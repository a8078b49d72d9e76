"""pytest --felt as a tester calls it, in a repository of his own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """\
table casino-war
bet 1 war=10
key no-more-bets

case the player wins
draw Kh 2c
key settle
expect 1 war win 10

case the dealer wins
draw 2c Kh
key settle
expect 1 war win 10
"""
TEST = """\
import pytest

@pytest.mark.table("casino-war")
def test_it(table):
    table.bet(1, war=10)
    table.expect(1, "war", "none")

def test_no_game(table):
    pass

@pytest.mark.table()
def test_a_marker_without_a_game(table):
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "war.felt").write_text(SCRIPT)
    (tmp_path / "test_it.py").write_text(TEST)
    return tmp_path


def run_pytest(suite: Path, *options: str, found: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs pytest with our plugin alone: it is named unless pytest shall find it by itself, as it finds all others."""
    named = () if found else ("-p", "pytest_felt")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *named, *options]
    env = os.environ if found else {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=suite, capture_output=True, text=True, timeout=60, check=False, env=env)


def test_each_run_is_a_test_and_a_failure_says_where_and_what(suite: Path) -> None:
    done = run_pytest(suite, "--felt", "-v", "war.felt", found=True)
    assert "war.felt::the player wins PASSED" in done.stdout
    assert "war.felt::the dealer wins FAILED" in done.stdout
    assert "\nwar.felt:13: expect 1 war win 10\n  NOT SO: lose by 5.7.2, net -10.00" in done.stdout
    assert "FAIL war.felt, case: the dealer wins" in done.stdout  # the story
    assert "Traceback" not in done.stdout and done.returncode == 1


def test_one_case_by_its_name_and_by_a_word(suite: Path) -> None:
    assert "1 passed" in run_pytest(suite, "--felt", "-q", "war.felt::the player wins").stdout
    assert "1 passed" in run_pytest(suite, "--felt", "-q", "-k", "player").stdout


def test_every_mistake_of_a_malformed_script(suite: Path) -> None:
    (suite / "war.felt").write_text("table casino-war\nbett 1\ncase x\ndraw 10h\n")
    done = run_pytest(suite, "--felt", "-q", "war.felt")
    assert '\nwar.felt:2: unknown verb "bett"' in done.stdout and '\nwar.felt:4: "10h" is not a card' in done.stdout
    assert "1 failed" in done.stdout and "Traceback" not in done.stdout


def test_in_the_configuration_and_strictly(suite: Path) -> None:
    (suite / "pytest.ini").write_text("[pytest]\nfelt = true\n")
    (suite / "war.felt").write_text("table casino-war\nkey settle\n")
    assert "1 passed" in run_pytest(suite, "-q", "war.felt").stdout
    done = run_pytest(suite, "-q", "war.felt", "--felt-strict")
    assert "no line expects that" in done.stdout and "1 failed" in done.stdout


def test_the_fixtures(suite: Path) -> None:
    done = run_pytest(suite, "--felt", "-q", "test_it.py")
    assert "expect 1 war none" in done.stdout and "NOT SO: open by" in done.stdout
    assert "controller/" not in done.stdout  # no line of ours in the traceback
    assert done.stdout.count('\nsay which game: @pytest.mark.table("casino-war")\n') == 2


def test_nothing_of_feltd_is_loaded_before_it_is_asked_for(suite: Path) -> None:
    (suite / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    ours = ('controller', 'drivers', 'hw_sim', 'firmware_bridge', 'structlog', 'msgspec')\n"
        "    assert not [name for name in sys.modules if name.split('.')[0] in ours]\n"
        "    assert 'pytest_felt' in sys.modules\n"
    )
    done = run_pytest(suite, "-q", found=True)
    assert "1 passed" in done.stdout, done.stdout
    assert "fixture 'table' not found" in run_pytest_with_a_table(suite)


def run_pytest_with_a_table(suite: Path) -> str:
    (suite / "test_it.py").write_text("def test_it(table): pass\n")
    return run_pytest(suite, "-q").stdout
