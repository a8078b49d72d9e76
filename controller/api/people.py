"""People over the socket: who is signed in with a token, beside the account that the kernel names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from controller.api import technician
from controller.api.accounts import SUPERVISOR, Account, Accounts, account_of
from controller.api.technician import Forbidden
from controller.people.sessions import SignedInSession
from controller.rules import NO_KEYS, Rank, at_least, spoken_role
from controller.service.door import AskedFrom, Door, Json, answer
from controller.table.facts import Key

SOCKET: Final = "socket"
BEARER: Final = "Bearer "


class SocketDoor(Door):
    """The way in over the socket: the token is in a header, and bound to the account."""

    def caller(self, request: web.Request) -> AskedFrom:
        return AskedFrom(SOCKET, technician.caller_of(request).uid)

    def token(self, request: web.Request) -> str:
        given = request.headers.get("Authorization", "")
        return given.removeprefix(BEARER).strip() if given.startswith(BEARER) else ""

    def opened(self, response: Json, token: str, session: SignedInSession, request: web.Request) -> web.Response:
        return answer({**response, "token": token})


@dataclass(frozen=True, slots=True)
class Answerable:
    """Who answers for a deed over the socket: the account, and the person who is signed in, where people are known."""

    account: Account
    session: SignedInSession | None = None
    rank: str = ""  # the role of the account, where no people are known

    @property
    def person(self) -> str:
        """Who is signed in; "" where no people are known."""
        return self.session.person if self.session is not None else ""

    @property
    def role(self) -> str:
        """The role in which they are signed in; "" where no people are known."""
        return self.session.role if self.session is not None else ""

    @property
    def place(self) -> str:
        """Where they are signed in; "" where no people are known."""
        return self.session.place if self.session is not None else ""

    def signed(self, name: str) -> str:
        """Returns the person, or else the name that somebody gave, with the account that the kernel names."""
        return self.account.signed(self.person or name)

    def key(self, key: str, args: tuple[str, ...]) -> Key:
        """Returns the fact that they press a key."""
        if self.session is None and self.rank:
            return Key(key, args, self.account.uid, f"account {self.account}", self.rank, SOCKET)
        return Key(key, args, self.account.uid, self.person, self.role, self.place)


class SocketPowers:
    """Tells who may do what over the socket: people who are signed in, or without people.toml accounts by group."""

    def __init__(self, accounts: Accounts, door: Door) -> None:
        self._accounts, self._door = accounts, door

    def admit(self, request: web.Request, lowest: Rank = SUPERVISOR) -> Answerable:
        """Returns who asks, if they have this role at the table; Forbidden otherwise."""
        if self._door.keeper.accounts_suffice:
            account = self._accounts.admit(request, lowest)
            return Answerable(account, rank=self._accounts.role(technician.caller_of(request)) or "")
        session = self._session(request)
        if not at_least(session.role, lowest):
            words = spoken_role(lowest)
            step = f"Somebody with that role signs in: `felt sign-in`; now it is {session.person}, {session.role}."
            raise Forbidden(f"person.not-{lowest}", f"this needs the {words}", step)
        return Answerable(account_of(technician.caller_of(request)), session)

    def admit_technician(self, request: web.Request) -> Answerable:
        """Returns who asks, if it is a technician's account, and somebody with a duty is signed in; or Forbidden."""
        account = self._accounts.admit_technician(request)
        if self._door.keeper.accounts_suffice:
            return Answerable(account)
        session = self._session(request)
        if session.role in NO_KEYS and session.role != "technician":
            cause = f"{session.person} is signed in as {spoken_role(session.role)}"
            raise Forbidden("person.not-technician", cause, "Sign in with another role: `felt sign-in --role ROLE`.")
        return Answerable(account, session)

    def stands(self, who: Answerable) -> bool:
        """Tells whether who asked some time ago still answers for it: signed in, where people are known."""
        keeper = self._door.keeper
        return keeper.accounts_suffice or (who.session is not None and keeper.stands(who.session))

    def _session(self, request: web.Request) -> SignedInSession:
        session = self._door.session(request)
        if session is None:
            step = "Sign in with badge and PIN: `felt sign-in`."
            raise Forbidden("sign-in.needed", "nobody is signed in with this request", step)
        return session
