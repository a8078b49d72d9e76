"""Sessions: who is signed in on a page or over the socket, until they sign out, do nothing, or their time is over.

Pure but for chance: the clock is handed in.  Of a token only its hash is kept.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from controller.rules import Role
from controller.table.facts import EXPIRED, IDLE, REPLACED

MOST: Final = 32  # sessions of one table


@dataclass(slots=True)
class SignedInSession:
    """Somebody who is signed in."""

    person: str
    role: Role
    place: str  # page ADDRESS, or socket
    account: int  # of the operating system, over the socket; -1 on a page
    began: float
    used: float
    csrf: str = field(repr=False)  # what a page's writes carry besides the cookie

    def carries(self, csrf: str) -> bool:
        """Tells whether a write comes from a page that was told the word."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode(errors="replace"))


class Sessions:
    """All sessions of a table."""

    def __init__(self, idle: float, longest: float, now: Callable[[], float], most: int = MOST) -> None:
        self._idle, self._longest, self._now, self._most = idle, longest, now, most
        self._open: dict[bytes, SignedInSession] = {}  # by the hash of their token; the one used last is the last

    def __len__(self) -> int:
        return len(self._open)

    def open(self, person: str, role: Role, place: str, account: int) -> tuple[str, SignedInSession]:
        """Returns the token of a new session, which is told once, and the session."""
        token, now = secrets.token_urlsafe(32), self._now()
        session = SignedInSession(person, role, place, account, now, now, secrets.token_urlsafe(24))
        self._open[_hash(token)] = session
        return token, session

    def find(self, token: str, place: str, account: int) -> SignedInSession | None:
        """Returns the session of a token, if it is used where it was opened; its idle time begins anew."""
        name = _hash(token)
        session = self._open.get(name)
        if session is None or (session.place, session.account) != (place, account) or self._over(session):
            return None
        session.used = self._now()
        self._open[name] = self._open.pop(name)
        return session

    def holds(self, session: SignedInSession) -> bool:
        """Tells whether a session is still open; to look on is no use of it."""
        return any(each is session for each in self._open.values()) and not self._over(session)

    def close(self, session: SignedInSession) -> bool:
        """Ends a session; False when it has ended before."""
        name = next((name for name, each in self._open.items() if each is session), None)
        return name is not None and self._open.pop(name) is session

    def sweep(self) -> list[tuple[SignedInSession, str]]:
        """Ends every session whose time is over, and of too many one of who has the most; returns each with the reason.

        So nobody is signed out because somebody else signs in again and again.
        """
        over = [(session, why) for session in self._open.values() if (why := self._over(session))]
        for session, _ in over:
            self.close(session)
        while len(self._open) > self._most:
            every = list(self._open.values())
            each = Counter(session.person for session in every)
            spare = max(every, key=lambda session: each[session.person])  # the first, which was used longest ago
            self.close(spare)
            over.append((spare, REPLACED))
        return over

    def end(self) -> list[SignedInSession]:
        """Ends every session, and returns them."""
        ended, self._open = list(self._open.values()), {}
        return ended

    def left(self, session: SignedInSession) -> float:
        """Returns the seconds until a session ends if nothing is done in it."""
        now = self._now()
        ends = [session.began + self._longest - now]
        return min(ends + ([session.used + self._idle - now] if self._idle else []))

    def _over(self, session: SignedInSession) -> str:
        """Returns why a session is over; "" while it is not."""
        now = self._now()
        if self._idle and now - session.used >= self._idle:
            return IDLE
        return EXPIRED if now - session.began >= self._longest else ""


def _hash(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()
