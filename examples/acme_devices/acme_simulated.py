"""The same devices without hardware: the shoe's side of its protocol, and what a foot switch does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType

from firmware_bridge import messages as m
from hw_sim.models.base import Events, Model
from hw_sim.models.register import simulates
from hw_sim.vendors.register import speaks


@speaks("acme-shoe", "shoe")
class AcmeEnd:
    """The shoe's end of the wire: byte for byte what a real one says."""

    pending = 0  # events that it would send again; this shoe forgets what it has said

    def __init__(self, model: Model, send: Callable[[bytes], None]) -> None:
        self._send = send

    def report(self, events: Iterable[m.Event]) -> None:
        """Tells what happened at the device."""
        for event in events:
            if isinstance(event, m.CardDrawn):
                self._send(f"C {event.card}\n".encode())
            elif isinstance(event, m.CuttingCardSeen):
                self._send(b"C cut\n")

    def received(self, data: bytes) -> None:
        """Answers what the controller asks."""
        self._send(b"!\n" * data.count(b"?"))

    def restart(self) -> None:
        """Does nothing: this shoe has nothing to forget."""


@simulates("foot-switch")
class FootSwitch(Model):
    """One switch for each key."""

    prefix = "foot-switch"
    DEEDS = ("step",)
    FAULTS = MappingProxyType({"stuck": ""})

    def step(self, key: str) -> Events:
        """Reports the key of the switch that somebody steps on."""
        return [m.KeyPressed(key)]
