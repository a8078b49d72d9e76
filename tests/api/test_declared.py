"""What the doors say of themselves is what they do: routes, shapes, statuses; over every route that there is."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import ClientSession, UnixConnector, web

from controller.api import correction, routes
from controller.api import server as api_server
from controller.cli.demo import dealt_table
from controller.config.load import load_config
from controller.errors import meaning
from controller.service import door_routes, floor_routes
from controller.service.mounting import DECLARED
from controller.service.routes import Route
from controller.web import routes as web_routes
from controller.web import server as web_server
from tests.api.conftest import Floor
from tests.api.schemas import problems
from tests.daemon.house import table_toml

ROOT = Path(__file__).parents[2]
JSON = "application/json"


class Door(NamedTuple):
    """One way to ask: its declarations, and where it is."""

    app: web.Application
    session: ClientSession
    at: str
    headers: dict[str, str]

    @property
    def routes(self) -> tuple[Route, ...]:
        return self.app[DECLARED]

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {"data": body} if isinstance(body, bytes | BytesIO) else {"json": body} if body is not None else {}
        async with self.session.request(
            method, self.at + path, headers=sent, allow_redirects=False, **kind
        ) as response:
            if response.content_type == "text/event-stream":
                return Answer(response.status, "", dict(response.headers))
            return Answer(response.status, await response.text(), dict(response.headers))


class Answer(NamedTuple):
    """What a door answered."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def code(self) -> str:
        return str(json.loads(self.text)["error"]["code"])


class Doors(NamedTuple):
    """The three doors of one table: the socket, the one where one can look, the pages' port."""

    floor: Floor
    socket: Door
    look: Door
    pages: Door

    @property
    def all(self) -> tuple[Door, ...]:
        return (self.socket, self.look, self.pages)


@asynccontextmanager
async def three_doors(
    directory: Path, monkeypatch: pytest.MonkeyPatch, game: str = "casino-war", options: str = ""
) -> AsyncIterator[Doors]:
    apps: list[web.Application] = []
    for module in (api_server, web_server):
        real = module.listen

        async def listen(app: web.Application, *args: Any, real: Any = real) -> web.AppRunner:
            apps.append(app)
            return await real(app, *args)  # type: ignore[no-any-return]

        monkeypatch.setattr(module, "listen", listen)
    path, read = table_toml(directory, game=game, options=options), directory / "read.sock"
    path.write_text(f'{path.read_text()}read-socket = "{read}"\n[web]\nlisten = "127.0.0.1:0"\n[floor]\n')
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        floor = Floor(daemon, sim)
        signed = {"Authorization": f"Bearer {floor.client.token}"}
        async with (
            ClientSession(connector=UnixConnector(str(daemon.config.api.socket))) as one,
            ClientSession(connector=UnixConnector(str(read))) as two,
            ClientSession() as three,
        ):
            yield Doors(
                floor,
                Door(apps[0], one, "http://felt", signed),
                Door(apps[1], two, "http://felt", {}),
                Door(apps[2], three, daemon.pages, {"Origin": daemon.pages}),
            )


@pytest.fixture
async def doors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Doors]:
    async with three_doors(tmp_path, monkeypatch) as doors:
        yield doors


@pytest.fixture
async def with_meter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Doors]:
    async with three_doors(tmp_path, monkeypatch, "caribbean-stud", 'jackpot = "nsw"\n') as doors:
        yield doors


async def test_every_route_is_declared_and_every_declaration_answered(doors: Doors) -> None:
    for door in doors.all:
        mounted = {(each.method, each.resource.canonical) for each in door.app.router.routes() if each.resource}
        declared = {(each.method, each.path) for each in door.routes}
        assert {each for each in mounted if each[0] != "HEAD"} == declared
        assert len(declared) == len(door.routes)
        described = json.loads((await door.ask("GET", "/openapi.json")).text)
        assert {(m.upper(), path) for path, each in described["paths"].items() for m in each} == declared
    assert "/correct" not in {each.path for each in doors.look.routes}
    assert all(each.method == "GET" for each in doors.look.routes)


async def test_no_declaration_is_left_over(doors: Doors) -> None:
    answered = {(each.method, each.path) for door in doors.all for each in door.routes}
    for module in (routes, correction, door_routes, floor_routes, web_routes):
        declared = [each for each in vars(module).values() if isinstance(each, Route)]
        assert declared
        assert {(each.method, each.path) for each in declared} <= answered


