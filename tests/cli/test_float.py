"""felt float: two people count, fill and credit; the numbers from the daemon and from a journal's file are the same."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.session_file import SessionFile
from controller.cli.table_float import command
from controller.rules import Role
from controller.sim.people import PIN, badge_of
from tests.daemon.house import House


@pytest.fixture(scope="module", autouse=True)
def of_this_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps the session of the tests apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        yield


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    try:
        yield house.start()
    finally:
        house.close()


def ask(house: House, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"FELT_SOCKET": str(house.socket)})


def is_now(house: House, role: Role) -> None:
    """Signs somebody in at this terminal."""
    signed_in = house.client.post("/sign-in", {"badge": badge_of(role), "pin": PIN, "role": ""})
    SessionFile(str(house.socket)).write(signed_in["token"])


def code_of(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return str(json.loads(result.stdout)["confirm"])


def test_a_shift(house: House) -> None:
    assert "sign-in.needed" in ask(house, "record", "opening", "1000").stderr
    is_now(house, "supervisor")
    code = code_of(ask(house, "record", "opening", "1000", "--json"))
    assert ask(house, "show").stdout == "no float was counted\n"  # nobody has confirmed it
    assert "float.witness" in ask(house, "confirm", code).stderr
    is_now(house, "dealer")
    confirmed = ask(house, "confirm", code.lower())
    assert confirmed.stdout.startswith(
        "on record: opening 1000.00 by simulated supervisor, witness simulated dealer (fact "
    )
    assert "float.no-proposal" in ask(house, "confirm", code).stderr
    assert ask(house, "record", "buy-in", "200").exit_code == 0  # a dealer, and no witness
    assert "float.role" in ask(house, "record", "fill", "500").stderr
    assert "float.request" in ask(house, "record", "buy-in", "much").stderr
    assert "float.request" in ask(house, "record", "buy-in", "5", "--note", "x" * 300).stderr
    house.deal_a_round()
    is_now(house, "supervisor")
    assert "a counter-entry needs a note" in ask(house, "record", "buy-in", "--", "-20").stderr
    assert ask(house, "record", "--note", "counted twice", "buy-in", "--", "-20").exit_code == 0
    said = ask(house, "record", "closing", "830", "--slip", "C9")
    assert said.stdout.splitlines()[0] == "closing 830 by simulated supervisor: a witness confirms it within 5 minutes"
    code = said.stdout.split()[-1]
    is_now(house, "dealer")
    assert ask(house, "confirm", code).exit_code == 0
    lines = {" ".join(line.split()) for line in ask(house, "show").stdout.splitlines()}
    assert {"= win +10 5.56 % of the drop", "the 1 round +10", "difference 0"} <= lines
    (row,) = csv.DictReader(ask(house, "show", "--csv").stdout.splitlines())
    assert (row["win"], row["rounds_win"], row["buy_ins"], row["difference"]) == ("10.00", "10.00", "180.00", "0.00")
    same_of_a_file(house)
    tail = [fact["text"] for fact in house.client.get("/journal/tail", n=1000)["facts"]]
    assert any(
        text.startswith("float: closing 830, slip C9 (by supervisor simulated supervisor at the socket, witness dealer")
        for text in tail
    )


def same_of_a_file(house: House) -> None:
    answer = json.loads(ask(house, "show", "--json").stdout)
    copy = house.directory / "copy"
    copy.mkdir()
    for path in house.journal.parent.glob("journal.db*"):
        shutil.copy(path, copy / path.name)
    of_file = json.loads(ask(house, "show", "--json", "--journal", str(copy / "journal.db")).stdout)
    assert of_file == answer
    assert json.loads(ask(house, "show", "--json", "--day", "2001-02-03").stdout)["float"]["shifts"] == []
    since = json.loads(ask(house, "show", "--json", "--since", "2001-02-03").stdout)
    assert since["float"] == answer["float"]


def test_what_the_table_would_refuse_waits_for_no_witness(house: House) -> None:
    is_now(house, "supervisor")
    for words in (("fill", "500"), ("opening", "--", "-5")):
        result = ask(house, "record", *words)
        assert (result.exit_code, "float.refused: " in result.stderr) == (1, True), words


def test_the_table_refuses_what_can_be_no_more_when_it_is_confirmed(house: House) -> None:
    is_now(house, "supervisor")
    codes = [code_of(ask(house, "record", "opening", amount, "--json")) for amount in ("500", "600")]
    is_now(house, "dealer")
    assert ask(house, "confirm", codes[0]).exit_code == 0
    result = ask(house, "confirm", codes[1])
    assert (result.exit_code, "float.refused: the float was counted by fact" in result.stderr) == (1, True)


def test_no_slip_of_the_pen_is_on_record(house: House) -> None:
    """What no journal could hold was told as on record, counted nowhere, and left the table in trouble."""
    is_now(house, "dealer")
    for amount in ("100000000.01", "99999999999999999999999999"):
        result = ask(house, "record", "buy-in", amount)
        assert (result.exit_code, "float.request: no table has so many chips" in result.stderr) == (1, True)
    is_now(house, "area-manager")
    beyond = ask(house, "record", "drop", "5", "--shift", "99999999999999999999")
    assert "a number in it is larger than any that there is" in beyond.stderr
    told = house.client.get("/journal/tail", n=1000)["facts"]
    assert not [fact["text"] for fact in told if "float" in fact["text"].lower() or "unstorable" in fact["text"]]


def test_without_a_witness_where_the_house_wants_none(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.config.write_text(f'{house.config.read_text()}[float]\nwitness = ["fill"]\n')
    try:
        house.start()
        is_now(house, "supervisor")
        assert ask(house, "record", "opening", "10").stdout.startswith(
            "on record: opening 10.00 by simulated supervisor ("
        )
    finally:
        house.close()
