"""A display: the jackpot meter's amount, or lines of text on a sign."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from drivers.driver import Driver
from firmware_bridge import messages as m


class DisplayDriver(Driver):
    """It shows one thing at a time: an amount or a text."""

    family = "display"
    prefix = "display"

    def show_amount(self, amount: int) -> None:
        """An amount in ten-thousandths of a dollar."""
        self.want("face", m.ShowAmount(amount))

    def show_text(self, lines: Sequence[str]) -> None:
        """Lines of text."""
        self.want("face", m.ShowText(tuple(lines)))

    async def read_back(self) -> str | None:
        """What it shows now by its own word; None when it cannot say."""
        reply = await self.ask(m.ReadBack())
        return reply.detail if reply.ok else None

    def commands(
        self, changed: Mapping[str, m.ShowAmount | m.ShowText]
    ) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        return [((key,), command) for key, command in changed.items()]
