"""Requests of any kind at the three doors of a running table, by every role: never a 500, never a write without power.

An input is a list of requests as JSON.  The table has cards that lie face down; no answer may name one of them.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeVar

import aiohttp
import msgspec
import pytest
from yarl import URL

from controller.api import technician
from controller.api.technician import Caller
from controller.games import step
from controller.rules import NO_KEYS, ROLES, Role, at_least
from controller.service.routes import AnyRoute
from controller.table import facts as f
from controller.table.effects import Refused
from controller.table.facts import AnyFact
from controller.table.state import Table
from controller.table.table_float import DEEDS as FLOAT_DEEDS
from controller.web.people import COOKIE, CSRF
from tests.api.doors import Door, three_doors
from tests.fuzz import changes
from tests.fuzz.target import Target, expect
from tests.table.any_facts import VALUES

T = TypeVar("T")
NOBODY = "nobody"
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
GROUPS = {"feltd-technicians": 11, "feltd-supervisors": 12, "feltd-managers": 13}
ACCOUNT = 4321  # of nobody that this machine knows
HIDDEN = ("Qd", "7s", "2c", "9h", "Kc")
PATIENCE = 5.0  # seconds that an answer may take to begin
PIECE = 0.3  # seconds that a stream is listened to
MOST = 1 << 20  # bytes of an answer
BY_ITSELF = (f.SignedOut, f.BadgePresented, f.SignInFailed)
NAMES = (
    "shoe",
    "console",
    "sensor.1",
    "meter",
    "1",
    "0",
    "99999999999999999999",
    "-1",
    "limits",
    "..",
    "%2e%2e",
    "",
    "é",
)
WORDS = (
    "Ann",
    "5",
    "supervisor",
    "opening",
    "fill",
    "shoe",
    "red",
    "CUP",
    "T1",
    "all",
    "1",
    "0",
    "a reason",
    "2026-11-18",
)


class Asked(msgspec.Struct, frozen=True):
    """One request."""

    door: str
    role: str
    account: str
    method: str
    path: str
    body: str = ""  # in Latin-1: any bytes
    headers: dict[str, str] = {}


class Doors(Target):
    """The doors of one table."""

    name = "doors"
    daily = 25
    roles: ClassVar = (NOBODY, *ROLES)

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = tempfile.TemporaryDirectory(prefix="felt-fuzz-")
        self._patch = pytest.MonkeyPatch()
        self._stack = AsyncExitStack()
        self._caller = Caller(ACCOUNT, frozenset())
        self._patch.setattr(technician, "caller_of", lambda request: self._account(request))
        self._patch.setattr(technician, "group_id", GROUPS.get)
        self._patch.setattr("controller.api.accounts.group_id", GROUPS.get)
        self._await(self._open())

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def _account(self, request: aiohttp.web.Request) -> Caller:
        return self._caller

    async def _open(self) -> None:
        opening = three_doors(Path(self._folder.name), self._patch, "caribbean-stud", 'jackpot = "nsw"\n')
        doors = await self._stack.enter_async_context(opening)
        self.floor = doors.floor
        self.doors: dict[str, Door] = {"socket": doors.socket, "look": doors.look, "pages": doors.pages}
        sessions = doors.floor.daemon.service.doorkeeper.sessions
        self._tokens = {role: sessions.open(f"the {role}", role, "socket", ACCOUNT)[0] for role in ROLES}
        self._cookies = {role: sessions.open(f"the {role}", role, "page 127.0.0.1", -1) for role in ROLES}
        await self.floor.sign_in("casino-manager")
        await self.floor.bet(1, 1000, "ante")
        await self.floor.press("no-more-bets")
        await self.floor.draw(*HIDDEN)

    # ---- requests

    def seeds(self) -> list[bytes]:
        rng = Random(1)
        plain = [
            self._asked(rng, door, route, "casino-manager") for door in self.doors for route in self.doors[door].routes
        ]
        return [msgspec.json.encode([each]) for each in plain]

    def generate(self, rng: Random) -> bytes:
        made = []
        for _ in range(rng.randint(1, 4)):
            door = rng.choice(tuple(self.doors))
            made.append(self._asked(rng, door, rng.choice(self.doors[door].routes), rng.choice(self.roles)))
        return msgspec.json.encode(made)

    def mutate(self, rng: Random, data: bytes) -> bytes:
        asked = list(msgspec.json.decode(data, type=list[Asked]))
        at = rng.randrange(len(asked))
        each = asked[at]
        match rng.randrange(7):
            case 0:
                each = msgspec.structs.replace(each, role=rng.choice(self.roles))
            case 1:
                each = msgspec.structs.replace(each, method=rng.choice(METHODS))
            case 2:
                each = msgspec.structs.replace(each, door=rng.choice(tuple(self.doors)))
            case 3:
                each = msgspec.structs.replace(each, account=rng.choice(("", *GROUPS)))
            case 4:
                text = changes.changed(
                    rng, each.path.encode(), (b"?n=", b"&since=", b"%00", b"/"), [each.path.encode()]
                )
                each = msgspec.structs.replace(each, path="/" + text.decode("latin-1").lstrip("/")[:2000])
            case 5:
                name = rng.choice(("Content-Type", "Last-Event-ID", "Authorization", "Cookie", "Origin", "Host", CSRF))
                value = rng.choice(
                    ("application/json", "text/plain", "-1", "9" * 30, "x", "é", "Bearer x", "felt_session=x")
                )
                each = msgspec.structs.replace(each, headers={**each.headers, name: value})
            case _:
                body = changes.changed(rng, each.body.encode("latin-1"), (b'""', b"null", b"1e999", b"{}"), [b"{}"])
                each = msgspec.structs.replace(each, body=body.decode("latin-1"))
        asked[at] = each
        return msgspec.json.encode(asked[:6])

    def _asked(self, rng: Random, door: str, route: AnyRoute, role: str) -> Asked:
        path = route.path
        for name in route.names:
            path = path.replace(f"{{{name}}}", rng.choice(NAMES) or "x")
        query = [
            f"{each.name}={rng.choice((*WORDS, '2026-11-17T20:15', '9' * 30))}"
            for each in route.query
            if rng.random() < 0.4
        ]
        body = "" if route.takes is None else self._body(rng, route.takes)
        account = rng.choice(("", *GROUPS))
        return Asked(door, role, account, route.method, path + ("?" + "&".join(query) if query else ""), body)

    def _body(self, rng: Random, takes: Any) -> str:
        """Returns a body that the route may understand."""
        if takes is bytes:
            return "FELTIMG1" + rng.randbytes(40).decode("latin-1")
        return json.dumps(self._value(rng, msgspec.inspect.type_info(takes), 0))

    def _value(self, rng: Random, kind: Any, deep: int) -> Any:
        i = msgspec.inspect
        if rng.random() < 0.03:
            return rng.choice((None, -1, 10**30, 1.5, "", [], {}, "x" * 3000, True))
        match kind:
            case i.StructType():
                fields = [each for each in kind.fields if each.required or rng.random() < 0.6]
                made = {each.encode_name: self._value(rng, each.type, deep + 1) for each in fields}
                return {kind.tag_field: kind.tag, **made} if kind.tag_field else made
            case i.UnionType():
                return self._value(rng, rng.choice(kind.types), deep)
            case i.LiteralType():
                return rng.choice(kind.values)
            case i.IntType():
                return rng.choice((0, 1, 2, 3, 5, 7, 1000, -1, 2**63))
            case i.BoolType():
                return rng.random() < 0.5
            case i.NoneType():
                return None
            case i.ListType() | i.VarTupleType() | i.SetType():
                return [self._value(rng, kind.item_type, deep + 1) for _ in range(rng.randint(0, 3))]
            case i.DictType():
                return {
                    rng.choice(WORDS): self._value(rng, kind.value_type, deep + 1) for _ in range(rng.randint(0, 2))
                }
        return rng.choice((*WORDS, *VALUES[:60]))

    # ---- what comes of them

    def run(self, data: bytes) -> None:
        try:
            asked = msgspec.json.decode(data, type=list[Asked])
        except msgspec.DecodeError:
            return
        for each in asked:
            if each.door in self.doors and each.method in METHODS and not set("{} \r\n\0") & set(each.path):
                self._await(self._ask(each))

    async def _ask(self, asked: Asked) -> None:
        floor, door = self.floor, self.doors[asked.door]
        seq, table = await floor.rest(), floor.engine.table
        self._caller = Caller(ACCOUNT, frozenset({GROUPS[asked.account]} if asked.account in GROUPS else ()))
        status, text = await self._answered(door, asked)
        expect(status != 500, "a request is answered with a defect", asked=asked, text=text[:600])
        told = json.dumps(msgspec.to_builtins(asked))
        for card in HIDDEN:
            if card not in told and re.search(rf"(?<![A-Za-z0-9+/=]){card}(?![A-Za-z0-9+/=])", text):
                expect(False, "a hidden card is told", card=card, asked=asked, text=text[:600])
        await floor.rest()
        await self._judge_writes(asked, seq, table)
        self._renew(asked)

    async def _answered(self, door: Door, asked: Asked) -> tuple[int, str]:
        headers = self._headers(asked)
        url = door.at + asked.path
        try:
            async with (
                asyncio.timeout(PATIENCE * 6),
                door.session.request(
                    asked.method,
                    URL(url, encoded=asked.path.isascii()),
                    data=asked.body.encode("latin-1") or None,
                    headers=headers,
                    allow_redirects=False,
                ) as response,
            ):
                return response.status, await self._piece(response)
        except (aiohttp.ClientError, ValueError, UnicodeError):
            return 0, ""  # no such request can be sent, or the server hung up on it

    async def _piece(self, response: aiohttp.ClientResponse) -> str:
        """Returns the beginning of an answer; a stream has no end."""
        read = b""
        try:
            async with asyncio.timeout(
                PIECE if "stream" in response.content_type or "ndjson" in response.content_type else PATIENCE
            ):
                while len(read) < MOST and (piece := await response.content.readany()):
                    read += piece
        except TimeoutError:
            pass
        return read.decode(errors="replace")

    def _headers(self, asked: Asked) -> dict[str, str]:
        role = asked.role
        headers = {"Content-Type": "application/json"} if asked.body else {}
        if asked.door == "pages":
            headers["Origin"] = self.doors["pages"].at
            if role in self._cookies:
                token, session = self._cookies[role]
                headers |= {"Cookie": f"{COOKIE}={token}", CSRF: session.csrf}
        elif role in self._tokens:
            headers["Authorization"] = f"Bearer {self._tokens[role]}"
        return headers | {name: value for name, value in asked.headers.items() if value.isprintable()}

    async def _judge_writes(self, asked: Asked, seq: int, table: Table) -> None:
        for record in self.floor.daemon.journal.read(seq + 1, 100):
            fact = f.decode(record.payload)
            table, effects = step(table, record.seq, record.at_us, fact)
            if not _is_deed(fact) or any(isinstance(each, Refused) for each in effects):
                continue
            expect(asked.method == "POST", "looking was recorded", asked=asked, fact=fact)
            expect(asked.door != "look", "a door that only shows has written", asked=asked, fact=fact)
            self._judge_power(asked, fact)

    def _judge_power(self, asked: Asked, fact: AnyFact) -> None:
        """Compares who asked with what the fact needs, as it is declared."""
        role = asked.role if asked.role in ROLES else ""
        overridden = {"Authorization", "Cookie", CSRF} & set(asked.headers)
        if isinstance(fact, f.SignedIn):
            return
        accounts = asked.account and asked.door == "socket"
        expect(accounts or (role and not overridden), "nobody has written", asked=asked, fact=fact)
        match fact:
            case f.Key(role=by):
                expect(by not in NO_KEYS, "somebody without keys has pressed one", asked=asked, fact=fact)
            case f.FloatMoved(deed=deed):
                lowest = next(each.role for name, each in FLOAT_DEEDS.items() if name == deed)
                expect(
                    role and at_least(_role(role), lowest), "somebody below has moved the float", asked=asked, fact=fact
                )
            case f.Amend():
                expect(
                    role and at_least(_role(role), "supervisor"), "somebody below has corrected", asked=asked, fact=fact
                )

    def _renew(self, asked: Asked) -> None:
        """Opens a session again that the request has closed."""
        sessions = self.floor.daemon.service.doorkeeper.sessions
        for role in ROLES:
            if sessions.find(self._tokens[role], "socket", ACCOUNT) is None:
                self._tokens[role] = sessions.open(f"the {role}", role, "socket", ACCOUNT)[0]
            if sessions.find(self._cookies[role][0], "page 127.0.0.1", -1) is None:
                self._cookies[role] = sessions.open(f"the {role}", role, "page 127.0.0.1", -1)

    def smaller(self, data: bytes) -> list[bytes]:
        asked = msgspec.json.decode(data, type=list[Asked])
        fewer = [asked[:at] + asked[at + 1 :] for at in range(len(asked)) if len(asked) > 1]
        for at, each in enumerate(asked):
            plain = [msgspec.structs.replace(each, headers={}), msgspec.structs.replace(each, account="")]
            shorter = [
                msgspec.structs.replace(each, path=path.decode("latin-1"))
                for path in changes.smaller(each.path.encode("latin-1", "replace"))[:40]
            ]
            emptier = [
                msgspec.structs.replace(each, body=body.decode("latin-1"))
                for body in changes.smaller(each.body.encode("latin-1"))[:40]
            ]
            fewer += [
                [*asked[:at], other, *asked[at + 1 :]]
                for other in (*plain, *shorter, *emptier)
                if other.path.startswith("/")
            ]
        return [msgspec.json.encode(each) for each in fewer]

    def close(self) -> None:
        self._await(self._stack.aclose())
        self._loop.close()
        self._patch.undo()
        self._folder.cleanup()


def _is_deed(fact: AnyFact) -> bool:
    """Tells whether somebody does this; the rest happens by itself."""
    if isinstance(fact, BY_ITSELF):
        return False
    return any(name in fact.__struct_fields__ for name in ("person", "account", "by", "caller"))


def _role(role: str) -> Role:
    return next(each for each in ROLES if each == role)


TARGETS: tuple[type[Target], ...] = (Doors,)
