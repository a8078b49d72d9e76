"""All devices of a bus lost at once are one sentence, on the console, for technicians, and gone when it is back."""

from __future__ import annotations

import json
from pathlib import Path

from hw_sim.control import ControlClient
from tests.asking import Client as Daemon
from tests.cli.conftest import felt
from tests.system.test_can_round import configuration
from tests.system.test_kill import NAMES, Victim, answers, process, wait_until


def test_an_adapter_that_is_pulled_out_is_one_sentence(tmp_path: Path) -> None:
    serve = ("-m", "hw_sim", "serve", "--directory", str(tmp_path / "dev"), "--seats", "3", "--wire", "slcan")
    with process(*serve, "--until-stdin-closes") as sim:
        assert sim.stdout is not None
        config = configuration(tmp_path, json.loads(sim.stdout.readline())["addresses"])
        with Victim(config, tmp_path / "log"), ControlClient(tmp_path / "dev" / "control.sock") as devices:
            at = tmp_path / "api.sock"
            wait_until(lambda: answers(at))
            asked = Daemon(str(at))
            wait_until(lambda: all(device["phase"] == "ready" for device in asked.get("/devices")["devices"]))
            devices.fault("slcan", "unplug")
            wait_until(lambda: lost(asked) == [sorted(NAMES)])  # one after the other, within milliseconds
            (notice,) = asked.get("/status")["notices"]
            assert (notice["code"], notice["times"]) == ("devices.together", 1)
            assert len(asked.get("/status")["prompts"]) == len(NAMES)  # each of them is on record
            said = felt("status", "--socket", str(at))
            assert said.returncode == 1
            assert said.stdout.count("are lost: power or cable") == 2  # what the table tells, and the trouble
            assert "TROUBLE devices.together: all devices of /" in said.stdout
            assert "  -> Check the power and the cable of what they share first" in said.stdout
            doctor = felt("doctor", "--socket", str(at), "--config", str(config))
            wrong = [line for line in doctor.stdout.splitlines() if line.startswith("BAD")]
            assert any("devices.together" in line for line in wrong)
            assert not any("lamps:" in line for line in wrong)
            devices.clear("slcan")
            wait_until(lambda: asked.get("/status")["notices"] == [])
            devices.fault("slcan", "unplug")
            wait_until(lambda: lost(asked) == [sorted(NAMES)])
            assert [notice["times"] for notice in asked.get("/status")["notices"]] == [2]


def lost(asked: Daemon) -> list[list[str]]:
    """Returns the devices that each notice names."""
    return [sorted(notice["devices"]) for notice in asked.get("/status")["notices"]]
