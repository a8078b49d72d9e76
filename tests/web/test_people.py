"""Signing in on a page: the cookie, the word that writes carry, and requests from elsewhere, which are refused."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from controller.config.load import load_config
from controller.errors import FeltError
from controller.people.roster import Roster
from controller.service.doorkeeper import Doorkeeper
from controller.sim.people import PIN, badge_of, simulated_people
from controller.table.facts import Key, SignedIn, SignedOut, SignInFailed
from tests.daemon.house import table_toml
from tests.people.everybody import write_people
from tests.service.clocks import Table, table, until

SUPERVISOR = {"badge": badge_of("supervisor"), "pin": PIN}


class Told(NamedTuple):
    status: int
    body: dict[str, Any]
    cookie: str

    @property
    def code(self) -> str:
        return str(self.body["error"]["code"])


class Browser:
    """Asks as a page does; whatever a test says otherwise."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = self.csrf = ""
        self.host = f"127.0.0.1:{port}"

    async def get(self, path: str, **headers: str) -> Told:
        return await asyncio.to_thread(self._ask, "GET", path, None, headers)

    async def post(self, path: str, body: object, **headers: str) -> Told:
        own = {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        own |= {"X-Felt-Csrf": self.csrf} if self.csrf else {}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in (own | given).items() if value}
        return await asyncio.to_thread(self._ask, "POST", path, json.dumps(body).encode(), sent)

    async def sign_in(self, wish: dict[str, str]) -> Told:
        told = await self.post("/sign-in", wish)
        if told.status == 200:
            self.cookie, self.csrf = told.cookie.partition(";")[0], told.body["csrf"]
        return told

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Told:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        connection.request(method, path, body, {"Host": self.host, **cookie, **headers})
        answer = connection.getresponse()
        text, set_cookie = answer.read(), answer.headers.get("Set-Cookie", "")
        connection.close()
        return Told(answer.status, json.loads(text), set_cookie)


@asynccontextmanager
async def house(directory: Path) -> AsyncIterator[tuple[Table, Browser]]:
    path = table_toml(directory)
    path.write_text(path.read_text() + '[web]\nlisten = "127.0.0.1:0"\nnames = ["table1.example"]\n')
    async with table(load_config(path)) as t:
        port = urlsplit(t.daemon.pages).port
        assert port is not None
        yield t, Browser(port)


