"""What the doors say of themselves is what they do: routes, shapes, statuses; over every route that there is."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.api import correction, routes
from controller.service import door_routes, floor_routes
from controller.service.routes import Route
from controller.web import routes as web_routes
from tests.api.doors import Door, Doors, three_doors
from tests.api.schemas import problems

ROOT = Path(__file__).parents[2]
JSON = "application/json"


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
    for door in doors.all:
        index = json.loads((await door.ask("GET", "/")).text)
        assert [(each["method"], each["path"]) for each in index["routes"]] == [(r.method, r.path) for r in door.routes]
        for each in index["routes"]:
            assert re.fullmatch(r"[A-Z][^.]+\.", each["says"]), each


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


# ---- documents


async def test_the_document_lists_the_routes_of_the_sockets(doors: Doors) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = text[text.index("| request | answer |") :].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()]
    told = {each for cell in cells for each in re.findall(r"`((?:GET|POST) /[^`?]*)", cell)}
    written = {"name": "NAME", "number": "N"}
    both = (*doors.socket.routes, *doors.look.routes)
    assert told == {f"{each.method} {each.path.format(**written)}" for each in both}
