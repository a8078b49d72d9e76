"""Signing in by badge and PIN, wherever that is: the PIN is checked away from the loop, and a fact says how it ended.

A PIN is an argument of these functions and of nothing else: no fact, no error and no line of the log has it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

import structlog

from controller.errors import FeltError
from controller.people.checks import MOST_WAITING
from controller.people.errors import busy, wrong
from controller.people.pam import PamAccount
from controller.people.people import People
from controller.people.pin_result import PinResult
from controller.people.pins import LONGEST_PIN
from controller.people.roster import Employee
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.table.facts import (
    BARRED,
    LOCKED_OUT,
    NO_BADGE,
    NO_PEOPLE,
    NO_ROLE,
    REMOVED,
    REPLACED,
    STOPPED,
    UNCHECKED,
    WRONG_PIN,
    BadgePresented,
    SignedIn,
    SignedOut,
    SignInFailed,
)
from controller.table.sign_in import CONSOLE, locked_until

log = structlog.get_logger()

_FAILED: Final = {PinResult.WRONG: WRONG_PIN, PinResult.BARRED: BARRED, PinResult.UNTOLD: UNCHECKED}
_REMEMBERED: Final = 256  # waits whose first attempt is on record


class _Wait(NamedTuple):
    """Attempts of which only the first is on record."""

    place: str
    until: int | FeltError | None  # when nobody signs in there, or why nobody can; None: nobody could tell
    account: int = -1


class SignIn:
    """Finds out whether people are who they say they are."""

    def __init__(self, engine: Engine, people: People) -> None:
        self._engine = engine
        self.people = people
        self._turns: defaultdict[type, _Turn] = defaultdict(_Turn)  # PAM may be slow, and holds up nobody else
        self._waits_on_record: set[_Wait] = set()

    def badge(self, number: str) -> BadgePresented:
        """Returns the fact that a badge was shown at the console."""
        person = self.people.roster.by_badge.get(number)
        return BadgePresented(number, person.name if person is not None else "")

    def look_at_console(self) -> None:
        """Signs out who is signed in at the console, if people.toml has them, or their role, no more."""
        table = self._engine.table
        if table.signed is None:
            return
        person = self.people.roster.by_badge.get(table.signed.badge)
        if person is None or table.role not in person.roles:
            self._engine.submit(SignedOut(table.name, CONSOLE, REMOVED))

    def make_room(self, fact: SignedIn | SignInFailed) -> None:
        """Signs out who is signed in at the console, if somebody else takes it over."""
        table = self._engine.table
        if isinstance(fact, SignedIn) and table.signed is not None:
            self._engine.submit(SignedOut(table.name, CONSOLE, REPLACED))

    async def at_console(self, pin: str) -> SignedIn | SignInFailed:
        """Returns what came of a PIN after the badge that the console was shown last; it is not on record yet."""
        asked = self._engine.table.asked
        if asked is None:
            return SignInFailed("", CONSOLE, NO_BADGE)
        try:
            return self._refused(asked.badge, CONSOLE, -1) or await self._decide(asked.badge, pin, CONSOLE, -1, "")
        except FeltError:
            return SignInFailed(asked.badge, CONSOLE, UNCHECKED, self._name(asked.badge))

    async def elsewhere(self, badge: str, pin: str, place: str, account: int, role: str) -> SignedIn | SignInFailed:
        """Returns what came of an attempt at another place; it is on record.

        Of the attempts in one wait, or while nobody can tell, only the first: whoever tries a thousand times a second
        fills no disk.  Raises FeltError when too many wait.
        """
        if len(pin) > LONGEST_PIN or not 0 < len(badge) <= LONGEST_PIN or not badge.isprintable():
            raise wrong()
        refused = self._refused(badge, place, account)
        if refused is not None:
            return await self._recorded(refused)
        person = self.people.roster.by_badge.get(badge)
        async with self._turns[type(person.pin) if person is not None else type(self.people.roster.nobody)].taken():
            refused = self._refused(badge, place, account)  # by what came of those before
            return await self._recorded(refused or await self._decide(badge, pin, place, account, role))

    async def _recorded(self, fact: SignedIn | SignInFailed) -> SignedIn | SignInFailed:
        wait = self._wait(fact) if isinstance(fact, SignInFailed) else None
        if wait is not None:
            if wait in self._waits_on_record:
                return fact
            if len(self._waits_on_record) >= _REMEMBERED:
                self._waits_on_record.clear()
            self._waits_on_record.add(wait)
        try:
            await self._engine.submit(fact)
        except asyncio.CancelledError:  # the daemon stops: what is on its way is on record, and nobody gets the session
            if isinstance(fact, SignedIn):
                self._engine.submit(SignedOut(fact.person, fact.place, STOPPED, fact.account))
            raise
        return fact

    def _wait(self, fact: SignInFailed) -> _Wait | None:
        """Returns in which wait an attempt was made; None: in none."""
        if fact.why == UNCHECKED:
            return _Wait(fact.place, None, fact.account)
        if fact.why not in (LOCKED_OUT, NO_PEOPLE):
            return None
        table, now = self._engine.table, self._engine.table_time()
        until = locked_until(table, fact.badge, fact.place, now, fact.account) or 0
        return _Wait(fact.place, self.people.trouble or until)

    def _refused(self, badge: str, place: str, account: int) -> SignInFailed | None:
        """Returns why no PIN is looked at: no people.toml to be used, or wrong PINs before; None: they may try."""
        if self.people.trouble is not None:
            return SignInFailed(badge, place, NO_PEOPLE, "", account)
        if locked_until(self._engine.table, badge, place, self._engine.table_time(), account) is None:
            return None
        return SignInFailed(badge, place, LOCKED_OUT, self._name(badge), account)

    async def _decide(self, badge: str, pin: str, place: str, account: int, role: str) -> SignedIn | SignInFailed:
        roster = self.people.roster
        person = roster.by_badge.get(badge)
        try:
            checked = await self.people.checks.check(person.pin if person is not None else roster.nobody, pin)
        except FeltError:
            raise
        except Exception as bug:  # a console would stand still for ever
            log.error("sign-in.defect", what=error_place(bug))
            checked = PinResult.UNTOLD
        if checked is not PinResult.UNTOLD and person is not None and isinstance(person.pin, PamAccount):
            self._waits_on_record = {wait for wait in self._waits_on_record if wait.until is not None}  # PAM answers
        if person is None or checked is not PinResult.RIGHT:
            return SignInFailed(badge, place, _FAILED.get(checked, WRONG_PIN), self._name(badge), account)
        return self._signed_in(person, place, account, role)

    def _signed_in(self, person: Employee, place: str, account: int, role: str) -> SignedIn | SignInFailed:
        as_role = person.role(role)
        if as_role is None:
            return SignInFailed(person.badge, place, NO_ROLE, person.name, account)
        idle = self.people.idle if place == CONSOLE else 0
        return SignedIn(person.name, person.badge, as_role, place, account, idle)

    def _name(self, badge: str) -> str:
        person = self.people.roster.by_badge.get(badge)
        return person.name if person is not None else ""


class _Turn:
    """One attempt after the other: what one came to is known before the next one begins."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        """Waits for its turn; raises FeltError when too many do."""
        if self._waiting >= MOST_WAITING:
            raise busy()
        self._waiting += 1
        try:
            async with self._lock:
                yield
        finally:
            self._waiting -= 1
