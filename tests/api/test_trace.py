"""The frames of a device through the API and `felt device NAME trace`; and what is logged when one is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from structlog.testing import capture_logs

from controller.cli.demo import dealt_table
from controller.cli.device import command
from controller.config.load import load_config
from controller.errors import FeltError
from controller.service.fleet import POST_MORTEM
from drivers.supervisor import DeviceState
from firmware_bridge.frame import Frame, Kind, decode_frame
from tests.api.conftest import Floor
from tests.daemon.house import table_toml


async def felt(floor: Floor, *words: str) -> Result:
    arguments = [*words, "--socket", str(floor.daemon.config.api.socket)]
    return await asyncio.to_thread(lambda: CliRunner().invoke(command, arguments))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_frames_are_told_without_their_cards(floor: Floor, tmp_path: Path) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("2h")
    saved = tmp_path / "shoe.jsonl"
    said = await felt(floor, "shoe", "trace", "--save", str(saved))
    assert said.exit_code == 0, said.output
    assert "CardDrawn(withheld)" in said.stdout and "HELLO" in said.stdout and "2h" not in said.stdout
    kept = [json.loads(line) for line in saved.read_text().splitlines()]
    assert all(("hex" in frame) != ("withheld" in frame) and frame["way"] in ("in", "out") for frame in kept)
    assert sum("withheld" in frame for frame in kept) == 1
    frames = [decode_frame(bytes.fromhex(frame["hex"]).strip(b"\0")) for frame in kept if "hex" in frame]
    assert all(isinstance(frame, Frame) and b"\xa22h" not in frame.body for frame in frames)
    beats = sum(isinstance(frame, Frame) and frame.kind in (Kind.PING, Kind.PONG) for frame in frames)
    lines = [line for line in said.stdout.splitlines() if "heartbeat" not in line]
    assert len(kept) - beats == len(lines)  # those are folded
    console = await felt(floor, "console", "trace", "--json")
    texts = [json.loads(line)["text"] for line in console.stdout.splitlines()]
    assert "EVENT 1 KeyPressed(key='no-more-bets', args=())" in texts


async def test_following_begins_with_what_was_and_goes_on(floor: Floor) -> None:
    frames = floor.client.stream("/devices/console/trace?follow=1")
    first = await asyncio.to_thread(lambda: next(frames))
    assert (first["n"], first["way"]) == (1, "out")
    trace = floor.daemon.service.fleet.devices["console"].trace
    await asyncio.to_thread(lambda: list(islice(frames, trace.last - 1)))
    await floor.press("no-more-bets")
    live = await asyncio.to_thread(lambda: next(frame for frame in frames if "KeyPressed" in frame["text"]))
    assert live["n"] > 1 and live["hex"]
    await asyncio.to_thread(frames.close)  # type: ignore[attr-defined]


async def test_a_stream_resumes_and_ends_with_the_daemon(tmp_path: Path) -> None:
    async with dealt_table(load_config(table_toml(tmp_path))) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        frames = floor.client.stream("/devices/shoe/trace?follow=1", after=1)
        assert (await asyncio.to_thread(lambda: next(frames)))["n"] == 2
        strange = floor.client.stream("/devices/shoe/trace?follow=1", after=10**9)  # of another life of the daemon
        assert (await asyncio.to_thread(lambda: next(strange)))["n"] == 1
        ended = asyncio.create_task(asyncio.to_thread(lambda: [*frames, *strange]))
    async with asyncio.timeout(20):
        assert [frame["n"] for frame in await ended][-1] >= 2


async def test_refusals(floor: Floor, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.write_text("kept")
    for words in (["trace"], ["trace", "--follow"]):
        said = await felt(floor, "shoo", *words, "--save", str(older))
        assert said.exit_code == 1 and "device.unknown" in said.stderr
    assert older.read_text() == "kept"
    with pytest.raises(FeltError, match=r"device\.unknown"):
        await asyncio.to_thread(lambda: next(floor.client.stream("/devices/shoo/trace?follow=1")))
    said = await felt(floor, "shoe", "trace", "--save", str(tmp_path / "none" / "x"))
    assert said.exit_code == 1 and "capture.unwritable" in said.stderr


async def test_a_loss_logs_the_last_frames_once(floor: Floor) -> None:
    shoe = floor.daemon.service.fleet.devices["shoe"]
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("2h")
    tried: list[str] = []
    tell = shoe._on_state

    def seen(state: DeviceState) -> None:
        tried.append(state.phase)
        tell(state)

    shoe._on_state = seen
    with capture_logs() as logs:
        floor.sim.device("shoe").wire.unplug()
        await until(lambda: tried.count("opening") >= 2)
        floor.sim.device("shoe").wire.plug()
        await until(lambda: shoe.state.phase == "ready")
    (mortem,) = [line for line in logs if line["event"] == "device.frames"]
    assert mortem["device"] == "shoe" and 0 < len(mortem["frames"]) <= POST_MORTEM
    assert any("CardDrawn(withheld)" in line for line in mortem["frames"])
    assert "2h" not in str(mortem["frames"])
