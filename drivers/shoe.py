"""The dealing shoe: it reads each card that is drawn from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m


@family("shoe", stands="by-name", reads="drawn", one=True)
class ShoeDriver(Driver):
    """Reports cards one by one, the cutting card, low, empty and the door; it can be locked."""

    events = m.SENT_BY["shoe"]

    def lock(self, locked: bool) -> None:
        """Holds the cards back, or lets them be drawn; lasts through a reconnect."""
        self.want("lock", locked)

    def commands(self, changed: Mapping[str, bool]) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        return [((key,), m.Lock(locked)) for key, locked in changed.items()]
