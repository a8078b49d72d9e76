"""Signing in over HTTP, at the socket and on the pages' port: `/sign-in`, `/sign-out`, `/me`, and keys to press.

Whatever a request claims, its place and account are found out here.  A PIN comes in a body and goes nowhere else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from aiohttp import web

from controller.errors import Coded, FeltError
from controller.journal.errors import JournalError
from controller.people import errors
from controller.people.sessions import SignedInSession
from controller.service import door_routes
from controller.service.door_routes import KeyWish, SignInWish
from controller.service.doorkeeper import Doorkeeper
from controller.service.engine import Followed
from controller.service.mounting import Answered
from controller.service.statuses import STATUS, UNAUTHENTICATED
from controller.table.effects import AnyEffect, Prompted, Refused, RulingMade
from controller.views.words import prompt_words

Json = dict[str, Any]
T = TypeVar("T", bound=msgspec.Struct)
Handler = Callable[[web.Request], Awaitable[web.Response]]
MOST_BYTES: Final = 4096  # of a request


class AskedFrom(NamedTuple):
    """Where a request comes from."""

    place: str
    account: int = -1


class Door:
    """One way in: it knows where a request comes from, and how it carries its token."""

    def __init__(self, keeper: Doorkeeper) -> None:
        self.keeper = keeper

    def caller(self, request: web.Request) -> AskedFrom:
        """Returns where a request comes from; raises FeltError when that may not ask at all."""
        raise NotImplementedError

    def token(self, request: web.Request) -> str:
        """Returns the token of a request; "" without one."""
        raise NotImplementedError

    def check_write(self, request: web.Request, session: SignedInSession | None) -> None:
        """Raises FeltError for a write that somebody else's page may have made."""

    def opened(self, response: Json, token: str, session: SignedInSession, request: web.Request) -> web.Response:
        """Returns the answer to a sign-in, with what later requests carry."""
        raise NotImplementedError

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [
            (door_routes.ME, explained(self._me)),
            (door_routes.SIGN_IN, explained(self._sign_in)),
            (door_routes.SIGN_OUT, explained(self._sign_out)),
            (door_routes.PRESS, explained(self._press)),
        ]

    def session(self, request: web.Request) -> SignedInSession | None:
        """Returns who makes this request; None when nobody is signed in there."""
        return self.keeper.who(self.token(request), *self.caller(request))

    async def _me(self, request: web.Request) -> web.Response:
        session = self.session(request)
        return answer({"signed_in": False} if session is None else self.as_json(session))

    async def _sign_in(self, request: web.Request) -> web.Response:
        self.check_write(request, None)
        place, account = self.caller(request)
        wish = await read(request, SignInWish)
        before = self.session(request)
        token, session = await self.keeper.sign_in(wish.badge, wish.pin, wish.role, place, account)
        if before is not None:
            self.keeper.replace(before)
        return self.opened(self.as_json(session), token, session, request)

    async def _sign_out(self, request: web.Request) -> web.Response:
        session = self.writer(request)
        self.keeper.sign_out(session)
        return answer({"signed_in": False, "person": session.person})

    async def _press(self, request: web.Request) -> web.Response:
        session = self.writer(request)
        wish = await read(request, KeyWish)
        followed = await self.keeper.press(session, wish.key, wish.args)
        refused = next((effect for effect in followed.effects if isinstance(effect, Refused)), None)
        if refused is not None:
            error = _error(self.keeper.refusal(wish.key, refused.why)) | {"rule": refused.rule}
            return answer({"error": error, "accepted": False, "seq": followed.seq}, STATUS["key.refused"])
        return answer({"accepted": True, **_effects(followed)})

    def writer(self, request: web.Request) -> SignedInSession:
        """Returns who makes this write; raises FeltError when nobody is signed in, or another page may have made it."""
        session = self.session(request)
        if session is None:
            raise errors.needed()
        self.check_write(request, session)
        return session

    def as_json(self, session: SignedInSession) -> Json:
        """Returns what a client may know of its session."""
        left = max(0, int(self.keeper.sessions.left(session)))
        return {"signed_in": True, "person": session.person, "role": session.role, "place": session.place, "left": left}


def answer(data: object, status: int = 200) -> web.Response:
    """Returns JSON that nobody keeps."""
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(data), status=status, content_type="application/json", headers=headers)


def _effects(followed: Followed) -> Json:
    """Returns what a key came to: what people are told, and rulings."""
    effects: tuple[AnyEffect, ...] = tuple(followed.effects)
    prompts = [effect.prompt for effect in effects if isinstance(effect, Prompted)]
    rulings = [effect.ruled for effect in effects if isinstance(effect, RulingMade)]
    return {
        "seq": followed.seq,
        "prompts": [{"role": p.role, "text": prompt_words(p), "rule": p.rule, "place": p.place} for p in prompts],
        "rulings": [{"ruling": r.ruling, "rule": r.rule, "text": r.text} for r in rulings],
    }


async def read(
    request: web.Request, kind: type[T], most: int = MOST_BYTES, unfit: Callable[[str], FeltError] | None = None
) -> T:
    """Returns the body of a request; raises FeltError when it is none, which never quotes it.

    `unfit` makes the error where the codes of signing in would not say what was asked for.
    """
    body = b""
    while chunk := await request.content.readany():
        body += chunk
        if len(body) > most:
            raise errors.too_large(most)
    try:
        wish = msgspec.json.decode(body, type=kind)
        msgspec.msgpack.encode(wish)
    except msgspec.DecodeError:
        raise _wrong(f"it must have {', '.join(kind.__struct_fields__)}", unfit) from None
    except OverflowError:  # no journal could hold it
        raise _wrong("a number in it is larger than any that there is", unfit) from None
    return wish


def _wrong(why: str, unfit: Callable[[str], FeltError] | None) -> FeltError:
    return errors.not_understood(why) if unfit is None else unfit(f"the request is not understood: {why}")


def failure(error: Coded) -> web.Response:
    """Returns the answer of an error: code, cause and next step."""
    status = STATUS.get(error.code, 503)
    response = answer({"error": _error(error)}, status)
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers.update(UNAUTHENTICATED)
    return response


def _error(error: Coded) -> Json:
    return {"code": error.code, "cause": error.cause, "next_step": error.next_step}


def explained(handler: Handler) -> Handler:
    """Answers an error with code, cause and next step, as JSON."""

    async def handle(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except (FeltError, JournalError) as error:
            return failure(error)

    return handle
