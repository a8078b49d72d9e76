"""What stands above a link in these tests: an owner that keeps events, and helpers to set one up."""

from __future__ import annotations

from firmware_bridge.frame import Kind
from firmware_bridge.link import HostLink, LinkError, Timing
from firmware_bridge.messages import CardDrawn, Event
from tests.firmware_bridge.fakes import (
    FakeDevice,
    Fault,
    MemoryWire,
    clean,
)

RANKS = "23456789TJQKA"


class Owner:
    """What the layers above do: keep events, acknowledge them if asked to, and note the loss."""

    def __init__(self, wire: MemoryWire, *, acks: bool = True, timing: Timing | None = None) -> None:
        self.events: list[tuple[int, Event]] = []
        self.losses: list[LinkError] = []
        self.acks = acks
        self.link = HostLink(wire, on_event=self._event, on_lost=self.losses.append, timing=timing or Timing())

    def _event(self, counter: int, event: Event) -> None:
        self.events.append((counter, event))
        if self.acks:
            self.link.ack(counter)

    @property
    def codes(self) -> list[str]:
        return [loss.code for loss in self.losses]


def setup(*, down: Fault = clean, up: Fault = clean, acks: bool = True) -> tuple[FakeDevice, MemoryWire, Owner]:
    device = FakeDevice()
    wire = MemoryWire(device, down=down, up=up)
    return device, wire, Owner(wire, acks=acks)


def kinds(device: FakeDevice) -> list[Kind]:
    return [frame.kind for frame in device.heard]


def cards(count: int) -> list[CardDrawn]:
    return [CardDrawn(RANKS[i % 13] + "cdhs"[i % 4]) for i in range(count)]
