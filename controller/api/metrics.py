"""Numbers for Prometheus, read from the running table when somebody asks.

Loaded with the first request only: the library takes a tenth of a second that no start should wait for.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from typing import get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.api.counters import Counters, LoopLag
from controller.durations import Durations
from controller.guard.pace import WORDS
from controller.guard.watching import TITLES
from controller.service.table import TableService
from drivers.supervisor import LinkWord, Phase
from firmware_bridge.can_health import STATES, Health, bus_health


class TableCollector(Collector):
    """A collector for Prometheus that keeps nothing itself; no number says anything of a card."""

    def __init__(self, service: TableService, counters: Counters, lag: LoopLag) -> None:
        self._service = service
        self._counters = counters
        self._lag = lag

    def collect(self) -> Iterator[Metric]:
        """Yields every number of the table as it is now."""
        service, engine, counters = self._service, self._service.engine, self._counters
        yield CounterMetricFamily("felt_facts", "Facts on record.", engine.seq)
        yield CounterMetricFamily("felt_rounds", "Rounds ended since the start.", counters.rounds)
        yield CounterMetricFamily("felt_refusals", "Wishes refused since the start.", counters.refusals)
        yield CounterMetricFamily("felt_prompts", "Prompts given since the start.", counters.prompts)
        yield GaugeMetricFamily("felt_prompts_open", "Prompts that people see now.", len(engine.table.live))
        yield GaugeMetricFamily("felt_defect", "1: facts act on nothing any more.", engine.defect is not None)
        yield GaugeMetricFamily(
            "felt_journal_failed", "1: nothing can be recorded now.", service.storage.error is not None
        )
        yield GaugeMetricFamily("felt_journal_queue", "Entries that wait for a commit.", engine.writer.depth)
        yield _histogram("felt_journal_commit_seconds", "How long commits took.", engine.writer.commits)
        yield _histogram("felt_loop_lag_seconds", "How late the event loop was.", self._lag.late)
        yield _histogram(
            "felt_display_seconds", "Until a display showed a change, read back.", service.outputs.displays.took
        )
        yield from self._protection()
        yield from self._devices()
        yield from _buses()

    def _protection(self) -> Iterator[Metric]:
        raised = CounterMetricFamily("felt_protection", "Alerts of game protection since the start.", labels=("kind",))
        waiting = GaugeMetricFamily("felt_protection_waiting", "Alerts that nobody has cleared.", labels=("kind",))
        kinds = Counter(each.kind for each in self._service.engine.table.protection.waiting.values())
        for kind in TITLES:
            raised.add_metric([kind], self._service.protection.raised[kind])
            waiting.add_metric([kind], kinds[kind])
        phases = CounterMetricFamily("felt_phase_seconds", "Seconds of rounds by part.", labels=("phase",))
        for phase in WORDS:
            phases.add_metric([phase], self._service.protection.phases[phase] / 1000)
        yield from (raised, waiting, phases)

    def _devices(self) -> Iterator[Metric]:
        name = ("device",)
        frames = CounterMetricFamily("felt_device_frames", "Frames by their way.", labels=(*name, "way"))
        errors = CounterMetricFamily("felt_device_errors", "Errors of the link by code.", labels=(*name, "code"))
        retries = CounterMetricFamily("felt_device_retries", "What was sent again.", labels=name)
        duplicates = CounterMetricFamily("felt_device_duplicates", "Events that came again.", labels=name)
        trips = GaugeMetricFamily(
            "felt_device_round_trip_seconds", "Of the latest answers.", labels=(*name, "quantile")
        )
        queue = GaugeMetricFamily("felt_device_queue", "Facts not yet acknowledged.", labels=name)
        state = GaugeMetricFamily("felt_device_state", "1 for the state that it is in.", labels=(*name, "state"))
        line = GaugeMetricFamily("felt_device_line_baud", "The speed of a serial line.", labels=name)
        link = GaugeMetricFamily("felt_device_link", "1 for how its link is protected.", labels=(*name, "link"))
        for device in self._service.fleet.devices.values():
            stats, of = device.stats, device.name
            frames.add_metric((of, "in"), stats.frames_in)
            frames.add_metric((of, "out"), stats.frames_out)
            for code, count in list(stats.errors.items()):
                errors.add_metric((of, code), count)
            retries.add_metric((of,), stats.retries)
            duplicates.add_metric((of,), stats.duplicates)
            for share, seconds in (("0.5", stats.p50), ("0.99", stats.p99)):
                if seconds is not None:
                    trips.add_metric((of, share), seconds)
            queue.add_metric((of,), self._service.engine.pending_from(of))
            if stats.speed:
                line.add_metric((of,), stats.speed)
            for phase in get_args(Phase):
                state.add_metric((of, phase), device.state.phase == phase)
            for word in get_args(LinkWord):
                link.add_metric((of, word), device.link == word)
        yield from (frames, errors, retries, duplicates, trips, queue, state, line, link)


def _buses() -> Iterator[Metric]:
    """Yields the CAN buses; an adapter that tells no error counters has none here."""
    name = ("bus",)
    state = GaugeMetricFamily("felt_can_state", "1 for the state that the bus is in.", labels=(*name, "state"))
    counters = GaugeMetricFamily("felt_can_error_counter", "Of our CAN controller.", labels=(*name, "way"))
    times = CounterMetricFamily("felt_can_troubles", "How often it came to this state.", labels=(*name, "state"))
    losses = CounterMetricFamily("felt_can_losses", "All nodes at once, by code.", labels=(*name, "code"))
    frames = CounterMetricFamily("felt_can_frames", "CAN frames by their way.", labels=(*name, "way"))
    recovery = GaugeMetricFamily("felt_can_last_recovery_timestamp_seconds", "When trouble was over.", labels=name)
    offset = time.time() - asyncio.get_running_loop().time()
    for bus in bus_health():
        of = bus.channel
        for each in STATES:
            state.add_metric((of, each), bus.state == each)
        for way, value in (("out", bus.tx_errors), ("in", bus.rx_errors)):
            if value is not None:
                counters.add_metric((of, way), value)
        for health in get_args(Health)[1:]:
            times.add_metric((of, health), bus.times[health])
        for code, count in bus.losses.items():
            losses.add_metric((of, code), count)
        frames.add_metric((of, "in"), bus.frames_in)
        frames.add_metric((of, "out"), bus.frames_out)
        if bus.recovered is not None:
            recovery.add_metric((of,), bus.recovered + offset)
    yield from (state, counters, times, losses, frames, recovery)


def render(service: TableService, counters: Counters, lag: LoopLag) -> bytes:
    """Returns all numbers in Prometheus' text format; from a registry of its own, so that nothing else gets in."""
    registry = CollectorRegistry()
    registry.register(TableCollector(service, counters, lag))
    return generate_latest(registry)


def _histogram(name: str, words: str, took: Durations) -> Metric:
    return HistogramMetricFamily(name, words, buckets=took.classes(), sum_value=took.total)
