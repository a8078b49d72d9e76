"""A round over one CAN bus, with the devices in another process behind an adapter that is pulled out twice."""

from __future__ import annotations

import json
from pathlib import Path

from hw_sim.control import ControlClient
from tests.system.a_round import DEEDS, LINES
from tests.system.on_disk import cards_key
from tests.system.test_kill import FAMILIES, NAMES, Victim, answers, durable, process, settled, wait_until

PULLED = (3, 8)  # before these deeds


def configuration(home: Path, addresses: dict[str, str]) -> Path:
    lines = ["[table]", 'name = "T1"', 'game = "casino-war"', f'state = "{home / "state"}"', "[options]", "seats = 3"]
    lines += [*cards_key(home), "[api]", f'socket = "{home / "api.sock"}"']
    for name in NAMES:
        lines += [
            f'[device."{name}"]',
            f'family = "{FAMILIES.get(name, "bet-sensor")}"',
            f'address = "{addresses[name]}"',
            "sealed = false",
        ]
        if name.startswith("sensor."):
            lines.append(f"area = {name.partition('.')[2]}")
    path = home / "table.toml"
    path.write_text("\n".join(lines) + "\n")
    (home / "state").mkdir()
    return path


def test_an_adapter_pulled_out_twice_changes_nothing(tmp_path: Path) -> None:
    serve = ("-m", "hw_sim", "serve", "--directory", str(tmp_path / "dev"), "--seats", "3", "--wire", "slcan")
    with process(*serve, "--until-stdin-closes") as sim:
        assert sim.stdout is not None
        addresses = json.loads(sim.stdout.readline())["addresses"]
        assert addresses["shoe"].startswith("can:///")
        config = configuration(tmp_path, addresses)
        with (
            Victim(config, tmp_path / "log") as table,
            ControlClient(tmp_path / "dev" / "control.sock") as devices,
        ):
            pulls = 0

            def every_device(said: str, times: int) -> bool:
                return (tmp_path / "log").read_text().count(said) >= times * len(NAMES)

            for number, (name, verb, args) in enumerate(DEEDS):
                if number in PULLED:
                    pulls += 1
                    wait_until(lambda times=pulls: every_device("device.ready", times))  # type: ignore[misc]
                    devices.fault("slcan", "unplug")
                devices.do(name, verb, *args)
                if number in PULLED:
                    wait_until(lambda times=pulls: every_device("device.lost", times))  # type: ignore[misc]
                    devices.clear("slcan")
                wait_until(lambda name=name: durable(devices, name))  # type: ignore[misc]
            wait_until(lambda: answers(tmp_path / "api.sock"))
            table.stop()
    lines, happened = settled(tmp_path)
    assert lines == [LINES]
    assert len(happened) == len(DEEDS)
    log = [line.partition("{")[1:] for line in (tmp_path / "log").read_text().splitlines() if "device.lost" in line]
    assert {json.loads("".join(entry))["code"] for entry in log} == {"serial.lost"}
