"""felt device conform, as people and build servers use it: text, JSON, XML, questions on a terminal, its status."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from hw_sim.device import DeviceEnd
from hw_sim.models.register import MODELS
from hw_sim.table import SimDevice
from hw_sim.tcp import TcpWire
from tests.cli.conftest import felt
from tests.conform.firmware import DoesTwice, EpochZero, LateAnswer

KEY = bytes(range(32))
PATIENCE = 90.0
slow = pytest.mark.skipif("FELT_WIRES" not in os.environ, reason="in real time, half a minute, with FELT_WIRES=1")


@contextmanager
def served(family: str, firmware: type[DeviceEnd] | None = None, key: bytes | None = None) -> Iterator[str]:
    """Yields the address of a device behind a serial server, alive in a thread of its own."""
    ready = threading.Event()
    addresses: list[str] = []
    loop = asyncio.new_event_loop()
    done = asyncio.Event()

    async def live() -> None:
        wire = TcpWire()
        device = SimDevice("device", MODELS.find(family)(), wire, key=key)
        if firmware is not None:
            board = device.board
            board.end = firmware(board._identity, board._execute, wire.send, device.model.safe, key)
        device.start()
        addresses.append(device.address)
        ready.set()
        await done.wait()
        device.stop()

    thread = threading.Thread(target=loop.run_until_complete, args=[live()])
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield addresses[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


@slow
def test_a_sound_device_passes_and_what_needs_a_person_is_named() -> None:
    with served("lamps") as address:
        ended = felt("device", "conform", address, "--unattended", COLUMNS="80")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "kept      4.2    The device answers HELLO with IDENTITY, and the number of both\n" in ended.stdout
    assert "not tried 7.3    safe-outputs: nobody looked at its lamps.\n" in ended.stdout
    assert f"lamps sim-lamps SIM-device, firmware 1.0.0, at {address}:\n" in ended.stdout
    assert " trials kept, 0 broken, " in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80


def test_a_broken_promise_is_named_by_its_paragraph(tmp_path: Path) -> None:
    xml = tmp_path / "new" / "conform.xml"
    with served("shoe", DoesTwice) as address:
        ended = felt("device", "conform", address, "--unattended", "--json", "--junit", str(xml))
    assert (ended.returncode, ended.stderr) == (1, "")
    answer = json.loads(ended.stdout)
    assert (answer["address"], answer["conforms"]) == (address, False)
    assert answer["device"] == {"family": "shoe", "model": "sim-shoe", "serial": "SIM-device", "firmware": "1.0.0"}
    broken = {trial["trial"]: trial for trial in answer["trials"] if trial["outcome"] == "broken"}
    assert set(broken) == {"once-for-one-id", "replies-kept"}
    assert broken["once-for-one-id"]["paragraph"] == "6.3"
    assert broken["once-for-one-id"]["came"].startswith("request id 1 was done twice: ")
    assert answer["kept"] + answer["broken"] + answer["untried"] == len(answer["trials"])
    assert "5.8" in answer["without_trial"]
    suite = Xml.parse(xml).getroot()
    assert (suite.get("tests"), suite.get("failures")) == (str(len(answer["trials"])), "2")
    failures = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert sorted(map(str, failures)) == sorted(broken)
    assert len(list(suite.iter("skipped"))) == answer["untried"]


@slow
def test_a_broken_promise_as_a_person_reads_it() -> None:
    with served("shoe", EpochZero) as address:
        ended = felt("device", "conform", address, "--unattended", COLUMNS="80")
    assert ended.returncode == 1
    told = ended.stdout[ended.stdout.index("BROKEN") :]
    assert told.startswith("BROKEN    3.3    Identity names a family, ")
    assert "came: its epoch is 0, which stands for no event memory at all." in told
    assert told.rstrip().endswith("  broken: 3.3, see docs/protocol.md#p3.3")


@slow
def test_a_promise_that_breaks_in_the_trial_of_another_says_so() -> None:
    with served("shoe", LateAnswer) as address:
        ended = felt("device", "conform", address, "--unattended", COLUMNS="80")
    told = ended.stdout[ended.stdout.index("BROKEN") :]
    assert told.startswith("BROKEN    6.2    While 4.2 was tried: On HELLO the device starts a new session\n")
    assert ended.stdout.endswith("  broken: 6.2, see docs/protocol.md#p6.2\n")


@slow
def test_an_encrypted_link_needs_the_file_of_keys(tmp_path: Path) -> None:
    file = tmp_path / "some-keys.toml"
    file.write_text(f'"SIM-device" = "{KEY.hex()}"\n')
    file.chmod(0o600)
    with served("console", key=KEY) as address:
        without = felt("device", "conform", address, "--unattended", "--json")
        ended = felt("device", "conform", address, "--unattended", "--json", "--key", str(file))
    assert (without.returncode, json.loads(without.stdout)["error"]["code"]) == (1, "conform.key")
    assert ended.returncode == 0, ended.stdout
    kept = {trial["trial"] for trial in json.loads(ended.stdout)["trials"] if trial["outcome"] == "kept"}
    assert {"greeting-in-plain", "plain-frame", "frame-again", "watched-8.8"} <= kept
    assert KEY.hex() not in ended.stdout + ended.stderr


@slow
def test_a_simulated_device_is_tried_with_a_simulated_person() -> None:
    ended = felt("device", "conform", "sim://display?wire=tcp", "--json")
    assert ended.returncode == 0, ended.stdout
    trials = {trial["trial"]: trial["outcome"] for trial in json.loads(ended.stdout)["trials"]}
    assert {trials[name] for name in ("event-again", "event-after-power-cut", "pairing", "shown-again")} == {"kept"}


def test_what_cannot_be_tried_says_what_to_do(tmp_path: Path) -> None:
    for address, code in (
        ("sim://toaster", "address.host"),
        ("sim://shoe?wire=string", "sim.wire"),
        ("shoe", "address.form"),
        (f"serial://{tmp_path}/none", "serial.missing"),
    ):
        ended = felt("device", "conform", address, "--unattended")
        assert ended.returncode == 1
        assert ended.stderr.startswith(f"{code}: ") and "\n  -> " in ended.stderr, ended.stderr


def test_the_suite_takes_no_name_before_it_and_other_verbs_still_do(tmp_path: Path) -> None:
    wrong = felt("device", "shoe", "conform", "sim://shoe")
    assert (wrong.returncode, "felt device conform ADDRESS" in wrong.stderr) == (2, True)
    helped = felt("device", "conform", "--help")
    assert (helped.returncode, "docs/protocol.md" in helped.stdout) == (0, True)
    assert helped.stdout.startswith("Usage: felt device conform [OPTIONS] ADDRESS\n")
    missing = felt("device", "conform")
    assert (missing.returncode, "'felt device conform --help'" in missing.stderr) == (2, True)
    assert felt("device", "shoe", "clear", "--help").stdout.startswith("Usage: felt device NAME clear ")
    other = felt("device", "shoe", "clear", "--socket", str(tmp_path / "none"), "--help")
    assert other.returncode == 0
    nowhere = felt("device", "conform", "sim://shoe", "--junit", "/proc/none/x.xml")
    assert (nowhere.returncode, "--junit" in nowhere.stderr) == (2, True)


@slow
def test_a_person_is_asked_and_may_skip() -> None:
    with served("lamps") as address:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-c", "from controller.cli.main import main; main()", "device", "conform", address]
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        answers = {
            "Switch the device off and on again, then press Enter; s skips it: ": "s\n",
            "Are the lamps of the device dark? y, n or s to skip it: ": "what\nn\n",
            "Let one thing happen": "\x04",  # the end of the input: nobody is asked any more
        }
        seen, ends = "", time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                seen += os.read(ours, 65536).decode()
            except OSError:
                break
            for question in list(answers):
                if question in seen:
                    os.write(ours, answers.pop(question).encode())
        status = process.wait(PATIENCE)
        os.close(ours)
    assert answers == {}
    assert "its lamps were still lit after 2.5 s of silence" in seen
    assert "nobody did this: put the device's pairing switch on" in seen
    assert " of " in seen and ": heartbeat ..." in seen  # how far it is
    assert status == 1
