"""What Prometheus is told of a table."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from prometheus_client.parser import text_string_to_metric_families

from controller.api.counters import LoopLag
from controller.cli.daemon_socket import _Connection
from tests.api.conftest import Floor
from tests.firmware_bridge.virtual import run


def scrape(path: str) -> tuple[str, str]:
    connection = _Connection(path, 10)
    try:
        connection.request("GET", "/metrics")
        response = connection.getresponse()
        return response.headers["Content-Type"], response.read().decode()
    finally:
        connection.close()


async def numbers(floor: Floor) -> dict[tuple[str, ...], float]:
    kind, text = await asyncio.to_thread(scrape, floor.client.path)
    assert kind.startswith("text/plain; version=0.0.4")
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


async def test_a_round_is_counted(floor: Floor) -> None:
    before = await numbers(floor)
    assert before["felt_rounds_total",] == 0
    assert before["felt_device_state", "shoe", "ready"] == 1
    assert before["felt_device_state", "shoe", "lost"] == 0
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    await floor.draw("2h", "Kd")
    await floor.press("no-more-bets")  # refused
    await floor.press("settle")
    after = await numbers(floor)
    assert after["felt_facts_total",] == floor.engine.seq
    assert after["felt_rounds_total",] == 1
    assert after["felt_refusals_total",] >= 1
    commits = after["felt_journal_commit_seconds_count",]
    assert commits >= 5 and after["felt_journal_commit_seconds_bucket", "+Inf"] == commits
    assert after["felt_journal_commit_seconds_sum",] > 0
    assert after["felt_journal_queue",] == 0 == after["felt_device_queue", "shoe"]
    assert after["felt_device_frames_total", "shoe", "in"] >= 3
    assert after["felt_device_retries_total", "shoe"] == 0
    assert after["felt_device_round_trip_seconds", "lamps", "0.5"] > 0
    assert after["felt_defect",] == 0 == after["felt_journal_failed",]


async def test_errors_have_their_code(floor: Floor) -> None:
    floor.daemon.service.fleet.devices["shoe"].stats.errors["frame.crc"] += 2
    assert (await numbers(floor))["felt_device_errors_total", "frame.crc", "shoe"] == 2


def test_the_loops_lag_is_how_late_a_timer_was() -> None:
    async def main() -> None:
        lag = LoopLag(every=1.0)
        lag.start()
        await asyncio.sleep(3.5)
        lag.stop()
        lag.stop()
        await asyncio.sleep(5)
        assert dict(lag.late.classes())["+Inf"] == 3
        assert dict(lag.late.classes())["0.0001"] == 3  # time jumps: nothing is ever late

    run(main())


def test_a_daemon_that_nobody_asks_does_not_load_the_library() -> None:
    look = "import sys, controller.daemon.main; sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0
