"""A disk that fails for a moment costs no card: nothing is acknowledged that is not stored, and no gap is unseen."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from controller.table.facts import DeviceLost
from tests.service.failing import Table, config_text, table, until

WIRES = {
    "pty": 'address = "sim://shoe"',
    "tcp": 'address = "sim://shoe?wire=tcp"',
    "usb": 'address = "sim://shoe?wire=usb"',
    "can": 'address = "sim://shoe?wire=can"',
    "slcan": 'address = "sim://shoe?wire=slcan"',
    "angel-eye": 'protocol = "angel-eye"\naddress = "sim://shoe"',
}


@pytest.mark.parametrize("wire", WIRES)
async def test_a_card_drawn_while_the_disk_fails_is_not_forgotten_for_the_next(tmp_path: Path, wire: str) -> None:
    async with table(config_text(tmp_path, WIRES[wire])) as t:
        await until(t.ready)
        await t.rest()
        before = len(t.told())  # a machine that stalls loses devices too
        t.disk.failing = True
        t.sim.device("shoe").do("draw", "Kh")
        await until(lambda: t.disk.failures > 0)
        t.disk.failing = False  # and at once
        t.sim.device("shoe").do("draw", "9d")
        await until(lambda: "9d" in t.cards())
        await t.rest()
        assert t.cards() == ["Kh", "9d"]
        assert t.daemon.service.storage.error is None
        assert not t.daemon.service.engine.table.holds
        assert not [fact for fact in t.told()[before:] if isinstance(fact, DeviceLost)]  # nobody is told of a lost shoe


class Auditor:
    """Looks at every acknowledgement as it goes out."""

    def __init__(self, t: Table) -> None:
        self.table = t
        self.beyond: list[tuple[str, int, int]] = []
        for device in t.daemon.service.fleet.devices.values():
            device.ack = self._watch(device.name, device.ack)  # type: ignore[method-assign]

    def _watch(self, name: str, ack):  # type: ignore[no-untyped-def]
        def watched(counter: int, epoch: int | None = None) -> None:
            seen = self.table.daemon.journal.seen(name, epoch or 0)
            if any(not seen.has(number) for number in range(1, counter + 1)):
                self.beyond.append((name, epoch or 0, counter))
            ack(counter, epoch)

        return watched


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("wire", ["pty", "tcp", "angel-eye"])
async def test_whatever_fails_and_whenever_everything_arrives_once_and_in_order(
    tmp_path: Path, wire: str, seed: int
) -> None:
    """Commits fail by chance, cables are pulled by chance, cards and keys come all the while."""
    chance = random.Random(f"{wire} {seed}")
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    chance.shuffle(cards)
    cards = cards[:16]
    async with table(config_text(tmp_path, WIRES[wire])) as t:
        await until(t.ready)
        await t.rest()
        auditor = Auditor(t)
        t.disk.chance = lambda: chance.random() < 0.3
        for number, card in enumerate(cards):
            t.sim.device("shoe").do("draw", card)
            if chance.random() < 0.4:
                t.sim.device("console").do("press", "count", str(number))
            if chance.random() < 0.15 and wire != "angel-eye":  # it has no memory of its own
                t.sim.device("shoe").fault("unplug")
                await until(lambda: t.daemon.service.fleet.devices["shoe"].state.phase != "ready")
                t.sim.device("shoe").clear()
            if chance.random() < 0.5:
                await until(partial(t.stored_or_failed, card, t.disk.failures))
        t.disk.chance = lambda: False
        await until(lambda: len(t.cards()) >= len(cards))
        await t.rest()
        assert t.cards() == cards
        assert auditor.beyond == []
        assert not t.daemon.service.engine.table.holds
        for name, device in t.daemon.service.fleet.devices.items():
            assert device.state.identity is not None
            assert t.daemon.journal.seen(name, device.state.identity.epoch).gaps == ()
