"""The float of a table over HTTP, at the socket and on the pages' port: who is signed in counts, fills and credits.

Where the house wants a witness, the first person says what was done, and a second one confirms it within some minutes.
Nothing is on record before that; what the table would refuse waits for no witness.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web
from msgspec.structs import replace

from controller.errors import FeltError
from controller.money import MoneyError, cents, dollars
from controller.people.sessions import SignedInSession
from controller.rules import at_least, spoken_role
from controller.service.door import Door, answer, explained, read
from controller.service.engine import Engine
from controller.service.float_routes import FLOAT_CONFIRM, FLOAT_MOVE, FloatConfirm, FloatDone, FloatWish
from controller.service.mounting import Answered
from controller.table import table_float
from controller.table.effects import Refused
from controller.table.facts import FloatMoved
from controller.table.step import Refusal
from controller.table.table_float import DEEDS, LONGEST, MOST, deed_named

MINUTES: Final = 5
MOST_PROPOSALS: Final = 16  # of more the oldest is forgotten
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another


@dataclass
class _Proposal:
    fact: FloatMoved
    until: float


@dataclass
class FloatDesk:
    """Takes what people do to the float of one table; `witnessed`: what needs two of them."""

    engine: Engine
    witnessed: Collection[str]
    _proposals: dict[str, _Proposal] = field(default_factory=dict)

    def routes(self, door: Door) -> list[Answered]:
        """Returns what can be asked at this door."""

        async def move(request: web.Request) -> web.Response:
            session = door.writer(request)
            return answer(await self._move(session, await read(request, FloatWish)))

        async def confirm(request: web.Request) -> web.Response:
            session = door.writer(request)
            return answer(await self._confirm(session, await read(request, FloatConfirm)))

        return [(FLOAT_MOVE, explained(move)), (FLOAT_CONFIRM, explained(confirm))]

    async def _move(self, session: SignedInSession, wish: FloatWish) -> FloatDone:
        fact = _fact(session, wish)
        if fact.deed in self.witnessed:
            self._check(fact)
            return self._proposed(fact, wish.amount)
        return await self._recorded(fact)

    def _check(self, fact: FloatMoved) -> None:
        try:
            table_float.follow(self.engine.table.chips, 0, fact)
        except Refusal as refusal:
            raise FeltError("float.refused", refusal.why) from None

    def _proposed(self, fact: FloatMoved, amount: str) -> FloatDone:
        now = time.monotonic()
        waiting = [(code, proposal) for code, proposal in self._proposals.items() if proposal.until > now]
        self._proposals = dict(waiting[1 - MOST_PROPOSALS :])
        code = "".join(secrets.choice(LETTERS) for _ in range(4))
        self._proposals[code] = _Proposal(fact, now + MINUTES * 60)
        return {"deed": fact.deed, "amount": amount, "person": fact.person, "confirm": code, "minutes": MINUTES}

    async def _confirm(self, session: SignedInSession, wish: FloatConfirm) -> FloatDone:
        code = wish.code.strip().upper()
        proposal = self._proposals.get(code)
        if proposal is None or proposal.until <= time.monotonic():
            raise FeltError("float.no-proposal", f"nothing waits for the confirmation {wish.code[:8]!r}")
        if session.person == proposal.fact.person:
            cause = f"{session.person} did it, so somebody else confirms it"
            raise FeltError("float.witness", cause)
        del self._proposals[code]
        who = {"witness": session.person, "witness_role": session.role, "witness_place": session.place}
        return await self._recorded(replace(proposal.fact, **who))

    async def _recorded(self, fact: FloatMoved) -> FloatDone:
        followed = await self.engine.submit(fact)
        for effect in followed.effects:
            if isinstance(effect, Refused):
                raise FeltError("float.refused", effect.why)
        done: FloatDone = {"deed": fact.deed, "amount": dollars(fact.amount), "seq": followed.seq}
        return done | {"person": fact.person, "witness": fact.witness}


def _fact(session: SignedInSession, wish: FloatWish) -> FloatMoved:
    """Returns what somebody says was done; raises FeltError for what makes no sense, or is not theirs to do."""
    deed = deed_named(wish.deed)
    if deed is None:
        raise FeltError("float.request", f"there is no deed {wish.deed[:40]!r}: there are {', '.join(DEEDS)}")
    if not at_least(session.role, deed.role):
        cause = f"{wish.deed} needs the {spoken_role(deed.role)}; {session.person} is signed in as {session.role}"
        raise FeltError("float.role", cause)
    if max(len(wish.slip), len(wish.note)) > LONGEST:
        raise FeltError("float.request", f"a slip's number and a note have {LONGEST} characters at most")
    try:
        amount = cents(wish.amount)
    except MoneyError as error:
        raise FeltError("float.request", str(error)) from None
    if abs(amount) > MOST:
        raise FeltError("float.request", f"no table has so many chips: {dollars(MOST)} at most")
    who = session.person, session.role, session.place
    return FloatMoved(wish.deed, amount, *who, wish.about, wish.slip, wish.note, account=session.account)