def test_nothing_is_mounted_in_another_way() -> None:
    ways = re.compile(
        r"\bweb\.(get|post|put|delete|patch|head|route|view|static)\(|\.add_(routes?|get|post|view|static)\b"
    )
    found = {
        str(file.relative_to(ROOT)) for file in (ROOT / "controller").rglob("*.py") if ways.search(file.read_text())
    }
    assert found == {"controller/service/mounting.py"}


async def test_the_index_tells_each_route_with_one_sentence(doors: Doors) -> None:
    for door in (doors.socket, doors.look):
        index = json.loads((await door.ask("GET", "/")).text)
        assert [(each["method"], each["path"]) for each in index["routes"]] == [(r.method, r.path) for r in door.routes]
        for each in index["routes"]:
            assert re.fullmatch(r"[A-Z][^.]+\.", each["says"]), each
    assert (await doors.pages.ask("GET", "/")).status == 302


async def test_the_description_is_whole(doors: Doors) -> None:
    for door in doors.all:
        described = json.loads((await door.ask("GET", "/openapi.json")).text)
        assert described["openapi"].startswith("3.1.") and described["info"]["version"]
        schemas = described["components"]["schemas"]
        named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)))
        assert named == set(schemas)  # each that is named is there, and none else
        operations = [each for path in described["paths"].values() for each in path.values()]
        names = [each["operationId"] for each in operations]
        assert len(set(names)) == len(names)
        for route in door.routes:
            operation = described["paths"][route.path][route.method.lower()]
            assert [p["name"] for p in operation["parameters"] if p["in"] == "path"] == list(route.names)
            assert ("requestBody" in operation) == (route.takes is not None)


# ---- answers


async def plain_answers(door: Door, **names: str) -> dict[str, list[str]]:
    """Asks everything that can be asked without a body, and returns where an answer is not as it is described."""
    described = json.loads((await door.ask("GET", "/openapi.json")).text)
    schemas, wrong = described["components"]["schemas"], {}
    for route in door.routes:
        if route.method != "GET":
            continue
        answer = await door.ask("GET", route.at(*(names.get(name, "none") for name in route.names)))
        kind = answer.headers["Content-Type"].partition(";")[0]
        responses = described["paths"][route.path]["get"]["responses"]
        if answer.status == 302:
            continue
        if str(answer.status) not in responses:
            wrong[route.path] = [f"{answer.status} is not described"]
        elif kind == JSON:
            schema = responses[str(answer.status)]["content"][JSON]["schema"]
            if bad := list(problems(json.loads(answer.text), schema, schemas)):
                wrong[route.path] = bad
        elif answer.status == 200 and route.path != "/display/static/{name}" and kind != route.media:
            wrong[route.path] = [f"{kind} instead of {route.media}"]
    return wrong


async def test_real_answers_are_as_they_are_described(doors: Doors) -> None:
    floor = doors.floor
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    for door in doors.all:
        assert await plain_answers(door, name="shoe", number="1", page="limits") == {}
    await floor.draw("2c", "Qd")
    floor.sim.device("shoe").fault("jam")
    floor.sim.device("sensor.2").fault("unplug")
    await floor.rest()
    for door in (doors.socket, doors.look):
        assert await plain_answers(door, name="shoe", number="1") == {}


async def test_real_answers_of_a_prize_meter_are_as_they_are_described(with_meter: Doors) -> None:
    assert await plain_answers(with_meter.socket, name="shoe", number="1") == {}


async def test_a_wrong_answer_would_be_noticed(doors: Doors) -> None:
    described = json.loads((await doors.socket.ask("GET", "/openapi.json")).text)
    schema = described["components"]["schemas"]
    status = json.loads((await doors.socket.ask("GET", "/status")).text)
    for broken in (
        {**status, "more": 1},
        {**status, "uptime": "long"},
        {k: v for k, v in status.items() if k != "gates"},
    ):
        assert len(list(problems(broken, {"$ref": "x/StatusShown"}, schema))) == 1


# ---- statuses


