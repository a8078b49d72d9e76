"""Tournaments over HTTP, at the socket and on the pages' port: who may do what at the desk."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

import msgspec
from aiohttp import web

from controller.cards import veiled
from controller.config.errors import Problem, TermsError
from controller.config.terms import parsed_terms
from controller.errors import FeltError
from controller.people import errors
from controller.people.sessions import SignedInSession
from controller.rules import at_least
from controller.service import tournament_routes as routes
from controller.service.cup_record import CupHead, CupRecord
from controller.service.door import Door, Handler, answer, explained, failure, read
from controller.service.mounting import Answered
from controller.service.tournament_routes import (
    CupList,
    CupSummary,
    DeedDone,
    DeedWish,
    OpenWish,
    TermsChecked,
    TermsMistake,
)
from controller.service.tournaments import CupRefused, Tournaments
from controller.table.declare import named
from controller.tournament.deeds import AnyDeed, DeskKey, PeopleEntered, PlaceDrawn, Substituted, Withdrew
from controller.tournament.designating import MANAGER, plain_name
from controller.tournament.keys import DEPUTY, DESK_KEYS, DIRECTOR
from controller.views.tournament import at_desk, report, room

_NAME: Final = re.compile(r"[^\W\d_][\w-]{0,99}")
_COUNTS: Final = {"enter": (1, 200), "withdraw": (1, 1), "substitute": (2, 2), "seat": (3, 3)}
_USAGE: Final = {  # of deeds that are no keys
    "enter": "enter PERSON ...",
    "withdraw": "withdraw PERSON",
    "substitute": "substitute PERSON OTHER",
    "seat": "seat TABLE PLACE PERSON",
}


class TournamentDoor:
    """Answers about tournaments at one door; `private`: money is for who is signed in alone."""

    def __init__(self, cups: Tournaments, door: Door, *, private: bool = False) -> None:
        self._cups, self._door, self._private = cups, door, private

    def looking(self) -> list[Answered]:
        """Returns the paths of what everybody may know: it hangs on the wall of the room."""
        return [(routes.LIST, explained(self._list)), (routes.ROOM, explained(self._room))]

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [
            *self.looking(),
            (routes.DESK, explained(self._desk)),
            (routes.REPORT, explained(self._report)),
            (routes.OPEN, refusing(self._open)),
            (routes.CHECK, explained(self._check)),
            (routes.DO, refusing(self._do)),
            (routes.DESIGNATE, refusing(self._designate)),
            (routes.FREE, refusing(self._free)),
        ]

    # ---- looking

    async def _list(self, _request: web.Request) -> web.Response:
        own = self._cups.own_play()
        every = [_summary(kept, self._cups.now(), self._cups.game) for kept in await self._cups.all()]
        return answer(CupList(every, own.latest.tournament if own is not None else ""))

    async def _room(self, request: web.Request) -> web.Response:
        kept = await self._cups.look(request.match_info["name"])
        return answer(room(kept.at(self._cups.now())))

    async def _desk(self, request: web.Request) -> web.Response:
        session = self._door.session(request)
        if session is None:
            raise errors.needed()
        kept = await self._cups.record(request.match_info["name"])
        self._director(session, kept)
        return answer(at_desk(kept.at(self._cups.now())))

    async def _report(self, request: web.Request) -> web.Response:
        kept = await self._cups.record(request.match_info["name"])
        if self._private:
            self._director(self._door.session(request), kept)
        return answer(report(kept.at(self._cups.now()), kept.head.sha256))

    # ---- doing

    async def _open(self, request: web.Request) -> web.Response:
        session, wish = await self._terms(request)
        head = head_of(wish.terms, session.person, self._cups.now())
        return _done(await self._cups.open(head))

    async def _check(self, request: web.Request) -> web.Response:
        _, wish = await self._terms(request)
        return answer(checked(wish.terms))

    async def _terms(self, request: web.Request) -> tuple[SignedInSession, OpenWish]:
        """Returns the director and the terms that came; raises FeltError for anybody else."""
        session = self._door.writer(request)
        wish = await read(request, OpenWish, routes.LARGEST)
        if session.role != DIRECTOR:
            raise _needs(DIRECTOR)
        return session, wish

    async def _do(self, request: web.Request) -> web.Response:
        session = self._door.writer(request)
        kept = await self._cups.record(request.match_info["name"])
        wish = await read(request, DeedWish, routes.LARGEST, _unfit)
        self._director(session, kept)
        deed = _deed(wish, session)
        return _done(await self._cups.do(kept.head.name, deed, session.person))

    async def _designate(self, request: web.Request) -> web.Response:
        session = await self._manager(request)
        return _done(await self._cups.designate(request.match_info["name"], session.person))

    async def _free(self, request: web.Request) -> web.Response:
        session = await self._manager(request)
        return _done(await self._cups.free(session.person))

    # ---- who

    async def _manager(self, request: web.Request) -> SignedInSession:
        session = self._door.writer(request)
        await self._cups.record(request.match_info["name"])  # there is one
        if not at_least(session.role, MANAGER):
            raise _needs(MANAGER)
        return session

    def _director(self, session: SignedInSession | None, kept: CupRecord) -> None:
        """Raises FeltError unless the director is signed in, or a deputy whom the director has appointed."""
        if session is None:
            raise errors.needed()
        if session.role == DEPUTY and plain_name(session.person) not in kept.cup.deputies:
            raise FeltError("tournament.not-director", f"{session.person} was not appointed a deputy")
        if session.role not in (DIRECTOR, DEPUTY):
            raise _needs(DIRECTOR)


def _needs(role: str) -> FeltError:
    return FeltError("tournament.not-director", f"this needs the {role.replace('-', ' ')}")


def _deed(wish: DeedWish, session: SignedInSession) -> AnyDeed:
    """Returns what somebody wishes to do; raises FeltError when its words do not fit."""
    if wish.deed == "key":
        return _pressed(wish.words or ("",), session)
    least, most = _COUNTS[wish.deed]
    if not least <= len(wish.words) <= most:
        raise _unfit(f"write {_USAGE[wish.deed]}")
    if wish.deed == "seat":
        table, place, person = wish.words
        if not place.isdigit():
            raise _unfit(f"{place[:40]!r} is no number of a place: write {_USAGE[wish.deed]}")
        return PlaceDrawn(table, int(place[:3]), _person(person))
    people = tuple(map(_person, wish.words))
    if wish.deed == "enter":
        return PeopleEntered(people, wish.employees, apart=True)
    return Withdrew(people[0]) if wish.deed == "withdraw" else Substituted(people[0], people[1], apart=True)


def _pressed(words: tuple[str, ...], session: SignedInSession) -> DeskKey:
    """Returns the key of the desk that somebody presses; raises FeltError, with all keys, when there is none of it."""
    name, *rest = words
    key, args = named(DESK_KEYS, name), tuple(map(plain_name, rest))
    if key is None:
        every = (*_USAGE, *(each.name for each in DESK_KEYS))
        near = difflib.get_close_matches(name.lower(), every, n=1)
        meant = f'; did you mean "{near[0]}"?' if near else ""
        raise _unfit(f"the desk has no {veiled(name)[:40]!r}, but {', '.join(every)}{meant}")
    if wrong := key.misfit(args):
        raise _unfit(wrong)
    return DeskKey(name, args, session.role, session.person)


def _unfit(why: str) -> FeltError:
    return FeltError("tournament.request", why)


def _person(name: str) -> str:
    plain = plain_name(name)
    if _NAME.fullmatch(plain) is None:
        raise _unfit(f"{name[:40]!r} is no name: one begins with a letter, and has letters, digits, - and _")
    return plain


def head_of(text: str, by: str, now: int) -> CupHead:
    """Returns what a tournament with these terms begins with; raises FeltError with everything that is wrong."""
    try:
        file, _ = parsed_terms(text)
    except TermsError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    return CupHead(file.name, file.game, text, file.digest, file.sheet, now, by)


def checked(text: str) -> TermsChecked:
    """Returns everything that is wrong with some terms, and what may surprise in those that can be used."""
    try:
        file, terms = parsed_terms(text)
    except TermsError as error:
        return TermsChecked("", "", _mistakes(error.problems), [])
    return TermsChecked(file.name, file.game, [], _mistakes(file.hints(terms)))


def _mistakes(problems: Iterable[Problem]) -> list[TermsMistake]:
    return [TermsMistake(each.line, each.key, each.message) for each in problems]


def _summary(kept: CupRecord, now: int, game: str) -> CupSummary:
    shown = room(kept.at(now))
    return CupSummary(
        shown.name,
        shown.game,
        shown.stage,
        shown.left,
        shown.entered,
        shown.tables,
        kept.head.opened,
        plain_name(shown.name),
        here=shown.game == game and shown.stage != "over",
    )


def _done(kept: CupRecord) -> web.Response:
    return answer(DeedDone(tournament=kept.head.name, line=kept.last, stage=kept.cup.stage))


def refusing(handler: Handler) -> Handler:
    """Answers what the rules refuse with the rule beside it."""

    async def handle(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except CupRefused as refused:
            response = failure(refused)
            error = {"code": refused.code, "cause": refused.why, "next_step": refused.next_step, "rule": refused.rule}
            response.body = msgspec.json.encode({"error": error})
            return response

    return explained(handle)
