"""A client for tests: it asks whatever path a test names, right or wrong.

What it is answered is held against what the route declares, to the last key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlencode

import msgspec

from controller.api import correction, routes
from controller.cli.daemon_socket import TIMEOUT, DaemonSocket, Json
from controller.service import door_routes, floor_routes, tournament_routes
from controller.service.openapi import REFS
from controller.service.routes import NAMES, Route
from tests.api.schemas import problems

MODULES = (routes, correction, door_routes, floor_routes, tournament_routes)
DECLARED = [each for module in MODULES for each in vars(module).values() if isinstance(each, Route)]


class Client(DaemonSocket):
    """Asks one daemon, by path."""

    def get(self, what: str, timeout: float | None = TIMEOUT, **query: object) -> Json:
        given = {name: str(value) for name, value in query.items() if value is not None}
        return self.ask("GET", f"{what}?{urlencode(given)}" if given else what, None, timeout)

    def post(self, what: str, body: Json, timeout: float | None = TIMEOUT) -> Json:
        return self.ask("POST", what, json.dumps(body).encode(), timeout)

    def work(self, what: str, body: bytes | None) -> Iterator[Json]:
        return self.lines("POST", what, body)

    def stream(self, what: str, after: int = 0) -> Iterator[Json]:
        return self.listen(what, after)

    def events(self, after: int) -> Iterator[Json]:
        return self.listen("/events", after)

    def ask(self, method: str, what: str, body: bytes | None, timeout: float | None) -> Json:
        return as_declared(method, what, super().ask(method, what, body, timeout))

    def lines(self, method: str, what: str, body: bytes | None) -> Iterator[Json]:
        return (as_declared(method, what, line) for line in super().lines(method, what, body))


def as_declared(method: str, what: str, answer: Json) -> Json:
    """The answer, if it is what the route says that it answers."""
    schema, components = _schema(method, what.partition("?")[0])
    assert not (wrong := list(problems(answer, schema, components, f"{method} {what}"))), wrong
    return answer


@cache
def _schema(method: str, path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is answered there; anything, where nothing is declared."""
    for route in DECLARED:
        if route.method == method and re.fullmatch(NAMES.sub("[^/]+", route.path), path):
            (schema,), components = msgspec.json.schema_components([route.answer], ref_template=REFS)
            return schema, components
    return {}, {}
