"""A game of another package, played through every door: configuration, scripts, demo, odds, pages, API."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from itertools import takewhile
from pathlib import Path

import pytest

from tests.daemon.house import table_toml
from tests.examples.installing import EXAMPLES, FELT, environment, felt, made_up, python, seen
from tests.table import test_any_fact

SCRIPTS = sorted((EXAMPLES / "high_card" / "scripts").glob("*.felt"))
GAME = """
from controller.games import game
from controller.house.games.casino_war import CasinoWar

@game
class Other(CasinoWar):
    name = "high-card"
"""
POINT = "[feltd.games]\nhigh-card = {}\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return table_toml(tmp_path, game="high-card", options='match = "B"')


def test_its_scripts_hold(site: Path) -> None:
    played = felt(site, "run", "--json", *map(str, SCRIPTS))
    runs = [json.loads(line) for line in played.stdout.splitlines()]
    assert played.returncode == 0, played.stderr
    assert [run for run in runs if not run["ok"]] == []
    assert len(runs) >= 13
    assert {run["game"] for run in runs} == {"high-card"}


def test_its_words_are_checked_like_ours(site: Path, tmp_path: Path) -> None:
    wrong = {
        "table high-cart": 'unknown game "high-cart" (did you mean "high-card"?)',
        "table high-card match=C": 'match: unknown value "C"',
        "table high-card method=A": 'option "method" is not for high-card',
        "table high-card\nbet 1 tie=5": 'spot "tie" is not for high-card; expected high or match',
        "table casino-war\nbet 1 match=5": 'spot "match" is not for casino-war',
    }
    scripts = [tmp_path / f"{number}.felt" for number, _ in enumerate(wrong)]
    for script, text in zip(scripts, wrong, strict=True):
        script.write_text(text)
    told = felt(site, "run", *map(str, scripts)).stderr
    assert [why for why in wrong.values() if why not in told] == []


def test_its_configuration_is_checked_like_ours(site: Path, table: Path) -> None:
    assert (good := felt(site, "config", "check", str(table))).returncode == 0, good.stdout + good.stderr
    table.write_text(table.read_text().replace('match = "B"', 'match = "C"\ndecks = 9\nmacth = "A"'))
    wrong = felt(site, "config", "check", str(table))
    told = wrong.stdout + wrong.stderr
    assert wrong.returncode != 0
    assert 'options.match: "C" must be one of A, B' in told
    assert "options.decks: one to eight decks are used (rule 3.1)" in told
    assert 'options.macth: unknown option of high-card: did you mean "match"?' in told


def test_its_odds_are_computed_by_its_own_settlement(site: Path) -> None:
    told = json.loads(felt(site, "odds", "high-card", "decks=6", "--json").stdout)
    assert {wager: edge["exact"] for wager, edge in told["wagers"].items()} == {"high": "0/1", "match": "35/311"}
    other = json.loads(felt(site, "odds", "high-card", "match=B", "decks=1", "--json").stdout)
    assert other["wagers"]["match"]["exact"] == "6/17"  # no second card of the same rank and suit: 3 in 51 pay 10


def picture(pages: str, page: str) -> str:
    """Returns what a page shows now."""
    with urllib.request.urlopen(f"{pages}display/{page}/events", timeout=10) as stream:
        lines = iter(stream)
        next(line for line in lines if line == b"event: picture\n")
        return str(next(lines).decode())


def test_a_table_deals_itself_and_shows_its_pages(site: Path) -> None:
    command = [sys.executable, "-c", FELT, "sim", "--game", "high-card", "--rounds", "3", "--serve"]
    dealing = subprocess.Popen(command, env=environment(site), stdout=subprocess.PIPE, text=True)
    try:
        assert dealing.stdout is not None
        told = "".join(takewhile(lambda line: "goes on serving" not in line, dealing.stdout))
        pages = next(word for word in told.split() if word.startswith("http://"))
        sign = picture(pages.removesuffix("table"), "limits")
        socket = told.partition("--socket ")[2].split()[0]
        status = json.loads(felt(site, "status", "--json", "--socket", socket).stdout)
        dealing.send_signal(signal.SIGINT)
        rest, _ = dealing.communicate(timeout=20)
    finally:
        dealing.kill()
        dealing.wait()
    assert "round 3: settled" in told
    assert '"High Card"' in sign
    assert (status["game"], status["round"]["number"], status["trouble"]) == ("high-card", 3, [])
    assert (dealing.returncode, "sound" in rest) == (0, True)


# ---- what can be wrong with a package


def test_without_the_package_the_game_is_unknown(tmp_path: Path, table: Path) -> None:
    told = felt(tmp_path, "config", "check", str(table))
    assert 'table.game: unknown game "high-card"' in told.stdout + told.stderr
    assert "extension.unknown: there is no game" in felt(tmp_path, "odds", "high-card").stderr


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise RuntimeError('no licence')", "cannot be loaded: RuntimeError: no licence (other.py:1)"),
        ("x = 1", "but other declares none"),
        (GAME.replace("high-card", "high-cart"), "but other declares none"),
        (
            "from controller.games import game\nfrom controller.house.game import HouseGame\n"
            "@game\nclass Other(HouseGame):\n    name = 'high-card'\n",
            "cannot be loaded: DeclarationError: Other does not declare title, options, spots",
        ),
    ],
)
def test_a_package_that_breaks_is_named(tmp_path: Path, table: Path, code: str, why: str) -> None:
    site = tmp_path / "broken"
    made_up(site, "other", code, POINT.format("other"))
    told = felt(site, "config", "check", str(table))
    assert "table.game: other" in told.stdout + told.stderr
    assert why in told.stdout + told.stderr


def test_a_package_that_breaks_harms_no_other_game(tmp_path: Path) -> None:
    site = tmp_path / "broken"
    made_up(site, "other", "raise RuntimeError('no licence')", POINT.format("other"))
    script = tmp_path / "ours.felt"
    script.write_text("table casino-war\nbet 1 high=5")  # asks what spots other games have
    assert 'unknown spot "high"' in felt(site, "run", str(script)).stderr


def test_two_packages_with_one_game_are_refused_by_name(site: Path, tmp_path: Path, table: Path) -> None:
    second = tmp_path / "second"
    made_up(second, "other", GAME, POINT.format("other"))
    made_up(second, "another", GAME, POINT.format("another"))
    told = felt(second, "config", "check", str(table))
    assert 'table.game: the game "high-card" is brought by another and other' in told.stdout + told.stderr


def test_a_package_with_a_name_of_ours_is_not_used_and_the_doctor_says_so(tmp_path: Path) -> None:
    made_up(tmp_path, "other", "raise RuntimeError", POINT.replace("high-card", "casino-war").format("other"))
    told = felt(tmp_path, "doctor", "--config", str(tmp_path / "none.toml"), "--socket", str(tmp_path / "none.sock"))
    (line,) = [line for line in told.stdout.splitlines() if " packages " in line]
    assert 'extension.ours: other brings the game "casino-war", which is ours: it is not used' in line


def test_nobody_looks_for_packages_where_all_games_are_ours(site: Path, tmp_path: Path) -> None:
    script = tmp_path / "ours.felt"
    script.write_text("table casino-war\nbet 1 war=5\nkey no-more-bets\ndraw Kh 9c\nkey settle\nexpect 1 war win 5\n")
    code = (
        "import sys; from click.testing import CliRunner; from controller.cli.group import cli\n"
        f"print(CliRunner().invoke(cli, ['run', {str(script)!r}]).exit_code, 'high_card' in sys.modules,"
        " 'controller.games' in sys.modules and __import__('controller.games').games.INSTALLED._points)"
    )
    assert python(site, "-c", code).stdout == "0 False None\n"


def test_whatever_is_told_it_is_followed_refused_or_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_any_fact, "FACTS", 600)
    with seen(site):
        test_any_fact.test_any_fact_is_followed_refused_or_named("high-card")
