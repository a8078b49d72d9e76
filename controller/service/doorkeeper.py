"""Who is signed in elsewhere than at the console, and what they do there: sessions, with every change on record."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from difflib import get_close_matches
from typing import Final

from controller.errors import FeltError
from controller.people import errors
from controller.people.sessions import Sessions, SignedInSession
from controller.rules import is_role
from controller.service.engine import Engine, Followed
from controller.service.sign_in import SignIn
from controller.table.facts import (
    BARRED,
    CUT_OFF,
    LOCKED_OUT,
    NO_PEOPLE,
    NO_ROLE,
    REMOVED,
    REPLACED,
    STOPPED,
    UNCHECKED,
    Key,
    SignedIn,
    SignedOut,
)
from controller.table.sign_in import locked_until
from controller.tournament.table_keys import keys_at

SWEEP: Final = 5.0  # seconds between two looks for sessions that are over
IDLE: Final = 600.0  # seconds, unless the configuration says otherwise
LONGEST: Final = 43_200.0
_ERRORS: Final = {UNCHECKED: errors.unchecked, BARRED: errors.barred}  # by why somebody is not signed in


class Doorkeeper:
    """Opens and ends sessions, and presses keys for who has one."""

    def __init__(
        self,
        engine: Engine,
        sign_in: SignIn,
        idle: float = IDLE,
        longest: float = LONGEST,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine, self._sign_in = engine, sign_in
        self.sessions = Sessions(idle, longest, now)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def accounts_suffice(self) -> bool:
        """Whether there is no people.toml: then the groups of accounts alone have powers over the socket."""
        return self._sign_in.people.missing

    async def sign_in(self, badge: str, pin: str, role: str, place: str, account: int) -> tuple[str, SignedInSession]:
        """Returns the token of a new session; raises FeltError when badge and PIN do not belong together."""
        fact = await self._sign_in.elsewhere(badge, pin, place, account, role)
        if isinstance(fact, SignedIn) and is_role(fact.role):
            opened = self.sessions.open(fact.person, fact.role, place, account)
            self._watch()
            return opened
        why = fact.why if not isinstance(fact, SignedIn) else ""
        if why == LOCKED_OUT:
            table = self._engine.table
            until = locked_until(table, badge, place, self._engine.table_time(), account) or table.now
            raise errors.locked(datetime.fromtimestamp((until + table.ahead) / 1e6).astimezone())
        if why == NO_PEOPLE:
            raise errors.nobody(self._sign_in.people.trouble)
        raise errors.no_role(role) if why == NO_ROLE else _ERRORS.get(why, errors.wrong)()

    def who(self, token: str, place: str, account: int) -> SignedInSession | None:
        """Returns who is signed in with this token here; None when nobody is, or people.toml has them no more."""
        self.sweep()
        session = self.sessions.find(token, place, account) if token else None
        return session if session is not None and self._has_role(session) else None

    def stands(self, session: SignedInSession) -> bool:
        """Tells whether somebody is still signed in there; to ask is no use of the session."""
        self.sweep()
        return self.sessions.holds(session) and self._has_role(session)

    def _has_role(self, session: SignedInSession) -> bool:
        """Tells whether people.toml has the person in this role; else the session ends."""
        person = self._sign_in.people.roster.named(session.person)
        if person is not None and session.role in person.roles:
            return True
        self._end(session, REMOVED)
        return False

    def sign_out(self, session: SignedInSession) -> None:
        """Ends a session, by its own wish."""
        self._end(session, "")

    def replace(self, session: SignedInSession) -> None:
        """Ends a session in whose place another one was opened."""
        self._end(session, REPLACED)

    async def press(self, session: SignedInSession, key: str, args: tuple[str, ...]) -> Followed:
        """Presses a key for somebody; what the table says to it is in the effects."""
        fact = Key(key, args, session.account, session.person, session.role, session.place)
        return await self._engine.submit(fact)

    def refusal(self, key: str, why: str) -> FeltError:
        """Returns the error of a key that the table refused: it may be that there is no such key."""
        names = [each.name for each in keys_at(self._engine.table, self._engine.game)]
        if key in names:
            return errors.refused(why)
        return errors.unknown_key(why, next(iter(get_close_matches(key, names, n=1)), ""))

    def sweep(self) -> None:
        """Ends the sessions whose time is over."""
        for session, why in self.sessions.sweep():
            self._record(session, why)

    def start(self) -> None:
        """Puts on record that the sessions of before are over, where the daemon ended before it could say so."""
        for each in self._engine.table.elsewhere:
            self._engine.submit(SignedOut(each.person, each.place, CUT_OFF, each.account))

    def stop(self) -> None:
        """Ends every session."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for session in self.sessions.end():
            self._record(session, STOPPED)

    def _end(self, session: SignedInSession, why: str) -> None:
        if self.sessions.close(session):
            self._record(session, why)

    def _record(self, session: SignedInSession, why: str) -> None:
        self._engine.submit(SignedOut(session.person, session.place, why, session.account))

    def _watch(self) -> None:
        self._timer = None
        self.sweep()
        if len(self.sessions):
            self._timer = asyncio.get_running_loop().call_later(SWEEP, self._watch)
