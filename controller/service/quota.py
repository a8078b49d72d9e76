"""How much one device may send: one that sends more is slowed down, and the others are not kept waiting.

A device has a few events in flight and sends no more before they are acknowledged.  So it is enough to acknowledge
later: nothing is lost, nothing is taken twice, and no device can fill the journal faster than its quota.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

BABBLES = "device.babbles"
QUIET_SHARE = 0.5  # of the burst that must be free again before a device counts as quiet


@dataclass(frozen=True)
class Quota:
    """The events that a device may send at once, and those a second that may follow them for ever."""

    burst: int = 1000
    rate: float = 200.0


class Quotas:
    """The quotas of all devices of a table.

    `tell` is called when a device babbles (True) or is quiet again (False).
    """

    def __init__(
        self,
        quota: Quota | None,
        time: Callable[[], float],
        later: Callable[[float, Callable[[], None]], object],
        tell: Callable[[str, bool], None],
    ) -> None:
        self._quota = quota
        self._time = time
        self._later = later
        self._tell = tell
        self._left: dict[str, tuple[float, float]] = {}  # device -> events that it may still tell, and when that was so
        self._babbling: set[str] = set()

    def recovered(self, faults: Mapping[str, Mapping[str, str]]) -> None:
        """Takes over which devices babbled before a restart: they are quiet until they send again."""
        for device in [device for device, codes in faults.items() if BABBLES in codes]:
            self._babbling.add(device)
            self._watch(device)

    def after(self, device: str, acknowledge: Callable[[], None]) -> None:
        """Acknowledges an event of this device that is durable, now or when its quota has room for it."""
        if self._quota is None:
            acknowledge()
            return
        left = self._now(device, self._quota) - 1
        self._left[device] = (left, self._time())
        if left >= 0:
            acknowledge()
            return
        if device not in self._babbling:
            self._babbling.add(device)
            self._tell(device, True)
            self._watch(device)
        self._later(-left / self._quota.rate, acknowledge)

    def _now(self, device: str, quota: Quota) -> float:
        left, at = self._left.get(device, (float(quota.burst), self._time()))
        return min(float(quota.burst), left + (self._time() - at) * quota.rate)

    def _watch(self, device: str) -> None:
        quota = self._quota or Quota()
        self._later(quota.burst * QUIET_SHARE / quota.rate, lambda: self._look(device, quota))

    def _look(self, device: str, quota: Quota) -> None:
        if self._now(device, quota) < quota.burst * QUIET_SHARE:
            self._watch(device)
        elif device in self._babbling:
            self._babbling.discard(device)
            self._tell(device, False)
