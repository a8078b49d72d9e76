"""What a card and a lamp cost on a serial line: bytes, and the time from a card's first bit to the lamp's last one."""

from __future__ import annotations

import asyncio
import json
import subprocess

from benchmarks.measure import ROOT, Measured, happened, percentile, python
from firmware_bridge.frame import ENCRYPTION_OVERHEAD, Frame, Kind, encode
from firmware_bridge.link import HostLink
from firmware_bridge.messages import CardDrawn, Event, Reply, SetLamps
from firmware_bridge.serial import SerialTransport

SPEEDS = (115_200, 1_000_000)
CARDS = 400
BITS = 10  # for a byte: one to begin, eight, one to end
NUMBER = 300  # of two bytes, as in the middle of a day
LAMP = SetLamps(((3, 1),))
FRAMES = {
    "card": Frame(Kind.EVENT, NUMBER, encode(CardDrawn("Td"))),
    "lamp": Frame(Kind.COMMAND, NUMBER, encode(LAMP)),
    "ACK": Frame(Kind.ACK, NUMBER),
    "reply": Frame(Kind.REPLY, NUMBER, encode(Reply(True))),
}


def sizes() -> dict[str, int]:
    """The bytes of each frame on the wire, delimiters included."""
    return {name: len(frame.to_wire()) for name, frame in FRAMES.items()}


async def _serve(path: str, device: subprocess.Popen[str]) -> str:
    """Lights a lamp for each card, until the device has said how long that took."""

    def on_event(counter: int, event: Event) -> None:
        link.begin(LAMP).add_done_callback(lambda reply: reply.exception())
        link.ack(counter)

    link = HostLink(SerialTransport(path), on_event=on_event, on_lost=lambda why: None)
    await link.open()
    try:
        assert device.stdout is not None
        return await asyncio.to_thread(device.stdout.readline)
    finally:
        await link.close()


def on_the_way(speed: int, cards: int = CARDS) -> list[float]:
    """Seconds of each card; speed 0: of the software alone."""
    command = python("-m", "benchmarks.wire_device", str(speed), str(cards))
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as device:
        assert device.stdout is not None
        took: list[float] = json.loads(asyncio.run(_serve(device.stdout.readline().strip(), device)) or "[]")
    happened(len(took) == cards, f"{len(took)} of {cards} cards lit a lamp")
    return took


def measure(cards: int = CARDS) -> list[Measured]:
    size = sizes()
    there = size["card"] + size["lamp"]
    parts = ", ".join(f"{name} {count}" for name, count in size.items())
    lines = [
        Measured("card and lamp on the wire", there, "bytes", note=f"{parts}; {ENCRYPTION_OVERHEAD} more each, sealed"),
        Measured("with ACK and reply", sum(size.values()), "bytes"),
    ]
    for speed in (0, *SPEEDS):
        took = on_the_way(speed, cards)
        floor = there * BITS / speed * 1e6 if speed else None
        what = f"at {speed:,} baud" if speed else "with bytes that take no time"
        slow = percentile(took, 0.99) * 1e6
        note = f"{cards} cards, least {min(took) * 1e6:.0f} us, p99 {slow:.0f} us; no journal, no table"
        lines.append(Measured(f"card to lamp {what}, p50", percentile(took, 0.5) * 1e6, "us", floor, note=note))
    return lines