async def test_what_is_not_there_and_what_cannot_be_done_to_it(doors: Doors) -> None:
    for door in (doors.socket, doors.look):
        answer = await door.ask("GET", "/nothing")
        assert (answer.status, answer.code) == (404, "api.request")
    assert (await doors.pages.ask("GET", "/nothing")).status == 404
    for door in doors.all:
        methods: dict[str, set[str]] = {}
        for route in door.routes:
            methods.setdefault(route.path, set()).add(route.method)
        for path, known in methods.items():
            for method in ("DELETE", "PUT", *({"GET", "POST"} - known)):
                answer = await door.ask(method, path.format(name="shoe", number="1", page="limits"))
                assert answer.status == 405, (method, path)
                assert set(answer.headers["Allow"].split(",")) - {"HEAD"} == known


async def test_who_is_asked_about_something_unknown_says_so(doors: Doors) -> None:
    service = "?name=x&licence=1&time=2026-11-17T20:15%2B00:00&reason=x&asset=1"
    for route in doors.socket.routes:
        if route.names == ("name",):
            body = {"code": "1"} if route.takes is not None else None
            answer = await doors.socket.ask(route.method, route.at("nobody") + service, body)
            assert (answer.status, answer.code) == (404, "device.unknown"), route
        elif route.names == ("number",):
            answer = await doors.socket.ask("GET", route.at(4711))
            assert answer.status == 404 or (route.media == "application/x-ndjson" and "round.unknown" in answer.text)


async def test_a_query_that_makes_no_sense(doors: Doors) -> None:
    for door in (doors.socket, doors.look):
        for route in door.routes:
            for query in (each for each in route.query if each.kind != "string"):
                path = route.at(*({"name": "shoe", "number": "1"}[name] for name in route.names), **{query.name: "x"})
                answer = await door.ask(route.method, path)
                assert answer.status == 400, path
                assert meaning(answer.code)


async def test_a_body_that_makes_no_sense(with_meter: Doors) -> None:
    door = with_meter.socket
    for route in door.routes:
        if route.takes is None:
            continue
        path = route.at(*("shoe" for _ in route.names))
        for body in (b"", b"{", b"[]", b'{"unknown": 1}'):
            answer = await door.ask("POST", path, body, Content_Type=JSON)
            assert answer.status == 400, (path, body, answer.text)
        most = 18 * 1024 * 1024 if route.takes is bytes else 100_000
        answer = await door.ask("POST", path, BytesIO(b"x" * most), Content_Type=JSON)
        assert (answer.status, bool(meaning(answer.code))) == (413, True), path


async def test_who_is_not_signed_in_is_told_so(doors: Doors) -> None:
    """The account may; what touches the game needs a person too."""
    for route in doors.socket.routes:
        if 401 not in route.statuses or route.path == "/sign-in":
            continue
        answer = await doors.socket.ask("POST", route.path, {}, Authorization="Bearer nobody")
        assert (answer.status, answer.code) == (401, "sign-in.needed"), route
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    wrong = await doors.socket.ask("POST", "/sign-in", {"badge": "1", "pin": "0000"})
    assert (wrong.status, wrong.code) == (401, "sign-in.wrong")


async def test_a_write_from_another_page(doors: Doors) -> None:
    for route in (each for each in doors.pages.routes if each.method == "POST"):
        answer = await doors.pages.ask("POST", route.path, {}, Origin="http://elsewhere.example")
        assert (answer.status, answer.code) == (403, "sign-in.origin")


async def test_what_cannot_be_as_things_stand(doors: Doors) -> None:
    service = "?name=x&licence=1&time=2026-11-17T20:15%2B00:00&reason=x&asset=1"
    ask = doors.socket.ask
    for path, code in (
        ("/devices/shoe/reset", "device.no-fault"),
        (f"/devices/shoe/clear{service}", "device.not-tampered"),
        (f"/devices/shoe/unpair{service}", "pair.none"),
    ):
        answer = await ask("POST", path)
        assert (answer.status, answer.code) == (409, code)
    await doors.floor.bet(1, 1000)
    await doors.floor.press("no-more-bets")
    for path in (f"/devices/shoe/unpair{service}", "/devices/shoe/test", "/devices/shoe/identify"):
        answer = await ask("POST", path)
        assert answer.status == 409, answer.text


# ---- documents


async def test_the_document_lists_the_routes_of_the_sockets(doors: Doors) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = text[text.index("| request | answer |") :].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()]
    told = {each for cell in cells for each in re.findall(r"`((?:GET|POST) /[^`?]*)", cell)}
    written = {"name": "NAME", "number": "N"}
    both = (*doors.socket.routes, *doors.look.routes)
    assert told == {f"{each.method} {each.path.format(**written)}" for each in both}
