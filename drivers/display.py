"""A display: the jackpot meter's amount, or lines of text on a sign."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m

SHOWN: Final = 3.0  # seconds that it says who it is
_SCALE: Final = 4  # an amount comes in ten-thousandths of a dollar
_AMOUNT: Final = re.compile(r"\$?([0-9][0-9,]*)(?:\.([0-9]{1,4}))?", re.ASCII)


@family("display")
class DisplayDriver(Driver):
    """Shows one thing at a time: an amount or a text."""

    identifying = False  # it says who it is, for a moment, and not what it should

    def show_amount(self, amount: int) -> None:
        """Shows an amount, in ten-thousandths of a dollar."""
        self.want("face", m.ShowAmount(amount))

    def show_text(self, lines: Sequence[str]) -> None:
        """Shows these lines."""
        self.want("face", m.ShowText(tuple(lines)))

    def show_again(self) -> None:
        """Sends once more what the display shall show, although it said that it shows it."""
        self.repeat("face")

    async def read_back(self) -> str | None:
        """Asks the display what it shows now and returns that; None when it cannot say."""
        reply = await self.ask(m.ReadBack())
        return reply.detail if reply.ok else None

    async def identify(self, name: str) -> str:
        self.identifying = True
        try:
            reply = await self.ask(m.ShowText((name,)))
            await asyncio.sleep(SHOWN)
        finally:
            self.identifying = False
            self.show_again()
        return f'it shows "{name}" for {SHOWN:g} seconds' if reply.ok else ""

    def commands(
        self, changed: Mapping[str, m.ShowAmount | m.ShowText]
    ) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        return [((key,), command) for key, command in changed.items()]


def agrees(wanted: m.ShowAmount | m.ShowText, shown: str) -> bool:
    """Tells whether a display shows what it should; decimals that it does not have are cut off.

    >>> agrees(m.ShowAmount(123_456_789), "$12,345.67"), agrees(m.ShowAmount(123_456_789), "12345.6790")
    (True, False)
    """
    if isinstance(wanted, m.ShowText):
        return [line.strip() for line in shown.split("\n")] == [line.strip() for line in wanted.lines or ("",)]
    read = _AMOUNT.fullmatch(shown.strip())
    if read is None:
        return False
    whole, rest = read[1].replace(",", ""), read[2] or ""
    return bool(int(whole + rest) == wanted.amount // 10 ** (_SCALE - len(rest)))


def in_words(wanted: m.ShowAmount | m.ShowText) -> str:
    """Returns what the display should show, in words for people."""
    if isinstance(wanted, m.ShowText):
        return " / ".join(wanted.lines)
    whole, rest = divmod(wanted.amount, 10**_SCALE)
    return f"${whole:,}.{rest:0{_SCALE}}"
