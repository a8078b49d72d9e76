"""felt report: from the daemon and from a journal's file, for people, programs and spreadsheets."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.report import command
from controller.errors import FeltError
from tests.cli.terminal import typed
from tests.daemon.house import House


def ask(house: House, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"FELT_SOCKET": str(house.socket)})


def test_today(dealt: House, file: Path) -> None:
    answer = json.loads(ask(dealt, "--json").stdout)
    (game,) = answer["games"]
    assert (answer["table"], game["game"], game["rounds"]) == ("T1", "casino-war", 2)
    assert game["total"] == {"name": "all", "wagers": 2, "staked": "20.00", "house": "20.00", "hold": 100.0}
    listed = dealt.client.get("/rounds")["rounds"]
    assert float(game["total"]["staked"]) == sum(float(each["staked"]) for each in listed)
    assert float(game["total"]["house"]) == -sum(float(each["net"]) for each in listed)
    assert json.loads(ask(dealt, "--json", "--journal", str(file)).stdout) == answer


def test_for_people(dealt: House) -> None:
    terminal = typed("report", FELT_SOCKET=str(dealt.socket), TZ="Asia/Kolkata")
    assert terminal.process.returncode == 0, terminal.text
    lines = terminal.text.splitlines()
    assert re.fullmatch(r"table T1, 20\d\d-\d\d-\d\d by the clock of this place", lines[0])
    assert re.fullmatch(r"from 20\S+ 18:30:00 to 20\S+ 18:30:00 UTC", lines[1])
    assert lines[2] == "Casino War: 2 rounds, 2 settled"
    assert any(line.split() == ["war", "2", "20", "+20", "100.00", "%"] for line in lines)
    assert any(line.split() == ["area", "1", "2", "20", "+20", "100.00", "%"] for line in lines)
    assert all(len(line) <= 80 for line in lines)


def test_for_a_spreadsheet(dealt: House) -> None:
    rows = list(csv.DictReader(ask(dealt, "--csv").stdout.splitlines()))
    (war,) = [row for row in rows if row["what"] == "spot"]
    assert (war["name"], war["count"], war["staked"], war["house"]) == ("war", "2", "20.00", "20.00")


def test_a_span(dealt: House, file: Path) -> None:
    newest, oldest = dealt.client.get("/rounds")["rounds"]
    for words in (("--since", newest["opened"]["at"]), ("--until", newest["opened"]["at"])):
        for where in ((), ("--journal", str(file))):
            (game,) = json.loads(ask(dealt, "--json", *words, *where).stdout)["games"]
            assert game["rounds"] == 1
    assert oldest["number"] == 1
    for where in ((), ("--journal", str(file))):
        assert ask(dealt, "--day", "2001-02-03", *where).stdout.splitlines()[-1] == "no round was played"
        assert ask(dealt, "--game", "holdem", *where).stdout.splitlines()[-1] == "no round was played"


def test_what_makes_no_sense(dealt: House) -> None:
    for words in (("--day", "2026-11-17", "--since", "2026-11-17"), ("--day", "someday")):
        ran = ask(dealt, *words)
        assert (ran.exit_code, "report.span" in ran.output) == (1, True)
    assert "round.filter" in ask(dealt, "--since", "soon").output


# ---- added up


def test_numbers_by_game(dealt: House, file: Path) -> None:
    answer = json.loads(ask(dealt, "game", "--json").stdout)
    (part,) = answer["numbers"]["parts"]
    assert (answer["table"], part["name"], part["rounds"], part["handle"]) == ("T1", "casino-war", 2, "20.00")
    assert (part["win"], part["theoretical"], part["known_handle"]) == ("20.00", "0.47", "20.00")
    assert Fraction(part["exact"]) == 20 * Fraction(23138, 993023)
    assert json.loads(ask(dealt, "game", "--json", "--journal", str(file)).stdout) == answer


@pytest.mark.parametrize("by", ["shift", "day", "dealer", "game", "wager", "spot", "round"])
def test_numbers_by_everything(dealt: House, by: str) -> None:
    lines = ask(dealt, by).stdout.splitlines()
    assert lines[1].split()[0] == by
    assert any(line.split()[:2] == ["all", "2"] for line in lines)
    rows = list(csv.DictReader(ask(dealt, by, "--csv").stdout.splitlines()))
    assert sum(Fraction(row["exact"]) for row in rows[:-1]) == Fraction(rows[-1]["exact"])
    assert sum(float(row["win"]) for row in rows[:-1]) == float(rows[-1]["win"]) == 20


def test_numbers_of_another_day_and_of_a_span(dealt: House, file: Path) -> None:
    for where in ((), ("--journal", str(file))):
        assert json.loads(ask(dealt, "day", "--day", "2001-02-03", "--json", *where).stdout)["numbers"]["parts"] == []
        (part,) = json.loads(ask(dealt, "wager", "--since", "2001-02-03", "--json", *where).stdout)["numbers"]["parts"]
        assert part["name"] == "war (casino-war)"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("--day", "soon"), "day must be a day such as 2026-11-17"),
        (("--since", "soon"), "since must be a time"),
        (("--since", "2026-11-18", "--until", "2026-11-17"), "the time span ends before it begins"),
        (("--game", "casino-wart"), "game must be one of casino-war, "),
    ],
)
def test_numbers_of_no_day(dealt: House, words: tuple[str, ...], cause: str) -> None:
    result = ask(dealt, "shift", *words)
    assert result.exit_code == 1
    assert cause in result.stderr


def test_the_house_says_when_shifts_begin(dealt: House, file: Path, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    text = dealt.config.read_text()
    config.write_text(f'{text}[report]\ntime-zone = "Australia/Sydney"\nday-starts = "06:00"\nshifts = ["14:00"]\n')
    words = ("shift", "--since", "2001-02-03", "--json", "--journal", str(file), "--config")
    answer = json.loads(ask(dealt, *words, str(config)).stdout)
    assert answer["zone"] == "Australia/Sydney"
    assert {part["name"].split()[1] for part in answer["numbers"]["parts"]} <= {"06:00", "14:00"}
    config.write_text(f'{text}[report]\nshifts = ["6 o\'clock"]\n')
    result = ask(dealt, *words, str(config))
    assert result.exit_code == 1
    assert "is no time of day" in result.stdout


def test_a_request_that_makes_no_sense(dealt: House) -> None:
    for path, cause in (
        ("/numbers?by=mood", "by must be one of shift"),
        ("/numbers?area=1", "there is no filter 'area'"),
        ("/numbers?day=2026-11-17&since=2026-11-17", "a day and a time span"),
    ):
        with pytest.raises(FeltError, match=f"round.filter: {cause}"):
            dealt.client.get(path)
