"""What the suite does with devices that cannot be tried, that keep events, that go away, or that take too long."""

from __future__ import annotations

import asyncio

import pytest

from controller.sim.operator import SimOperator
from firmware_bridge.conform.trial import Deed, TrialResult
from firmware_bridge.errors import Coded
from firmware_bridge.frame import Frame, Kind
from firmware_bridge.transport import TransportError
from hw_sim import loop
from hw_sim.device import DeviceEnd
from hw_sim.table import SimDevice
from tests.conform.rig import KEY, Nobody, broken, conform, device_of


def refused(device: SimDevice, key: bytes | None = None) -> Coded:
    with pytest.raises(Coded) as error:
        loop.run(conform(device, key, Nobody()))
    assert error.value.next_step
    return error.value


def named(results: list[TrialResult], name: str) -> TrialResult:
    return next(result for result in results if result.trial.name == name)


def test_a_device_with_a_key_is_not_tried_without_it() -> None:
    error = refused(device_of("shoe", key=KEY))
    assert (error.code, "SIM-device" in error.cause) == ("conform.key", True)


def test_a_device_without_a_key_is_not_tried_with_one() -> None:
    assert refused(device_of("shoe"), KEY).code == "link.unsealed"


def test_a_key_of_another_device_breaks_the_proof() -> None:
    results = loop.run(conform(device_of("shoe", key=KEY), bytes(32)))
    assert "8.3" in broken(results)
    assert named(results, "heartbeat").came == "not reached: the device cannot be greeted"


def test_events_that_no_journal_has_are_not_forgotten_unless_that_is_wished() -> None:
    device = device_of("shoe")
    device.do("draw", "Kh")
    error = refused(device)
    assert error.code == "conform.kept"
    assert device.pending == 1
    again = device_of("shoe")
    again.do("draw", "Kh")
    assert broken(loop.run(conform(again, forget_events=True))) == {}
    assert again.pending == 0


def test_a_suite_leaves_no_event_behind() -> None:
    device = device_of("console")
    loop.run(conform(device))
    assert device.pending == 0


def test_nothing_begins_when_the_time_is_over() -> None:
    results = loop.run(conform(device_of("shoe"), limit=3.0))
    assert named(results, "greeting").outcome == "kept"
    late = named(results, "event-again")
    assert (late.outcome, late.came) == ("untried", "not reached: the time is over")


class Slow(SimOperator):
    """Takes a minute for everything."""

    async def do(self, deed: Deed, family: str) -> bool:
        await asyncio.sleep(60)
        return await super().do(deed, family)


def test_the_time_of_a_person_does_not_count() -> None:
    device = device_of("console")
    assert "time is over" not in str(
        [result.came for result in loop.run(conform(device, None, Slow(device), limit=60.0))]
    )


class Silent(DeviceEnd):
    """Answers nothing."""

    def received(self, data: bytes) -> None:
        pass


@pytest.mark.parametrize("key", [None, KEY])
def test_a_device_that_never_answers_is_told_once(key: bytes | None) -> None:
    results = loop.run(conform(device_of("shoe", Silent, key), key))
    assert [result.trial.name for result in results if result.outcome == "broken"] == ["greeting"]


class Unplugged(DeviceEnd):
    """Goes away in the middle, for ever or for a moment."""

    device: SimDevice
    comes_back = False

    def _handle(self, frame: Frame, encrypted: bool) -> None:
        if frame.kind is Kind.COMMAND and self._greeted:
            self.device.fault("unplug")
            if self.comes_back:
                self.device.clear()
        super()._handle(frame, encrypted)


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_wire_that_is_lost_breaks_the_trial_and_is_opened_again(comes_back: bool) -> None:
    device = device_of("shoe", Unplugged)
    end = device.board.end
    assert isinstance(end, Unplugged)
    end.device, end.comes_back = device, comes_back
    results = loop.run(conform(device))
    assert named(results, "new-session").came.startswith("the wire was lost: ")
    after = named(results, "heartbeat")
    gone = ("untried", "not reached: the wire could not be opened again")
    assert after.outcome == "kept" if comes_back else (after.outcome, after.came) == gone


def test_a_wire_that_cannot_be_opened_is_an_error() -> None:
    device = device_of("shoe")
    device.start = lambda: None  # type: ignore[method-assign]
    with pytest.raises(TransportError):
        loop.run(conform(device))
