"""A technician lets devices check themselves, finds one among others, and reads what passed on its wire."""

from __future__ import annotations

import json
import subprocess
import time
from typing import Any

import pytest

from controller.cli.frame_filter import FrameFilter
from tests.cli.conftest import felt
from tests.daemon.house import House


def device(house: House, *words: str) -> subprocess.CompletedProcess[str]:
    return felt("device", *words, "--socket", str(house.socket), COLUMNS="80")


def test_every_device_checks_itself(house: House) -> None:
    for name in ("shoe", "console", "lamps", "sensor.1"):
        said = device(house, name, "test")
        assert (said.returncode, said.stdout, said.stderr) == (0, f"{name} is sound\n", "")
    data = json.loads(device(house, "shoe", "test", "--json").stdout)
    assert data == {"device": "shoe", "ok": True, "detail": "", "serial": "SIM-shoe", "firmware": "1.0.0"}


def test_what_a_device_finds_is_told(house: House) -> None:
    with house.devices() as devices:
        devices.fault("shoe", "jam")
        house.wait(lambda: "shoe" in house.status()["faults"])
        said = device(house, "shoe", "test")
        devices.clear("shoe")
        house.wait(lambda: not house.status()["faults"])
    assert (said.returncode, said.stdout) == (1, "shoe is not sound: it finds shoe.jam\n")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("console", 'console: it shows "this is console" for 3 seconds'),
        ("lamps", "lamps: all its lamps flash 4 times"),
        ("sensor.1", "sensor.1 can show nothing: it has the serial number SIM-sensor.1, at sim://sensor.1"),
    ],
)
def test_a_device_shows_which_one_it_is_and_then_what_it_should(house: House, name: str, shown: str) -> None:
    def lies_there() -> object:
        with house.devices() as devices:
            return devices.state()[name]["view"]

    def rests() -> bool:
        """Keys are lit a moment after the table rests (controller/service/outputs.py)."""
        seen = lies_there()
        time.sleep(0.4)
        return lies_there() == seen

    house.wait(rests)
    before = lies_there()
    said = device(house, name, "identify")
    assert (said.returncode, said.stdout, said.stderr) == (0, f"{shown}\n", "")
    house.wait(lambda: lies_there() == before)


def test_a_device_that_is_not_there_or_not_known(house: House) -> None:
    said = device(house, "shoo", "test")
    assert said.returncode == 1 and said.stderr.startswith("device.unknown: there is no device 'shoo'")
    with house.devices() as devices:
        devices.fault("lamps", "unplug")
        house.wait(lambda: bool(house.status()["trouble"]))
        said = device(house, "lamps", "identify")
        devices.clear("lamps")
        house.wait(lambda: "lamps" not in house.status()["faults"])
    assert (said.returncode, said.stderr.splitlines()[1]) == (1, "  -> Look: `felt devices`.")


def test_a_trace_can_be_narrowed(house: House) -> None:
    frames = [json.loads(line) for line in device(house, "shoe", "trace", "--json").stdout.splitlines()]
    kinds = {frame["kind"] for frame in frames}
    assert {"hello", "identity", "event", "ack"} <= kinds
    said = device(house, "shoe", "trace", "--in", "--kind", "event").stdout.splitlines()
    assert said and all(" in EVENT " in line for line in said)
    assert "Kd" not in str(said)
    assert all(" out " in line for line in device(house, "shoe", "trace", "--out", "--all").stdout.splitlines())
    assert device(house, "shoe", "trace", "--since", "0", "--kind", "hello").stdout == ""
    wrong = device(house, "shoe", "trace", "--kind", "pins")
    assert wrong.returncode == 2 and "'pins' is not one of" in wrong.stderr


def frame(kind: str, second: int, way: str = "in") -> Any:
    return {"at": f"2026-01-31T00:00:{second:02}+00:00", "way": way, "kind": kind, "text": kind.upper()}


def test_heartbeats_in_a_row_are_one_line() -> None:
    passed = [frame("ping", 1), frame("event", 2), frame("ping", 3), frame("pong", 4), frame("ping", 5)]
    folded = FrameFilter(None, (), None, fold=True)
    lines = [line for each in passed for line in folded.lines(each)] + list(folded.rest())
    assert lines == [
        "2026-01-31T00:00:01+00:00  in PING",
        "2026-01-31T00:00:02+00:00  in EVENT",
        "2026-01-31T00:00:03+00:00 ... 3 heartbeats until 2026-01-31T00:00:05+00:00",
    ]
    every = FrameFilter(None, ("ping",), None, fold=True)
    assert len([line for each in passed for line in every.lines(each)]) == 3
