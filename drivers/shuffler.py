"""The shuffling shoe: it shuffles, counts and verifies decks, and dispenses sets or single cards."""

from __future__ import annotations

from drivers.families import family
from drivers.shoe import ShoeDriver
from firmware_bridge import messages as m


@family("shuffler", stands="by-name", reads="drawn", one=True)
class ShufflerDriver(ShoeDriver):
    """Reports all that a shoe does (a continuous shuffler deals card by card), and the shuffle itself.

    Its deeds are not repeated after a reconnect: whoever asked must look at what came of it.
    """

    events = m.SENT_BY["shuffler"]

    async def shuffle(self) -> m.Reply:
        """Starts a shuffle and returns the reply; events tell the rest."""
        return await self.ask(m.Shuffle())

    async def dispense(self, cards: int) -> m.Reply:
        """Has the machine dispense one set of so many cards and returns the reply."""
        return await self.ask(m.Dispense(cards))

    async def eject(self) -> m.Reply:
        """Has the machine give the cards back and returns the reply."""
        return await self.ask(m.Eject())
