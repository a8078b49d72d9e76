"""Requests always end, and the link notices every way in which a device or a wire can go away."""

from __future__ import annotations

import asyncio

import pytest

from firmware_bridge.frame import Kind
from firmware_bridge.link import HostLink, LinkError
from firmware_bridge.messages import CardsLow, Command, Event, Lock, Reply, SelfTest, Shuffle
from firmware_bridge.transport import Receiver, TransportError
from tests.firmware_bridge.fakes import (
    FakeDevice,
    MemoryWire,
    clean,
    silent,
)
from tests.firmware_bridge.owner import Owner, cards, kinds, setup
from tests.firmware_bridge.virtual import run

# ---- requests


def test_a_refusal_is_an_answer() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device.answer = lambda command: Reply(False, "door-open")
        await owner.link.open()
        assert await owner.link.request(Shuffle()) == Reply(False, "door-open")
        await owner.link.close()

    run(main())


def test_a_request_without_a_reply_ends_at_its_deadline() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device.answer = lambda command: None
        await owner.link.open()
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(LinkError) as failure:
            await owner.link.request(SelfTest())
        assert failure.value.code == "link.timeout"
        assert loop.time() - began == pytest.approx(1.0, abs=0.01)
        assert owner.losses == []  # the device still answers pings
        await owner.link.close()

    run(main())


def test_at_most_eight_commands_are_in_flight_and_all_end() -> None:
    async def main() -> None:
        device, _, owner = setup()
        device.answer = lambda command: None
        await owner.link.open()
        asking = [asyncio.create_task(owner.link.request(SelfTest())) for _ in range(20)]
        await asyncio.sleep(0.01)
        assert kinds(device).count(Kind.COMMAND) == 8
        results = await asyncio.gather(*asking, return_exceptions=True)
        assert {result.code for result in results if isinstance(result, LinkError)} == {"link.timeout"}
        device.answer = lambda command: Reply(True)
        more = await asyncio.gather(*(owner.link.request(Lock(i % 2 == 0)) for i in range(20)))
        assert more == [Reply(True)] * 20
        await owner.link.close()

    run(main())


def test_a_cancelled_request_leaves_the_link_whole() -> None:
    async def main() -> None:
        _, _, owner = setup()
        await owner.link.open()
        asking = asyncio.create_task(owner.link.request(SelfTest()))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.sleep(0.1)
        assert await owner.link.request(SelfTest()) == Reply(True)
        await owner.link.close()

    run(main())


def test_closing_ends_requests_and_openings() -> None:
    async def main() -> None:
        device, wire, owner = setup()
        with pytest.raises(LinkError):
            await owner.link.request(SelfTest())
        await owner.link.open()
        with pytest.raises(LinkError) as twice:
            await owner.link.open()
        assert twice.value.code == "link.open"
        device.answer = lambda command: None
        asking = asyncio.create_task(owner.link.request(SelfTest()))
        await asyncio.sleep(0.01)
        await owner.link.close()
        await owner.link.close()
        with pytest.raises(LinkError) as failure:
            await asking
        assert failure.value.code == "link.lost"
        assert owner.losses == []
        wire.down = silent
        opening = asyncio.create_task(owner.link.open())
        await asyncio.sleep(0.1)
        await owner.link.close()
        with pytest.raises(LinkError) as closed:
            await opening
        assert closed.value.code == "link.closed"

    run(main())


# ---- life and death of the wire


def test_a_quiet_device_is_pinged_and_stays() -> None:
    async def main() -> None:
        device, _, owner = setup()
        await owner.link.open()
        await asyncio.sleep(10)
        assert owner.losses == []
        assert 36 <= kinds(device).count(Kind.PING) <= 40
        assert owner.link.stats.p50 == pytest.approx(0.002, abs=1e-4)
        assert owner.link.stats.p99 == pytest.approx(0.002, abs=1e-4)
        await owner.link.close()

    run(main())


@pytest.mark.parametrize("what", ["hangs", "restarts", "loops back"])
def test_silence_is_noticed_within_750_ms(what: str) -> None:
    async def main() -> None:
        device, _, owner = setup()
        await owner.link.open()
        loop = asyncio.get_running_loop()
        began = loop.time()
        if what == "hangs":
            device.deaf = True
        elif what == "restarts":
            device.restart()
        else:
            device.received = lambda data: device.send(data)  # type: ignore[method-assign]
        asking = asyncio.create_task(owner.link.request(SelfTest()))
        with pytest.raises(LinkError) as failure:
            await asking
        assert failure.value.code == "link.lost"
        assert owner.codes == ["link.silent"]
        assert loop.time() - began == pytest.approx(0.75, abs=0.01)
        await owner.link.close()

    run(main())


