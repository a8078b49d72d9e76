"""felt doctor: each fault that is planted is found, as the first cause, with a next step; no card is ever shown."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller.cli.checkup import daemon, files, ports, service
from controller.cli.checkup.finding import bad
from controller.cli.checkup.person import READ, WRITE, ServiceUser, service_user
from controller.cli.doctor import without
from controller.cli.group import cli
from controller.config import TableConfig
from controller.config.load import load_config
from tests.cli.conftest import felt
from tests.daemon.house import House, table_toml

NOBODY = 65534
CARD = re.compile(r"\b(10|[2-9TJQKA])[cdhs]\b")


def doctor(config: Path, **environment: str) -> tuple[int, list[dict[str, Any]], list[str]]:
    """Exit status, findings and text; asked twice, for programs and for people."""
    runner = CliRunner(env=environment)
    said = runner.invoke(cli, ["doctor", "--config", str(config)])
    told = runner.invoke(cli, ["doctor", "--json", "--config", str(config)])
    assert (said.stderr, told.stderr) == ("", "")
    assert CARD.search(said.stdout + told.stdout) is None
    findings = json.loads(told.stdout)["findings"]
    assert json.loads(told.stdout)["ok"] is (said.exit_code == 0)
    for finding in findings:
        assert finding["code"] or finding["state"] == "ok"
        assert bool(finding["next_step"]) is (finding["state"] != "ok")
    states = [finding["state"] for finding in findings]
    assert states == sorted(states, key=("bad", "warn", "ok").index)
    return said.exit_code, findings, said.stdout.splitlines()


def wrong(findings: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(finding["what"], finding["code"]) for finding in findings if finding["state"] == "bad"]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[House]:
    """A daemon that a test may break."""
    house = House(tmp_path)
    yield house
    house.close()


# ---- a table that runs


def test_a_table_whose_file_is_elsewhere_is_well(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the one of `felt sim`, which has no file at all."""
    monkeypatch.setattr("controller.cli.doctor.DEFAULT_CONFIG", tmp_path / "none.toml")
    said = CliRunner().invoke(cli, ["doctor", "--socket", str(load_config(house.config).api.socket)])
    assert (said.exit_code, said.stdout.splitlines()[-1]) == (0, "nothing is wrong"), said.stdout
    assert "config.elsewhere" in said.stdout and "felt doctor --config FILE" in said.stdout


def test_a_table_that_is_well(house: House) -> None:
    status, findings, lines = doctor(house.config)
    assert (status, wrong(findings)) == (0, [])
    assert lines[-1] == "nothing is wrong"
    told = {finding["what"]: finding["text"] for finding in findings if finding["state"] == "ok"}
    assert told["configuration"] == f"{house.config}: table T1, casino-war, 5 devices"
    assert told["devices"] == "all 5 are ready"
    assert told["journal"].endswith("facts on record, 0 on their way")
    assert {"disk", "daemon", "service", "ports", "log"} <= told.keys()
    said = felt("doctor", "--config", str(house.config))  # as a person does
    assert (said.returncode, said.stderr, said.stdout.splitlines()[-1]) == (0, "", "nothing is wrong")


def test_a_lost_device_has_its_first_cause_and_its_latest(house: House) -> None:
    with house.devices() as devices:
        devices.fault("lamps", "unplug")
        house.wait(
            lambda: any((t.get("latest") or {}).get("code") == "serial.missing" for t in house.status()["trouble"])
        )
        status, findings, lines = doctor(house.config)
        devices.clear("lamps")
        house.wait(lambda: not house.status()["trouble"])
    assert (status, wrong(findings)) == (1, [("devices", "serial.lost")])
    assert lines[0].startswith("BAD   devices        serial.lost: lamps: ") and "; now serial.missing: " in lines[0]
    assert lines[1].lstrip().startswith("-> Plug the device in")
    assert not any(line.startswith("ok    devices") for line in lines)
    assert lines[-1] == "one thing is wrong: begin with the first"


def test_one_cause_has_one_line() -> None:
    """The daemon's own word of a lost device stands for the look at its port, and a device's for its bus."""
    cause = {"code": "serial.missing", "cause": "/dev/x: it is not there", "next_step": "Plug it in."}
    lost = {"name": "sign", "phase": "lost", "link": "vendor", "cause": cause, "faults": []}
    answer: Any = {"devices": [lost], "buses": [{"bus": "/dev/x", "cause": cause}, {"bus": "can0", "cause": None}]}
    assert [finding for finding in daemon.devices(answer) if finding.state == "bad"] == []
    looked = [
        replace(bad("ports", "serial.missing", "/dev/x: No such file", "Plug it in."), device=name)
        for name in ("sign", "shoe")
    ]
    assert without(looked, answer) == looked[1:]


