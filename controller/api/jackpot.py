"""The prize meter in the API: what it holds, and what two people may do to it together.

How two people do something stands in `controller.api.two_people`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import TypeVar

import msgspec
from aiohttp import web

from controller.api import routes
from controller.api.accounts import SUPERVISOR, Accounts
from controller.api.answers import answer
from controller.api.people import Answerable, SocketPowers
from controller.api.query import bad_request, number
from controller.api.two_people import Json, Proposals
from controller.api.wishes import Adjust, ClaimTable, Clear, Close, Confirm, JackpotPress
from controller.errors import FeltError
from controller.games import step
from controller.jackpot.ledger import handed_on
from controller.jackpot.stores.store import StoreError
from controller.journal.store import Journal
from controller.rules import RANKS, Rank
from controller.service.ledger_marks import read_note
from controller.service.meter_faults import AUDIT
from controller.service.meter_sync import MeterSync
from controller.service.mounting import Answered
from controller.service.reconciling import OwnMovements, movements_by, reconciled
from controller.service.table import TableService
from controller.table.effects import AnyEffect, MeterMoved, Refused
from controller.table.facts import Noted
from controller.table.jackpot.meter import SHARED
from controller.table.jackpot.outbox import METER
from controller.table.jackpot.system import announced_of_jackpot
from controller.table.keys import announced, find_key
from controller.table.state import clone, meter_works
from controller.views import meters as meter_views

LONGEST_HISTORY = 1000  # prizes
AMOUNT = re.compile(r"([+-]?)([0-9]{1,9})(?:\.([0-9]{1,4}))?")
T = TypeVar("T", bound=msgspec.Struct)


class JackpotRefused(FeltError):
    """The error of a deed that the rules do not allow."""

    def __init__(self, rule: str, why: str) -> None:
        met = "See to it that the rule is met; whoever has the power signs in: `felt sign-in`."
        step = met if rule else "Do as it says, then ask again."
        super().__init__("jackpot.refused", why, step)
        self.rule = rule


class JackpotUnfit(FeltError):
    """The error of a request that makes no sense, whatever the rules say."""


class Jackpots:
    """Answers for the prize meter of one table."""

    def __init__(self, service: TableService, journal: Journal, accounts: Accounts, powers: SocketPowers) -> None:
        self._service, self._journal, self._accounts, self._powers = service, journal, accounts, powers
        self._proposals = Proposals(powers, _not_two, _none_waits)

    def routes(self) -> list[Answered]:
        """Returns the paths that this answers."""
        return [
            (routes.JACKPOT, self._show),
            (routes.HISTORY, self._history),
            (routes.VERIFY_METER, self._verify),
            (routes.NOTICES, self._notices),
            (routes.METERS, self._meters),
            (routes.ADJUST, self._adjust),
            (routes.CLOSE, self._close),
            (routes.CONFIRM, self._confirm),
            (routes.PRESS_JACKPOT, self._press),
            (routes.CLEAR_AUDIT, self._clear),
            (routes.CLAIM_TABLE, self._claim),
            (routes.RECONCILE, self._reconcile),
        ]

    @property
    def _meter_sync(self) -> MeterSync:
        if self._service.meter_sync is None:
            raise JackpotUnfit("jackpot.none", "no Jackpot is offered at this table")
        return self._service.meter_sync

    # ---- looking

    async def _show(self, _request: web.Request) -> web.Response:
        meter_sync, table = self._meter_sync, self._service.engine.table
        try:
            shown = await meter_views.show(meter_sync.store, meter_sync.group)
        except StoreError as error:
            known = None if meter_sync.latest is None else meter_views.meter(meter_sync.latest)
            shown = {"group": meter_sync.group, "meter": known, "stale": error.code}
        game = table.jackpot
        shown["table"] = {
            "name": meter_sync.name,
            "open": meter_works(table) and not game.closed,
            "shows": meter_views.amount(game.meter),
            "registered": game.registered,
            "unpaid": [{"round": w.round, "areas": list(w.places), "answered": bool(w.prizes)} for w in game.pending],
            "told": game.recorded,
            "untold": len(game.outbox),
            "faults": meter_sync.faults(),
        }
        return answer(shown)

    async def _history(self, request: web.Request) -> web.Response:
        last = number(request, "n", meter_views.LAST_HITS, least=1, most=LONGEST_HISTORY)
        return answer(await meter_views.history(self._meter_sync.store, self._meter_sync.group, last))

    async def _verify(self, request: web.Request) -> web.Response:
        meter_sync, note = self._meter_sync, request.query.get("checkpoint", "")
        report, checkpoint = await meter_sync.check(*([read_note(note)] if note else []))
        return answer(meter_views.verified(report, await meter_sync.store.meter(meter_sync.group), checkpoint))

    async def _reconcile(self, _request: web.Request) -> web.Response:
        meter_sync = self._meter_sync
        movements = await asyncio.to_thread(movements_by, self._journal)
        tables = {meter_sync.name: movements.get(meter_sync.group, OwnMovements())}
        return answer(await reconciled(meter_sync.store, meter_sync.group, tables))

    async def _meters(self, _request: web.Request) -> web.Response:
        if not self._meter_sync.faults():
            await self._meter_sync.announce()  # it is there, or it could not answer
        return answer(await meter_views.floor(self._meter_sync.store))

    async def _notices(self, _request: web.Request) -> web.Response:
        table, now = self._service.engine.table, self._service.engine.table_time()  # nothing need have happened since
        notices = [
            {
                "what": announced(n),
                "since": meter_views.clock(n.shown + table.ahead),
                "minutes": (now - n.shown) // 60_000_000,
            }
            for n in table.notices
            if announced_of_jackpot(table, n)
        ]
        return answer({"table": self._meter_sync.name, "notices": notices})

    # ---- what two people do

    async def _adjust(self, request: web.Request) -> web.Response:
        who = self._powers.admit_technician(request)
        wish, meter_sync = await _read(request, Adjust), self._meter_sync
        ticks = _ticks(wish.amount)
        signed = f"{'+' if ticks > 0 else ''}{meter_views.amount(ticks)}"

        async def adjust(by: tuple[str, str]) -> Json:
            game = self._service.engine.table.jackpot
            if game.registered and game.keeper != SHARED:  # the table judges by what it knows
                raise JackpotRefused("", "a jackpot game is running: adjust the meter when it is settled")
            meter = await meter_sync.store.adjust(meter_sync.group, ticks, wish.reason, by)
            await self._note(f"the meter was adjusted by {signed}", wish.reason, by)
            return {"done": f"adjusted by {signed}", "meter": meter_views.meter(meter)}

        text = f"adjust the meter {meter_sync.group} by {signed}"
        return answer(self._proposals.propose(who, wish.by, wish.reason, text, adjust))

    async def _close(self, request: web.Request) -> web.Response:
        who = self._powers.admit_technician(request)
        wish, meter_sync = await _read(request, Close), self._meter_sync
        shares = await self._shares(who, wish.to)

        async def close(by: tuple[str, str]) -> Json:
            now = await self._shares(who, wish.to)  # the rules are asked again: time has passed
            group = meter_sync.group
            meters = await meter_sync.store.close_group(group, now, wish.reason, by)
            await self._note(f"the prize meter system {group} was closed", wish.reason, by)
            handed = {name: meter_views.amount(ticks) for name, ticks in now.items()}
            closed = next(m for m in meters if m.group == group)
            return {"done": f"{group} is closed", "handed_on": handed, "meter": meter_views.meter(closed)}

        shares_text = ", ".join(f"{meter_views.amount(ticks)} to {name}" for name, ticks in shares.items()) or "nothing"
        text = f"close the prize meter system {meter_sync.group} and hand on {shares_text}"
        return answer(self._proposals.propose(who, wish.by, wish.reason, text, close))

    async def _shares(self, who: Answerable, to: tuple[str, ...]) -> dict[str, int]:
        """Returns what goes where when the system is closed; refuses it when the table's rules do."""
        meter_sync = self._meter_sync
        meter = await meter_sync.store.meter(meter_sync.group)
        table = clone(self._service.engine.table)
        table.jackpot.keeper = ""  # as if the key had been pressed at a table that keeps its meter alone
        table.jackpot.meter = meter.seed + handed_on(meter)
        _, effects = step(
            table, self._service.engine.seq + 1, self._service.engine.time(), who.key("close-jackpot", to)
        )
        _raise_refusal(effects)
        return {e.to: e.value for e in effects if isinstance(e, MeterMoved) and e.value}

    async def _confirm(self, request: web.Request) -> web.Response:
        who = self._powers.admit_technician(request)
        confirmation = await _read(request, Confirm)
        return answer(await self._proposals.confirm(who, confirmation.code, confirmation.by))

    # ---- what one person does

    async def _press(self, request: web.Request) -> web.Response:
        """Chooses another system for this table, or puts a notice on its sign: by the table's own rules."""
        who = self._powers.admit(request)
        press, meter_sync = await _read(request, JackpotPress), self._meter_sync
        if bool(press.group) == bool(press.notice) or not press.by.strip():
            raise JackpotUnfit("jackpot.unfit", "this needs a name, and a group or a notice")
        key, args = ("set", (f"jackpot-group={press.group}",)) if press.group else ("notice", (press.notice,))
        self._powers.admit(request, self._needed(key, args))
        pressed = await self._service.engine.submit(who.key(key, args))
        _raise_refusal(pressed.effects)
        words = f"{' '.join((key, *args))} (by {who.signed(press.by)})"
        await self._service.engine.submit(Noted(METER, words, who.account.uid))
        return answer({"table": meter_sync.name, "done": " ".join((key, *args))})

    def _needed(self, key: str, args: tuple[str, ...]) -> Rank:
        """Returns the lowest role that may press it at the console; never less than a supervisor."""
        engine = self._service.engine
        declared = find_key(engine.game, key)
        powers = declared.needs(engine.game.document.powers, engine.table, args) if declared is not None else ()
        return max([SUPERVISOR, *(power.role for power in powers)], key=RANKS.index)

    async def _clear(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_technician(request)
        clear, meter_sync = await _read(request, Clear), self._meter_sync
        if not clear.by.strip():
            raise JackpotUnfit("jackpot.people", "this needs a name", "Say who you are: --by NAME.")
        if AUDIT not in meter_sync.faults():
            raise JackpotUnfit("jackpot.no-fault", "no failed audit is to be cleared")
        if problems := await meter_sync.audit():
            step = "Restore the store from a copy, then clear it; or close this system and go on with another."
            raise JackpotUnfit(AUDIT, problems[0], step)
        await meter_sync.clear()
        await self._service.engine.submit(
            Noted(METER, f"the failed audit was looked into (by {account.signed(clear.by)})", account.uid)
        )
        return answer({"group": meter_sync.group, "cleared": True})

    async def _claim(self, request: web.Request) -> web.Response:
        account = self._accounts.admit_technician(request)
        wish, meter_sync = await _read(request, ClaimTable), self._meter_sync
        if not wish.by.strip() or not wish.reason.strip():
            raise JackpotUnfit("jackpot.people", "this needs a name and a reason", "Say who you are and why.")
        if not await meter_sync.decide():
            raise JackpotUnfit("jackpot.no-fault", "no second table with the identity of this one was found")
        words = f"this is the real table of two: {wish.reason} (by {account.signed(wish.by)})"
        await self._service.engine.submit(Noted(METER, words, account.uid))
        return answer({"table": meter_sync.name, "claimed": True})

    async def _note(self, what: str, reason: str, by: tuple[str, str]) -> None:
        await self._service.engine.submit(Noted(METER, f"{what}: {reason} (by {by[0]} and {by[1]})"))


def _raise_refusal(effects: Iterable[AnyEffect]) -> None:
    for effect in effects:
        if isinstance(effect, Refused):
            raise JackpotRefused(effect.rule, effect.why)


def _ticks(text: str) -> int:
    """Returns an amount in ten-thousandths of a dollar; raises JackpotUnfit for more digits than a meter has."""
    written = AMOUNT.fullmatch(text.strip())
    ticks = int(f"{written[1]}{written[2]}{written[3] or '':0<4}") if written else 0
    if not ticks:
        cause = f"{text!r} is no amount of dollars with four decimals at most"
        raise JackpotUnfit("jackpot.amount", cause)
    return ticks


def _not_two(cause: str, step: str) -> JackpotUnfit:
    return JackpotUnfit("jackpot.people", cause, step)


def _none_waits(cause: str, step: str) -> JackpotUnfit:
    return JackpotUnfit("jackpot.no-proposal", cause, step)


async def _read(request: web.Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except msgspec.DecodeError as error:
        raise bad_request(f"the request is not understood: {error}") from None
