"""Lamps are sent at once: before anybody waits for the reply, one command at a time, and never lost."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from drivers.driver import Channel
from drivers.lamps import OFF, ON, LampsDriver
from firmware_bridge import messages as m
from firmware_bridge.frame import BodyError
from firmware_bridge.link import LinkError

DECIDE: Final = 8  # the channel of the lamp "decide" at the first area
REFUSED: Final = m.Reply(False, "broken")
DONE: Final = m.Reply(True)


class Device:
    """A device behind a link that sends at once; it replies when `reply` is called."""

    def __init__(self, driver: LampsDriver) -> None:
        self.driver = driver
        self.sent: list[tuple[tuple[int, int], ...]] = []
        self.replies: list[asyncio.Future[m.Reply]] = []
        self.readings: list[m.Event] = []
        self.error: Exception | None = None
        self.waking = 0
        driver.attach(Channel(self.request, self.readings.append, self._wake, self.begin))

    def _wake(self) -> None:
        self.waking += 1

    def begin(self, command: m.Command) -> asyncio.Future[m.Reply]:
        if self.error is not None:
            raise self.error
        assert isinstance(command, m.SetLamps)
        self.sent.append(command.lamps)
        self.replies.append(asyncio.get_running_loop().create_future())
        return self.replies[-1]

    async def request(self, command: m.Command) -> m.Reply:
        return await self.begin(command)

    async def sync(self, *replies: m.Reply) -> None:
        """Lets the driver send what is due; the commands get these replies, and a good one when they end."""
        work, left = asyncio.ensure_future(self.driver.sync()), list(replies)
        while not work.done():
            for future in self.replies:
                if not future.done():
                    future.set_result(left.pop(0) if left else DONE)
            await asyncio.sleep(0)
        await work


async def ready() -> Device:
    """A device whose lamps are all off, as the driver knows."""
    device = Device(LampsDriver({"decide:1": DECIDE, "bets": 0}))
    await device.sync()
    assert device.driver.settled
    device.sent.clear()
    device.replies.clear()
    device.waking = 0
    return device


async def test_a_lamp_is_sent_before_show_returns() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON, "bets": ON})
    assert device.sent == [((DECIDE, ON), (0, ON))]  # in one command
    assert device.waking and not device.driver.settled  # until the device has answered
    await device.sync()
    assert len(device.sent) == 1 and device.driver.settled


async def test_while_a_command_is_under_way_nothing_overtakes_it() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON})
    device.driver.show({"decide:1": OFF})
    device.driver.show({"bets": ON})
    assert device.sent == [((DECIDE, ON),)]
    await device.sync()
    assert device.sent == [((DECIDE, ON),), ((DECIDE, OFF), (0, ON))]
    assert device.driver.settled


async def test_what_changes_while_a_command_waits_for_its_reply_comes_behind_it() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON})
    work = asyncio.ensure_future(device.driver.sync())
    await asyncio.sleep(0)
    device.driver.show({"decide:1": OFF})
    assert device.sent == [((DECIDE, ON),)]
    device.replies[0].set_result(DONE)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert device.sent == [((DECIDE, ON),), ((DECIDE, OFF),)]
    device.replies[1].set_result(DONE)
    await work
    assert device.driver.settled


async def test_a_refused_command_of_several_lamps_names_the_lamp_that_is_to_blame() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON, "bets": ON})
    await device.sync(REFUSED, REFUSED, DONE)
    assert device.sent == [((DECIDE, ON), (0, ON)), ((DECIDE, ON),), ((0, ON),)]
    assert [reading.code for reading in device.readings if isinstance(reading, m.Fault)] == ["lamps.broken"]
    assert device.driver.settled


@pytest.mark.parametrize("error", [LinkError("link.lost", "the link is not open"), BodyError("too long")])
async def test_what_cannot_be_sent_at_once_is_left_to_the_next_sync(error: Exception) -> None:
    device = await ready()
    device.error = error
    device.driver.show({"decide:1": ON})
    assert not device.sent and not device.driver.settled
    device.error = None
    await device.sync()
    assert device.sent == [((DECIDE, ON),)] and device.driver.settled


async def test_a_device_that_goes_before_it_answers_is_sent_everything_when_it_is_back() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON})
    device.driver.detach()
    assert device.replies[0].cancelled()  # nobody waits for it: its end is no stray error
    again = Device(device.driver)
    await again.sync()
    assert again.sent == [((DECIDE, ON), (0, OFF))] and device.driver.settled


async def test_a_link_that_is_lost_meanwhile_is_told_by_the_sync() -> None:
    device = await ready()
    device.driver.show({"decide:1": ON})
    device.replies[0].set_exception(LinkError("link.lost", "unplugged"))
    with pytest.raises(LinkError):
        await device.driver.sync()
    device.driver.detach()
    assert not device.driver._syncing


async def test_nothing_new_sends_nothing() -> None:
    device = await ready()
    device.driver.show({"decide:1": OFF})
    device.driver.show({})
    assert not device.sent and device.driver.settled


async def test_a_link_that_cannot_send_at_once_is_only_woken() -> None:
    device = await ready()
    device.driver.attach(Channel(device.request, device.readings.append, device._wake))
    device.driver.show({"decide:1": ON})
    assert not device.sent and device.waking
    await device.sync()
    assert (DECIDE, ON) in device.sent[0]
