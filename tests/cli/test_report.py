"""felt report: from the daemon and from a journal's file, for people, programs and spreadsheets."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from click.testing import CliRunner, Result

from controller.cli.report import command
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
