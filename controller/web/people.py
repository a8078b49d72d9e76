"""People on pages: a cookie that no script can read, a word that writes carry, and no request from elsewhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from controller.people import errors
from controller.people.sessions import SignedInSession
from controller.service.door import AskedFrom, Door, Json, answer, failure
from controller.service.doorkeeper import Doorkeeper
from controller.service.witness_routes import ADD

COOKIE: Final = "felt_session"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
READS: Final = ("GET", "HEAD")
CSRF: Final = "X-Felt-Csrf"  # the header that carries the word


class PageDoor(Door):
    """The way in on the pages' port."""

    def __init__(self, keeper: Doorkeeper, names: Collection[str] = ()) -> None:
        super().__init__(keeper)
        self._names = frozenset(names)  # by which browsers may call it, besides its address

    def caller(self, request: web.Request) -> AskedFrom:
        if not self._ours(request):
            raise errors.foreign(f"nobody calls this table {request.host[:80]!r}")
        return AskedFrom(f"page {request.remote or 'unknown'}")

    def token(self, request: web.Request) -> str:
        return request.cookies.get(COOKIE, "")

    def onlooker(self, request: web.Request) -> SignedInSession | None:
        """Returns who looks at a page that everybody may see; nobody for a browser led here by a name of others."""
        return self.session(request) if self._ours(request) else None

    @web.middleware
    async def only_our_pages_write(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses every write that does not come from a page of ours, whatever path it is for.

        Other tables show their checkpoints without a page: what they send is signed, and believed by that alone.
        """
        if request.method not in READS and request.path != ADD.path:
            origin = request.headers.get("Origin", "")
            if not self._ours(request) or origin != f"{request.scheme}://{request.host}":
                why = "the request comes from another page" if origin else "the request has no Origin"
                return failure(errors.foreign(why))
        return await handler(request)

    def check_write(self, request: web.Request, session: SignedInSession | None) -> None:
        if session is not None and not session.carries(request.headers.get(CSRF, "")):
            raise errors.foreign(f"the request does not carry {CSRF}")

    def opened(self, response: Json, token: str, session: SignedInSession, request: web.Request) -> web.Response:
        page = answer(response)
        page.set_cookie(COOKIE, token, path="/", httponly=True, samesite="Strict", secure=request.secure)
        return page

    def as_json(self, session: SignedInSession) -> Json:
        return {**super().as_json(session), "csrf": session.csrf}

    def _ours(self, request: web.Request) -> bool:
        """Tells whether the browser was led here by a name or an address of ours: no name of others leads here."""
        try:
            host = urlsplit(f"//{request.host}").hostname or ""
        except ValueError:
            return False
        if host in self._names:
            return True
        if host == "localhost":
            return _is_loopback(request.remote)
        return _is_address(host)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(remote: str | None) -> bool:
    return remote is not None and _is_address(remote) and ip_address(remote).is_loopback
