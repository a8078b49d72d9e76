"""The stream behind the page of the decks: names and serial numbers only to who is signed in there."""

from __future__ import annotations

import msgspec
from aiohttp import web

from controller.people.sessions import SignedInSession
from controller.service.deck_door import DeckDoor
from controller.views.decks import public
from controller.web.people import PageDoor


class DeckLook:
    """What one browser is shown of the decks."""

    def __init__(self, decks: DeckDoor, door: PageDoor, request: web.Request) -> None:
        self._decks, self._stands = decks, door.keeper.stands
        self._session: SignedInSession | None = door.onlooker(request)

    def picture(self) -> bytes:
        """Returns the page as JSON; whoever is not signed in any more is shown what everybody is."""
        shown = self._decks.shown()
        known = self._session is not None and self._stands(self._session)
        return msgspec.json.encode({"decks": shown if known else public(shown)})
