"""The bet sensor of one area: the chips on its spots, and the light that says accepted or refused."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m


@family("bet-sensor", title="bet sensor", called="sensor", stands="area")
class BetSensorDriver(Driver):
    """Reports the chips on each spot by bettor, and shows whether a bet is accepted."""

    events = m.SENT_BY["bet-sensor"]

    def indicate(self, spot: str, accepted: bool, bettor: int = 1) -> None:
        """Shows at the spot that the bet is accepted or refused."""
        self.want((spot, bettor), accepted)

    async def snapshot(self) -> m.Event:
        """Returns what lies on every spot now (BetChanged), or why that cannot be said (Fault)."""
        reply = await self.ask(m.Snapshot())
        if not reply.ok:
            return m.Fault("sensor.snapshot", reply.detail)
        bets = m.BetChanged(reply.spots)
        return bets.defect or bets

    def commands(self, changed: Mapping[tuple[str, int], bool]) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        return [(((spot, bettor),), m.Indicate(spot, ok, bettor)) for (spot, bettor), ok in changed.items()]

    def label(self, key: tuple[str, int]) -> str:
        return f"{key[0]} of bettor {key[1]}"
