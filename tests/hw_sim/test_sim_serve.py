"""The served table: a process of its own, its control channel, and its end."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages as m
from hw_sim.control import ControlClient, ControlServer, answer
from hw_sim.errors import SimError
from hw_sim.faults import WIRE_FAULTS
from hw_sim.table import SimTable
from tests.hw_sim.peer import Peer, PtyTransport, until

ROOT = Path(__file__).parents[2]
WAIT = 20


def start(directory: Path, *options: str, stdin: Any = subprocess.PIPE) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hw_sim", "serve", "--directory", str(directory), *options]
    return subprocess.Popen(command, cwd=ROOT, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@contextmanager
def served(directory: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, Any]]]:
    with start(directory, "--seats", "2", *options) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            yield process, json.loads(line)
        finally:
            process.kill()


def test_a_served_table_is_played_over_its_control_channel(tmp_path: Path) -> None:
    async def story(path: Path, client: ControlClient) -> None:
        peer = Peer(PtyTransport(path))
        task = asyncio.create_task(peer.keep())
        await until(lambda: peer.connected)
        client.do("sensor.1", "bet", {"ante": 1000, "pair-plus.2": 500})
        await until(lambda: peer.counter == 1)
        client.fault("sensor.1", "unplug")
        client.do("sensor.1", "bet", {"ante": 0})
        await until(lambda: not peer.connected)
        client.clear("sensor.1")
        await until(lambda: peer.counter == 2)
        assert (await peer.command(m.Indicate("ante", True))).ok
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await peer.transport.close()
        assert peer.events == [
            m.BetChanged((m.Spot("ante", ((500, 2),)), m.Spot("pair-plus", ((500, 1),), 2))),
            m.BetChanged((m.Spot("ante", ()),)),
        ]

    with served(tmp_path) as (process, ready):
        assert ready["ready"] is True
        assert ready["pid"] == process.pid
        assert set(ready["devices"]) == {"shoe", "sensor.1", "sensor.2", "console", "lamps", "display", "sign"}
        assert all(Path(path).is_char_device() for path in ready["devices"].values())
        with ControlClient(Path(ready["control"])) as client:
            asyncio.run(story(Path(ready["devices"]["sensor.1"]), client))
            state = client.state()
            assert state["sensor.1"]["view"] == {"lying": {"pair-plus.2": 500}, "indicated": {"ante": True}}
            assert state["shoe"]["path"] == ready["devices"]["shoe"]
            with pytest.raises(SimError, match="no device 'roulette'"):
                client.do("roulette", "spin")
            client.do("shoe", "draw", "Kh")
            assert client.state()["shoe"]["pending"] == 1
            process.terminate()
            assert process.wait(WAIT) == 0
            assert process.stderr is not None
            assert process.stderr.read() == b""
            with pytest.raises((SimError, ConnectionError)):
                client.state()
    assert list(tmp_path.iterdir()) == []


def test_it_ends_with_its_standard_input(tmp_path: Path) -> None:
    with served(tmp_path, "--until-stdin-closes") as (process, _):
        assert process.stdin is not None
        process.stdin.write(b"not yet\n")
        process.stdin.close()
        assert process.wait(WAIT) == 0
    assert list(tmp_path.iterdir()) == []


def test_it_outlives_its_standard_input_unless_told_otherwise_and_starts_over_what_a_kill_left(tmp_path: Path) -> None:
    with served(tmp_path) as (process, ready):
        assert process.stdin is not None
        process.stdin.close()
        with ControlClient(Path(ready["control"])) as client:
            assert client.state()["shoe"]["quiet"]
        process.send_signal(signal.SIGKILL)
        process.wait(WAIT)
    assert (tmp_path / "control.sock").exists()
    with served(tmp_path) as (process, ready), ControlClient(Path(ready["control"])) as client:
        assert client.state()["shoe"]["quiet"]


def test_what_keeps_it_from_starting_is_said_with_its_code_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "shoe").write_text("in the way")
    process = start(tmp_path)
    _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 2
    assert errors.decode().splitlines() == [
        f"hw_sim: simulator.refused: {tmp_path}/shoe is in the way: it is not a link to a simulated device",
        "  -> The message says what is wrong: correct the request, the address or the arguments.",
    ]
    with Path(__file__).open("rb") as file:
        process = start(tmp_path / "other", "--until-stdin-closes", stdin=file)
    _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 2
    assert b"standard input is a file" in errors
    with pytest.raises(FileNotFoundError):
        ControlClient(tmp_path / "control.sock")


def test_clients_that_misbehave_leave_the_table_to_the_others(tmp_path: Path) -> None:
    async def story() -> None:
        path = tmp_path / "c.sock"
        server = ControlServer(SimTable(seats=1, dealing="hand", wire="memory"), path)
        await server.start()
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"x" * 200_000)
        assert json.loads(await reader.readline()) == {"ok": False, "error": "the line is too long"}
        writer.close()
        _, writer = await asyncio.open_unix_connection(path)
        writer.write(b'{"state": true}\n' * 50)
        writer.transport.abort()
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b'{"state": true}\n')
        assert json.loads(await reader.readline())["ok"] is True
        server.close()
        server.close()
        assert await reader.read() == b""
        assert not server.clients
        writer.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"draw Kh\n",
        b"[1]\n",
        b"\xff\n",
        b"[" * 100_000,
        b"{}",
        b'{"do": "draw", "args": ["Kh"]}',
        b'{"device": "shoe"}',
        b'{"device": "shoe", "do": "draw"}',
        b'{"device": "shoe", "do": "draw", "args": "Kh"}',
        b'{"device": "shoe", "do": "draw", "args": [{}]}',
        b'{"device": "shoe", "do": ["draw"]}',
        b'{"device": "shoe", "do": "draw", "fault": "jam"}',
        b'{"device": "shoe", "fault": "jam", "why": 1}',
        b'{"device": "shoe", "fault": "delay", "args": [null]}',
        b'{"device": "shoe", "fault": "delay", "args": [[]]}',
        b'{"device": "shoe", "fault": "delay", "args": [1' + b"0" * 400 + b"]}",
        b'{"device": "shoe", "fault": "delay", "args": ["' + b"9" * 400 + b'h"]}',
        b'{"device": "shoe", "fault": "delay", "args": [1e400]}',
        b'{"device": "shoe", "fault": "drop", "args": [1e400]}',
        b'{"device": "console", "do": "press", "args": [1]}',
        b'{"device": "console", "do": "press", "args": ["\\ud800"]}',
        b'{"device": "sensor.1", "do": "bet", "args": [{"ante": 1e3}]}',
        b'{"device": "sensor.1", "do": "bet", "args": [{"ante": 1}, 7]}',
        b'{"device": "sensor.1", "do": "bet", "args": [{"ante": 1}, [[]]]}',
        b'{"device": "sensor.1", "do": "bet", "args": [["ante"]]}',
        b'{"device": "lamps", "fault": "open-circuit", "args": [null]}',
    ],
)
def test_a_bad_request_is_answered_and_changes_nothing(line: bytes) -> None:
    table = SimTable(seats=1, dealing="hand", wire="memory")
    before = answer(table, b'{"state": true}')
    reply = answer(table, line)
    assert reply["ok"] is False
    assert reply["error"]
    assert answer(table, b'{"state": true}') == before


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    1e300,
    "",
    "x",
    "9" * 5000,
    "\ud800",
    "Kh",
    [],
    [[]],
    {},
    {"x": []},
    [None],
)


def test_whatever_is_asked_of_whatever_device_is_answered() -> None:
    table = SimTable(seats=1, dealing="batch", wire="memory")
    for name, device in table.devices.items():
        words = [("do", verb) for verb in (*device.model.DEEDS, "pairing")]
        words += [("fault", fault) for fault in (*device.model.FAULTS, *WIRE_FAULTS)]
        for (kind, word), junk in product(words, JUNK):
            for args in ([junk], [junk, junk]):
                line = json.dumps({"device": name, kind: word, "args": args}).encode()
                assert isinstance(answer(table, line)["ok"], bool)
    assert answer(table, b'{"state": true}')["ok"] is True


@pytest.mark.parametrize("cards", [-1, 10**6])
def test_a_shuffler_holds_no_number_of_cards_that_cannot_be(cards: int) -> None:
    with pytest.raises(SimError, match="cards"):
        SimTable(seats=1, dealing="shuffler", cards=cards)
