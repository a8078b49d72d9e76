"""felt correct: shown first, signed for then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.correct import command
from controller.cli.session_file import SessionFile
from controller.sim.people import PIN, badge_of
from tests.cli.terminal import Terminal
from tests.daemon.house import House

ANN = "simulated supervisor"


@pytest.fixture(scope="module", autouse=True)
def of_this_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps the session of the tests apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        yield


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, of_this_person: None) -> Iterator[House]:
    """Area 1 has ten on war, and a supervisor is signed in."""
    house = House(tmp_path_factory.mktemp("house"))
    try:
        house.start()
        with house.devices() as devices:
            devices.do("sensor.1", "bet", {"war": 1000})
        house.wait(lambda: house.status()["round"]["phase"] == "betting")
        signed_in = house.client.post("/sign-in", {"badge": badge_of("supervisor"), "pin": PIN, "role": ""})
        SessionFile(str(house.socket)).write(signed_in["token"])
        yield house
    finally:
        house.close()


def bet(house: House) -> str:
    """The number of the fact."""
    facts = house.client.get("/journal/tail", n=1000)["facts"]
    return next(str(fact["seq"]) for fact in facts if fact["text"] == "area 1: 10 on war")


def stake(house: House) -> str:
    return str(house.status()["current"]["wagers"][0]["stake"])


def ask(house: House, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"FELT_SOCKET": str(house.socket)})


def test_somebody_looks_and_does_not_sign(house: House) -> None:
    with Terminal("correct", bet(house), "war=20", FELT_SOCKET=str(house.socket)) as terminal:
        said = terminal.until(f"Sign as {ANN}? [y/N]:")
        assert "this would change:\n" in said and "wagers: 1 war 10.00 -> 1 war 20.00" in said
        terminal.type("n\n")
        assert terminal.end() == 0
        assert "nothing was changed" in terminal.text
    assert stake(house) == "10.00"


def test_a_change_that_nobody_may_see_is_not_told(house: House) -> None:
    ran = ask(house, bet(house), "war=10", "--preview")
    assert ran.output == "this would change:\n  nothing that may be seen now\nnothing was changed\n"


def test_nobody_is_there_to_sign(house: House) -> None:
    ran = ask(house, bet(house), "war=20")
    assert (ran.exit_code, "correct.unsigned" in ran.output) == (1, True)
    ran = ask(house, bet(house), "war=20", "--preview")
    assert (ran.exit_code, "nothing was changed" in ran.output) == (0, True)
    shown = json.loads(ask(house, bet(house), "war=20", "--json").stdout)
    assert shown["preview"] is True and shown["changes"]["wagers"]["after"] == {"1 war": "20.00"}
    assert stake(house) == "10.00"


@pytest.mark.parametrize(
    "words",
    [(), ("war",), ("tie=5",), ("war=much",), ("--to", "5"), ("war=5", "--strike"), ("area=one",)],
)
def test_what_is_not_understood_is_not_asked(house: House, words: tuple[str, ...]) -> None:
    ran = ask(house, bet(house), *words, "--yes")
    assert (ran.exit_code, "correct.words" in ran.output) == (1, True), ran.output


def test_a_fact_that_there_is_not(house: House) -> None:
    assert "there is no fact 99999" in ask(house, "99999", "war=5", "--yes").output


def test_somebody_signs(house: House) -> None:
    with Terminal("correct", bet(house), "war=20", FELT_SOCKET=str(house.socket)) as terminal:
        terminal.until(f"Sign as {ANN}? [y/N]:")
        terminal.type("y\n")
        assert terminal.end() == 0
        assert "corrected: fact " in terminal.text
        assert all(len(line) <= 80 for line in terminal.text.splitlines())
    assert stake(house) == "20.00"


def test_who_is_not_signed_in_sees_nothing(house: House, tmp_path: Path) -> None:
    words, env = [bet(house), "war=40"], {"FELT_SOCKET": str(house.socket), "XDG_RUNTIME_DIR": str(tmp_path)}
    ran = CliRunner().invoke(command, [*words, "--yes"], env=env)
    assert (ran.exit_code, "sign-in.needed" in ran.output) == (1, True), ran.output
    ran = CliRunner().invoke(command, [*words, "--by", "Ann", "--preview"], env=env)
    assert (ran.exit_code, "sign-in.needed" in ran.output) == (1, True), ran.output


def test_a_script_signs(house: House) -> None:
    to = '{"fact": "chips", "area": 1, "spots": [["war", 1, 3000]]}'
    answer = json.loads(ask(house, bet(house), "--to", to, "--yes", "--json").stdout)
    assert answer["preview"] is False and stake(house) == "30.00"