def test_a_pulled_cable_is_reported_once_and_the_link_opens_again() -> None:
    async def main() -> None:
        device, wire, owner = setup(acks=False)
        await owner.link.open()
        device.happen(CardsLow())
        await asyncio.sleep(0.01)
        wire.unplug()
        wire.unplug()
        assert owner.codes == ["memory.lost"]
        with pytest.raises(LinkError):
            await owner.link.request(SelfTest())
        owner.link.ack(1)  # too late: it goes nowhere
        await owner.link.close()
        await owner.link.open(7, 0)
        await asyncio.sleep(0.01)
        assert [counter for counter, _ in owner.events] == [1, 1]  # unacknowledged: handed up again
        await owner.link.close()

    run(main())


def test_a_cable_pulled_during_the_greeting_fails_the_opening() -> None:
    async def main() -> None:
        _, wire, owner = setup(down=silent)
        opening = asyncio.create_task(owner.link.open())
        await asyncio.sleep(0.5)
        wire.unplug()
        with pytest.raises(LinkError) as failure:
            await opening
        assert failure.value.code == "memory.lost"
        assert owner.losses == []

    run(main())


def test_a_wire_that_does_not_open() -> None:
    class Stuck(MemoryWire):
        async def open(self, receiver: Receiver) -> None:
            await asyncio.sleep(3600)

    class Brief(MemoryWire):
        async def open(self, receiver: Receiver) -> None:
            receiver.lost(TransportError("memory.lost", "gone again"))

    async def main() -> None:
        _, wire, owner = setup()
        wire.refuse = TransportError("serial.missing", "no such node")
        with pytest.raises(LinkError) as failure:
            await owner.link.open()
        assert failure.value.code == "serial.missing"
        with pytest.raises(LinkError) as stuck:
            await Owner(Stuck(FakeDevice())).link.open()
        assert stuck.value.code == "link.open-timeout"
        with pytest.raises(LinkError) as brief:
            await Owner(Brief(FakeDevice())).link.open()
        assert brief.value.code == "memory.lost"

    run(main())


def test_a_cancelled_opening_leaves_nothing_behind() -> None:
    async def main() -> None:
        _, wire, owner = setup(down=silent)
        opening = asyncio.create_task(owner.link.open())
        await asyncio.sleep(0.1)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        wire.down = clean
        await owner.link.open()
        await owner.link.close()

    run(main())


def test_the_trace_shows_the_last_frames_without_cards() -> None:
    async def main() -> None:
        device, _, owner = setup()
        await owner.link.open()
        for card in cards(200):
            device.happen(card)
            await asyncio.sleep(0.01)
        device.send(b"\0\x09rubbish\0")
        await asyncio.sleep(0.01)
        assert len(owner.link.trace) == 256
        lines = [entry.text() for entry in owner.link.trace]
        assert "frame.cobs" in lines[-1]
        assert any("EVENT 200 CardDrawn(withheld)" in line for line in lines)
        assert any("out ACK 200" in line for line in lines)
        assert owner.link.stats.errors == {"frame.cobs": 1}
        assert owner.link.stats.frames_in >= 201
        await owner.link.close()

    run(main())


def test_an_owner_that_fails_on_an_event_does_not_stop_the_link() -> None:
    async def main() -> None:
        device = FakeDevice()
        seen: list[int] = []
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))

        def on_event(counter: int, event: Event) -> None:
            seen.append(counter)
            if counter == 1:
                raise RuntimeError("a bug above")

        link = HostLink(MemoryWire(device), on_event=on_event, on_lost=lambda why: None)
        await link.open()
        device.happen(CardsLow())
        device.happen(CardsLow())
        await asyncio.sleep(1)
        assert seen == [1, 2]
        assert len(errors) == 1
        await link.close()

    run(main())


def test_commands_of_the_owner_while_it_handles_an_event() -> None:
    async def main() -> None:
        device = FakeDevice()
        done: list[Command] = []
        tasks: list[asyncio.Task[Reply]] = []

        def on_event(counter: int, event: Event) -> None:
            link.ack(counter)
            tasks.append(asyncio.create_task(link.request(SelfTest())))

        link = HostLink(MemoryWire(device), on_event=on_event, on_lost=lambda why: None)
        await link.open()
        device.happen(CardsLow())
        await asyncio.sleep(0.1)
        assert [task.result() for task in tasks] == [Reply(True)]
        assert device.executed == [SelfTest()], done
        assert not device.kept
        await link.close()

    run(main())