def test_what_a_device_reports_is_told(house: House) -> None:
    with house.devices() as devices:
        devices.fault("shoe", "jam")
        house.wait(lambda: "shoe" in house.status()["faults"])
        status, findings, _ = doctor(house.config)
        devices.clear("shoe")
        house.wait(lambda: not house.status()["faults"])
    assert status == 1
    assert ("table", "shoe.jam") in wrong(findings)


# ---- a table that does not


def test_without_a_configuration(tmp_path: Path) -> None:
    status, findings, lines = doctor(tmp_path / "none.toml", FELT_SOCKET=str(tmp_path / "none.sock"))
    assert status == 1
    assert wrong(findings) == [("configuration", "config.missing"), ("daemon", "daemon.unreachable")]
    assert lines[0].startswith("BAD   configuration  config.missing: ")


def test_with_a_wrong_configuration(tmp_path: Path) -> None:
    path = table_toml(tmp_path, options="decks = 3\nburn = true\n")
    status, findings, lines = doctor(path)
    assert (status, wrong(findings)[0]) == (1, ("configuration", "config.invalid"))
    assert f"{path}:" in lines[0] and "felt config check" in lines[1]


def test_a_configuration_that_may_surprise(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://lamps", "serial:///dev/ttyUSB7"))
    _, findings, _ = doctor(path)
    assert "config.hint" in {finding["code"] for finding in findings if finding["state"] == "warn"}
    assert ("ports", "serial.missing") in wrong(findings)


def test_without_a_journal(tmp_path: Path) -> None:
    status, findings, _ = doctor(table_toml(tmp_path))
    assert (status, wrong(findings)) == (1, [("daemon", "daemon.unreachable")])
    (missing,) = [finding for finding in findings if finding["code"] == "journal.missing"]
    assert missing["state"] == "warn"  # the daemon of a simulated table makes it
    assert "felt table init" in missing["next_step"]
    assert "put the journal back" in missing["next_step"]
    assert not (tmp_path / "state").exists()  # looking makes nothing


def test_with_a_dead_daemon(own: House) -> None:
    own.start().deal_a_round()
    own.stop(signal.SIGKILL)
    assert own.socket.exists()
    status, findings, _ = doctor(own.config)
    assert (status, wrong(findings)) == (1, [("daemon", "daemon.unreachable")])
    (journal,) = [finding for finding in findings if finding["what"] == "journal"]
    assert journal["state"] == "ok" and journal["text"].endswith("records, all sound")


def test_with_options_that_were_changed_in_a_round(own: House) -> None:
    own.start()
    with own.devices() as devices:
        devices.do("sensor.1", "bet", {"war": 1000})
    own.wait(lambda: own.status()["round"]["phase"] == "betting")
    own.stop()
    assert wrong(doctor(own.config)[1]) == [("daemon", "daemon.unreachable")]
    own.config.write_text(own.config.read_text().replace("[options]\n", "[options]\nmin = 10\n"))
    _, findings, lines = doctor(own.config)
    assert wrong(findings) == [("configuration", "table.unfinished"), ("daemon", "daemon.unreachable")]
    assert lines[1].endswith("put the former options back, finish the round, then change them")


def test_with_a_corrupt_journal(own: House) -> None:
    own.start().deal_a_round()
    own.stop()
    damaged = bytearray(own.journal.read_bytes())
    damaged[damaged.rindex(b"no-more-bets")] ^= 1
    own.journal.write_bytes(damaged)
    status, findings, lines = doctor(own.config)
    assert (status, wrong(findings)[0][0]) == (1, "journal")
    assert lines[0].startswith("BAD   journal ") and " at record " in lines[0] and "  -> " in lines[1]
    assert own.journal.read_bytes() == damaged


def test_with_a_journal_that_another_program_holds(own: House) -> None:
    own.start()
    elsewhere = own.config.read_text().replace("feltd.sock", "other.sock")
    own.config.write_text(elsewhere)  # the daemon runs on, and nobody finds its socket
    _, findings, lines = doctor(own.config)
    assert wrong(findings)[0] == ("journal", "journal.locked")
    assert own.process is not None and f"({own.process.pid})" in lines[0]


def test_with_a_journal_that_was_taken_away_from_a_running_daemon(own: House) -> None:
    own.start()
    own.journal.rename(own.journal.with_name("elsewhere"))
    status, findings, _ = doctor(own.config)
    assert (status, wrong(findings)[0]) == (1, ("journal", "journal.gone"))


def test_with_a_serial_server_that_refuses(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]  # bound, and nobody listens
        path = table_toml(tmp_path)
        path.write_text(path.read_text().replace("sim://lamps", f"socket://127.0.0.1:{port}"))
        _, findings, _ = doctor(path)
    missing = ("journal", "journal.missing")  # one device is real: the daemon would not make it
    assert wrong(findings) == [missing, ("ports", "tcp.refused"), ("daemon", "daemon.unreachable")]


# ---- ports


@pytest.fixture
def port() -> Iterator[str]:
    """A serial port that is not ours to keep."""
    far, near = pty.openpty()
    path = os.ttyname(near)
    os.close(near)
    yield path
    os.close(far)


def looked(directory: Path, address: str, user: ServiceUser | None = None) -> list[tuple[str, str]]:
    user = user or service_user("")
    path = table_toml(directory)
    path.write_text(path.read_text().replace("sim://lamps", address))
    found = ports.ports(load_config(path), user, running=False)
    return [(each.code, f"{each.text} -> {each.next_step}") for each in found if each.state == "bad"]


def test_a_port_that_the_service_may_not_use(tmp_path: Path, port: str) -> None:
    Path(port).chmod(0o660)
    ((code, text),) = looked(tmp_path, f"serial://{port}", ServiceUser("feltd", NOBODY, frozenset({NOBODY})))
    assert code == "serial.denied"
    assert f"{port} (" in text and "may not be used by the service's user feltd" in text and "usermod -aG" in text


def test_a_port_that_another_program_has(tmp_path: Path, port: str) -> None:
    assert looked(tmp_path, f"serial://{port}") == []
    descriptor = os.open(port, os.O_RDWR | os.O_NOCTTY)
    try:
        ((code, text),) = looked(tmp_path, f"serial://{port}")
    finally:
        os.close(descriptor)
    assert code == "serial.busy" and f"({os.getpid()})" in text


def test_places_that_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DEV", "USB", "NETWORK"):
        monkeypatch.setattr(ports, name, tmp_path)
    (tmp_path / "plain").touch()
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    pins = 'gpio://lgpio"\ngpio = { outputs = { bets = 17 } }\n#'
    for address, code, says in (
        (f"serial://{tmp_path}/none", "serial.missing", "No such file"),
        (f"serial://{tmp_path}/link", "serial.missing", "leads nowhere"),
        (f"serial://{tmp_path}/plain", "serial.settings", "is no device"),
        (f"can://{tmp_path}/none/0x21?interface=slcan", "serial.missing", "No such file"),
        ("can://can5/0x21", "can.missing", "compare the name can5"),
        ("usb://1209:f317/A-1", "usb.missing", "not plugged in"),
        (pins, "gpio.missing", "gpiochip"),
    ):
        ((found, text),) = looked(tmp_path, address)
        assert found == code and says in text


def test_buses_devices_and_pins_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "NETWORK", tmp_path / "net")
    monkeypatch.setattr(ports, "USB", tmp_path / "usb")
    monkeypatch.setattr(ports, "DEV", tmp_path / "dev")
    texts = {"idVendor": "1209", "idProduct": "f317", "serial": "A-1", "busnum": "3", "devnum": "7"}
    files_of = {f"usb/3-1/{name}": text for name, text in texts.items()} | {"net/can5/flags": "0x40080"}
    for name, text in {**files_of, "dev/bus/usb/003/007": "", "dev/gpiochip0": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    somebody = ServiceUser("feltd", NOBODY, frozenset({NOBODY}))
    for node in ("dev/bus/usb/003/007", "dev/gpiochip0"):
        (tmp_path / node).chmod(0o600)
    pins = 'gpio://lgpio"\ngpio = { outputs = { bets = 17 } }\n#'
    ((code, text),) = looked(tmp_path, "can://can5/0x21")
    assert code == "can.down" and "ip link set can5 up" in text
    ((code, text),) = looked(tmp_path, "usb://1209:f317/A-1", somebody)
    assert code == "usb.denied" and "99-feltd.rules" in text
    ((code, text),) = looked(tmp_path, pins, somebody)
    assert code == "gpio.denied" and "group gpio" in text
    (tmp_path / "net/can5/flags").write_text("0x40081\n")
    assert [looked(tmp_path, a) for a in ("can://can5/0x21", "usb://1209:f317/A-1", pins)] == [[], [], []]


def test_what_a_user_may_do_goes_by_owner_group_and_mode(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.touch()
    node.chmod(0o640)
    group = node.stat().st_gid
    assert not ServiceUser("a", NOBODY, frozenset()).may(node, READ)
    assert ServiceUser("a", NOBODY, frozenset({group})).may(node, READ)
    assert not ServiceUser("a", NOBODY, frozenset({group})).may(node, READ | WRITE)
    assert service_user("").may(node, READ | WRITE)


# ---- the disk and the journal


@pytest.mark.parametrize(
    ("free", "flags", "code"), [(50, 0, "disk.full"), (500, 0, "disk.scarce"), (5000, 1, "disk.read-only")]
)
def test_a_disk_that_is_full_or_read_only(
    tmp_path: Path, mocker: MockerFixture, free: int, flags: int, code: str
) -> None:
    room = SimpleNamespace(f_bavail=free, f_frsize=1 << 20, f_blocks=9000, f_files=9, f_favail=9, f_flag=flags)
    mocker.patch.object(os, "statvfs", return_value=room)
    (finding,) = files.disk(tmp_path / "state")
    assert finding.code == code


def test_a_journal_that_the_service_may_not_write(own: House) -> None:
    own.start()
    own.stop()
    user = ServiceUser("feltd", NOBODY, frozenset({NOBODY}))
    found = list(files.journal(own.journal.parent, user, running=False))
    assert {finding.code for finding in found} == {"journal.denied"}
    assert any(f"chown feltd: {own.journal}" in finding.next_step for finding in found)


def test_a_long_journal_is_checked_as_far_as_time_allows(own: House, monkeypatch: pytest.MonkeyPatch) -> None:
    own.start().deal_a_round()
    own.stop()
    monkeypatch.setattr(files, "PATIENCE", -1.0)
    (finding,) = files.journal(own.journal.parent, service_user(""), running=False)
    assert finding.state == "ok" and "felt journal verify" in finding.text


# ---- the service, as systemd tells it

FAILED = {"LoadState": "loaded", "ActiveState": "failed", "SubState": "failed", "Result": "exit-code"}


@pytest.mark.parametrize(
    ("unit", "state", "says"),
    [
        ({}, "ok", "systemd does not run here"),
        ({"LoadState": "not-found"}, "bad", "not installed"),
        ({**FAILED, "ExecMainStatus": "2"}, "bad", "its configuration is wrong"),
        ({**FAILED, "ExecMainStatus": "217"}, "bad", "its user does not exist"),
        ({**FAILED, "ExecMainStatus": "203"}, "bad", "cannot be run"),
        ({**FAILED, "ExecMainStatus": "99"}, "bad", "status 99"),
        ({**FAILED, "Result": "watchdog", "NRestarts": "3"}, "bad", "restarted 3 times: it hung"),
        (
            {**FAILED, "ActiveState": "activating", "SubState": "auto-restart", "ExecMainStatus": "1"},
            "bad",
            "tried again",
        ),
        ({**FAILED, "ActiveState": "inactive", "SubState": "dead", "Result": "success"}, "bad", "is stopped"),
        (
            {**FAILED, "ActiveState": "active", "SubState": "running", "StatusText": "T1: war"},
            "ok",
            "running): T1: war",
        ),
    ],
)
def test_why_the_service_does_not_run(unit: dict[str, str], state: str, says: str) -> None:
    (finding,) = service.service(unit, answers=False)
    assert (finding.state, says in finding.text) == (state, True)


def test_a_service_that_does_not_start_at_boot() -> None:
    unit = {"LoadState": "loaded", "ActiveState": "active", "SubState": "running", "UnitFileState": "disabled"}
    assert [finding.code for finding in service.service(unit, answers=True)] == ["", "service.disabled"]


def test_systemd_is_asked_and_the_log_has_no_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: TableConfig
) -> None:
    """With programs that answer as the real ones do."""
    event = {"event": "device.lost", "level": "warning", "device": "shoe", "cause": "behind the Kh", "timestamp": "x"}
    frames = json.dumps({"event": "device.frames", "level": "warning"})
    log = "".join(f"2026-01-31T02:11:09+0000 table feltd[7]: {line}\n" for line in (json.dumps(event), frames))
    shown = "LoadState=loaded\nActiveState=failed\nSubState=failed\nResult=exit-code\nExecMainStatus=2\nUser=nobody\n"
    for name, text in (("systemctl", shown), ("journalctl", log)):
        (tmp_path / f"{name}.txt").write_text(text)
        (tmp_path / name).write_text(f"#!/bin/sh\ncat {tmp_path}/{name}.txt\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(service, "RUNNING", tmp_path)
    assert config.table.name == "T1"
    said = CliRunner().invoke(cli, ["doctor", "--config", str(tmp_path / "table.toml")])
    assert said.exit_code == 1
    assert (
        "BAD   service        service.failed: feltd.service is failed (failed): its configuration is wrong"
        in said.output
    )
    assert "  2026-01-31T02:11:09+0000 warning device.lost device=shoe cause=behind the ??" in said.output.splitlines()
    assert "device.frames" not in said.output


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    return load_config(table_toml(tmp_path))
