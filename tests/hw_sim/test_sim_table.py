"""A whole simulated table: its devices by name, what they do, what they cannot do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.messages import Command
from hw_sim.errors import SimError
from hw_sim.loop import run
from hw_sim.table import SimTable
from tests.hw_sim.peer import kept, until

OTHERS = ["sensor.1", "sensor.2", "console", "lamps", "display", "sign"]


@pytest.mark.parametrize(
    ("dealing", "cards", "source"),
    [
        ("hand", ["shoe"], "shoe"),
        ("csm", ["shuffler"], "shuffler"),
        ("shuffler", ["shuffler"], "shuffler"),
        ("batch", ["shoe", "shuffler"], "shoe"),
    ],
)
def test_devices_by_the_way_of_dealing(dealing: Any, cards: list[str], source: str) -> None:
    table = SimTable(seats=2, dealing=dealing, wire="memory")
    assert list(table.devices) == [*cards, *OTHERS]
    assert table.cards_from.name == source
    assert all(device.family in m.FAMILIES for device in table.devices.values())
    assert len({device.serial for device in table.devices.values()}) == len(table.devices)


def test_at_a_table_with_readers_cards_come_from_nowhere_but_the_hand() -> None:
    table = SimTable(seats=2, dealing="readers", wire="memory")
    readers = ["reader.1", "reader.2", "reader.board"]
    assert list(table.devices) == [*OTHERS, *readers]
    assert {table.device(name).family for name in readers} == {"reader"}
    with pytest.raises(SimError):
        _ = table.cards_from


@pytest.mark.parametrize("options", [{"dealing": "magic"}, {"wire": "string"}, {"wire": "pty"}, {"seats": 0}])
def test_no_such_table(options: dict[str, Any]) -> None:
    with pytest.raises(SimError):
        SimTable(**{"seats": 1, "dealing": "hand", "wire": "memory", **options})


def test_unknown_names_are_answered_with_what_exists() -> None:
    table = SimTable(seats=1, dealing="hand", wire="memory")
    with pytest.raises(SimError, match=r"no device 'sensor.9'; there are: shoe, sensor.1, console"):
        table.device("sensor.9")
    with pytest.raises(
        SimError, match="no fault of shoe 'flu'; there are: empty, low, jam, misread, door, split, drop"
    ):
        table.device("shoe").fault("flu")
    with pytest.raises(SimError, match="no deed of a shoe 'sing'; there are: draw"):
        table.device("shoe").do("sing")
    with pytest.raises(SimError, match="cannot say that"):
        table.device("console").do("press", "k" * 2000)


def test_a_pty_device_has_a_path_and_no_transport(tmp_path: Path) -> None:
    shoe = SimTable(seats=1, dealing="hand", wire="pty", directory=tmp_path).device("shoe")
    assert shoe.path == tmp_path / "shoe"
    with pytest.raises(SimError, match="open serial:///"):
        shoe.transport()


def test_a_table_s_memory_is_its_seed_s() -> None:
    async def epochs(seed: int) -> list[int]:
        table = SimTable(seats=1, dealing="hand", wire="memory", seed=seed)
        table.start()
        found = []
        for device in table.devices.values():
            async with kept(device) as peer:
                assert peer.identity is not None
                assert (peer.identity.serial, peer.identity.family) == (device.serial, device.family)
                found.append(peer.identity.epoch)
        table.stop()
        return found

    first = run(epochs(1))
    assert first == run(epochs(1))
    assert not set(first) & set(run(epochs(2)))
    assert 0 not in first


def test_the_table_is_quiet_when_every_event_is_acknowledged() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        table.start()
        shoe = table.device("shoe")
        assert table.quiet
        shoe.do("draw", "Kh")
        assert not table.quiet
        async with kept(shoe) as peer:
            await until(lambda: table.quiet)
            assert peer.events == [m.CardDrawn("Kh")]
        table.stop()

    run(story())


def test_device_faults_travel_as_events_and_clear_ends_both_kinds() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        table.start()
        shoe = table.device("shoe")
        async with kept(shoe) as peer:
            shoe.fault("jam")
            shoe.fault("split")
            assert shoe.state()["faults"] == ["jam", "split"]
            shoe.clear()
            assert shoe.state()["faults"] == []
            await until(lambda: shoe.quiet)
            assert peer.events == [m.Fault("shoe.jam"), m.FaultCleared("shoe.jam")]
        table.stop()

    run(story())


def test_a_stuck_key_repeats_in_time() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        table.start()
        console = table.device("console")
        async with kept(console) as peer:
            console.fault("stuck-key", "settle")
            await asyncio.sleep(2.1)
            console.clear()
            await asyncio.sleep(5)
            presses = [event for event in peer.events if event == m.KeyPressed("settle")]
            assert len(presses) == 5
            console.fault("stuck-key", "fold")
        table.stop()
        count = console.pending
        await asyncio.sleep(5)
        assert console.pending == count

    run(story())


def test_power_darkens_what_the_controller_had_lit() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        table.start()
        lamps = table.device("lamps")
        async with kept(lamps) as peer:
            assert (await peer.command(m.SetLamps(((1, 1),)))).ok
            assert lamps.state()["view"] == {"lamps": {"1": 1}}
            lamps.fault("power")
            assert lamps.state()["view"] == {"lamps": {}}
        table.stop()

    run(story())


def test_a_deserted_device_takes_its_outputs_to_their_safe_state() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        table.start()
        lit: dict[str, Command] = {
            "lamps": m.SetLamps(((1, 1),)),
            "console": m.KeyLamps(("settle",)),
            "sensor.1": m.Indicate("ante", True),
            "display": m.ShowText(("min 5",)),
        }
        for name, command in lit.items():
            async with kept(table.device(name)) as peer:
                assert (await peer.command(command)).ok
        await asyncio.sleep(2.1)
        assert {name: table.device(name).state()["view"] for name in lit} == {
            "lamps": {"lamps": {}},
            "console": {"prompts": [], "lit": []},
            "sensor.1": {"lying": {}, "indicated": {}},
            "display": {"shown": "min 5"},
        }
        table.stop()

    run(story())


def test_a_stopped_table_starts_again_with_its_memory() -> None:
    async def story() -> None:
        table = SimTable(seats=1, dealing="hand", wire="memory")
        shoe = table.device("shoe")
        table.start()
        async with kept(shoe) as peer:
            table.stop()
            await until(lambda: not peer.connected)
            shoe.do("draw", "Kh")
            table.start()
            await until(lambda: peer.events == [m.CardDrawn("Kh")])
        table.stop()

    run(story())
