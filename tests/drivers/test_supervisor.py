"""The supervisor against a device that is unplugged, swapped, silent or wrong at every moment of its life."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable

import pytest

from drivers.console import ConsoleDriver
from drivers.driver import Driver
from drivers.lamps import ON, LampsDriver
from drivers.shoe import ShoeDriver
from drivers.supervisor import Backoff, DeviceState, Origin, Supervisor
from firmware_bridge import messages as m
from firmware_bridge.address import AddressError
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.link import LinkError
from firmware_bridge.transport import Transport, TransportError
from tests.firmware_bridge.fakes import FakeDevice, MemoryWire, clean, silent
from tests.firmware_bridge.virtual import run


class Table:
    """What stands above a supervisor: a journal that drops repeats, acknowledges, and knows where to resume."""

    def __init__(self, device: FakeDevice, driver: Driver, *, serial: str | None = None, steady: bool = True) -> None:
        self.device = device
        self.wire = MemoryWire(device)
        self.make: Callable[[], Transport] = lambda: self.wire
        self.states: list[DeviceState] = []
        self.changed = asyncio.Event()
        self.readings: list[tuple[Origin, m.Event]] = []  # each once
        self.repeats = 0
        self.durable = (0, 0)
        self.acks = True
        self.supervisor = Supervisor(
            "d1",
            driver.family,
            lambda: self.make(),
            driver,
            expect_serial=serial,
            resume=lambda: self.durable,
            on_reading=self.on_reading,
            on_state=self.on_state,
            backoff=Backoff(jitter=0.0) if steady else Backoff(),
            chance=random.Random(5),
        )

    def on_reading(self, origin: Origin, reading: m.Event) -> None:
        if origin.counter and any(seen == origin for seen, _ in self.readings):
            self.repeats += 1
        else:
            self.readings.append((origin, reading))
        if origin.counter and self.acks:
            self.durable = (origin.epoch, origin.counter)
            self.supervisor.ack(origin.counter, origin.epoch)

    def on_state(self, state: DeviceState) -> None:
        self.states.append(state)
        self.changed.set()

    @property
    def phases(self) -> list[str]:
        return [state.phase for state in self.states]

    @property
    def state(self) -> DeviceState:
        return self.supervisor.state

    def refuse(self, code: str | None) -> None:
        self.wire.refuse = TransportError(code, "not now") if code else None

    async def ready(self, within: float = 10.0) -> None:
        async with asyncio.timeout(within):
            while self.state.phase != "ready":
                self.changed.clear()
                await self.changed.wait()


def shoe_table(**options: object) -> Table:
    return Table(FakeDevice(), ShoeDriver(), **options)  # type: ignore[arg-type]


async def lit_lamps() -> tuple[FakeDevice, Table]:
    """Returns a lamp bar that is ready and shows that bets are open."""
    device = FakeDevice("lamps")
    driver = LampsDriver({"bets": 0})
    table = Table(device, driver)
    table.supervisor.start()
    await table.ready()
    driver.show({"bets": ON})
    await asyncio.sleep(0.01)
    return device, table


def test_from_opening_to_ready_and_readings_with_their_origin() -> None:
    async def main() -> None:
        table = shoe_table(serial="S-1")
        table.device.happen(m.CardDrawn("Kh"))
        table.supervisor.start()
        table.supervisor.start()
        await table.ready()
        table.device.happen(m.KeyPressed("fold"))
        await asyncio.sleep(0.1)
        assert table.phases == ["opening", "identifying", "ready"]
        assert table.state.identity is not None
        assert table.state.identity.serial == "S-1"
        assert [(o.device, o.serial, o.epoch, o.counter) for o, _ in table.readings] == [
            ("d1", "S-1", 7, 1),
            ("d1", "S-1", 7, 2),
        ]
        assert table.readings[0][1] == m.CardDrawn("Kh")
        assert isinstance(table.readings[1][1], m.Fault)
        assert not table.device.kept
        assert table.supervisor.stats.frames_in > 2
        assert table.supervisor.trace
        await table.supervisor.stop()
        await table.supervisor.stop()
        assert table.phases[-1] == "stopped"

    run(main())


@pytest.mark.parametrize(
    ("family", "serial", "code", "words"),
    [
        ("console", "S-1", "device.wrong-family", ("shoe", "console", "S-1")),
        ("shoe", "S-9", "device.wrong-serial", ("S-1", "S-9")),
    ],
)
def test_a_wrong_device_is_named_and_not_listened_to(family: str, serial: str, code: str, words: tuple[str]) -> None:
    async def main() -> None:
        wrong = FakeDevice(family, serial)
        wrong.happen(m.CardsLow())
        table = Table(wrong, ShoeDriver(), serial="S-1")
        table.supervisor.start()
        await asyncio.sleep(10)
        assert table.state.phase == "wrong-device"
        assert table.state.code == code
        assert all(word in table.state.cause for word in words)
        assert table.readings == []
        assert wrong.kept
        assert wrong.executed == []
        table.wire = MemoryWire(FakeDevice())  # the right one is plugged in
        await table.ready()
        assert table.state.first is None
        await table.supervisor.stop()

    run(main())


def test_the_first_cause_stays_until_ready_and_the_pauses_grow() -> None:
    async def main() -> None:
        table = shoe_table()
        loop = asyncio.get_running_loop()
        tries: list[float] = []

        def make() -> Transport:
            tries.append(loop.time())
            return table.wire

        table.make = make
        table.supervisor.start()
        await table.ready()
        await asyncio.sleep(5)
        tries.clear()
        table.refuse("serial.missing")
        lost = loop.time()
        table.wire.unplug()
        await asyncio.sleep(15)
        pauses = [round(b - a, 1) for a, b in zip([lost, *tries], tries, strict=False)]
        assert pauses[:7] == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
        down = [state for state in table.states if state.phase == "lost"]
        assert {state.code for state in down} == {"memory.lost"}
        assert table.state.first is not None
        assert table.state.first.code == "memory.lost"
        assert table.state.latest is not None
        assert table.state.latest.code == "serial.missing"
        since = table.state.latest.at
        assert lost == table.state.first.at < since < lost + 1  # and not since the latest of many attempts
        table.refuse("serial.denied")
        await asyncio.sleep(5)
        assert table.state.first.code == "memory.lost"
        assert (table.state.latest.code, table.state.latest.at > since) == ("serial.denied", True)
        table.refuse(None)
        await table.ready()
        assert table.state.code == table.state.cause == ""
        await table.supervisor.stop()

    run(main())


def test_pauses_are_spread_by_chance() -> None:
    async def main() -> None:
        table = shoe_table(steady=False)
        table.refuse("serial.missing")
        loop = asyncio.get_running_loop()
        tries: list[float] = []

        def make() -> Transport:
            tries.append(loop.time())
            return table.wire

        table.make = make
        table.supervisor.start()
        await asyncio.sleep(60)
        late = [b - a for a, b in itertools.pairwise(tries[6:])]
        assert all(1.6 <= pause <= 2.41 for pause in late)
        assert len({round(pause, 3) for pause in late}) > 5
        await table.supervisor.stop()

    run(main())


def test_unplugged_while_opening() -> None:
    async def main() -> None:
        table = shoe_table()
        table.refuse("serial.missing")
        table.supervisor.start()
        await asyncio.sleep(1)
        assert table.state.first is not None
        assert table.state.code == "serial.missing"
        assert "identifying" not in table.phases
        table.refuse(None)
        await table.ready()
        await table.supervisor.stop()

    run(main())


def test_unplugged_while_identifying() -> None:
    async def main() -> None:
        table = shoe_table()
        table.wire.down = silent
        table.supervisor.start()
        await asyncio.sleep(0.5)
        assert table.state.phase == "identifying"
        table.wire.unplug()
        await asyncio.sleep(0)
        table.wire.down = clean
        await table.ready()
        assert [state.code for state in table.states if state.phase == "lost"] == ["memory.lost"]
        await table.supervisor.stop()

    run(main())


def test_unplugged_while_configuring() -> None:
    async def main() -> None:
        device = FakeDevice("console")
        driver = ConsoleDriver()
        driver.show_prompts(["wait"])
        table = Table(device, driver)
        device.happen(m.KeyPressed("fold"))
        device.answer = lambda command: None
        table.supervisor.start()
        await asyncio.sleep(0.5)
        assert table.state.phase == "identifying"
        assert table.readings == []  # held until the device is configured
        table.wire.unplug()
        await asyncio.sleep(0.01)
        assert table.state.code == "memory.lost"
        device.answer = lambda command: m.Reply(True)
        await table.ready()
        await asyncio.sleep(0.1)
        assert [reading for _, reading in table.readings] == [m.KeyPressed("fold")]
        await table.supervisor.stop()

    run(main())


def test_a_device_that_never_answers_commands_is_lost_with_that_code() -> None:
    async def main() -> None:
        device = FakeDevice("console")
        driver = ConsoleDriver()
        table = Table(device, driver)
        table.supervisor.start()
        await table.ready()
        device.answer = lambda command: None
        driver.light_keys({"settle"})
        await asyncio.sleep(1.05)
        assert table.state.code == "link.timeout"
        device.answer = lambda command: m.Reply(True)
        await table.ready()
        assert device.executed[-1] == m.KeyLamps(("settle",))
        await table.supervisor.stop()

    run(main())


def test_unplugged_when_ready_and_during_every_reconnect() -> None:
    async def main() -> None:
        device, table = await lit_lamps()
        assert device.executed == [m.SetLamps(((0, 0),)), m.SetLamps(((0, 1),))]
        for after in (0.0, 0.1, 0.1005, 0.101, 0.1015, 0.102, 0.103, 0.104, 0.15):
            table.wire.unplug()
            await asyncio.sleep(after)
            table.wire.unplug()  # again, in the middle of coming back
            await table.ready()
            device.executed.clear()
            await asyncio.sleep(3)
        table.wire.unplug()
        await asyncio.sleep(0)
        await table.ready()
        await asyncio.sleep(0.1)
        assert device.executed[-1] == m.SetLamps(((0, 1),))  # configured again
        await table.supervisor.stop()

    run(main())


@pytest.mark.parametrize("forget", [False, True])
def test_events_sent_again_after_a_reconnect_are_not_doubled(forget: bool) -> None:
    async def main() -> None:
        table = shoe_table()
        table.acks = False  # the journal is slow: nothing is durable yet
        table.supervisor.start()
        await table.ready()
        for card in ("2c", "3c", "4c"):
            table.device.happen(m.CardDrawn(card))
        await asyncio.sleep(0.1)
        assert len(table.readings) == 3
        table.wire.unplug()
        table.supervisor.ack(3, 7)  # durable now, but there is nobody to tell
        table.acks = True
        if forget:
            table.device.restart(forget=True)
        table.device.happen(m.CardDrawn("5c"))
        await asyncio.sleep(0.01)
        await table.ready()
        await asyncio.sleep(1)
        cards = [reading.card for _, reading in table.readings if isinstance(reading, m.CardDrawn)]
        assert cards == ["2c", "3c", "4c", "5c"]
        assert table.readings[-1][0].counter == (1 if forget else 4)
        assert table.repeats == (0 if forget else 3)
        assert not table.device.kept
        await table.supervisor.stop()

    run(main())


def test_an_acknowledgement_for_another_memory_is_not_passed_on() -> None:
    async def main() -> None:
        table = shoe_table()
        table.acks = False
        table.supervisor.start()
        await table.ready()
        table.device.happen(m.CardsLow())
        await asyncio.sleep(0.01)
        table.supervisor.ack(1, 6)
        await asyncio.sleep(0.01)
        assert table.device.kept
        table.supervisor.ack(1)
        await asyncio.sleep(0.01)
        assert not table.device.kept
        await table.supervisor.stop()

    run(main())


def test_what_could_not_be_stored_comes_again_after_a_reconnect() -> None:
    async def main() -> None:
        table = shoe_table()
        table.supervisor.reconnect()  # nothing to do before it is there
        table.acks = False
        table.supervisor.start()
        table.supervisor.reconnect()
        await table.ready()
        assert table.phases == ["opening", "identifying", "ready"]
        table.device.happen(m.CardsLow())
        await asyncio.sleep(0.01)
        table.acks = True
        table.supervisor.reconnect()
        await asyncio.sleep(0.01)
        assert table.state.code == "device.reconnect"
        await table.ready()
        await asyncio.sleep(0.1)
        assert table.repeats == 1
        assert not table.device.kept
        await table.supervisor.stop()

    run(main())


class BuggyShoe(ShoeDriver):
    bug = True

    def read(self, event: m.Event) -> m.Event:
        if self.bug and isinstance(event, m.CardDrawn):
            raise KeyError(event.card)
        return super().read(event)


def test_a_bug_in_a_driver_is_named_retried_and_loses_no_card() -> None:
    async def main() -> None:
        driver = BuggyShoe()
        table = Table(FakeDevice(), driver)
        table.supervisor.start()
        await table.ready()
        chunk: list[bytes] = []
        send, table.device.send = table.device.send, chunk.append
        table.device.happen(m.CardDrawn("Kh"))
        table.device.happen(m.CardsLow())  # must not be acknowledged before the card
        table.device.send = send
        send(b"".join(chunk))
        await asyncio.sleep(3)
        bugs = [state for state in table.states if state.phase == "lost"]
        assert {state.code for state in bugs} == {"driver.bug"}
        assert 1 < len(bugs) < 10  # a device that is lost as soon as it is ready is not hammered
        assert "KeyError at test_supervisor.py" in bugs[0].cause
        assert "Kh" not in bugs[0].cause
        assert table.readings == []
        assert sorted(table.device.kept) == [1, 2]
        driver.bug = False
        await asyncio.sleep(5)
        assert [reading for _, reading in table.readings] == [m.CardDrawn("Kh"), m.CardsLow()]
        assert table.state.phase == "ready"
        await table.supervisor.stop()

    run(main())


def test_a_bug_while_configuring_and_a_listener_that_fails() -> None:
    class Buggy(ConsoleDriver):
        async def sync(self) -> None:
            raise ZeroDivisionError

    async def main() -> None:
        seen: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: seen.append(context["exception"]))
        table = Table(FakeDevice("console"), Buggy())
        table.supervisor._on_state = lambda state: 1 / 0  # type: ignore[assignment]
        table.supervisor.start()
        await asyncio.sleep(1)
        assert table.state.code == "driver.bug"
        assert seen
        await table.supervisor.stop()

    run(main())


def test_an_address_that_leads_nowhere_is_a_cause_like_any_other() -> None:
    async def main() -> None:
        table = shoe_table()

        def nowhere() -> Transport:
            raise AddressError("address.not-yet", "can:// is not built yet", "serial:///dev/x")

        table.make = nowhere
        table.supervisor.start()
        await asyncio.sleep(0.05)
        assert (table.state.phase, table.state.code) == ("lost", "address.not-yet")
        await table.supervisor.stop()

    run(main())


def test_an_event_that_cannot_be_read_is_a_loss_and_stays_with_the_device() -> None:
    async def main() -> None:
        table = shoe_table()
        table.supervisor.start()
        await table.ready()
        table.device.put(Frame(Kind.EVENT, 1, b"rubbish"))
        await asyncio.sleep(0.01)
        assert table.state.code == "link.body"
        await table.ready()
        await table.supervisor.stop()

    run(main())


def test_a_silent_device_comes_back_when_it_speaks_again() -> None:
    async def main() -> None:
        table = shoe_table()
        table.supervisor.start()
        await table.ready()
        table.device.deaf = True
        await asyncio.sleep(5)
        assert table.state.code == "link.silent"
        table.device.deaf = False
        await table.ready()
        await table.supervisor.stop()

    run(main())


def test_outputs_that_take_for_ever_and_a_wire_that_does_not_close() -> None:
    class Stuck(ConsoleDriver):
        async def sync(self) -> None:
            await asyncio.sleep(3600)

    class Hanging(MemoryWire):
        async def close(self) -> None:
            await super().close()
            await asyncio.sleep(3600)

    async def main() -> None:
        table = Table(FakeDevice("console"), Stuck())
        table.wire = Hanging(table.device)
        table.supervisor.start()
        await asyncio.sleep(7.5)
        assert table.state.code == "device.configure"
        assert table.supervisor.stats.errors["link.close"] == 1
        await table.supervisor.stop()

    run(main())


@pytest.mark.parametrize("moment", [0.0, 0.0005, 0.001, 0.002, 0.003, 0.5])
def test_stopping_at_any_moment_leaves_lamps_dark_and_nothing_running(moment: float) -> None:
    async def main() -> None:
        device = FakeDevice("lamps")
        driver = LampsDriver({"bets": 0})
        driver.show({"bets": ON})
        table = Table(device, driver)
        table.supervisor.start()
        await asyncio.sleep(moment)
        was_ready = table.state.phase == "ready"
        await table.supervisor.stop()
        assert table.state.phase == "stopped"
        if was_ready:
            assert device.executed[-1] == m.SetLamps(((0, 0),))
        with pytest.raises(LinkError):
            await driver.self_test()

    run(main())


def test_stopping_a_device_that_hangs_ends_all_the_same() -> None:
    async def main() -> None:
        device, table = await lit_lamps()
        device.deaf = True
        await table.supervisor.stop()
        assert table.state.phase == "stopped"
        device.deaf = False
        table.supervisor.start()  # and it can be started again
        await table.ready()
        await table.supervisor.stop()

    run(main())


def test_a_refused_lamp_is_reported_with_counter_zero() -> None:
    async def main() -> None:
        device = FakeDevice("lamps")
        device.answer = lambda command: m.Reply(False, "open-circuit 0")
        table = Table(device, LampsDriver({"bets": 0}))
        table.supervisor.start()
        await table.ready()
        (origin, reading), *_ = table.readings
        assert origin == Origin("d1", "S-1", 7, 0)
        assert reading == m.Fault("lamps.open-circuit", "lamp bets (channel 0): open-circuit 0")
        await table.supervisor.stop()

    run(main())
