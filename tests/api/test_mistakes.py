"""Every route answers every mistake with the status that it deserves: one table of both, from the declarations."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from controller.errors import meaning
from controller.service.routes import AnyRoute
from tests.api.doors import Answer, Door, Doors, three_doors
from tests.api.schemas import problems
from tests.service.cup_table import head

SERVICE = "name=x&licence=1&time=2026-11-17T20:15%2B00:00&reason=x&asset=1"
RIGHT = {"name": "shoe", "number": "1", "page": "limits"}
WRONG = {"name": "nobody", "number": "4711", "page": "nothing"}
LARGE = 18 * 1024 * 1024  # more than a firmware image
JSON, BYTES, PLAIN = "application/json", "application/octet-stream", "text/plain"


class Mistake(NamedTuple):
    """One way to ask wrongly: of which routes it can be made, how, and what is answered."""

    of: Callable[[AnyRoute], bool]
    asked: Callable[[Door, AnyRoute], Iterator[tuple[str, str, Any, dict[str, str]]]]  # method, path, body, headers
    status: int
    code: str = ""  # any, where it is empty


async def in_chunks(size: int) -> AsyncIterator[bytes]:
    """A body that does not say how long it is."""
    for _ in range(size // 65536 + 1):
        yield bytes(65536)


def at(route: AnyRoute, names: dict[str, str] = RIGHT) -> str:
    return route.at(*(names.get(name, "none") for name in route.names))


def with_service(route: AnyRoute, path: str) -> str:
    return f"{path}?{SERVICE}" if any(query.name == "licence" for query in route.query) else path


def other_methods(door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    known = {each.method for each in door.routes if each.path == route.path}
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH"} - known:
        yield method, at(route), None, {}


def wrong_queries(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    for query in route.query:
        if query.kind != "string":
            yield route.method, f"{at(route)}?{query.name}=x", *body_for(route)


def body_for(route: AnyRoute) -> tuple[Any, dict[str, str]]:
    return (b"{}", {"Content-Type": route.body_media}) if route.takes is not None else (None, {})


def unknown_names(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    body, headers = body_for(route)
    if route.path.endswith("/code"):
        body = b'{"code": "1"}'
    yield route.method, with_service(route, at(route, WRONG)), body, headers


def wrong_bodies(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    for body in (b"", b"{", b"[]", b'{"unknown": 1}', b"\xff"):
        yield "POST", with_service(route, at(route)), body, {"Content-Type": route.body_media}


def large_bodies(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    size = LARGE if route.takes is bytes else 100_000
    for body in (BytesIO(b"x" * size), in_chunks(size)):
        yield "POST", with_service(route, at(route)), body, {"Content-Type": route.body_media}


def other_kinds(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    for kind in {JSON, BYTES, PLAIN, "application/x-www-form-urlencoded"} - {route.body_media}:
        yield "POST", at(route), b"{}", {"Content-Type": kind}


def nobody(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    yield "POST", at(route), b"{}", {"Content-Type": JSON, "Authorization": "Bearer nobody"}


def from_elsewhere(_door: Door, route: AnyRoute) -> Iterator[tuple[str, str, Any, dict[str, str]]]:
    for origin in ("http://elsewhere.example", ""):
        yield "POST", at(route), b"{}", {"Content-Type": JSON, "Origin": origin}


MISTAKES = {
    "a method that it does not have": Mistake(lambda _: True, other_methods, 405),
    "a name that nobody has": Mistake(lambda route: bool(route.names), unknown_names, 404),
    "a query that makes no sense": Mistake(lambda route: bool(route.query), wrong_queries, 400),
    "a body that makes no sense": Mistake(lambda route: route.takes is not None, wrong_bodies, 400),
    "a body that is too large": Mistake(lambda route: route.takes is not None, large_bodies, 413),
    "a body of another kind": Mistake(lambda route: route.takes is not None, other_kinds, 415),
    "nobody is signed in": Mistake(
        lambda route: route.method == "POST" and 401 in route.statuses and route.path != "/sign-in",
        nobody,
        401,
        "sign-in.needed",
    ),
    "from another page": Mistake(lambda route: route.method == "POST", from_elsewhere, 403, "sign-in.origin"),
}
ELSEWHERE = {  # mistakes that can be made at some doors only
    "nobody is signed in": ("socket",),
    "from another page": ("pages",),
}
LENIENT = {  # what may be asked so although it looks wrong
    ("pages", "a query that makes no sense"): "a page that resumes begins anew instead",
}


@pytest.fixture
async def with_meter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Doors]:
    async with three_doors(tmp_path, monkeypatch, "caribbean-stud", 'jackpot = "nsw"\n') as doors:
        cups = doors.floor.daemon.service.tournaments
        assert cups is not None
        await cups.open(head(RIGHT["name"], "caribbean-stud"))
        yield doors


async def test_every_mistake_at_every_route(with_meter: Doors) -> None:
    tried: dict[str, int] = dict.fromkeys(MISTAKES, 0)
    wrong: list[str] = []
    for place, door in zip(("socket", "look", "pages"), with_meter.all, strict=True):
        described = json.loads((await door.ask("GET", "/openapi.json")).text)
        for name, mistake in MISTAKES.items():
            if place not in ELSEWHERE.get(name, (place,)) or (place, name) in LENIENT:
                continue
            for route in filter(mistake.of, door.routes):
                for method, path, body, headers in mistake.asked(door, route):
                    answer = await door.ask(method, path, body, **headers)
                    tried[name] += 1
                    if place == "pages" and answer.status == 401 and 401 in route.statuses:
                        continue  # there nobody is signed in, which is told first
                    wrong += [f"{place}, {name}: {method} {path[:60]}: {why}" for why in check(answer, mistake)]
                    if method == route.method:
                        wrong += undescribed(answer, described, route)
    assert wrong == []
    assert all(tried.values())


def check(answer: Answer, mistake: Mistake) -> Iterator[str]:
    """Yields what is wrong with an answer."""
    if answer.status == 200 and "x-ndjson" in answer.headers["Content-Type"]:  # it was begun before that was known
        if mistake.status != 404 or "round.unknown" not in answer.text:
            yield f"200: {answer.text[:200]}"
        return
    if answer.status != mistake.status:
        yield f"{answer.status} instead of {mistake.status}: {answer.text[:200]}"
        return
    if not meaning(answer.code) or mistake.code not in ("", answer.code):
        yield f"the code {answer.code}"
    if answer.status == 405 and not answer.headers.get("Allow"):
        yield "no Allow"
    if answer.status == 401 and answer.headers.get("WWW-Authenticate") != "Bearer":
        yield "no WWW-Authenticate"


def undescribed(answer: Answer, described: dict[str, Any], route: AnyRoute) -> list[str]:
    """What an answer has that the description of the door does not tell."""
    responses = described["paths"][route.path][route.method.lower()]["responses"]
    if answer.status == 200:
        return []
    if str(answer.status) not in responses:
        return [f"{route.method} {route.path}: {answer.status} is not described"]
    schema = responses[str(answer.status)]["content"][JSON]["schema"]
    return list(problems(json.loads(answer.text), schema, described["components"]["schemas"]))


async def test_what_is_not_there(with_meter: Doors) -> None:
    for door in with_meter.all:
        for path in ("/nothing", "/status/", "/rounds/1/nothing", "//", "/%2e%2e/etc/passwd"):
            answer = await door.ask("GET", path)
            assert (answer.status, bool(meaning(answer.code))) == (404, True), path


async def test_the_door_that_only_shows_names_the_other(with_meter: Doors) -> None:
    for method, path in (("GET", "/keys"), ("GET", "/journal/tail"), ("POST", "/keys")):
        answer = await with_meter.look.ask(method, path)
        assert (answer.status, answer.code) == (404, "api.read-only"), path
        assert str(with_meter.floor.daemon.config.api.socket) in json.loads(answer.text)["error"]["next_step"]


async def test_the_methods_that_there_are(with_meter: Doors) -> None:
    for door in with_meter.all:
        for route in door.routes:
            known = {each.method for each in door.routes if each.path == route.path}
            answer = await door.ask("DELETE", at(route))
            assert set(answer.headers["Allow"].split(",")) - {"HEAD"} == known


async def test_who_has_a_wrong_pin(with_meter: Doors) -> None:
    wrong = await with_meter.socket.ask("POST", "/sign-in", {"badge": "1", "pin": "0000"})
    assert (wrong.status, wrong.code) == (401, "sign-in.wrong")


async def test_who_may_not(with_meter: Doors) -> None:
    """A dealer is signed in, and asks for what needs more."""
    with_meter.floor.as_person("dealer")
    signed = f"Bearer {with_meter.floor.client.token}"
    for path, body in (
        ("/jackpot/press", {"group": "G2", "by": "x"}),
        ("/correct", {"seq": 1, "to": None, "by": "x"}),
    ):
        answer = await with_meter.socket.ask("POST", path, body, Authorization=signed)
        assert (answer.status, answer.code.split("-")[0]) == (403, "person.not"), (path, answer.text)


async def test_what_cannot_be_as_things_stand(with_meter: Doors) -> None:
    ask, floor = with_meter.socket.ask, with_meter.floor
    for path, code in (
        ("/devices/shoe/reset", "device.no-fault"),
        (f"/devices/shoe/clear?{SERVICE}", "device.not-tampered"),
        (f"/devices/shoe/unpair?{SERVICE}", "pair.none"),
    ):
        answer = await ask("POST", path)
        assert (answer.status, answer.code) == (409, code)
    refused = await ask("POST", "/keys", {"key": "settle"})
    assert (refused.status, refused.code) == (409, "key.refused")
    await floor.bet(1, 1000, "ante")
    await floor.press("no-more-bets")
    for path in (f"/devices/shoe/unpair?{SERVICE}", "/devices/shoe/test", "/devices/shoe/identify"):
        answer = await ask("POST", path)
        assert answer.status == 409, answer.text
