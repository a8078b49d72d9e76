"""Opens the cards of a round that were never turned, for a supervisor with a reason; that goes on record first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Final, TypedDict

import msgspec
from aiohttp import web

from controller.api import routes, views
from controller.api.answers import answer
from controller.api.people import SOCKET, Answerable, SocketPowers
from controller.api.shapes import FactShown
from controller.errors import FeltError
from controller.journal.store import Journal
from controller.service.door import read
from controller.service.engine import Engine
from controller.service.mounting import Answered
from controller.service.routes import Route
from controller.table import facts
from controller.table.facts import CardsOpened
from controller.views.cards import has_cards, public
from controller.views.record import RoundRecord

LONGEST_REASON: Final = 400
OPEN: Final = "open"  # the outcome of a round that runs
CHUNK: Final = 500


class OpenCardsWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The request to open the hidden cards of a round."""

    # why; the door itself looks at its length, so that who is refused hears why
    reason: Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_REASON})] = ""


class OpenedCards(TypedDict):
    """The facts of a round that have cards, whole; `seq` is the fact that says who was told."""

    round: int
    person: str
    seq: int
    facts: list[FactShown]


OPEN_CARDS: Final = Route(
    "POST",
    "/rounds/{number}/open-cards",
    "Opens the cards of a round that were never turned; that is on record, with the reason.",
    OpenedCards,
    takes=OpenCardsWish,
    who=routes.SUPERVISORS,
    query=[routes.OPENED],
    refuses=(401, 409),
)
FindRound = Callable[[web.Request], RoundRecord]


class OpenCards:
    """Answers who asks for hidden cards."""

    def __init__(self, engine: Engine, journal: Journal, find: FindRound, powers: SocketPowers) -> None:
        self._engine, self._journal, self._find, self._powers = engine, journal, find, powers

    def routes(self) -> list[Answered]:
        """Returns what can be asked."""
        return [(OPEN_CARDS, self._open)]

    async def _open(self, request: web.Request) -> web.Response:
        who = self._powers.admit(request)
        wish = await read(request, OpenCardsWish, unfit=_unfit)
        record = await asyncio.to_thread(self._find, request)
        reason = _kept(wish.reason)
        if record.outcome == OPEN:
            raise FeltError("cards.round-runs", f"round {record.number} is not over")
        followed = await self._engine.submit(_fact(record.number, reason, who))
        undecided = self._engine.disclosure.shown(self._engine.table)
        with_cards = await asyncio.to_thread(self._with_cards, record, undecided)
        opened: OpenedCards = {
            "round": record.number,
            "person": _name(who),
            "seq": followed.seq,
            "facts": with_cards,
        }
        return answer(opened)

    def _with_cards(self, record: RoundRecord, undecided: Mapping[int, Collection[int]]) -> list[FactShown]:
        """Returns the facts of the round that have cards, as they were told.

        A card that was held for the round that runs now, or comes next, is one of that round: it stays hidden.
        """
        shown: list[FactShown] = []
        for first in range(record.opened.seq, record.last + 1, CHUNK):
            for stored in self._journal.read(first, min(CHUNK, record.last - first + 1)):
                fact = facts.decode(stored.payload)
                if has_cards(fact):
                    held = undecided.get(stored.seq)
                    shown.append(views.record(stored, fact if held is None else public(fact, held)))
        return shown


def _kept(text: str) -> str:
    """Returns the reason; raises FeltError when it says nothing, or too much."""
    reason = text.strip()
    if not reason:
        raise _unfit("hidden cards are opened with a reason, and none was given")
    if len(reason) > LONGEST_REASON:
        raise _unfit(f"the reason has {len(reason)} characters: {LONGEST_REASON} at most")
    return reason


def _unfit(why: str) -> FeltError:
    return FeltError("cards.request", why)


def _name(who: Answerable) -> str:
    return who.person or f"account {who.account}"


def _fact(number: int, reason: str, who: Answerable) -> CardsOpened:
    return CardsOpened(number, reason, _name(who), who.role or who.rank, who.place or SOCKET, who.account.uid)
