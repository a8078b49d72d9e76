"""The description of a door in OpenAPI 3.1, from its declarations alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from controller.service.routes import OPENAPI, AnyRoute, ErrorAnswer, Index, IndexEntry, Json, Query

REFS: Final = "#/components/schemas/{name}"
JSON: Final = "application/json"
NAMES: Final = {"name": "the name of a device", "number": "the number of a round", "page": "the name of a page"}
KINDS: Final[dict[str, Json]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer", "minimum": 0},
    "switch": {"enum": ["0", "1"]},
}
STREAMS: Final = {"application/x-ndjson": "One JSON object a line.", "text/event-stream": "Server-sent events."}


def document(title: str, version: str, routes: Sequence[AnyRoute]) -> Json:
    """Returns the whole description of a door."""
    types = [*_types(routes), ErrorAnswer]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFS)
    by_type = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "paths": paths,
        "components": {"schemas": components},
    }


def index(title: str, routes: Iterable[AnyRoute]) -> Index:
    """Returns everything that can be asked, with one sentence each."""
    asked = [IndexEntry(method=each.method, path=each.path, says=each.says, who=each.who) for each in routes]
    return Index(title=title, openapi=OPENAPI.path, routes=asked)


def _types(routes: Iterable[AnyRoute]) -> list[Any]:
    """Returns each type that a body or an answer has, once."""
    named = [each.answer for each in routes] + [each.takes for each in routes if each.takes is not None]
    return list({id(kind): kind for kind in named}.values())


def _operation(route: AnyRoute, schemas: dict[int, Json]) -> Json:
    operation: Json = {
        "operationId": _identifier(route),
        "summary": route.says,
        "description": f"Who may: {route.who}.",
        "parameters": [*map(_name, route.names), *map(_query, route.query)],
        "responses": {
            "200": _answer(route, schemas),
            **{str(status): _failure(status, schemas) for status in route.statuses},
        },
    }
    if route.takes is not None:
        shape = {} if route.takes is bytes else {"schema": schemas[id(route.takes)]}
        operation["requestBody"] = {"required": True, "content": {route.body_media: shape}}
    return operation


def _identifier(route: AnyRoute) -> str:
    """Returns a name for programs that are made from the description.

    >>> from controller.service.routes import Route
    >>> _identifier(Route("GET", "/rounds/{number}/receipt.txt", "...", str))
    'get_rounds_number_receipt_txt'
    """
    words = "".join(letter if letter.isalnum() else " " for letter in route.path).split()
    return "_".join([route.method.lower(), *words])


def _name(name: str) -> Json:
    says = NAMES.get(name, name)
    return {"name": name, "in": "path", "required": True, "description": says, "schema": {"type": "string"}}


def _query(query: Query) -> Json:
    return {"name": query.name, "in": "query", "description": query.says, "schema": KINDS[query.kind]}


def _answer(route: AnyRoute, schemas: dict[int, Json]) -> Json:
    says = STREAMS.get(route.media, route.says)
    return {"description": says, "content": {route.media: {"schema": schemas[id(route.answer)]}}}


def _failure(status: int, schemas: dict[int, Json]) -> Json:
    return {"description": HTTPStatus(status).phrase, "content": {JSON: {"schema": schemas[id(ErrorAnswer)]}}}
