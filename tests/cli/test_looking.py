"""The commands that ask the running daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from controller.views.moments import day_and_time
from tests.cli.conftest import felt
from tests.daemon.house import PATIENCE, House
from tests.people.everybody import sign_in


def ask(house: House, *words: str) -> subprocess.CompletedProcess[str]:
    return felt(*words, FELT_SOCKET=str(house.socket))


def test_status(house: House) -> None:
    said = ask(house, "status")
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert lines[0] == "table T1: casino-war, open, round 1, between rounds"
    assert "  due         players place their bets: the first one opens a round" in lines
    assert "  bets        may happen" in lines
    assert lines[-1] == "all is well"
    data = json.loads(ask(house, "status", "--json").stdout)
    assert data["round"]["number"] == 1


def test_keys(house: House) -> None:
    said = ask(house, "keys", "invalidate")
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == [
        "invalidate fraud|disturbance",
        "  the outcome does not count, and wagers go back",
        "  asks; fraud: assistant-casino-manager (11.3); disturbance: supervisor (11.4)",
    ]
    every = json.loads(ask(house, "keys", "--json").stdout)
    assert every["game"] == "casino-war"
    assert every.pop("now")  # which of them may be pressed now: only a running table knows
    assert json.loads(felt("keys", "--game", "casino-war", "--json").stdout) == every
    assert "fold" not in {key["key"] for key in every["keys"]}  # nobody folds at Casino War
    assert felt("keys", "fold", "--game", "casino-war").stdout.endswith("means nothing in this game\n")
    wrong = ask(house, "keys", "invalidat")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith('keys.unknown: a table of casino-war has no key "invalidat"; did you mean')


def test_devices(house: House) -> None:
    said = felt("devices", "--socket", str(house.socket))
    assert said.returncode == 0, said.stderr
    heading, *rows = said.stdout.splitlines()
    assert heading.split()[:3] == ["device", "family", "state"]
    assert rows[0].split()[:4] == ["shoe", "shoe", "ready", "internal"]
    assert len(json.loads(ask(house, "devices", "--json").stdout)["devices"]) == len(rows) == 5


def test_the_journals_tail(house: House) -> None:
    said = ask(house, "journal", "tail", "-n", "4")
    assert said.returncode == 0, said.stderr
    assert [line.split(maxsplit=4)[4] for line in said.stdout.splitlines()] == [
        "two of hearts left the shoe",
        "king of diamonds left the shoe",
        "key settle",
        "round 1 is over: what was turned or compared is public (2 facts, by 7.3.1)",
    ]
    facts = [json.loads(line) for line in ask(house, "journal", "tail", "--json").stdout.splitlines()]
    assert [fact["seq"] for fact in facts] == list(range(1, 8))


def test_following_the_journal(house: House) -> None:
    command = [sys.executable, "-c", "from controller.cli.main import main; main()", "journal", "tail", "-n", "1", "-f"]
    env = {**os.environ, "FELT_SOCKET": str(house.socket)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as following:
        assert following.stdout is not None
        assert "round 1 is over" in following.stdout.readline()
        with house.devices() as devices:
            sign_in(partial(devices.do, "console"), "supervisor")
        assert "badge sim-supervisor was shown: simulated supervisor" in following.stdout.readline()
        assert "signed in at the console: supervisor simulated supervisor" in following.stdout.readline()
        following.send_signal(2)
        assert following.wait(PATIENCE) == 130


def test_following_a_devices_frames(house: House, tmp_path: Path) -> None:
    saved = tmp_path / "capture"
    words = ["device", "console", "trace", "-f", "--save", str(saved)]
    command = [sys.executable, "-c", "from controller.cli.main import main; main()", *words]
    env = {**os.environ, "FELT_SOCKET": str(house.socket)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as following:
        assert following.stdout is not None
        seen = [following.stdout.readline()]
        assert " out HELLO " in seen[0]
        with house.devices() as devices:
            devices.do("console", "badge", "8")
        while "BadgeRead(number='8')" not in seen[-1]:
            seen.append(following.stdout.readline())
        following.send_signal(2)
        assert following.wait(PATIENCE) == 130
    kept = [json.loads(line) for line in saved.read_text().splitlines()]
    assert len(kept) >= len(seen) and {"at", "way", "hex"} == set(kept[0])


def test_verify_and_anchor(house: House, tmp_path: Path) -> None:
    anchor = ask(house, "journal", "anchor")
    assert (anchor.returncode, anchor.stdout.split()[0]) == (0, "feltd-anchor-1")
    kept = tmp_path / "anchor"
    kept.write_text(anchor.stdout)
    said = ask(house, "journal", "verify", "--anchor", str(kept))
    assert (said.returncode, "and the anchor holds" in said.stdout) == (0, True)
    kept.write_text(anchor.stdout.replace("T1", "T2"))
    said = ask(house, "journal", "verify", "--anchor", str(kept))
    assert (said.returncode, "NOT SOUND: anchor.other-table" in said.stdout) == (1, True)
    assert json.loads(ask(house, "journal", "verify", "--json").stdout)["ok"]


def test_a_journal_in_use_is_not_opened_twice(house: House) -> None:
    said = ask(house, "journal", "verify", str(house.journal))
    assert said.returncode == 1
    assert said.stderr.startswith("journal.locked: ") and "  -> " in said.stderr


def test_trouble_gives_status_one(house: House) -> None:
    with house.devices() as devices:
        devices.fault("lamps", "unplug")
        house.wait(lambda: bool(house.status()["trouble"]))
        said = ask(house, "status")
        assert said.returncode == 1
        assert "TROUBLE " in said.stdout and "all is well" not in said.stdout
        said = ask(house, "devices")
        assert said.returncode == 1
        assert "lamps at sim://lamps: " in said.stdout and "  -> " in said.stdout
        devices.clear("lamps")
        house.wait(lambda: not house.status()["trouble"])


def test_a_jammed_shoe_is_not_ready(house: House) -> None:
    with house.devices() as devices:
        devices.fault("shoe", "jam")
        house.wait(lambda: "shoe" in house.status()["faults"])
        said = ask(house, "devices")
        devices.clear("shoe")
        house.wait(lambda: not house.status()["faults"])
    assert said.returncode == 1
    assert said.stdout.splitlines()[1].split()[:3] == ["shoe", "shoe", "jam"]
    assert "shoe at sim://shoe: shoe.jam: a card is jammed in the shoe" in said.stdout
    assert (
        "  -> Clear the jam at the shoe; if the fault stays, a technician resets it: `felt device NAME reset`."
        in said.stdout
    )


def test_the_first_cause_and_the_latest_are_told(house: House) -> None:
    """What took the device away is kept; what is in its way now has its own step, and a time."""

    def lamps() -> dict[str, Any]:
        (told,) = [device for device in house.client.get("/devices")["devices"] if device["name"] == "lamps"]
        return dict(told)

    with house.devices() as devices:
        devices.fault("lamps", "unplug")
        house.wait(lambda: bool(lamps()["latest"]) and lamps()["latest"]["code"] == "serial.missing")
        told = lamps()
        assert told["first"]["code"] == told["cause"]["code"] == "serial.lost"
        assert told["first"]["since"] <= told["latest"]["since"]
        (trouble,) = house.status()["trouble"]
        assert (trouble["code"], trouble["latest"]) == ("serial.lost", told["latest"])
        for said in (ask(house, "devices").stdout, ask(house, "status").stdout):
            since = day_and_time(told["latest"]["since"])
            assert f"  now serial.missing, {since} UTC: {told['latest']['cause']}" in said
            assert f"  -> {told['latest']['next_step']}" in said
        devices.clear("lamps")
        house.wait(lambda: not house.status()["trouble"])


def test_nothing_is_called_well_beside_a_prompt(house: House) -> None:
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 200})  # under the minimum
    house.wait(lambda: any(prompt["place"] == "1" for prompt in house.status()["prompts"]))
    said = ask(house, "status").stdout
    assert "  tells dealer about 1: 2 is under the minimum" in said
    assert "all is well" not in said
    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
    house.wait(lambda: not house.status()["prompts"])
    said = ask(house, "status").stdout
    assert said.splitlines()[-1] == "all is well"
    assert "round 2: open\n  area 1\n           war 10\n" in said
    assert "round 1: settled\n  dealer   Kd\n  area 1   2h\n           war 10 lose -10 (5.7.2)\n" in said


def test_a_refused_key_looks_refused_in_the_tail(house: House) -> None:
    def settled() -> list[str]:
        return [line for line in ask(house, "journal", "tail").stdout.splitlines() if "key settle" in line]

    with house.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
    house.wait(lambda: house.status()["round"]["phase"] == "betting")
    with house.devices() as devices:
        devices.do("console", "press", "settle")
    house.wait(lambda: len(settled()) == 2)
    due = "players bet on war, tie (5 to 500); then press no-more-bets"
    assert [line.partition("key settle")[2] for line in settled()] == [
        "",
        f" -> refused: nothing can be settled now: {due} (5.2)",
    ]
    facts = [json.loads(line) for line in ask(house, "journal", "tail", "--json").stdout.splitlines()]
    assert [fact["refused"]["rule"] for fact in facts if "refused" in fact] == ["5.2"]
