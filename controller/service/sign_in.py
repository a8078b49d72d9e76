"""Signing in by badge and PIN, wherever that is: the PIN is checked away from the loop, and a fact says how it ended.

A PIN is an argument of these functions and of nothing else: no fact, no error and no line of the log has it.
"""

from __future__ import annotations

import asyncio

import structlog

from controller.errors import FeltError
from controller.people.errors import wrong
from controller.people.people import People
from controller.people.pins import LONGEST_PIN
from controller.service.engine import Engine
from controller.service.error_place import error_place
from controller.table.facts import (
    LOCKED_OUT,
    NO_BADGE,
    NO_ROLE,
    REMOVED,
    REPLACED,
    UNCHECKED,
    WRONG_PIN,
    BadgePresented,
    SignedIn,
    SignedOut,
    SignInFailed,
)
from controller.table.sign_in import CONSOLE, locked_until

log = structlog.get_logger()


class SignIn:
    """Finds out whether people are who they say they are."""

    def __init__(self, engine: Engine, people: People) -> None:
        self._engine = engine
        self.people = people
        self._turn = asyncio.Lock()  # what one attempt came to is known before the next one begins

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
        return await self._decide(asked.badge, pin, CONSOLE, -1, "")

    async def elsewhere(self, badge: str, pin: str, place: str, account: int, role: str) -> SignedIn | SignInFailed:
        """Returns what came of an attempt at another place; it is on record."""
        if len(pin) > LONGEST_PIN or not 0 < len(badge) <= LONGEST_PIN or not badge.isprintable():
            raise wrong()
        async with self._turn:
            fact = await self._decide(badge, pin, place, account, role)
            await self._engine.submit(fact)
            return fact

    async def _decide(self, badge: str, pin: str, place: str, account: int, role: str) -> SignedIn | SignInFailed:
        person = self.people.roster.by_badge.get(badge)
        name = person.name if person is not None else ""
        if locked_until(self._engine.table, badge, place, self._engine.table_time()) is not None:
            return SignInFailed(badge, place, LOCKED_OUT, name, account)
        kept = person.pin if person is not None else self.people.roster.nobody
        try:
            right = await self.people.checks.matches(kept, pin[:LONGEST_PIN])
        except FeltError:
            if place != CONSOLE:
                raise
            return SignInFailed(badge, place, UNCHECKED, name, account)
        except Exception as bug:  # a console would stand still for ever
            log.error("sign-in.defect", what=error_place(bug))
            return SignInFailed(badge, place, UNCHECKED, name, account)
        if person is None or not right:
            return SignInFailed(badge, place, WRONG_PIN, name, account)
        as_role = person.role(role)
        if as_role is None:
            return SignInFailed(badge, place, NO_ROLE, name, account)
        return SignedIn(name, badge, as_role, place, account, self.people.idle if place == CONSOLE else 0)