async def test_somebody_signs_in_presses_a_key_and_signs_out(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        assert (await browser.get("/me")).body == {"signed_in": False}
        assert (await browser.post("/keys", {"key": "seat", "args": ["1"]})).code == "sign-in.needed"
        told = await browser.sign_in(SUPERVISOR)
        assert told.status == 200 and "token" not in told.body
        flags = {part.strip() for part in told.cookie.split(";")[1:]}
        assert flags == {"HttpOnly", "SameSite=Strict", "Path=/"}
        me = (await browser.get("/me")).body
        assert (me["person"], me["role"], me["place"]) == ("simulated supervisor", "supervisor", "page 127.0.0.1")
        assert me["csrf"] == browser.csrf and 0 < me["left"] <= 600
        await t.do("sensor.1", "bet", {"war": 1000})
        done = await browser.post("/keys", {"key": "no-more-bets"})
        assert (done.status, done.body["accepted"]) == (200, True)
        assert t.facts(Key)[-1] == Key("no-more-bets", (), -1, "simulated supervisor", "supervisor", "page 127.0.0.1")
        refused = await browser.post("/keys", {"key": "fold", "args": ["9"]})
        assert (refused.status, refused.code, refused.body["accepted"]) == (409, "key.refused", False)
        unknown = await browser.post("/keys", {"key": "setle"})
        assert (unknown.status, unknown.code, unknown.body["accepted"]) == (409, "key.unknown", False)
        assert unknown.body["error"]["cause"].endswith('did you mean "settle"?')
        refused = await browser.post("/keys", {"key": "fold", "args": ["9"]})
        assert "rule" in refused.body["error"] and refused.body["seq"] == t.engine.seq
        assert t.engine.table.role == "dealer"  # nobody is signed in at the console
        assert (await browser.post("/sign-out", {})).body == {"signed_in": False, "person": "simulated supervisor"}
        assert (await browser.post("/keys", {"key": "settle"})).status == 401
        assert [len(t.facts(kind)) for kind in (SignedIn, SignedOut, SignInFailed)] == [1, 1, 0]


async def test_powers_are_those_of_the_person(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        await browser.sign_in({"badge": badge_of("inspector"), "pin": PIN})
        assert (await browser.post("/keys", {"key": "seat", "args": ["1"]})).code == "key.refused"
        await browser.sign_in({"badge": badge_of("dealer"), "pin": PIN})
        told = await browser.post("/keys", {"key": "invalidate", "args": ["fraud"]})
        assert told.code == "key.refused" and "this needs the" in told.body["error"]["cause"]
        assert not t.engine.table.round


async def test_wrong_pins_wait(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        for _ in range(5):
            told = await browser.sign_in({**SUPERVISOR, "pin": "0000"})
            assert (told.status, told.code) == (401, "sign-in.wrong")
        told = await browser.sign_in(SUPERVISOR)
        assert (told.status, told.code) == (429, "sign-in.locked") and "locked until" in told.body["error"]["cause"]
        assert {fact.place for fact in t.facts(SignInFailed)} == {"page 127.0.0.1"}
        assert (await browser.sign_in({"badge": "9", "pin": PIN, "role": "x"})).code == "sign-in.locked"
        assert len(t.facts(SignInFailed)) == 6  # of those that wait the first
        with pytest.raises(FeltError, match="too many wrong PINs"):  # the badge waits at every other place
            await t.daemon.service.doorkeeper.sign_in(SUPERVISOR["badge"], PIN, "", "socket", 1000)
        await t.do("console", "badge", badge_of("supervisor"))  # but whoever tries from far away locks no table
        await t.do("console", "pin", PIN)
        assert t.engine.table.role == "supervisor"
        await t.press("unlock", SUPERVISOR["badge"])
        assert (await browser.sign_in(SUPERVISOR)).code == "sign-in.locked"  # the place still waits
        await t.press("unlock")
        assert (await browser.sign_in(SUPERVISOR)).status == 200


async def test_nobody_brings_a_session_along_and_the_one_before_ends(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        browser.cookie = f"felt_session={'A' * 43}"  # as somebody planted it
        await browser.sign_in(SUPERVISOR)
        first = browser.cookie
        assert "AAAA" not in first
        await browser.sign_in({"badge": badge_of("dealer"), "pin": PIN})
        assert browser.cookie != first and len(t.daemon.service.doorkeeper.sessions) == 1
        browser.cookie = first
        assert (await browser.get("/me")).body == {"signed_in": False}
        await until(lambda: [fact.why for fact in t.facts(SignedOut)] == ["replaced"])


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_no_other_method_is_a_way_in(tmp_path: Path, method: str) -> None:
    async with house(tmp_path) as (t, browser):
        await browser.sign_in(SUPERVISOR)
        for path in ("/keys", "/sign-out", "/table"):
            assert (await asyncio.to_thread(browser._ask, method, path, b"{}", {})).code == "sign-in.origin"
        assert (await browser.get("/me")).body["signed_in"] and not t.facts((Key, SignedOut))


async def test_of_a_thousand_at_once_most_are_told_to_come_again(tmp_path: Path) -> None:
    """One PIN at a time takes memory, and only some may wait; who must wait is refused without a place in the line."""
    async with house(tmp_path) as (t, _):
        keeper, before = t.daemon.service.doorkeeper, t.engine.seq

        async def code(n: int) -> str:
            with pytest.raises(FeltError) as caught:
                await keeper.sign_in(f"{n}", "0000", "", "page 10.0.0.9", -1)
            return caught.value.code

        for _ in range(2):
            codes = Counter(await asyncio.gather(*map(code, range(1000))))
            assert codes.keys() <= {"sign-in.wrong", "sign-in.locked", "sign-in.busy"} and codes["sign-in.wrong"] <= 8
        assert codes == {"sign-in.locked": 1000}
        assert t.engine.seq - before <= 8  # and the journal has a few lines of it


async def test_a_role_that_somebody_has_not(tmp_path: Path) -> None:
    async with house(tmp_path) as (_, browser):
        assert (await browser.sign_in({**SUPERVISOR, "role": "casino-manager"})).code == "sign-in.role"
        assert (await browser.sign_in({**SUPERVISOR, "role": "supervisor"})).status == 200


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "https://{host}", "http://{host}.evil.example"])
async def test_a_write_from_another_page_is_refused(tmp_path: Path, origin: str) -> None:
    async with house(tmp_path) as (t, browser):
        foreign = {"Origin": origin.format(host=browser.host)}
        assert (await browser.post("/sign-in", SUPERVISOR, **foreign)).code == "sign-in.origin"
        await browser.sign_in(SUPERVISOR)
        for path, body in (("/keys", {"key": "seat", "args": ["1"]}), ("/sign-out", {})):
            told = await browser.post(path, body, **foreign)
            assert (told.status, told.code) == (403, "sign-in.origin")
        assert not t.facts((Key, SignedOut))


async def test_a_write_carries_the_word(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        await browser.sign_in(SUPERVISOR)
        for csrf in ("", "x" * 32):
            told = await browser.post("/keys", {"key": "seat", "args": ["1"]}, X_Felt_Csrf=csrf)
            assert (told.status, told.code) == (403, "sign-in.origin")
        assert not t.facts(Key)


async def test_only_our_names_lead_here(tmp_path: Path) -> None:
    async with house(tmp_path) as (_, browser):
        for host, status in (
            (f"localhost:{browser.port}", 200),
            (f"table1.example:{browser.port}", 200),
            ("10.1.2.3", 200),
            ("[::1]:80", 200),
            (f"evil.example:{browser.port}", 403),
            ("table1.example.evil.example", 403),
            ("127.0.0.1.evil.example", 403),
        ):
            browser.host, browser.cookie, browser.csrf = host, "", ""
            told = await browser.sign_in(SUPERVISOR)
            assert told.status == status, host
            assert (await browser.get("/me")).status == status


async def test_a_cookie_is_of_one_place_and_nothing_else_is_believed(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        await browser.sign_in(SUPERVISOR)
        t.daemon.service.doorkeeper.sessions._open[
            next(iter(t.daemon.service.doorkeeper.sessions._open))
        ].place = "page 9"
        assert (await browser.get("/me")).body == {"signed_in": False}
        assert (await browser.get("/me", Authorization="Bearer x")).body == {"signed_in": False}


async def test_a_session_ends_with_its_time_and_with_the_person(tmp_path: Path) -> None:
    async with house(tmp_path) as (t, browser):
        keeper: Doorkeeper = t.daemon.service.doorkeeper
        await browser.sign_in(SUPERVISOR)
        now = keeper.sessions._now()
        keeper.sessions._now = lambda: now + 601
        assert (await browser.get("/me")).body == {"signed_in": False}
        await until(lambda: [fact.why for fact in t.facts(SignedOut)] == ["idle"])
        await browser.sign_in(SUPERVISOR)
        everybody = simulated_people().roster.people
        write_people(tmp_path, Roster(tuple(one for one in everybody if one.badge != SUPERVISOR["badge"])))
        assert (await browser.post("/keys", {"key": "seat", "args": ["1"]})).status == 401
        await until(lambda: [fact.why for fact in t.facts(SignedOut)] == ["idle", "removed"])


@pytest.mark.parametrize("body", [{}, {"badge": "1"}, {"badge": 1, "pin": "2"}, {"badge": "1", "pin": "2", "x": 1}, []])
async def test_nonsense_is_refused_and_not_repeated(tmp_path: Path, body: object) -> None:
    async with house(tmp_path) as (t, browser):
        told = await browser.post("/sign-in", body)
        assert (told.status, told.code) == (400, "sign-in.request")
        assert "xxx" not in str(told.body)
        assert (await browser.post("/sign-in", SUPERVISOR, Content_Type="text/plain")).status == 415
        long = await browser.post("/sign-in", "x" * 5000)
        assert (long.status, long.code) == (413, "sign-in.too-large") and "xxx" not in str(long.body)
        assert not t.facts((SignedIn, SignInFailed))
