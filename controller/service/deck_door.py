"""Decks over HTTP, at the socket and on the pages' port: what is known of them, what people do, receipts."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from aiohttp import web
from msgspec.structs import asdict, replace

from controller.errors import FeltError
from controller.games import find
from controller.people import errors
from controller.service import deck_routes
from controller.service.deck_routes import DeckWish, to_the_signed_in
from controller.service.deck_telling import UNKNOWN_INSPECTION
from controller.service.door import Door, answer, explained, read
from controller.service.engine import Engine
from controller.service.mounting import Answered
from controller.service.statuses import STATUS
from controller.table.effects import Prompted, Refused
from controller.table.facts import DeckDeed
from controller.views import deck_receipt, paper
from controller.views.deck_receipt import InspectionFound, look_up
from controller.views.decks import DecksShown, shown
from controller.views.words import prompt_words

REFUSED: Final = "deck.refused"


class DeckDoor:
    """The decks of one table at one door; `named`: only who is signed in is told names and serial numbers."""

    def __init__(self, engine: Engine, door: Door, *, named: bool = False) -> None:
        self._engine, self._door, self._named = engine, door, named

    def looking(self) -> list[Answered]:
        """Returns what can be looked at."""
        looking: list[Answered] = [
            (deck_routes.DECKS, explained(self._decks)),
            (deck_routes.INSPECTION, explained(self._inspection)),
            (deck_routes.RECEIPT, explained(self._page)),
            (deck_routes.RECEIPT_TEXT, explained(self._text)),
        ]
        return [(to_the_signed_in(route), does) for route, does in looking] if self._named else looking

    def doing(self) -> list[Answered]:
        """Returns what can be done."""
        return [(deck_routes.DEED, explained(self._deed))]

    def shown(self) -> DecksShown:
        """Returns the decks as they are."""
        table = self._engine.table
        return shown(table, find(table.game) if table.game else None)

    async def _decks(self, request: web.Request) -> web.Response:
        self._admit(request)
        return answer(self.shown())

    async def _deed(self, request: web.Request) -> web.Response:
        session = self._door.writer(request)
        wish = await read(request, DeckWish)
        before = self._engine.table.decks
        fact = DeckDeed(wish.deed, session.person, session.role, session.place, session.account, **_words(wish))
        followed = await self._engine.submit(fact)
        refused = next((effect for effect in followed.effects if isinstance(effect, Refused)), None)
        if refused is not None:
            error = FeltError(REFUSED, refused.why)
            refusal = {"code": error.code, "cause": error.cause, "next_step": error.next_step, "rule": refused.rule}
            return answer({"error": refusal}, STATUS[REFUSED])
        book = self._engine.table.decks
        prompts = [effect.prompt for effect in followed.effects if isinstance(effect, Prompted)]
        return answer(
            {
                "deed": wish.deed,
                "deck": book.numbered if book.numbered > before.numbered else wish.deck,
                "inspection": book.inspected if book.inspected > before.inspected else None,
                "person": session.person,
                "seq": followed.seq,
                "prompts": [
                    {"role": p.role, "text": prompt_words(p), "rule": p.rule, "place": p.place} for p in prompts
                ],
            }
        )

    async def _page(self, request: web.Request) -> web.Response:
        receipt = deck_receipt.page(await self._find(request))
        headers = {"Content-Security-Policy": paper.POLICY}
        return web.Response(text=receipt, content_type="text/html", charset="utf-8", headers=headers)

    async def _text(self, request: web.Request) -> web.Response:
        receipt = "\n".join(deck_receipt.lines(await self._find(request))) + "\n"
        return web.Response(text=receipt, content_type="text/plain", charset="utf-8")

    async def _inspection(self, request: web.Request) -> web.Response:
        return answer(await self._find(request))

    async def _find(self, request: web.Request) -> InspectionFound:
        self._admit(request)
        text, table = request.match_info["number"], self._engine.table
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
        title = find(table.game).title if table.game else ""
        engine = self._engine
        made = await asyncio.to_thread(look_up, table.decks, number, engine.table_name, title, engine.anchor)
        if made is None:
            raise FeltError(UNKNOWN_INSPECTION, f"inspection {text[:12]} is not among the newest")
        return made

    def _admit(self, request: web.Request) -> None:
        if self._named and self._door.session(request) is None:
            raise errors.needed()


def _words(wish: DeckWish) -> dict[str, Any]:
    """Returns what comes with a deed; a witness is who it is, however many spaces the name is written with."""
    tidy = replace(wish, witness=" ".join(wish.witness.split()))
    return {name: value for name, value in asdict(tidy).items() if name != "deed"}
