"""What two people do together: the first says what and why, the second confirms it within some minutes.

Nothing is done before that.  Two people are two accounts of the operating system, and two who are signed in where
people are known.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from controller.api.people import Answerable, SocketPowers
from controller.api.shapes import Proposed
from controller.errors import FeltError

MINUTES: Final = 5.0
MOST_PROPOSALS: Final = 16  # of more the oldest is forgotten
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another
Json: TypeAlias = dict[str, Any]
Do: TypeAlias = Callable[[tuple[str, str]], Awaitable[Json]]
Wrong: TypeAlias = Callable[[str, str], FeltError]  # with cause and next step


@dataclass(frozen=True)
class Proposal:
    """A deed that waits for the second person."""

    by: str
    who: Answerable  # it was told by
    until: float
    do: Do


class Proposals:
    """The deeds that wait.  `not_two`: two people are needed; `none_waits`: there is no such deed."""

    def __init__(self, powers: SocketPowers, not_two: Wrong, none_waits: Wrong) -> None:
        self._powers, self._not_two, self._none_waits = powers, not_two, none_waits
        self._waiting: dict[str, Proposal] = {}

    def propose(self, who: Answerable, by: str, reason: str, text: str, do: Do) -> Proposed:
        """Keeps a deed for the second person, and returns its code."""
        if not by.strip() or not reason.strip():
            raise self._not_two("this needs a name and a reason", "Say who you are and why: --by NAME --reason TEXT.")
        now = time.monotonic()
        waiting = [(code, proposal) for code, proposal in self._waiting.items() if proposal.until > now]
        self._waiting = dict(waiting[1 - MOST_PROPOSALS :])
        code = "".join(secrets.choice(LETTERS) for _ in range(4))
        self._waiting[code] = Proposal(by, who, now + MINUTES * 60, do)
        return {"confirm": code, "minutes": int(MINUTES), "text": text, "by": by, "reason": reason}

    async def confirm(self, who: Answerable, code_given: str, by: str) -> Json:
        """Does what the first person proposed, if this is a second one; raises the owner's errors otherwise."""
        code = code_given.strip().upper()
        proposal = self._waiting.get(code)
        if proposal is None or proposal.until <= time.monotonic():
            cause = f"nothing waits for the confirmation {code_given!r}"
            raise self._none_waits(cause, f"Propose it again: it waits {MINUTES:.0f} minutes.")
        if not self._powers.stands(proposal.who):
            del self._waiting[code]
            cause = f"{proposal.who.person or proposal.by}, who proposed it, is no longer signed in"
            raise self._not_two(cause, "Let two people sign in, then propose it again.")
        self._check(proposal, who, by)
        del self._waiting[code]
        return await proposal.do((proposal.who.signed(proposal.by), who.signed(by)))

    def _check(self, proposal: Proposal, who: Answerable, by: str) -> None:
        """Raises unless who confirms is another person than who proposed."""
        if _person(by) in ("", _person(proposal.by)):
            cause = f"{proposal.by} proposed it, so somebody else confirms it"
            raise self._not_two(cause, "Let a second person confirm it: --by NAME.")
        if who.person and who.person == proposal.who.person:
            cause = f"{who.person} proposed it: two people are signed in for this"
            raise self._not_two(cause, "Let a second person sign in and confirm it: `felt sign-in`.")
        if who.account.uid == proposal.who.account.uid:  # root is one account, whatever it could become
            cause = f"account {who.account} proposed it: two people are two accounts"
            raise self._not_two(cause, "Let a second technician confirm it, signed in as themselves.")


def _person(name: str) -> str:
    """Returns a name that can be compared, however it is written."""
    return " ".join(name.casefold().split())
